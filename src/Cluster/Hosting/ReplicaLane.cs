namespace Raven.Cluster.Hosting;

/// <summary>The work on the files of one database, one piece after the other, on a thread that may wait. Any thread
/// adds.</summary>
internal sealed class ReplicaLane
{
    private readonly Action<HostJob> _do;
    private readonly Lock _lock = new();
    private readonly Queue<HostJob> _jobs = new();
    private bool _isRunning;

    /// <param name="work">What a job is done by; it does not throw.</param>
    internal ReplicaLane(Action<HostJob> work)
    {
        _do = work;
        Work = Run;
    }

    /// <summary>Does what there is to do; for whoever was told by <see cref="TryAdd"/> that nobody does.</summary>
    internal Action Work { get; }

    /// <summary>The same for the first piece alone: if there is more, a worker does it.</summary>
    internal void WorkOnce()
    {
        HostJob job;
        lock (_lock)
        {
            job = _jobs.Dequeue();
        }

        _do(job);
        lock (_lock)
        {
            if (_jobs.Count == 0)
            {
                _isRunning = false;
                return;
            }
        }

        ReplicaWorkers.Run(Work);
    }

    internal void Add(in HostJob job)
    {
        if (TryAdd(job))
        {
            ReplicaWorkers.Run(Work);
        }
    }

    /// <returns>True if nobody works: the caller has somebody do so, or does it itself.</returns>
    internal bool TryAdd(in HostJob job)
    {
        lock (_lock)
        {
            _jobs.Enqueue(job);
            bool isFirst = !_isRunning;
            _isRunning = true;
            return isFirst;
        }
    }

    private void Run()
    {
        while (true)
        {
            HostJob job;
            lock (_lock)
            {
                if (!_jobs.TryDequeue(out job))
                {
                    _isRunning = false;
                    return;
                }
            }

            _do(job);
        }
    }
}
