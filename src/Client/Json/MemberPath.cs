using System.Linq.Expressions;
using System.Reflection;
using System.Text.Json.Serialization;

namespace Raven.Client.Json;

/// <summary>The path in a document of what a lambda reads: <c>x => x.Address.City</c> is <c>Address.City</c>, and
/// <c>x => x.Lines.Select(line => line.Product)</c> is <c>Lines[].Product</c>.</summary>
internal static class MemberPath
{
    internal static string Of(LambdaExpression lambda) => Of(lambda.Body);

    /// <exception cref="NotSupportedException">The expression is no path; names it.</exception>
    internal static string Of(Expression expression) => Find(expression)
        ?? throw new NotSupportedException($"'{expression}' is no path of properties in a document.");

    /// <summary>The name of a member in JSON.</summary>
    internal static string NameOf(MemberInfo member) =>
        member.GetCustomAttribute<JsonPropertyNameAttribute>()?.Name ?? member.Name;

    private static string? Find(Expression expression)
    {
        switch (expression)
        {
            case UnaryExpression { NodeType: ExpressionType.Convert or ExpressionType.Quote } unary:
                return Find(unary.Operand);
            case ParameterExpression:
                return "";
            case MemberExpression { Expression: { } owner } member:
                return Find(owner) is { } path ? Join(path, NameOf(member.Member)) : null;
            case MethodCallExpression
            {
                Method.Name: "Select" or "SelectMany", Arguments: [{ } source, { } selector]
            }:
                return Find(source) is { } list && LambdaOf(selector) is { } lambda && Find(lambda.Body) is { } inner
                    ? Join(list + "[]", inner)
                    : null;
            case BinaryExpression { NodeType: ExpressionType.ArrayIndex, Right: ConstantExpression index } array:
                return Find(array.Left) is { } owned ? $"{owned}[{index.Value}]" : null;
            case MethodCallExpression
            {
                Method.Name: "get_Item", Object: { } owner, Arguments: [ConstantExpression key]
            }:
                return Find(owner) is { } named
                    ? key.Value is string text ? Join(named, text) : $"{named}[{key.Value}]"
                    : null;
            default:
                return null;
        }
    }

    private static string Join(string path, string name) =>
        path.Length == 0 ? name : name.Length == 0 ? path : $"{path}.{name}";

    private static LambdaExpression? LambdaOf(Expression expression) => expression switch
    {
        LambdaExpression lambda => lambda,
        UnaryExpression { NodeType: ExpressionType.Quote, Operand: LambdaExpression quoted } => quoted,
        _ => null,
    };
}
