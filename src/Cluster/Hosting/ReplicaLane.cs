namespace Raven.Cluster.Hosting;

/// <summary>The work on the files of one database, one piece after the other, on a thread that may wait. Any thread
/// adds.</summary>
internal sealed class ReplicaLane
{
    private readonly Action<HostJob> _do;
    private readonly Action _run;
    private readonly Lock _lock = new();
    private readonly Queue<HostJob> _jobs = new();
    private bool _isRunning;

    /// <param name="work">What a job is done by; it does not throw.</param>
    internal ReplicaLane(Action<HostJob> work)
    {
        _do = work;
        _run = Run;
    }

    internal void Add(in HostJob job)
    {
        lock (_lock)
        {
            _jobs.Enqueue(job);
            if (_isRunning)
            {
                return;
            }

            _isRunning = true;
        }

        ReplicaWorkers.Run(_run);
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
