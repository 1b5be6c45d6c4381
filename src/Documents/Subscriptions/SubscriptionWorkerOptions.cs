namespace Raven.Documents.Subscriptions;

/// <summary>How a worker takes documents.</summary>
public sealed record SubscriptionWorkerOptions
{
    /// <summary>What it does if there is a worker already.</summary>
    public SubscriptionStrategy Strategy { get; init; }

    /// <summary>The most documents of one batch.</summary>
    public int BatchCountMax { get; init; } = 4096;

    /// <summary>Whether it ends when there are no more documents.</summary>
    public bool EndsWhenEmpty { get; init; }

    /// <summary>A name for it, by which it can be disconnected; null for none.</summary>
    public string? WorkerId { get; init; }

    /// <summary>Where it is connected from, for the list of workers.</summary>
    public string? Address { get; init; }
}
