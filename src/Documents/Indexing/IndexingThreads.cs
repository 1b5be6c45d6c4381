using System.Diagnostics;
using Raven.Storage.Platform;

namespace Raven.Documents.Indexing;

//   THR-1  A commit signals in O(1) and allocates nothing: its database is put into a queue, unless it is there.
//   THR-2  An index is in the queues at most once, and runs on one thread at a time.
//   THR-3  A database that is written to all the time is checked at intervals, not at each commit: very small batches
//          would cost more than their changes. One that was quiet is checked when it changes, and an index that a query
//          waits for runs at once.
//   THR-4  Threads have a lower priority than those of requests (ThreadScheduling).
//   THR-5  Threads are started when there is work and end when there was none for a while: an idle index has none.

/// <summary>The threads on which all indexes of a server run, a batch at a time, in the order of priorities.</summary>
internal sealed class IndexingThreads : IDisposable
{
    /// <summary>About a third of the share of a busy thread of requests: with much less, a query waits
    /// too long.</summary>
    private const int Niceness = 5;

    private const int IdleMillisecondsMax = 10_000;

    private readonly object _gate = new();
    private readonly PriorityQueue<DatabaseIndexes, long> _signaled = new(64);
    private readonly Queue<DatabaseIndex>[] _ready = [new(64), new(64), new(64)];
    private readonly int _threadsMax;
    private readonly Action<Thread>? _start;
    private int _threads;
    private int _waiting;
    private bool _isStopped;

    /// <summary>Starts no thread yet.</summary>
    /// <param name="threadsMax">The most threads.</param>
    /// <param name="start">Starts a thread; in a test it may refuse to. Null for the system.</param>
    internal IndexingThreads(int threadsMax, Action<Thread>? start = null)
    {
        _threadsMax = threadsMax;
        _start = start;
    }

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

    /// <summary>How many indexes have work that no thread has taken.</summary>
    internal int ReadyCount
    {
        get
        {
            lock (_gate)
            {
                return _ready.Sum(queue => queue.Count);
            }
        }
    }

    /// <summary>
    /// Lets another thread that waits for this core run first. A lower share of the processor decides how much others
    /// get, not when: without this they wait until the time slice ends, some milliseconds. To be called every few
    /// hundred microseconds.
    /// </summary>
    internal static void YieldThread() => Thread.Yield();

    /// <summary>Queues a database that has changed (THR-1).</summary>
    /// <param name="indexes">Its indexes.</param>
    /// <param name="due">When it is to be checked, in <see cref="Stopwatch"/> ticks (THR-3).</param>
    internal void Signal(DatabaseIndexes indexes, long due)
    {
        lock (_gate)
        {
            if (!_isStopped)
            {
                _signaled.Enqueue(indexes, due);
                Wake();
            }
        }
    }

    /// <summary>Queues an index that has work; the caller makes sure that it is not queued yet.</summary>
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

    /// <summary>Starts a thread if work waits and there is none, as the system may have started none.
    /// Called regularly.</summary>
    internal void WakeIfWaiting()
    {
        lock (_gate)
        {
            if (!_isStopped && _threads == 0 && (_signaled.Count > 0 || _ready.Any(queue => queue.Count > 0)))
            {
                Wake();
            }
        }
    }

    /// <summary>Ends all threads, each after its batch.</summary>
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
        else if (_threads < _threadsMax
            && ThreadStarter.TryStart(Work, "Indexing", ThreadPriority.BelowNormal, _start))
        {
            // If the system starts none, the queues wait for WakeIfWaiting.
            _threads++;
        }
    }

    private void Work()
    {
        ThreadScheduling.TryLower(Niceness);
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

            YieldThread();
        }
    }

    private bool TryTake(out DatabaseIndexes? indexes, out DatabaseIndex? index)
    {
        lock (_gate)
        {
            while (!_isStopped)
            {
                index = null;
                if (TryTakeSignaled(out indexes, out int milliseconds) || TryTakeReady(out index))
                {
                    return true;
                }

                bool isIdle = milliseconds == IdleMillisecondsMax;
                _waiting++;
                bool isPulsed = Monitor.Wait(_gate, milliseconds);
                _waiting--;
                if (isIdle && !isPulsed && _signaled.Count == 0 && _ready.All(queue => queue.Count == 0))
                {
                    break;
                }
            }

            indexes = null;
            index = null;
            _threads--;
            Debug.Assert(_threads >= 0);
            Monitor.PulseAll(_gate);
            return false;
        }
    }

    /// <summary>Takes a database that is due.</summary>
    /// <param name="indexes">Its indexes; null if no database is due.</param>
    /// <param name="milliseconds">How long until one is due, rounded up.</param>
    private bool TryTakeSignaled(out DatabaseIndexes? indexes, out int milliseconds)
    {
        milliseconds = IdleMillisecondsMax;
        if (!_signaled.TryPeek(out indexes, out long due))
        {
            return false;
        }

        long left = due - Stopwatch.GetTimestamp();
        if (left <= 0)
        {
            _signaled.Dequeue();
            return true;
        }

        milliseconds = (int)Math.Min(IdleMillisecondsMax - 1, 1 + (left * 1000 / Stopwatch.Frequency));
        indexes = null;
        return false;
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
