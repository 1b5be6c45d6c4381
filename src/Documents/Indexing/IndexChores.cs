using System.Collections.Concurrent;

namespace Raven.Documents.Indexing;

/// <summary>Work on an index that no caller waits for.</summary>
internal enum IndexChore
{
    /// <summary>A replacement takes the place of the old index.</summary>
    Swap,

    /// <summary>Its files are damaged: it is built anew.</summary>
    Rebuild,

    /// <summary>The reason why it stopped is stored.</summary>
    KeepFault,
}

/// <summary>
/// Does the chores of the indexes of a database, on threads of the pool. A chore that fails is done again at the next
/// tick of the database, until it succeeds; an index has at most one of each kind. Any thread.
/// </summary>
internal sealed class IndexChores(DatabaseIndexes room)
{
    private readonly ConcurrentDictionary<(DatabaseIndex Index, IndexChore Kind), Pending> _pending = new();

    /// <summary>How many run, or have failed.</summary>
    internal int Count => _pending.Count;

    /// <summary>Begins a chore, unless it runs or waits to be done again.</summary>
    /// <param name="index">The index.</param>
    /// <param name="kind">The kind of chore.</param>
    /// <param name="work">Does it; has no effect if it was done already.</param>
    internal void Begin(DatabaseIndex index, IndexChore kind, Func<ValueTask> work)
    {
        if (_pending.TryAdd((index, kind), new Pending(work)))
        {
            TryAgain();
        }
    }

    /// <summary>Begins the failed chores again.</summary>
    internal void TryAgain()
    {
        foreach (((DatabaseIndex, IndexChore) key, Pending pending) in _pending)
        {
            if (pending.TryStart())
            {
                ThreadPool.UnsafeQueueUserWorkItem(_ => Run(key, pending), null);
            }
        }
    }

    private async void Run((DatabaseIndex Index, IndexChore Kind) key, Pending pending)
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
            IndexLog.Failed(room.Services.Log, failure, room.Database.Name, key.Index.Name);
            pending.End();
            room.RetryLater();
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
