namespace Raven.Client.Documents.Queries.Highlighting;

/// <summary>What is put around the words that were found.</summary>
public sealed class HighlightingOptions
{
    /// <summary>What is put before them; only the first is used.</summary>
    public string[]? PreTags { get; init; }

    /// <summary>What is put behind them; only the first is used.</summary>
    public string[]? PostTags { get; init; }
}
