using System.Linq.Expressions;
using Raven.Client.Json;

namespace Raven.Client.Documents.Linq;

/// <summary>
/// Advice for errors: how to query a part of a value that a document has only as a whole, such as the month of a date
/// or the length of a text.
/// </summary>
internal static class PathAdvice
{
    /// <summary>The advice; null if there is none to give.</summary>
    internal static string? For(Expression expression) => expression switch
    {
        MemberExpression { Expression: { } owner } member when IsPart(owner, member.Member.Name) =>
            Of(owner.Type, member.Member.Name),
        MethodCallExpression { Object: { } owner } call
            when MemberPath.IsValue(owner.Type) && call.Method.Name != "get_Item"
            && FieldTranslator.ReadsDocument(owner) => Of(owner.Type, call.Method.Name),
        MethodCallExpression { Object: null, Arguments: [{ } owner, ..], Method.Name: "Count" or "LongCount" } call
            when call.Method.DeclaringType == typeof(Enumerable) && FieldTranslator.ReadsDocument(owner) =>
            Of(owner.Type, call.Method.Name),
        _ => null,
    };

    private static bool IsPart(Expression owner, string name) =>
        MemberPath.IsValue(owner.Type) && FieldTranslator.ReadsDocument(owner)
        && !(Nullable.GetUnderlyingType(owner.Type) != null && name is "Value" or "HasValue");

    private static string Of(Type owner, string name)
    {
        string map = $"or map it in an index ({name} = ...) and query that";
        return owner == typeof(DateTime) || owner == typeof(DateOnly) || owner == typeof(DateTimeOffset)
            ? "a document has a date as a whole, and of its parts only Year and Date can be compared with a value; ask "
                + $"for a range of dates, {map}"
            : owner == typeof(string)
            ? $"the server compares a text as a whole; ask for the list and look at it here, {map}"
            : $"a query reads no {name} of {owner.Name}; ask for the list and look at it here, {map}";
    }
}
