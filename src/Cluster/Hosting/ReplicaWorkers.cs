namespace Raven.Cluster.Hosting;

/// <summary>
/// Threads for work that waits for the disk: as many as there is work at once, as the pool would be short of threads
/// for requests then. One that has had nothing to do for a while ends.
/// </summary>
internal static class ReplicaWorkers
{
    private static readonly TimeSpan IdleMax = TimeSpan.FromSeconds(15);
    private static readonly Lock Gate = new();
    private static readonly List<Worker> Idle = [];

    /// <summary>How many threads of the pool may wait for a disk.</summary>
    private static readonly int BorrowedMax = Math.Max(1, Environment.ProcessorCount / 2);
    private static int s_borrowed;

    /// <summary>Runs something that does not throw.</summary>
    internal static void Run(Action work)
    {
        Worker? worker = null;
        lock (Gate)
        {
            if (Idle.Count > 0)
            {
                worker = Idle[^1];
                Idle.RemoveAt(Idle.Count - 1);
            }
        }

        if (worker is not null)
        {
            worker.Give(work);
            return;
        }

        worker = new Worker(work);
        new Thread(worker.Run) { IsBackground = true, Name = "replication" }.Start();
    }

    /// <summary>Takes the right to do such work on the own thread, one of the pool, for a short time.</summary>
    internal static bool TryBorrow()
    {
        if (Interlocked.Increment(ref s_borrowed) <= BorrowedMax)
        {
            return true;
        }

        GiveBack();
        return false;
    }

    /// <summary>Gives that right back.</summary>
    internal static void GiveBack() => Interlocked.Decrement(ref s_borrowed);

    private sealed class Worker(Action first)
    {
        private readonly object _signal = new();
        private Action? _work = first;

        internal void Give(Action work)
        {
            lock (_signal)
            {
                _work = work;
                Monitor.Pulse(_signal);
            }
        }

        internal void Run()
        {
            while (Take() is { } work)
            {
                work();
                lock (Gate)
                {
                    Idle.Add(this);
                }
            }
        }

        private Action? Take()
        {
            lock (_signal)
            {
                while (_work is null)
                {
                    if (!Monitor.Wait(_signal, IdleMax) && _work is null && Leave())
                    {
                        return null;
                    }
                }

                Action? work = _work;
                _work = null;
                return work;
            }
        }

        /// <summary>False if somebody has work for this one already.</summary>
        private bool Leave()
        {
            lock (Gate)
            {
                return Idle.Remove(this);
            }
        }
    }
}
