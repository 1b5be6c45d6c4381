using Raven.Storage.Platform;

namespace Raven.Documents.Indexing;

//   MRG-1  Large segments are merged on a thread of their own, one index at a time: no batch of an index waits for it,
//          and it uses at most one processor. An index is in the queue at most once, and the thread ends when the
//          queue is empty.

/// <summary>Merges the large segments of all indexes of a server. Any thread.</summary>
internal sealed class IndexMerges : IDisposable
{
    private readonly object _gate = new();
    private readonly Queue<DatabaseIndex> _queue = new();
    private bool _hasThread;
    private volatile bool _isStopped;

    /// <summary>Whether a merge that runs must end soon.</summary>
    internal bool IsStopped => _isStopped;

    /// <summary>Queues an index that may have large segments to merge.</summary>
    internal void Enqueue(DatabaseIndex index)
    {
        lock (_gate)
        {
            if (!_isStopped && !_queue.Contains(index))
            {
                _queue.Enqueue(index);
                WakeIfWaiting();
            }
        }
    }

    /// <summary>Starts the thread if work waits for it. Called regularly as well, as the system may have
    /// started none.</summary>
    internal void WakeIfWaiting()
    {
        lock (_gate)
        {
            if (!_isStopped && !_hasThread && _queue.Count > 0)
            {
                _hasThread = ThreadStarter.TryStart(Work, "Index merges", ThreadPriority.Lowest);
            }
        }
    }

    /// <summary>Ends the thread; an unfinished merge leaves no trace.</summary>
    public void Dispose()
    {
        _isStopped = true;
        lock (_gate)
        {
            while (_hasThread)
            {
                Monitor.Wait(_gate);
            }
        }
    }

    private void Work()
    {
        while (TryTake() is { } index)
        {
            index.Maintenance.MergeLarge();
        }
    }

    private DatabaseIndex? TryTake()
    {
        lock (_gate)
        {
            if (!_isStopped && _queue.TryDequeue(out DatabaseIndex? index))
            {
                return index;
            }

            _hasThread = false;
            Monitor.PulseAll(_gate);
            return null;
        }
    }
}
