using System.Collections;
using System.Linq.Expressions;

namespace Raven.Client.Documents.Linq;

/// <summary>Makes a condition of RQL of a predicate.</summary>
/// <param name="fields">Fields and values.</param>
/// <param name="comparesFields">Whether a field may be compared with another.</param>
internal sealed class ConditionTranslator(FieldTranslator fields, bool comparesFields = false)
{
    /// <exception cref="NotSupportedException">It cannot be said in RQL; names the part that cannot.</exception>
    internal string Translate(Expression expression)
    {
        Expression body = FieldTranslator.Strip(expression);
        if (!FieldTranslator.ReadsDocument(body) && body.Type == typeof(bool))
        {
            return FieldTranslator.Evaluate(body) is true ? "true" : "false";
        }

        return body switch
        {
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

    /// <summary>A part of a condition, in parentheses where it is one of several parts itself.</summary>
    private string Inner(Expression expression)
    {
        string text = Translate(expression);
        bool isJoined = FieldTranslator.Strip(expression).NodeType is ExpressionType.AndAlso or ExpressionType.OrElse
            or ExpressionType.And or ExpressionType.Or;
        return isJoined || text.StartsWith("true and not ", StringComparison.Ordinal) ? $"({text})" : text;
    }

    private string Negate(Expression operand)
    {
        Expression inner = FieldTranslator.Strip(operand);
        if (inner is UnaryExpression { NodeType: ExpressionType.Not } twice)
        {
            return Translate(twice.Operand);
        }

        // A clause cannot open with "not".
        return $"true and not ({Translate(inner)})";
    }

    private string Compare(BinaryExpression binary)
    {
        bool isTurned = !FieldTranslator.ReadsDocument(binary.Left)
            || FieldTranslator.CompareExchangeOf(binary.Left) != null;
        Expression field = isTurned ? binary.Right : binary.Left;
        Expression value = isTurned ? binary.Left : binary.Right;
        string operation = Operator(binary, isTurned);
        if (operation is not ("=" or "!=") && fields.IsEnumName(field))
        {
            throw Refuse(binary, "documents have enumerations by name, and names have the order of the alphabet; list "
                + "those that are meant with In, or set DocumentConventions.SaveEnumsAsIntegers");
        }

        string other = comparesFields && FieldTranslator.CompareExchangeOf(value) is null
            && FieldTranslator.ReadsDocument(value) ? fields.PathOf(value) : fields.ValueOf(value, field);
        return $"{fields.PathOf(field)} {operation} {other}";
    }

    private string Call(MethodCallExpression call)
    {
        string name = call.Method.Name;
        if (call.Method.DeclaringType == typeof(string))
        {
            return Text(call, name);
        }

        return name switch
        {
            "Contains" => Contains(call),
            "Any" when call.Arguments.Count == 2 => AnyOf(call),
            "In" => $"{fields.PathOf(call.Arguments[0])} in ({ListOf(call.Arguments[1])})",
            "ContainsAny" => $"{fields.PathOf(call.Arguments[0])} in ({ListOf(call.Arguments[1])})",
            "ContainsAll" => $"{fields.PathOf(call.Arguments[0])} all in ({ListOf(call.Arguments[1])})",
            "Equals" when call.Object != null && call.Arguments.Count == 1 =>
                Compare(Expression.Equal(call.Object, Expression.Convert(call.Arguments[0], call.Object.Type))),
            _ => throw Refuse(call, "the server has no such function"),
        };
    }

    private string Text(MethodCallExpression call, string name)
    {
        switch (name)
        {
            case "StartsWith" or "EndsWith" when call is { Object: { } owner, Arguments: [{ } value, ..] }:
                string function = name == "StartsWith" ? "startsWith" : "endsWith";
                return $"{function}({fields.PathOf(owner)}, {fields.ValueOf(value, owner)})";
            case "IsNullOrEmpty":
                string field = fields.PathOf(call.Arguments[0]);
                return $"({field} = null or {field} = {fields.Parameter("")})";
            case "Equals" when call.Object != null:
                return $"{fields.PathOf(call.Object)} = {fields.ValueOf(call.Arguments[0], call.Object)}";
            case "Contains":
                throw Refuse(call, "an index has words, not pieces of them; use Search for words, or StartsWith");
            default:
                throw Refuse(call, "the server has no such function of texts");
        }
    }

    /// <summary>Either a list of the caller's that holds a field, or a list of the document's that holds a
    /// value.</summary>
    private string Contains(MethodCallExpression call)
    {
        Expression list = FieldTranslator.Strip(call.Object ?? call.Arguments[0]);
        Expression item = call.Object != null ? call.Arguments[0] : call.Arguments[1];
        if (FieldTranslator.ReadsDocument(list))
        {
            return $"{fields.PathOf(list)} = {fields.ValueOf(item, item)}";
        }

        return $"{fields.PathOf(item)} in ({ListOf(Unspan(list))})";
    }

    /// <summary>What a span was made of: the compiler prefers spans to lists in calls of Contains.</summary>
    internal static Expression Unspan(Expression list) =>
        list is MethodCallExpression { Method.Name: "op_Implicit", Arguments: [{ } array] } ? array : list;

    private string AnyOf(MethodCallExpression call)
    {
        Expression predicate = call.Arguments[1] is UnaryExpression { Operand: LambdaExpression quoted }
            ? quoted.Body
            : ((LambdaExpression)call.Arguments[1]).Body;
        string list = fields.PathOf(call.Arguments[0]) + "[]";
        if (FieldTranslator.Strip(predicate) is BinaryExpression
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

        string condition = new ConditionTranslator(fields.Nested).Translate(predicate);
        int field = condition.StartsWith("startsWith(", StringComparison.Ordinal)
            ? "startsWith(".Length
            : condition.StartsWith("endsWith(", StringComparison.Ordinal) ? "endsWith(".Length : 0;
        if (condition.StartsWith('(') || condition is "true" or "false")
        {
            throw Refuse(call, "the condition on an item has to be one comparison");
        }

        string dot = condition[field] is ' ' or ',' ? "" : ".";
        return condition[..field] + list + dot + condition[field..];
    }

    /// <summary>Whether a condition is true where something is not.</summary>
    private static bool SaysNot(Expression predicate) => FieldTranslator.Strip(predicate) switch
    {
        UnaryExpression { NodeType: ExpressionType.Not } => true,
        BinaryExpression { NodeType: ExpressionType.NotEqual } => true,
        MemberExpression { Member.Name: "HasValue" } => true,
        MethodCallExpression { Method.Name: "ContainsAll" } => true,
        _ => false,
    };

    private string ListOf(Expression list)
    {
        object? value = FieldTranslator.Evaluate(Unspan(FieldTranslator.Strip(list)));
        return value is IEnumerable items and not string
            ? fields.Parameter(items.Cast<object?>().ToArray())
            : throw Refuse(list, "it is no list");
    }
}
