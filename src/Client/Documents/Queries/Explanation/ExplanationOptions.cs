namespace Raven.Client.Documents.Queries.Explanation;

/// <summary>How results are explained.</summary>
public sealed class ExplanationOptions
{
    /// <summary>
    /// The field that distinguishes the results of a query with groups; null if results are documents.
    /// </summary>
    public string? GroupKey { get; init; }
}
