using System.Collections.Concurrent;

namespace Raven.Documents.Indexing;

/// <summary>Work on an index that no caller waits for.</summary>
internal enum IndexMaintenanceTask
{
    /// <summary>A side-by-side index takes the place of the old one.</summary>
    Swap,

    /// <summary>The files of the index are damaged: it is rebuilt.</summary>
    Rebuild,

    /// <summary>The reason why the index has stopped is stored.</summary>
    StoreFault,
}

/// <summary>
/// Runs the maintenance of the indexes of a database, on threads of the pool. A task that fails is run again at the
/// next tick of the database, until it succeeds; an index has at most one of each kind. Any thread.
/// </summary>
internal sealed class IndexMaintenanceQueue(DatabaseIndexes owner)
{
    private readonly ConcurrentDictionary<(DatabaseIndex Index, IndexMaintenanceTask Kind), Pending> _pending = new();

    /// <summary>How many tasks run, or have failed and will be run again.</summary>
    internal int Count => _pending.Count;

    /// <summary>Begins a task, unless it runs already or waits to be run again.</summary>
    /// <param name="index">The index.</param>
    /// <param name="kind">The kind of task.</param>
    /// <param name="work">Executes the task; has no effect if that was done already.</param>
    internal void Begin(DatabaseIndex index, IndexMaintenanceTask kind, Func<ValueTask> work)
    {
        if (_pending.TryAdd((index, kind), new Pending(work)))
        {
            RetryFailed();
        }
    }

    /// <summary>Begins the failed tasks again.</summary>
    internal void RetryFailed()
    {
        foreach (((DatabaseIndex, IndexMaintenanceTask) key, Pending pending) in _pending)
        {
            if (pending.TryStart())
            {
                ThreadPool.UnsafeQueueUserWorkItem(_ => Run(key, pending), null);
            }
        }
    }

    private async void Run((DatabaseIndex Index, IndexMaintenanceTask Kind) key, Pending pending)
    {
        try
        {
            await pending.Work().ConfigureAwait(false);
            _pending.TryRemove(key, out _);
        }
        catch (DatabaseDeletedException)
        {
            _pending.TryRemove(key, out _);
        }
        catch (Exception failure)
        {
            // No caller handles the failure.
            IndexLog.Failed(owner.Services.Log, failure, owner.Database.Name, key.Index.Name);
            pending.End();
            owner.RetryLater();
        }
    }

    private sealed class Pending(Func<ValueTask> work)
    {
        private int _isRunning;

        internal Func<ValueTask> Work => work;

        internal bool TryStart() => Interlocked.Exchange(ref _isRunning, 1) == 0;

        internal void End() => Volatile.Write(ref _isRunning, 0);
    }
}
