namespace Raven.Client.Documents.Queries.Highlighting;

/// <summary>What stands around the words that were found.</summary>
public sealed class HighlightingOptions
{
    /// <summary>What stands before them; the first one counts.</summary>
    public string[]? PreTags { get; init; }

    /// <summary>What stands behind them; the first one counts.</summary>
    public string[]? PostTags { get; init; }
}
