namespace Raven.Documents.Subscriptions;

/// <summary>Wakes those that wait for changes. Setting it without waiters costs an increment. Any thread.</summary>
internal sealed class ChangeSignal
{
    private readonly Lock _gate = new();
    private volatile TaskCompletionSource? _waiting;
    private long _version;

    /// <summary>How often it was set: a waiter reads it before it looks for changes.</summary>
    internal long Version => Volatile.Read(ref _version);

    /// <summary>The collection whose changes set it, folded; empty for all.</summary>
    internal byte[] Collection { get; init; } = [];

    /// <summary>How many workers use it. Guarded by its owner.</summary>
    internal int UserCount { get; set; }

    /// <summary>When it is set in any case, UTC ticks; 0 for never. Guarded by its owner.</summary>
    internal long DueTicks { get; set; }

    /// <summary>Wakes all waiters, and those that come with an earlier version.</summary>
    internal void Set()
    {
        Interlocked.Increment(ref _version);
        if (_waiting is not null)
        {
            lock (_gate)
            {
                _waiting?.TrySetResult();
                _waiting = null;
            }
        }
    }

    /// <summary>Waits until it is set after a version was read.</summary>
    internal Task WaitAsync(long version)
    {
        lock (_gate)
        {
            _waiting ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);

            // A setter that saw no waiter has counted before: that is seen here.
            Interlocked.MemoryBarrier();
            return Version != version ? Task.CompletedTask : _waiting.Task;
        }
    }
}
