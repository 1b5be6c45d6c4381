using System.Diagnostics;

namespace Raven.Server.Indexing;

//   THR-1  A commit signals in O(1) and allocates nothing: its database is put into a queue, unless it is there.
//   THR-2  An index is in the queues at most once, and runs on one thread at a time.
//   THR-3  Threads are made when there is work and end when there was none for a while: an idle index has none.

/// <summary>The threads on which all indexes of a server run, a batch at a time, in the order of priorities.</summary>
internal sealed class IndexingThreads : IDisposable
{
    private static readonly TimeSpan IdleMax = TimeSpan.FromSeconds(10);

    private readonly object _gate = new();
    private readonly Queue<DatabaseIndexes> _signaled = new(64);
    private readonly Queue<DatabaseIndex>[] _ready = [new(64), new(64), new(64)];
    private readonly int _threadsMax;
    private int _threads;
    private int _waiting;
    private bool _isStopped;

    /// <summary>Makes no thread yet.</summary>
    internal IndexingThreads(int threadsMax) => _threadsMax = threadsMax;

    /// <summary>How many threads there are.</summary>
    internal int Count
    {
        get
        {
            lock (_gate)
            {
                return _threads;
            }
        }
    }

    /// <summary>A database has something new (THR-1).</summary>
    internal void Signal(DatabaseIndexes indexes)
    {
        lock (_gate)
        {
            if (!_isStopped)
            {
                _signaled.Enqueue(indexes);
                Wake();
            }
        }
    }

    /// <summary>An index has something to do; the caller has seen to it that it is not queued yet.</summary>
    internal void Enqueue(DatabaseIndex index)
    {
        lock (_gate)
        {
            if (!_isStopped)
            {
                _ready[(int)index.Definition.Priority].Enqueue(index);
                Wake();
            }
        }
    }

    /// <summary>Ends all threads, each after the batch that it is at.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _isStopped = true;
            Monitor.PulseAll(_gate);
            while (_threads > 0)
            {
                Monitor.Wait(_gate);
            }
        }
    }

    private void Wake()
    {
        if (_waiting > 0)
        {
            Monitor.Pulse(_gate);
        }
        else if (_threads < _threadsMax)
        {
            _threads++;
            new Thread(Work) { IsBackground = true, Name = "Indexing", Priority = ThreadPriority.BelowNormal }.Start();
        }
    }

    private void Work()
    {
        while (TryTake(out DatabaseIndexes? indexes, out DatabaseIndex? index))
        {
            if (indexes is not null)
            {
                indexes.EnqueueBehind();
            }
            else
            {
                index!.RunQueued();
            }
        }
    }

    private bool TryTake(out DatabaseIndexes? indexes, out DatabaseIndex? index)
    {
        lock (_gate)
        {
            index = null;
            while (!_isStopped)
            {
                if (_signaled.TryDequeue(out indexes) || TryTakeReady(out index))
                {
                    return true;
                }

                _waiting++;
                bool isPulsed = Monitor.Wait(_gate, IdleMax);
                _waiting--;
                if (!isPulsed && _signaled.Count == 0 && _ready.All(queue => queue.Count == 0))
                {
                    break;
                }
            }

            indexes = null;
            _threads--;
            Debug.Assert(_threads >= 0);
            Monitor.PulseAll(_gate);
            return false;
        }
    }

    private bool TryTakeReady(out DatabaseIndex? index)
    {
        for (int priority = _ready.Length - 1; priority >= 0; priority--)
        {
            if (_ready[priority].TryDequeue(out index))
            {
                return true;
            }
        }

        index = null;
        return false;
    }
}
