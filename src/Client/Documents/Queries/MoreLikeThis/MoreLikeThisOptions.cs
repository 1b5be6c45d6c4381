namespace Raven.Client.Documents.Queries.MoreLikeThis;

/// <summary>Options of which documents count as similar.</summary>
public sealed class MoreLikeThisOptions
{
    /// <summary>A word that occurs less often in the given document is not compared.</summary>
    public int MinimumTermFrequency { get; init; } = 2;

    /// <summary>A word that occurs in fewer documents is not compared.</summary>
    public int MinimumDocumentFrequency { get; init; } = 5;

    /// <summary>The most words to compare.</summary>
    public int MaximumQueryTerms { get; init; } = 25;

    /// <summary>The fields to compare; null takes all that hold words.</summary>
    public string[]? Fields { get; init; }
}
