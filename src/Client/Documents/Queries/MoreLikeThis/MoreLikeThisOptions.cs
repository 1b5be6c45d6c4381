namespace Raven.Client.Documents.Queries.MoreLikeThis;

/// <summary>When documents are similar.</summary>
public sealed class MoreLikeThisOptions
{
    /// <summary>How often a word occurs in the given document at least.</summary>
    public int MinimumTermFrequency { get; init; } = 2;

    /// <summary>In how many documents a word occurs at least.</summary>
    public int MinimumDocumentFrequency { get; init; } = 5;

    /// <summary>The most words to compare.</summary>
    public int MaximumQueryTerms { get; init; } = 25;

    /// <summary>The fields to compare; null takes all that hold words.</summary>
    public string[]? Fields { get; init; }
}
