namespace Raven.Documents;

/// <summary>How long deletions are remembered.</summary>
public sealed record TombstoneOptions
{
    /// <summary>How often it is looked for those that nobody needs any more.</summary>
    public TimeSpan CleanupInterval { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>How long a deletion is kept at least, for readers of the feed: nobody knows how far they are.</summary>
    public TimeSpan Retention { get; init; } = TimeSpan.FromHours(48);

    /// <summary>How long a deletion is kept that an index has not seen: without it, the index is built anew.</summary>
    public TimeSpan RetentionWithConsumers { get; init; } = TimeSpan.FromHours(336);
}
