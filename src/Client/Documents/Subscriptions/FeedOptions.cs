namespace Raven.Client.Documents.Subscriptions;

/// <summary>Where a feed begins, and what is in it.</summary>
public sealed class FeedOptions
{
    /// <summary>The token behind which it begins; <c>now</c> for what comes; null for the beginning.</summary>
    public string? Since { get; set; }

    /// <summary>Whether deletions are in it.</summary>
    public bool Deletions { get; set; }

    /// <summary>A query of a subscription; null for the collection of the type.</summary>
    public string? Query { get; set; }

    /// <summary>The most documents that are read at once.</summary>
    public int PageSize { get; set; } = 256;

    /// <summary>Whether it ends when there are no more changes; else it waits for them.</summary>
    public bool EndsWhenEmpty { get; set; }
}
