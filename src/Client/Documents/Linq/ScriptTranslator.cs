using System.Linq.Expressions;
using Raven.Client.Documents.Queries;
using Raven.Client.Json;

namespace Raven.Client.Documents.Linq;

/// <summary>Makes JavaScript of what a projection computes. Values of the caller become parameters.</summary>
internal sealed class ScriptTranslator(FieldTranslator fields, Dictionary<ParameterExpression, string> names)
{
    /// <summary>Begins the names of what is inside of a document, and so has no id of its own.</summary>
    private const string ItemName = "it";

    /// <exception cref="NotSupportedException">It has no JavaScript; names the part that has none.</exception>
    internal string Translate(Expression expression)
    {
        if (expression is UnaryExpression cast && ChangesValue(cast) && FieldTranslator.ReadsDocument(cast))
        {
            return PlainOf(cast.Operand.Type).IsEnum
                ? throw Refuse(cast)
                : WithoutNull($"Math.trunc({Translate(cast.Operand)})", cast.Operand);
        }

        Expression body = FieldTranslator.Strip(expression);
        if (!FieldTranslator.ReadsDocument(body))
        {
            return fields.Parameter(FieldTranslator.Evaluate(body));
        }

        return body switch
        {
            ParameterExpression parameter => names[parameter],
            MemberExpression member => Member(member),
            BinaryExpression binary => Binary(binary),
            UnaryExpression { NodeType: ExpressionType.Not } not => $"!({Translate(not.Operand)})",
            UnaryExpression { NodeType: ExpressionType.Negate or ExpressionType.NegateChecked } minus =>
                WithoutNull($"-({Translate(minus.Operand)})", minus.Operand),
            ConditionalExpression choice =>
                $"({Translate(choice.Test)} ? {Translate(choice.IfTrue)} : {Translate(choice.IfFalse)})",
            NewExpression { Members: not null } or MemberInitExpression => Object(body),
            NewArrayExpression { NodeType: ExpressionType.NewArrayInit } list =>
                $"[{string.Join(", ", list.Expressions.Select(Translate))}]",
            MethodCallExpression call => Call(call),
            _ => throw Refuse(body),
        };
    }

    /// <summary>Whether a conversion makes another value of one: a whole number of a fraction, or a number of an
    /// enumeration, which documents have by name.</summary>
    internal static bool ChangesValue(UnaryExpression cast) =>
        cast.NodeType is ExpressionType.Convert or ExpressionType.ConvertChecked && IsWhole(cast.Type)
        && (IsFraction(cast.Operand.Type) || PlainOf(cast.Operand.Type).IsEnum);

    private static NotSupportedException Refuse(Expression expression) =>
        new($"'{expression}' cannot be translated: the server cannot compute it in a projection.");

    private static string Operator(BinaryExpression binary) => binary.NodeType switch
    {
        ExpressionType.Add or ExpressionType.AddChecked => "+",
        ExpressionType.Subtract or ExpressionType.SubtractChecked => "-",
        ExpressionType.Multiply or ExpressionType.MultiplyChecked => "*",
        ExpressionType.Divide => "/",
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

    private static Type PlainOf(Type type) => Nullable.GetUnderlyingType(type) ?? type;

    private static bool IsFraction(Type type) =>
        Type.GetTypeCode(PlainOf(type)) is TypeCode.Single or TypeCode.Double or TypeCode.Decimal;

    private static bool IsWhole(Type type) => !type.IsEnum
        && Type.GetTypeCode(PlainOf(type)) is >= TypeCode.SByte and <= TypeCode.UInt64;

    /// <summary>Whether a value of the document can be null or not there.</summary>
    private static bool CanBeNull(Expression side) => FieldTranslator.ReadsDocument(side)
        && (!side.Type.IsValueType || Nullable.GetUnderlyingType(side.Type) != null);

    /// <summary>
    /// Nulls are not as in JavaScript, where null is less than 1 and null + 1 is 1: what is computed with null is
    /// null, no comparison with it is true, and it adds nothing to a text.
    /// </summary>
    private string Binary(BinaryExpression binary)
    {
        switch (binary.NodeType)
        {
            case ExpressionType.Add when binary.Type == typeof(string):
                return $"({TextOf(binary.Left)} + {TextOf(binary.Right)})";
            case ExpressionType.Equal or ExpressionType.NotEqual:
                return Equality(binary);
            case ExpressionType.AndAlso or ExpressionType.OrElse or ExpressionType.Coalesce:
                return $"({Translate(binary.Left)} {Operator(binary)} {Translate(binary.Right)})";
            default:
                break;
        }

        if (IsEnum(binary.Left) || IsEnum(binary.Right))
        {
            throw Refuse(binary);
        }

        string text = $"{Side(binary.Left, binary.Right)} {Operator(binary)} {Side(binary.Right, binary.Left)}";
        bool isComparison = binary.Type == typeof(bool);
        if (isComparison)
        {
            IEnumerable<string> present = new[] { binary.Left, binary.Right }.Where(CanBeNull)
                .Select(side => $"{Translate(side)} != null && ");
            return $"({string.Concat(present)}{text})";
        }

        if (binary.NodeType == ExpressionType.Divide && IsWhole(binary.Type))
        {
            text = $"Math.trunc({text})";
        }

        return WithoutNull($"({text})", binary.Left, binary.Right);
    }

    private string Equality(BinaryExpression binary)
    {
        bool isNull = IsNull(binary.Left) || IsNull(binary.Right);
        if (isNull)
        {
            Expression other = IsNull(binary.Left) ? binary.Right : binary.Left;
            return $"({Translate(other)} {(binary.NodeType == ExpressionType.Equal ? "==" : "!=")} null)";
        }

        return $"({Side(binary.Left, binary.Right)} {Operator(binary)} {Side(binary.Right, binary.Left)})";
    }

    private static bool IsNull(Expression side) =>
        !FieldTranslator.ReadsDocument(side) && FieldTranslator.Evaluate(side) is null;

    /// <summary>One side of a comparison: the compiler makes numbers of enumerations, and documents have names.
    /// </summary>
    private string Side(Expression side, Expression other)
    {
        if (FieldTranslator.ReadsDocument(side))
        {
            return Translate(IsEnum(side) ? FieldTranslator.Strip(side) : side);
        }

        return IsEnum(other) && FieldTranslator.Evaluate(side) is { } value
            ? fields.Parameter(value is Enum ? value : Enum.ToObject(PlainOf(FieldTranslator.Strip(other).Type), value))
            : Translate(side);
    }

    private static bool IsEnum(Expression side) => PlainOf(FieldTranslator.Strip(side).Type).IsEnum;

    /// <summary>A value that is null where one of those that it is made of is.</summary>
    private string WithoutNull(string text, params Expression[] parts)
    {
        string[] missing = [.. parts.Where(CanBeNull).Select(part => $"{Translate(part)} == null")];
        return missing.Length == 0 ? text : $"({string.Join(" || ", missing)} ? null : {text})";
    }

    /// <summary>A part of a text that is joined of several.</summary>
    private string TextOf(Expression part)
    {
        Expression inner = FieldTranslator.Strip(part);
        if (!FieldTranslator.ReadsDocument(inner))
        {
            return fields.Parameter(FieldTranslator.Evaluate(inner)?.ToString() ?? "");
        }

        bool isText = inner.Type == typeof(string) || IsWhole(inner.Type);
        return !isText ? throw Refuse(part) : CanBeNull(inner) ? $"({Translate(inner)} ?? '')" : Translate(inner);
    }

    private string Member(MemberExpression member)
    {
        Expression owner = member.Expression!;
        string name = member.Member.Name;
        if (name is "Length" or "Count" && (owner.Type == typeof(string)
            || typeof(System.Collections.IEnumerable).IsAssignableFrom(owner.Type)))
        {
            return Reach(owner, ".length");
        }

        if (Nullable.GetUnderlyingType(owner.Type) != null)
        {
            return name == "Value" ? Translate(owner) : $"({Translate(owner)} != null)";
        }

        if (MemberPath.IsValue(owner.Type))
        {
            throw Refuse(member);
        }

        return owner is ParameterExpression document && !names[document].StartsWith(ItemName, StringComparison.Ordinal)
            && fields.PathOf(member) == "id()"
            ? $"id({Translate(owner)})"
            : Reach(owner, $".{fields.NameOf(member.Member)}");
    }

    /// <summary>Something of a value; not there where the value is not.</summary>
    private string Reach(Expression owner, string member) =>
        Translate(owner) + (FieldTranslator.Strip(owner) is ParameterExpression ? "" : "?") + member;

    private string Object(Expression body) => "({ " + string.Join(", ",
        fields.MembersOf(body).Select(member => $"{member.Name}: {Translate(member.Value)}")) + " })";

    private string Call(MethodCallExpression call)
    {
        string name = call.Method.Name;
        if (FieldTranslator.IsHelper(call))
        {
            return Helper(call, name);
        }

        if (name is "get_Item" or "GetString" or "GetLong" or "GetDouble" or "GetBoolean"
            && call is { Object: { } owner, Arguments: [{ } key] })
        {
            return $"{Translate(owner)}?.[{Translate(key)}]";
        }

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
            return function is null || call.Arguments.Count > 1
                ? throw Refuse(call)
                : Reach(call.Object, $".{function}({string.Join(", ", call.Arguments.Select(Translate))})");
        }

        return name == "Contains" && ListContains(call) is { } contains ? contains
            : call.Method.DeclaringType == typeof(Enumerable) ? List(call, name) : throw Refuse(call);
    }

    /// <summary>A function of <see cref="RavenQuery"/>.</summary>
    private string Helper(MethodCallExpression call, string name)
    {
        Expression first = call.Arguments[0];
        switch (name)
        {
            case nameof(RavenQuery.Load):
                return $"load({Translate(first)})";
            case nameof(RavenQuery.Id):
                return $"id({Translate(first)})";
            case nameof(RavenQuery.Metadata):
                return $"getMetadata({Translate(first)})";
            case nameof(RavenQuery.LastModified):
                return $"getMetadata({Translate(first)})['@last-modified']";
            case nameof(RavenQuery.CmpXchg):
                return $"cmpxchg({Translate(first)})";
            case nameof(RavenQuery.Counter) when call.Arguments is [_, { } counter]:
                return $"counter({Translate(first)}, {Translate(counter)})";
            case nameof(RavenQuery.Counter):
                return $"counter({ProjectionTranslator.Alias}, {Translate(first)})";
            case nameof(RavenQuery.Raw) when FieldTranslator.Evaluate(call.Arguments[^1]) is string js:
                return call.Arguments.Count == 1 ? $"({js})" : $"{Translate(first)}.{js}";
            default:
                throw Refuse(call);
        }
    }

    /// <summary>Whether a list has a value; null where the call is about something else.</summary>
    private string? ListContains(MethodCallExpression call)
    {
        Expression list = ConditionTranslator.Unspan(FieldTranslator.Strip(call.Object ?? call.Arguments[0]));
        Expression[] values = [.. call.Arguments.Skip(call.Object is null ? 1 : 0)];
        if (values is not [{ } value] || !typeof(System.Collections.IEnumerable).IsAssignableFrom(list.Type))
        {
            return null;
        }

        return FieldTranslator.ReadsDocument(list)
            ? Reach(list, $".includes({Translate(value)})")
            : $"{fields.Parameter(FieldTranslator.Evaluate(list))}.includes({Translate(value)})";
    }

    private string List(MethodCallExpression call, string name)
    {
        Expression source = call.Arguments[0];
        string? lambda = call.Arguments.Count > 1 ? Function(call.Arguments[1]) : null;
        return (name, lambda) switch
        {
            ("Select", { } map) => Reach(source, $".map({map})"),
            ("Where", { } filter) => Reach(source, $".filter({filter})"),
            ("Any", { } some) => Reach(source, $".some({some})"),
            ("Any", null) => $"({Reach(source, ".length")} > 0)",
            ("All", { } every) => Reach(source, $".every({every})"),
            ("Count", null) => Reach(source, ".length"),
            ("Count", { } counted) => Reach(source, $".filter({counted}).length"),
            ("Sum", { } summed) => Reach(source, $".map({summed}).reduce((a, b) => a + b, 0)"),
            ("Sum", null) => Reach(source, ".reduce((a, b) => a + b, 0)"),
            ("FirstOrDefault", null) => $"{Translate(source)}?.[0]",
            ("ToList" or "ToArray", null) => Translate(source),
            _ => throw Refuse(call),
        };
    }

    private string Function(Expression expression)
    {
        if (FieldTranslator.Strip(expression) is not LambdaExpression { Parameters: [{ } item] } lambda)
        {
            throw Refuse(expression);
        }

        string name = $"{ItemName}{names.Count}";
        var inner = new Dictionary<ParameterExpression, string>(names) { [item] = name };
        return $"{name} => {new ScriptTranslator(fields, inner).Translate(lambda.Body)}";
    }
}
