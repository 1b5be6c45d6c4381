namespace Raven.Client.Documents.Queries;

/// <summary>Selects the values of each group. Read the results with <c>OfType</c>.</summary>
/// <typeparam name="T">The type of the documents.</typeparam>
/// <typeparam name="TQuery">The query that is continued.</typeparam>
public interface IGroupByDocumentQuery<T, out TQuery>
{
    /// <summary>Selects the key of the group, or one field of it.</summary>
    IGroupByDocumentQuery<T, TQuery> SelectKey(string? fieldName = null, string? projectedName = null);

    /// <summary>Selects the sum of a field.</summary>
    IGroupByDocumentQuery<T, TQuery> SelectSum(string fieldName, string? projectedName = null);

    /// <summary>Selects how many documents the group has; the last selection.</summary>
    TQuery SelectCount(string projectedName = "Count");

    /// <summary>The query that is continued.</summary>
    TQuery End();
}
