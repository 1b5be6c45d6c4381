namespace Raven.Client.Documents.Queries.Explanation;

/// <summary>How results are explained.</summary>
public sealed class ExplanationOptions
{
    /// <summary>The field that tells the results of a query with groups apart; null where results are
    /// documents.</summary>
    public string? GroupKey { get; init; }
}
