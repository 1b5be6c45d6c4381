using System.Collections;
using System.Linq.Expressions;
using System.Reflection;

namespace Raven.Client.Json;

/// <summary>
/// The path in a document that a lambda reads: <c>x => x.Address.City</c> is <c>Address.City</c>, and <c>x =>
/// x.Lines.Select(line => line.Product)</c> is <c>Lines[].Product</c>.
/// </summary>
internal static class MemberPath
{
    /// <param name="expression">The expression that is read.</param>
    /// <param name="nameOf">The names of members in documents.</param>
    /// <param name="root">The parameter that is read from; null for any.</param>
    /// <exception cref="NotSupportedException">The expression is no path; the message names it.</exception>
    internal static string Of(
        Expression expression, Func<MemberInfo, string> nameOf, ParameterExpression? root = null) =>
        Find(expression, nameOf, root)
        ?? throw new NotSupportedException($"'{expression}' is no path of properties in a document.");

    /// <summary>Whether a type is one value in JSON, or a list, so that its members are not in the document: a year
    /// of a date, the length of a text.</summary>
    internal static bool IsValue(Type type) => type.IsPrimitive || type.IsEnum || type == typeof(decimal)
        || type == typeof(DateTime) || type == typeof(DateTimeOffset) || type == typeof(TimeSpan)
        || type == typeof(DateOnly) || type == typeof(TimeOnly) || type == typeof(Guid) || type == typeof(Uri)
        || typeof(IEnumerable).IsAssignableFrom(type);

    private static string? Find(
        Expression expression, Func<MemberInfo, string> nameOf, ParameterExpression? root)
    {
        switch (expression)
        {
            case UnaryExpression { NodeType: ExpressionType.Convert or ExpressionType.Quote } unary:
                return Find(unary.Operand, nameOf, root);
            case ParameterExpression parameter:
                return root is null || parameter == root ? "" : null;
            case MemberExpression { Expression: { } owner } member when Nullable.GetUnderlyingType(owner.Type) != null:
                return member.Member.Name == "Value" ? Find(owner, nameOf, root) : null;
            case MemberExpression { Expression: { } owner } member:
                return !IsValue(owner.Type) && Find(owner, nameOf, root) is { } path
                    ? Join(path, nameOf(member.Member))
                    : null;
            case MethodCallExpression
            {
                Method.Name: "Select" or "SelectMany", Arguments: [{ } source, { } selector]
            }:
                return Find(source, nameOf, root) is { } list && LambdaOf(selector) is { } lambda
                    && Find(lambda.Body, nameOf, lambda.Parameters[0]) is { } inner
                    ? Join(list + "[]", inner)
                    : null;
            case BinaryExpression { NodeType: ExpressionType.ArrayIndex, Right: ConstantExpression index } array:
                return Find(array.Left, nameOf, root) is { } owned ? $"{owned}[{index.Value}]" : null;
            case MethodCallExpression
            {
                Method.Name: "get_Item", Object: { } owner, Arguments: [ConstantExpression key]
            }:
                return Find(owner, nameOf, root) is { } named
                    ? key.Value is not string text ? $"{named}[{key.Value}]" : IsName(text) ? Join(named, text) : null
                    : null;
            default:
                return null;
        }
    }

    /// <summary>Whether a key of a dictionary can be distinguished from a path of several names.</summary>
    private static bool IsName(string key) => key.Length > 0 && key.AsSpan().IndexOfAny(".[]()") < 0;

    private static string Join(string path, string name) =>
        path.Length == 0 ? name : name.Length == 0 ? path : $"{path}.{name}";

    private static LambdaExpression? LambdaOf(Expression expression) => expression switch
    {
        LambdaExpression lambda => lambda,
        UnaryExpression { NodeType: ExpressionType.Quote, Operand: LambdaExpression quoted } => quoted,
        _ => null,
    };
}
