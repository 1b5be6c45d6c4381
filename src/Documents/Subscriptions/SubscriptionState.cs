namespace Raven.Documents.Subscriptions;

/// <summary>What a subscription has in memory: its workers, and how far they are. Any thread.</summary>
internal sealed class SubscriptionState(long id)
{
    private readonly List<SubscriptionWorker> _workers = [];
    private long _documentsSent;
    private long _batchesAcknowledged;
    private long _failures;

    /// <summary>The number of the subscription.</summary>
    internal long Id => id;

    /// <summary>Guards the list of workers.</summary>
    internal Lock Gate { get; } = new();

    /// <summary>Set when a worker is gone.</summary>
    internal ChangeSignal Freed { get; } = new();

    /// <summary>One step of Concurrent workers at a time (SUB-2).</summary>
    internal SemaphoreSlim Turn { get; } = new(1, 1);

    /// <summary>The batches that Concurrent workers have. Used in a turn.</summary>
    internal HashSet<long> LiveBatches { get; } = [];

    /// <summary>Whether the position was read since the first of the workers came. Used in a turn, or by the only
    /// worker.</summary>
    internal bool IsLoaded { get; private set; }

    /// <summary>The last change that was looked at. Used like <see cref="IsLoaded"/>.</summary>
    internal long Cursor { get; set; }

    /// <summary>The number of the last batch. Used like <see cref="IsLoaded"/>.</summary>
    internal long LastBatch { get; set; }

    /// <summary>When a worker connected last, UTC ticks; 0 if none did since the start.</summary>
    internal long ConnectedTicks { get; set; }

    /// <summary>What failed last; null if nothing did.</summary>
    internal string? LastError { get; private set; }

    /// <summary>How many documents were sent since the start.</summary>
    internal long DocumentsSent => Volatile.Read(ref _documentsSent);

    /// <summary>How many batches were acknowledged since the start.</summary>
    internal long BatchesAcknowledged => Volatile.Read(ref _batchesAcknowledged);

    /// <summary>How many documents the script failed at since the start.</summary>
    internal long Failures => Volatile.Read(ref _failures);

    /// <summary>The workers, as they are now.</summary>
    internal SubscriptionWorker[] Workers
    {
        get
        {
            lock (Gate)
            {
                return [.. _workers];
            }
        }
    }

    /// <summary>Lets a worker in.</summary>
    /// <param name="worker">The worker.</param>
    /// <param name="refusal">Why it must not come in; null if it may try again when another one is gone.</param>
    internal bool TryEnter(SubscriptionWorker worker, out SubscriptionException? refusal)
    {
        refusal = null;
        lock (Gate)
        {
            if (_workers.Count == 0)
            {
                IsLoaded = false;
            }
            else if (_workers.Exists(one => one.Generation < worker.Generation))
            {
                // Those of the definition before have to end: what they have is with them until they are gone.
                return false;
            }
            else if (!_workers.TrueForAll(one => one.IsShared) || !worker.IsShared)
            {
                refusal = Replace(worker);
                return false;
            }

            _workers.Add(worker);
            ConnectedTicks = worker.ConnectedTicks;
            return true;
        }
    }

    /// <summary>Begins at a stored position.</summary>
    internal void Load(SubscriptionPosition position)
    {
        Cursor = position.Etag;
        LastBatch = position.LastBatch;
        LiveBatches.Clear();
        IsLoaded = true;
    }

    /// <summary>A worker is gone: what it had is sent to others.</summary>
    internal void Leave(SubscriptionWorker worker)
    {
        lock (Gate)
        {
            _workers.Remove(worker);
        }

        Freed.Set();
    }

    /// <summary>Ends workers.</summary>
    /// <param name="end">Why.</param>
    /// <param name="which">Which of them.</param>
    /// <returns>How many.</returns>
    internal int End(SubscriptionException end, Predicate<SubscriptionWorker>? which = null)
    {
        int count = 0;
        foreach (SubscriptionWorker worker in Workers)
        {
            if (which?.Invoke(worker) != false)
            {
                worker.EndBy(end);
                count++;
            }
        }

        return count;
    }

    internal void CountSent(SubscriptionBatch batch)
    {
        Interlocked.Add(ref _documentsSent, batch.Count);
        for (int i = 0; i < batch.Count; i++)
        {
            if (batch.ErrorOf(i) is { } error)
            {
                Interlocked.Increment(ref _failures);
                LastError = $"'{batch.IdOf(i)}': {error}";
            }
        }
    }

    internal void CountAcknowledged() => Interlocked.Increment(ref _batchesAcknowledged);

    private SubscriptionException? Replace(SubscriptionWorker worker)
    {
        bool isShared = _workers[0].IsShared;
        switch (worker.Options.Strategy)
        {
            case SubscriptionStrategy.WaitForFree:
                return null;
            case SubscriptionStrategy.TakeOver when !isShared
                && _workers[0].Options.Strategy != SubscriptionStrategy.TakeOver:
                _workers[0].EndBy(new SubscriptionException(
                    SubscriptionProblem.InUse, $"Another worker has taken the subscription '{worker.Name}' over."));
                return null;
            default:
                string why = isShared != worker.IsShared
                    ? $"its workers are {(isShared ? "all" : "not")} of the strategy Concurrent"
                    : $"the other worker's strategy is {_workers[0].Options.Strategy}";
                return new SubscriptionException(
                    SubscriptionProblem.InUse,
                    $"The subscription '{worker.Name}' has a worker already, and cannot be opened with the strategy "
                    + $"{worker.Options.Strategy}: {why}.");
        }
    }
}
