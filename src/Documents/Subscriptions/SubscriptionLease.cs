namespace Raven.Documents.Subscriptions;

/// <summary>A batch that a client without a connection has for a time. Any thread.</summary>
public sealed class SubscriptionLease
{
    private readonly TaskCompletionSource _over = new(TaskCreationOptions.RunContinuationsAsynchronously);

    internal SubscriptionLease(string id, SubscriptionWorker worker, SubscriptionBatch batch, string position)
    {
        Id = id;
        Worker = worker;
        Batch = batch;
        Position = position;
    }

    /// <summary>Its name, by which it is acknowledged.</summary>
    public string Id { get; }

    /// <summary>The documents.</summary>
    public SubscriptionBatch Batch { get; }

    /// <summary>The version that was sent last.</summary>
    public string Position { get; }

    /// <summary>When it ends.</summary>
    public DateTimeOffset Until { get; internal set; }

    /// <summary>Completes when it was acknowledged, given back, or is over.</summary>
    public Task Over => _over.Task;

    /// <summary>Why it had to end; null if it had not.</summary>
    public SubscriptionException? End => Worker.End;

    internal SubscriptionWorker Worker { get; }

    /// <summary>One step at a time.</summary>
    internal SemaphoreSlim Turn { get; } = new(1, 1);

    /// <summary>Ends it when its time is over.</summary>
    internal ITimer? Timer { get; set; }

    /// <summary>What it had is done with, or is sent again.</summary>
    internal async ValueTask CompleteAsync()
    {
        await Worker.DisposeAsync().ConfigureAwait(false);
        _over.TrySetResult();
    }
}
