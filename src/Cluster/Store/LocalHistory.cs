namespace Raven.Cluster.Store;

/// <summary>The last changes of a local store, for its watches. One thread at a time.</summary>
internal sealed class LocalHistory
{
    private readonly Queue<(long Revision, IReadOnlyList<StoreChangeEvent> Events)> _changes = [];
    private readonly int _countMax;
    private TaskCompletionSource _next = NewSignal();
    private long _first;

    /// <param name="countMax">How many changes are kept.</param>
    /// <param name="revision">The last revision, of which nothing is kept.</param>
    internal LocalHistory(int countMax, long revision)
    {
        _countMax = countMax;
        _first = revision + 1;
    }

    /// <summary>Ends with the next change.</summary>
    internal Task Next => _next.Task;

    internal void Add(long revision, IReadOnlyList<StoreChangeEvent> events)
    {
        _changes.Enqueue((revision, events));
        if (_changes.Count > _countMax)
        {
            Compact(_changes.Peek().Revision + 1);
        }

        Signal();
    }

    internal void Compact(long first)
    {
        while (_changes.TryPeek(out (long Revision, IReadOnlyList<StoreChangeEvent> Events) oldest)
            && oldest.Revision < first)
        {
            _changes.Dequeue();
        }

        _first = Math.Max(_first, first);
        Signal();
    }

    /// <summary>What a watch that has all up to a revision is to be told; null if there is nothing new.</summary>
    internal StoreWatchBatch? After(string prefix, long after, long revision)
    {
        if (after + 1 < _first && after < revision)
        {
            return new StoreWatchBatch(StoreWatchKind.Compacted, _first, []);
        }

        if (after >= revision)
        {
            return null;
        }

        StoreChangeEvent[] events = [.. _changes
            .Where(change => change.Revision > after)
            .SelectMany(change => change.Events)
            .Where(each => each.Key.StartsWith(prefix, StringComparison.Ordinal))];
        return new StoreWatchBatch(StoreWatchKind.Changes, revision, events);
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private void Signal()
    {
        TaskCompletionSource before = _next;
        _next = NewSignal();
        before.SetResult();
    }
}
