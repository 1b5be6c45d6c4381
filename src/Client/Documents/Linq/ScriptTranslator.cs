using System.Linq.Expressions;
using Raven.Client.Json;

namespace Raven.Client.Documents.Linq;

/// <summary>Makes JavaScript of what a projection computes. Values of the caller become parameters.</summary>
internal sealed class ScriptTranslator(FieldTranslator fields, Dictionary<ParameterExpression, string> names)
{
    /// <exception cref="NotSupportedException">It has no JavaScript; names the part that has none.</exception>
    internal string Translate(Expression expression)
    {
        Expression body = FieldTranslator.Strip(expression);
        if (!FieldTranslator.ReadsDocument(body))
        {
            return fields.Parameter(FieldTranslator.Evaluate(body));
        }

        return body switch
        {
            ParameterExpression parameter => names[parameter],
            MemberExpression member => Member(member),
            BinaryExpression binary => $"({Translate(binary.Left)} {Operator(binary)} {Translate(binary.Right)})",
            UnaryExpression { NodeType: ExpressionType.Not } not => $"!({Translate(not.Operand)})",
            UnaryExpression { NodeType: ExpressionType.Negate } minus => $"-({Translate(minus.Operand)})",
            ConditionalExpression choice =>
                $"({Translate(choice.Test)} ? {Translate(choice.IfTrue)} : {Translate(choice.IfFalse)})",
            NewExpression { Members: not null } or MemberInitExpression => Object(body),
            MethodCallExpression call => Call(call),
            _ => throw Refuse(body),
        };
    }

    private static NotSupportedException Refuse(Expression expression) =>
        new($"'{expression}' cannot be translated: the server cannot compute it in a projection.");

    private static string Operator(BinaryExpression binary) => binary.NodeType switch
    {
        ExpressionType.Add or ExpressionType.AddChecked => "+",
        ExpressionType.Subtract or ExpressionType.SubtractChecked => "-",
        ExpressionType.Multiply or ExpressionType.MultiplyChecked => "*",
        ExpressionType.Divide when binary.Type == typeof(double) || binary.Type == typeof(float)
            || binary.Type == typeof(decimal) => "/",
        ExpressionType.Modulo => "%",
        ExpressionType.Equal => "===",
        ExpressionType.NotEqual => "!==",
        ExpressionType.LessThan => "<",
        ExpressionType.LessThanOrEqual => "<=",
        ExpressionType.GreaterThan => ">",
        ExpressionType.GreaterThanOrEqual => ">=",
        ExpressionType.AndAlso => "&&",
        ExpressionType.OrElse => "||",
        ExpressionType.Coalesce => "??",
        _ => throw Refuse(binary),
    };

    private string Member(MemberExpression member)
    {
        Expression owner = member.Expression!;
        if (member.Member.Name is "Length" or "Count" && (owner.Type == typeof(string)
            || typeof(System.Collections.IEnumerable).IsAssignableFrom(owner.Type)))
        {
            return Translate(owner) + ".length";
        }

        if (owner is ParameterExpression && fields.PathOf(member) == "id()")
        {
            return $"id({Translate(owner)})";
        }

        return member is { Member.Name: "Value" } && Nullable.GetUnderlyingType(owner.Type) != null
            ? Translate(owner)
            : $"{Translate(owner)}.{MemberPath.NameOf(member.Member)}";
    }

    private string Object(Expression body) => "({ " + string.Join(", ",
        ProjectionTranslator.MembersOf(body).Select(member => $"{member.Name}: {Translate(member.Value)}")) + " })";

    private string Call(MethodCallExpression call)
    {
        string name = call.Method.Name;
        if (call.Method.DeclaringType == typeof(string) && call.Object != null)
        {
            string? function = name switch
            {
                "ToUpper" or "ToUpperInvariant" => "toUpperCase",
                "ToLower" or "ToLowerInvariant" => "toLowerCase",
                "Trim" => "trim",
                "Contains" => "includes",
                "StartsWith" => "startsWith",
                "EndsWith" => "endsWith",
                _ => null,
            };
            return function is null
                ? throw Refuse(call)
                : $"{Translate(call.Object)}.{function}({string.Join(", ", call.Arguments.Take(1).Select(Translate))})";
        }

        return call.Method.DeclaringType == typeof(Enumerable) ? List(call, name) : throw Refuse(call);
    }

    private string List(MethodCallExpression call, string name)
    {
        string list = Translate(call.Arguments[0]);
        string? lambda = call.Arguments.Count > 1 ? Function(call.Arguments[1]) : null;
        return (name, lambda) switch
        {
            ("Select", { } map) => $"{list}.map({map})",
            ("Where", { } filter) => $"{list}.filter({filter})",
            ("Any", { } some) => $"{list}.some({some})",
            ("Any", null) => $"({list}.length > 0)",
            ("All", { } every) => $"{list}.every({every})",
            ("Count", null) => $"{list}.length",
            ("Count", { } counted) => $"{list}.filter({counted}).length",
            ("Sum", { } summed) => $"{list}.map({summed}).reduce((a, b) => a + b, 0)",
            ("Sum", null) => $"{list}.reduce((a, b) => a + b, 0)",
            ("ToList" or "ToArray", null) => list,
            _ => throw Refuse(call),
        };
    }

    private string Function(Expression expression)
    {
        if (FieldTranslator.Strip(expression) is not LambdaExpression { Parameters: [{ } item] } lambda)
        {
            throw Refuse(expression);
        }

        string name = $"it{names.Count}";
        var inner = new Dictionary<ParameterExpression, string>(names) { [item] = name };
        return $"{name} => {new ScriptTranslator(fields, inner).Translate(lambda.Body)}";
    }
}
