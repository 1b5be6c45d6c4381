namespace Raven.Client.Documents.Subscriptions;

/// <summary>How a worker takes documents.</summary>
public sealed class SubscriptionWorkerOptions
{
    /// <summary>Options of a worker.</summary>
    /// <param name="subscriptionName">The subscription.</param>
    public SubscriptionWorkerOptions(string subscriptionName)
    {
        ArgumentException.ThrowIfNullOrEmpty(subscriptionName);
        SubscriptionName = subscriptionName;
    }

    /// <summary>The subscription.</summary>
    public string SubscriptionName { get; }

    /// <summary>What it does if there is a worker already.</summary>
    public SubscriptionOpeningStrategy Strategy { get; set; }

    /// <summary>The most documents of one batch.</summary>
    public int MaxDocsPerBatch { get; set; } = 4096;

    /// <summary>How long it waits before it connects again after the connection was lost.</summary>
    public TimeSpan TimeToWaitBeforeConnectionRetry { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>How long it goes on if it cannot connect.</summary>
    public TimeSpan MaxErroneousPeriod { get; set; } = TimeSpan.FromMinutes(5);

    /// <summary>Whether a batch whose handler throws is acknowledged all the same.</summary>
    public bool IgnoreSubscriberErrors { get; set; }

    /// <summary>Whether it ends when there are no more documents.</summary>
    public bool CloseWhenNoDocsLeft { get; set; }

    /// <summary>A name for it, by which it can be disconnected.</summary>
    public string WorkerId { get; set; } = Guid.NewGuid().ToString();
}
