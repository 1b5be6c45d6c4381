using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;

namespace Raven.Client.Documents.Linq;

/// <summary>Translates a predicate to a condition of RQL.</summary>
/// <param name="fields">Fields and values.</param>
/// <param name="comparesFields">Whether a field may be compared with another.</param>
/// <param name="isExact">Whether texts are compared with regard to case anyway.</param>
internal sealed class ConditionTranslator(
    FieldTranslator fields, bool comparesFields = false, bool isExact = false)
{
    private const string NullItem =
        "an index does not tell a list that has a null from one that has nothing; map the items in an index";

    /// <exception cref="NotSupportedException">A part cannot be expressed in RQL; the message names it.</exception>
    internal string Translate(Expression expression)
    {
        Expression body = Plain(expression);
        if (!FieldTranslator.ReadsDocument(body) && body.Type == typeof(bool))
        {
            return FieldTranslator.Evaluate(body) is true ? "true" : "false";
        }

        return body switch
        {
            BinaryExpression { NodeType: ExpressionType.AndAlso } both when IsAlways(both.Left, false) => "false",
            BinaryExpression { NodeType: ExpressionType.OrElse } either when IsAlways(either.Left, true) => "true",
            BinaryExpression { NodeType: ExpressionType.AndAlso or ExpressionType.And } both =>
                $"{Inner(both.Left)} and {Inner(both.Right)}",
            BinaryExpression { NodeType: ExpressionType.OrElse or ExpressionType.Or } either =>
                $"{Inner(either.Left)} or {Inner(either.Right)}",
            UnaryExpression { NodeType: ExpressionType.Not } not => Negate(not.Operand),
            BinaryExpression binary => Compare(binary),
            MethodCallExpression call => Call(call),
            MemberExpression { Member.Name: "HasValue", Expression: { } nullable }
                when Nullable.GetUnderlyingType(nullable.Type) != null => $"{fields.PathOf(nullable)} != null",
            MemberExpression member when member.Type == typeof(bool) => $"{fields.PathOf(member)} = true",
            _ => throw Refuse(body, "it is no condition"),
        };
    }

    private static NotSupportedException Refuse(Expression expression, string why) =>
        new($"'{expression}' cannot be translated to RQL: {why}.");

    /// <summary>
    /// Whether a part of a condition has this value for every document: then C# does not evaluate the part after it.
    /// </summary>
    private static bool IsAlways(Expression part, bool value) =>
        !FieldTranslator.ReadsDocument(part) && FieldTranslator.Evaluate(part) is bool always && always == value;

    private static string Operator(BinaryExpression binary, bool isTurned) => (binary.NodeType, isTurned) switch
    {
        (ExpressionType.Equal, _) => "=",
        (ExpressionType.NotEqual, _) => "!=",
        (ExpressionType.LessThan, false) or (ExpressionType.GreaterThan, true) => "<",
        (ExpressionType.LessThanOrEqual, false) or (ExpressionType.GreaterThanOrEqual, true) => "<=",
        (ExpressionType.GreaterThan, false) or (ExpressionType.LessThan, true) => ">",
        (ExpressionType.GreaterThanOrEqual, false) or (ExpressionType.LessThanOrEqual, true) => ">=",
        _ => throw Refuse(binary, "it compares nothing"),
    };

    /// <summary>A part of a condition, in parentheses if it has several parts itself.</summary>
    private string Inner(Expression expression)
    {
        string text = Translate(expression);
        bool isJoined = Plain(expression).NodeType is ExpressionType.AndAlso or ExpressionType.OrElse
            or ExpressionType.And or ExpressionType.Or;
        return isJoined || text.StartsWith("true and not ", StringComparison.Ordinal) ? $"({text})" : text;
    }

    /// <summary>The negation of a condition. RQL does not let a clause begin with "not".</summary>
    private string Negate(Expression operand) => $"true and not ({Translate(operand)})";

    /// <summary>A condition without conversions and double negations.</summary>
    private static Expression Plain(Expression expression)
    {
        Expression plain = FieldTranslator.Strip(expression);
        while (plain is UnaryExpression { NodeType: ExpressionType.Not } once
            && FieldTranslator.Strip(once.Operand) is UnaryExpression { NodeType: ExpressionType.Not } twice)
        {
            plain = FieldTranslator.Strip(twice.Operand);
        }

        return plain;
    }

    private string Compare(BinaryExpression binary)
    {
        bool isTurned = !FieldTranslator.ReadsDocument(binary.Left)
            || FieldTranslator.CompareExchangeOf(binary.Left) != null;
        Expression side = isTurned ? binary.Right : binary.Left;
        Expression value = isTurned ? binary.Left : binary.Right;
        string operation = Operator(binary, isTurned);
        bool isOrder = operation is not ("=" or "!=");
        Expression field = fields.ReadCompared(side);
        if (isOrder && OrderProblemOf(field.Type) is { } problem)
        {
            throw Refuse(binary, problem);
        }

        if (comparesFields && FieldTranslator.CompareExchangeOf(value) is null && FieldTranslator.ReadsDocument(value))
        {
            return CompareFields(binary, side, operation, value);
        }

        if (DatePart.DateOf(field) != null && !FieldTranslator.ReadsDocument(value))
        {
            return DatePart.Compare(fields, (MemberExpression)field, operation, FieldTranslator.Evaluate(value));
        }

        if (FoldOf(binary, ref field) is { } fold && !FieldTranslator.ReadsDocument(value)
            && !fold.CanBe(FieldTranslator.Evaluate(value)))
        {
            return operation == "=" ? "false" : "true";
        }

        string path = fields.PathOf(field);
        string other = fields.ValueOf(value, field.Type, binary, isOrder);
        return other != "null" ? $"{path} {operation} {other}"
            : isOrder ? "false"
            : fields.IsNested ? throw Refuse(binary, NullItem) : $"{path} {operation} null";
    }

    /// <summary>
    /// Finds a call such as <c>ToLower</c> on a compared text, and replaces the call by the text itself.
    /// </summary>
    private TextFold? FoldOf(Expression whole, ref Expression side)
    {
        TextFold? fold = TextFold.Find(side);
        if (fold != null && isExact)
        {
            throw Refuse(
                whole, "an exact condition compares texts as they are, with regard to case; leave out one of the two");
        }

        side = fold?.Field ?? side;
        return fold;
    }

    private string? OrderProblemOf(Type type) => fields.OrderProblemOf(type)
        ?? (Conversions.PlainOf(type) == typeof(char)
            ? "documents have a char as text, and texts are compared without regard to case"
            : null);

    /// <summary>
    /// Compares two fields. Both must be unconverted: a conversion of one cannot be undone on the other.
    /// </summary>
    private string CompareFields(BinaryExpression binary, Expression side, string operation, Expression other)
    {
        Type type = Conversions.PlainOf(fields.ReadCompared(side).Type);
        bool areAlike = type == Conversions.PlainOf(fields.ReadCompared(other).Type);
        if (type == typeof(DateTimeOffset))
        {
            throw Refuse(binary, FieldTranslator.OffsetProblem);
        }

        string left = fields.PathOf(areAlike ? fields.ReadCompared(side) : side);
        string right = fields.PathOf(areAlike ? fields.ReadCompared(other) : other);
        return right.StartsWith('\'')
            ? throw Refuse(other, "a name in quotes is a text where a value is expected; write it on the other side")
            : $"{left} {operation} {right}";
    }

    private string Call(MethodCallExpression call)
    {
        string name = call.Method.Name;
        if (call.Method.DeclaringType == typeof(string))
        {
            return Text(call, name);
        }

        bool isOfCharacters = call.Object is null && call.Arguments is [var owner, _, ..]
            && FieldTranslator.Strip(owner).Type == typeof(string) && FieldTranslator.ReadsDocument(owner);
        return name switch
        {
            "Contains" or "Any" or "ContainsAny" or "ContainsAll" when isOfCharacters =>
                throw Refuse(call, "an index has a text as a whole, and not its characters"),
            "Contains" => Contains(call),
            "Any" when call.Arguments.Count == 2 => AnyOf(call),
            "In" or "ContainsAny" when call.Arguments.Count == 2 => In(call, call.Arguments[0], "in"),
            "ContainsAll" when call.Arguments.Count == 2 => In(call, call.Arguments[0], "all in"),
            "Equals" when call.Object != null && call.Arguments.Count == 1 =>
                Compare(Expression.Equal(call.Object, Expression.Convert(call.Arguments[0], call.Object.Type))),
            _ => throw Refuse(call, "the server has no such function"),
        };
    }

    private string Text(MethodCallExpression call, string name)
    {
        Expression[] parts = [.. call.Object is null ? [] : new[] { call.Object }, .. call.Arguments];
        switch (name)
        {
            case "StartsWith" or "EndsWith" when parts is [var owner, { } value, .. { Length: < 2 } how]:
                string function = name == "StartsWith" ? "startsWith" : "endsWith";
                if (FoldOf(call, ref owner) is { } fold && !FieldTranslator.ReadsDocument(value)
                    && !fold.CanBe(FieldTranslator.Evaluate(value)))
                {
                    return "false";
                }

                string path = fields.PathOf(owner);
                string text = fields.ValueOf(value, typeof(string), call);
                return text == "null"
                    ? throw Refuse(call, "no text begins or ends with null")
                    : Exactly(call, $"{function}({path}, {text})", how);
            case "IsNullOrEmpty":
                string field = fields.PathOf(call.Arguments[0]);
                return $"({field} = null or {field} = {fields.Parameter("")})";
            case "Equals" when parts is [{ } one, { } other, .. { Length: < 2 } how]:
                return Exactly(call, Compare(Expression.Equal(one, Expression.Convert(other, one.Type))), how);
            case "Contains":
                throw Refuse(call, "an index has words, not pieces of them; use Search for words, or StartsWith");
            default:
                throw Refuse(call, "the server has no such function of texts; map what it gives in an index");
        }
    }

    /// <summary>A comparison of texts as its last argument requires, if it has one.</summary>
    /// <param name="call">The call.</param>
    /// <param name="condition">The condition if case does not matter.</param>
    /// <param name="how">A <see cref="StringComparison"/>, a comparer, or nothing.</param>
    private string Exactly(MethodCallExpression call, string condition, Expression[] how)
    {
        object? kind = how is [{ } last] ? FieldTranslator.Evaluate(last) : null;
        bool isPlain = how.Length == 0 || (kind is null && how[0].Type != typeof(StringComparison))
            || ReferenceEquals(kind, EqualityComparer<string>.Default);
        bool isOrdinal = kind is StringComparison.Ordinal || ReferenceEquals(kind, StringComparer.Ordinal);
        bool isFolded = kind is StringComparison.OrdinalIgnoreCase
            || ReferenceEquals(kind, StringComparer.OrdinalIgnoreCase);
        if (isPlain || (isFolded && !isExact) || (isOrdinal && isExact))
        {
            return condition;
        }

        return isOrdinal && !condition.Contains("id()", StringComparison.Ordinal)
            ? $"exact({condition})"
            : throw Refuse(call, "the server compares texts with or without regard to case, all of one query that "
                + "asks for exact ones alike, and ids without; it knows no cultures and no other comparers");
    }

    /// <summary>
    /// Translates <c>Contains</c>: of a list of the caller's and a field, or of a list of the document and a value.
    /// </summary>
    private string Contains(MethodCallExpression call)
    {
        Expression[] parts = [.. call.Object is null ? [] : new[] { call.Object }, .. call.Arguments];
        if (parts is not [{ } owner, { } item, .. { Length: < 2 } how])
        {
            throw Refuse(call, "the server has no such function");
        }

        Expression list = Unspan(FieldTranslator.Strip(owner));
        if (!FieldTranslator.ReadsDocument(list))
        {
            return Exactly(call, In(call, item, "in", list), how);
        }

        string path = fields.PathOf(list);
        string value = fields.ValueOf(item, item.Type, call);
        return value == "null" ? throw Refuse(call, NullItem) : Exactly(call, $"{path} = {value}", how);
    }

    private string In(MethodCallExpression call, Expression side, string operation, Expression? list = null)
    {
        Expression field = fields.ReadCompared(side);
        TextFold? fold = FoldOf(call, ref field);
        Expression given = Unspan(FieldTranslator.Strip(list ?? call.Arguments[1]));
        if (FieldTranslator.ReadsDocument(given))
        {
            throw Refuse(given, "a field can be compared with a list of values only, not with one of the document");
        }

        object? evaluated = FieldTranslator.Evaluate(given);
        if (evaluated is string || evaluated is not IEnumerable items)
        {
            throw Refuse(given, "it is no list");
        }

        if (operation == "all in" && !items.Cast<object?>().Any())
        {
            return "true"; // as in LINQ; the server finds nothing for an empty list
        }

        Type type = field.Type != typeof(string) && ItemTypeOf(field.Type) is { } one ? one : field.Type;
        IEnumerable<object?> possible = items.Cast<object?>().Where(item => fold?.CanBe(item) ?? true);
        object?[] values = [.. possible.Select(item => FieldTranslator.Convert(item, type, call))];
        bool isOfItems = type != field.Type || fields.IsNested;
        return isOfItems && Array.Exists(values, value => value is null)
            ? throw Refuse(call, NullItem)
            : $"{fields.PathOf(field)} {operation} ({fields.Parameter(values)})";
    }

    [UnconditionalSuppressMessage("Trimming", "IL2070:UnrecognizedReflectionPattern",
        Justification = "The interface that is looked for is named here, and kept by every type that is used.")]
    private static Type? ItemTypeOf(Type list) => list.GetInterfaces().Append(list)
        .FirstOrDefault(type => type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IEnumerable<>))
        ?.GetGenericArguments()[0];

    /// <summary>The list that a span was made of: in calls of Contains, the compiler converts lists to spans.</summary>
    internal static Expression Unspan(Expression list) =>
        list is MethodCallExpression { Method.Name: "op_Implicit", Arguments: [{ } array] } ? array : list;

    private string AnyOf(MethodCallExpression call)
    {
        var lambda = (LambdaExpression)FieldTranslator.Strip(call.Arguments[1]);
        Expression predicate = lambda.Body;
        if (Plain(predicate) is BinaryExpression
            {
                NodeType: ExpressionType.AndAlso or ExpressionType.OrElse or ExpressionType.And or ExpressionType.Or
            })
        {
            throw Refuse(call, "a dynamic query sees the fields of a list apart, so that its items cannot be asked for "
                + "two of them at once; map the items in an index");
        }

        if (SaysNot(predicate))
        {
            throw Refuse(call, "that no item is so is not that one item is not so, and the first is all that an index "
                + "can say; map the items in an index");
        }

        FieldTranslator items = fields.ItemsOf(call.Arguments[0], lambda.Parameters[0]);
        string condition = new ConditionTranslator(items, isExact: isExact).Translate(predicate);
        return condition.StartsWith('(') || condition is "true" or "false"
            ? throw Refuse(call, "the condition on an item has to be one comparison")
            : condition;
    }

    /// <summary>Whether a condition is a negation.</summary>
    private static bool SaysNot(Expression predicate) => Plain(predicate) switch
    {
        UnaryExpression { NodeType: ExpressionType.Not } => true,
        BinaryExpression { NodeType: ExpressionType.NotEqual } => true,
        MemberExpression { Member.Name: "HasValue" } => true,
        MethodCallExpression { Method.Name: "ContainsAll" } => true,
        _ => false,
    };
}
