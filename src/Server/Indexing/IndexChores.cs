using System.Collections.Concurrent;
using Raven.Server.Documents;

namespace Raven.Server.Indexing;

/// <summary>What is done to an index beside those who ask for it.</summary>
internal enum IndexChore
{
    /// <summary>A replacement takes its place.</summary>
    Swap,

    /// <summary>Its files are damaged: it is made anew.</summary>
    Rebuild,

    /// <summary>That it stands still is kept.</summary>
    KeepFault,
}

/// <summary>
/// Does the chores of the indexes of a database, on threads of the pool. One that fails is done again with the clock of
/// the database, until it succeeds; of each kind an index has one at most. Any thread.
/// </summary>
internal sealed class IndexChores(DatabaseIndexes room)
{
    private readonly ConcurrentDictionary<(DatabaseIndex Index, IndexChore Kind), Pending> _pending = new();

    /// <summary>How many are under way, or failed.</summary>
    internal int Count => _pending.Count;

    /// <summary>Has a chore done, unless it is under way or waits to be done again.</summary>
    /// <param name="index">To which index.</param>
    /// <param name="kind">What.</param>
    /// <param name="work">Does it; where it is done already it does nothing.</param>
    internal void Begin(DatabaseIndex index, IndexChore kind, Func<ValueTask> work)
    {
        if (_pending.TryAdd((index, kind), new Pending(work)))
        {
            TryAgain();
        }
    }

    /// <summary>Does again what failed.</summary>
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
            // Nothing above could take the failure.
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
