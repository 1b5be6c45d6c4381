namespace Raven.Client.Documents.Queries;

/// <summary>Says what of each group is wanted. Read the results with <c>OfType</c>.</summary>
/// <typeparam name="T">The type of the documents.</typeparam>
/// <typeparam name="TQuery">The query that goes on.</typeparam>
public interface IGroupByDocumentQuery<T, out TQuery>
{
    /// <summary>What is grouped by; its only field unless one is named.</summary>
    IGroupByDocumentQuery<T, TQuery> SelectKey(string? fieldName = null, string? projectedName = null);

    /// <summary>The sum of a field.</summary>
    IGroupByDocumentQuery<T, TQuery> SelectSum(string fieldName, string? projectedName = null);

    /// <summary>How many documents there are; the last thing that is said of groups.</summary>
    TQuery SelectCount(string projectedName = "Count");

    /// <summary>The query that goes on.</summary>
    TQuery End();
}
