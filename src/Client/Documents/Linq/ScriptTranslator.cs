using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using Raven.Client.Documents.Queries;
using Raven.Client.Json;

namespace Raven.Client.Documents.Linq;

/// <summary>Translates what a projection computes to JavaScript. Values of the caller become parameters.</summary>
internal sealed class ScriptTranslator(FieldTranslator fields, Dictionary<ParameterExpression, string> names)
{
    /// <summary>The first letters of the names of values inside of a document, which have no id of their own.</summary>
    private const string ItemName = "it";

    /// <summary>The name of <see cref="WholeFunction"/>.</summary>
    internal const string WholeName = "whole";

    /// <summary>
    /// Refuses a whole number that no double represents: numbers of JavaScript are doubles, so that it
    /// would be rounded.
    /// </summary>
    internal const string WholeFunction = $"function {WholeName}(n) {{ "
        + "if (n != null && !Number.isSafeInteger(n)) { throw new RangeError("
        + "'a whole number beyond 2^53 has more digits than a computed projection keeps') } return n; }";

    /// <exception cref="NotSupportedException">A part cannot be translated; the message names it.</exception>
    internal string Translate(Expression expression)
    {
        if (expression is UnaryExpression cast && ChangesValue(cast) && FieldTranslator.ReadsDocument(cast))
        {
            return Conversions.IsWhole(cast.Type) && Conversions.IsFraction(cast.Operand.Type)
                ? WithoutNull($"Math.trunc({Translate(cast.Operand)})", cast.Operand)
                : throw Refuse(cast);
        }

        Expression body = FieldTranslator.Strip(expression);
        if (!FieldTranslator.ReadsDocument(body))
        {
            return fields.Parameter(FieldTranslator.Evaluate(body));
        }

        string text = Text(body);
        return IsWide(body) ? $"{WholeName}({text})" : text;
    }

    private string Text(Expression body) => body switch
    {
        ParameterExpression parameter => names[parameter],
        MemberExpression member => Member(member),
        BinaryExpression binary => Binary(binary),
        UnaryExpression { NodeType: ExpressionType.Not } not when PlainOf(not.Type) == typeof(bool) =>
            WithoutNull($"!({Translate(not.Operand)})", not.Operand),
        UnaryExpression { NodeType: ExpressionType.Negate or ExpressionType.NegateChecked } minus
            when Conversions.IsNumber(minus.Type) =>
            WithoutNull($"-({Translate(minus.Operand)})", minus.Operand),
        ConditionalExpression choice =>
            $"({Translate(choice.Test)} ? {Translate(choice.IfTrue)} : {Translate(choice.IfFalse)})",
        NewExpression { Members: not null } or MemberInitExpression => Object(body),
        NewArrayExpression { NodeType: ExpressionType.NewArrayInit } list =>
            $"[{string.Join(", ", list.Expressions.Select(Translate))}]",
        MethodCallExpression call => Call(call),
        _ => throw Refuse(body),
    };

    /// <summary>
    /// Whether a conversion makes another value of one: a fraction to a whole number, an enumeration or a char (which
    /// documents have by name) to a number, a number to one of fewer digits. A conversion that keeps the number's text
    /// is none.
    /// </summary>
    internal static bool ChangesValue(UnaryExpression cast)
    {
        Type from = PlainOf(cast.Operand.Type);
        Type to = PlainOf(cast.Type);
        bool isKept = Conversions.Keeps(cast, enumsAreNumbers: false)
            || (IsWhole(from) && IsFraction(to))
            || (from == typeof(decimal) && IsFraction(to))
            || (from == typeof(double) && to == typeof(float));
        return Conversions.Is(cast) && !isKept && (from != typeof(int) || !to.IsEnum);
    }

    /// <summary>
    /// Whether a value may be a whole number that no double represents; an expression that only passes a value on was
    /// checked within.
    /// </summary>
    private static bool IsWide(Expression body) => Conversions.IsWide(body.Type) && body switch
    {
        ConditionalExpression or UnaryExpression or BinaryExpression { NodeType: ExpressionType.Coalesce } => false,
        MemberExpression { Expression: { } owner } => Nullable.GetUnderlyingType(owner.Type) is null,
        _ => true,
    };

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

    private static Type PlainOf(Type type) => Conversions.PlainOf(type);

    private static bool IsFraction(Type type) => Conversions.IsFraction(type);

    private static bool IsWhole(Type type) => Conversions.IsWhole(type);

    /// <summary>Whether values of a type have the same order and arithmetic in JavaScript.</summary>
    private static bool IsOrdered(Type type) => Conversions.IsNumber(type) || PlainOf(type) == typeof(DateTime)
        || PlainOf(type) == typeof(DateOnly) || PlainOf(type) == typeof(TimeOnly) || PlainOf(type) == typeof(Guid);

    /// <summary>Whether a value of the document can be null or absent.</summary>
    private static bool CanBeNull(Expression side) => FieldTranslator.ReadsDocument(side)
        && (!side.Type.IsValueType || Nullable.GetUnderlyingType(side.Type) != null);

    /// <summary>
    /// Nulls differ from JavaScript, where null is less than 1 and null + 1 is 1: a computation with null is null, no
    /// comparison with it is true, and it adds nothing to a text.
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

        bool isComparison = binary.Type == typeof(bool);
        bool isRefused = IsNamed(binary.Left) || IsNamed(binary.Right)
            || (isComparison ? !IsOrdered(binary.Left.Type) || !IsOrdered(binary.Right.Type)
                : !Conversions.IsNumber(binary.Left.Type) || !Conversions.IsNumber(binary.Right.Type));
        if (isRefused)
        {
            throw Refuse(binary);
        }

        string text = $"{Side(binary.Left, binary.Right)} {Operator(binary)} {Side(binary.Right, binary.Left)}";
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

        Type type = PlainOf(FieldTranslator.Strip(binary.Left).Type);
        bool isValue = type != typeof(DateTimeOffset) && (type == typeof(object) || MemberPath.IsValue(type))
            && (type == typeof(string) || !typeof(System.Collections.IEnumerable).IsAssignableFrom(type));
        return isValue
            ? $"({Side(binary.Left, binary.Right)} {Operator(binary)} {Side(binary.Right, binary.Left)})"
            : throw Refuse(binary);
    }

    private static bool IsNull(Expression side) =>
        !FieldTranslator.ReadsDocument(side) && FieldTranslator.Evaluate(side) is null;

    /// <summary>
    /// One side of a comparison: the compiler turns enumerations and chars into numbers, and documents have names
    /// and texts.
    /// </summary>
    private string Side(Expression side, Expression other)
    {
        Expression read = fields.ReadCompared(side);
        if (FieldTranslator.ReadsDocument(side))
        {
            return Translate(IsNamed(read) ? read : side);
        }

        Type type = fields.ReadCompared(other).Type;
        return IsNamed(other) && FieldTranslator.Evaluate(side) is { } value
            ? fields.Parameter(FieldTranslator.Convert(value, type, side))
            : Translate(side);
    }

    /// <summary>Whether C# has a number for what documents have as a name or a text.</summary>
    private bool IsNamed(Expression side) =>
        PlainOf(fields.ReadCompared(side).Type) is { } type && (type.IsEnum || type == typeof(char));

    /// <summary>Code of a value that is null if one of its parts is.</summary>
    private string WithoutNull(string text, params Expression[] parts)
    {
        string[] missing = [.. parts.Where(CanBeNull).Select(part => $"{Translate(part)} == null")];
        return missing.Length == 0 ? text : $"({string.Join(" || ", missing)} ? null : {text})";
    }

    /// <summary>Code of a part of a text that is joined from several parts.</summary>
    private string TextOf(Expression part)
    {
        Expression inner = fields.Read(part);
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
        if (IsDictionary(owner.Type))
        {
            throw Refuse(member);
        }

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

        return FieldTranslator.Strip(owner) is ParameterExpression document
            && !names[document].StartsWith(ItemName, StringComparison.Ordinal)
            && fields.PathOf(member) == "id()"
            ? $"id({Translate(owner)})"
            : Reach(owner, ScriptPath.Of(fields.NameOf(member.Member)));
    }

    /// <summary>A dictionary is an object in JavaScript, which has no length and is no list.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2070:UnrecognizedReflectionPattern",
        Justification = "The interfaces that are looked for are named here, and kept by every type that is used.")]
    private static bool IsDictionary(Type type) => typeof(System.Collections.IDictionary).IsAssignableFrom(type)
        || type.GetInterfaces().Append(type).Any(one => one.IsGenericType
            && (one.GetGenericTypeDefinition() == typeof(IDictionary<,>)
                || one.GetGenericTypeDefinition() == typeof(IReadOnlyDictionary<,>)));

    /// <summary>Code of a member of a value, which is absent if the value is.</summary>
    private string Reach(Expression owner, string member)
    {
        string optional = FieldTranslator.Strip(owner) is ParameterExpression ? "" : member[0] == '[' ? "?." : "?";
        return Translate(owner) + optional + member;
    }

    private string Object(Expression body) => "({ " + string.Join(", ",
        fields.MembersOf(body).Select(member => $"{ScriptPath.Key(member.Name)}: {Translate(member.Value)}")) + " })";

    private string Call(MethodCallExpression call)
    {
        string name = call.Method.Name;
        if (SeriesTranslator.IsSeries(call))
        {
            return Series(call);
        }

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
            return TextCall(call, name);
        }

        return name == "Contains" && ListContains(call) is { } contains ? contains
            : call.Method.DeclaringType == typeof(Enumerable) ? List(call, name) : throw Refuse(call);
    }

    /// <summary>A call of a function that is declared for a query of a time series.</summary>
    private string Series(MethodCallExpression call)
    {
        string text = SeriesTranslator.Translate(fields, call, out Expression? document);
        string function = $"series{fields.Declared.Count}";
        fields.Declared.Add($"timeseries {function}(owner) {{ {text} }}");
        return document is null ? $"{function}({ProjectionTranslator.Alias})"
            : document.Type == typeof(string) ? $"{function}(load({Translate(document)}))"
            : $"{function}({Translate(document)})";
    }

    /// <summary>A function of texts; JavaScript compares them as Ordinal does.</summary>
    private string TextCall(MethodCallExpression call, string name)
    {
        string? function = (name, call.Arguments.Count) switch
        {
            ("ToUpper" or "ToUpperInvariant", 0) => "toUpperCase",
            ("ToLower" or "ToLowerInvariant", 0) => "toLowerCase",
            ("Trim", 0) => "trim",
            ("Contains", 1 or 2) => "includes",
            ("StartsWith", 1 or 2) => "startsWith",
            ("EndsWith", 1 or 2) => "endsWith",
            _ => null,
        };
        bool isOther = call.Arguments is [_, { } how] && FieldTranslator.Evaluate(how) is not StringComparison.Ordinal;
        return function is null || isOther
            ? throw Refuse(call)
            : Reach(call.Object!, $".{function}({string.Join(", ", call.Arguments.Take(1).Select(Translate))})");
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

    /// <summary>Whether a list has a value; null if the call is about something else.</summary>
    private string? ListContains(MethodCallExpression call)
    {
        Expression list = ConditionTranslator.Unspan(FieldTranslator.Strip(call.Object ?? call.Arguments[0]));
        Expression[] values = [.. call.Arguments.Skip(call.Object is null ? 1 : 0)];
        if (values is not [{ } value] || !typeof(System.Collections.IEnumerable).IsAssignableFrom(list.Type))
        {
            return null;
        }

        if (IsDictionary(list.Type) || PlainOf(value.Type) == typeof(DateTimeOffset))
        {
            throw Refuse(call);
        }

        return FieldTranslator.ReadsDocument(list)
            ? Reach(list, $".includes({Translate(value)})")
            : $"{fields.Parameter(FieldTranslator.Evaluate(list))}.includes({Translate(value)})";
    }

    private string List(MethodCallExpression call, string name)
    {
        Expression source = call.Arguments[0];
        if (source.Type == typeof(string) || IsDictionary(source.Type))
        {
            throw Refuse(call);
        }

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
