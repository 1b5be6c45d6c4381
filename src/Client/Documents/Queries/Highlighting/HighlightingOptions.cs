namespace Raven.Client.Documents.Queries.Highlighting;

/// <summary>The texts that are put around the words that were found.</summary>
public sealed class HighlightingOptions
{
    /// <summary>The text before a word; only the first of the array is used.</summary>
    public string[]? PreTags { get; init; }

    /// <summary>The text after a word; only the first of the array is used.</summary>
    public string[]? PostTags { get; init; }
}
