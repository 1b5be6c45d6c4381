using System.Diagnostics;
using Raven.Storage.Platform;

namespace Raven.Server.Indexing;

//   THR-1  A commit signals in O(1) and allocates nothing: its database is put into a queue, unless it is there.
//   THR-2  An index is in the queues at most once, and runs on one thread at a time.
//   THR-3  A database that is written to all the time is looked at from time to time, not at each commit: so many small
//          batches would cost more than what is in them. One that was quiet is looked at when it changes, and an index
//          that a query waits for runs at once.
//   THR-4  Threads give way to those of requests (ThreadShare).
//   THR-5  Threads are made when there is work and end when there was none for a while: an idle index has none.

/// <summary>The threads on which all indexes of a server run, a batch at a time, in the order of priorities.</summary>
internal sealed class IndexingThreads : IDisposable
{
    /// <summary>About a third of what a busy thread of requests has: with much less, a query waits for long.</summary>
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

    /// <summary>Makes no thread yet.</summary>
    /// <param name="threadsMax">The most threads.</param>
    /// <param name="start">Starts them, and may refuse to, in a test; null for the system.</param>
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

    /// <summary>
    /// Lets a thread go first that waits for this core. A lower share of the processor decides how much others get,
    /// not when: without this they wait until the slice ends, some milliseconds. To be called every few hundred
    /// microseconds.
    /// </summary>
    internal static void GiveWay() => Thread.Yield();

    /// <summary>A database has something new (THR-1).</summary>
    /// <param name="indexes">Its indexes.</param>
    /// <param name="due">When it is to be looked at, as <see cref="Stopwatch"/> counts (THR-3).</param>
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

    /// <summary>Asks for a thread again where work waits and there is none, as the system may have started none. Called
    /// from time to time.</summary>
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
        else if (_threads < _threadsMax
            && ThreadStarter.TryStart(Work, "Indexing", ThreadPriority.BelowNormal, _start))
        {
            // Where the system starts none, what is in the queues waits for WakeIfWaiting.
            _threads++;
        }
    }

    private void Work()
    {
        ThreadShare.TryTakeLess(Niceness);
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

            GiveWay();
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
    /// <param name="indexes">Its indexes; null where none is.</param>
    /// <param name="milliseconds">Until when there is none, rounded up.</param>
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
