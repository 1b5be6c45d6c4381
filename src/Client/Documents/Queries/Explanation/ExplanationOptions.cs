namespace Raven.Client.Documents.Queries.Explanation;

/// <summary>Options of explanations.</summary>
public sealed class ExplanationOptions
{
    /// <summary>
    /// The field that distinguishes the results of a query with groups; null if results are documents.
    /// </summary>
    public string? GroupKey { get; init; }
}
