using System.Diagnostics.CodeAnalysis;
using Raven.Storage.Platform;

namespace Raven.Documents.Patching;

//   THREADS-1  Background threads take jobs in their order. They give their core to any other thread that wakes, and
//              yet have a share that cannot be taken from them: the collector may run on them, and all others wait.
//   THREADS-2  One thread for long scripts takes a job that no background thread has ended within WaitMax: one that
//              still waits, or one that ran for as long and gave up.
//   THREADS-3  Threads that find nothing to do end: a server that runs no long scripts has none of them.

/// <summary>The threads for scripts that take long: few, with a lower priority than those of requests.
/// Any thread.</summary>
internal sealed class ScriptThreads
{
    /// <summary>How long a job may wait, and how long it may run, before the thread for long scripts takes it.
    /// </summary>
    internal static readonly TimeSpan WaitMax = TimeSpan.FromMilliseconds(500);

    /// <summary>About a tenth of the share of a busy thread of requests.</summary>
    private const int Niceness = 10;

    private static readonly TimeSpan RestMax = TimeSpan.FromSeconds(20);

    private readonly Queue<ScriptJob> _waiting = [];
    private readonly Queue<ScriptJob> _givenUp = [];
    private readonly object _gate = new();
    private readonly TimeProvider _clock;
    private readonly int _backgroundThreadsMax;
    private int _backgroundThreads;
    private int _resting;
    private bool _hasLongThread;

    /// <summary>Threads are started on demand.</summary>
    /// <param name="clock">Measures the waits of jobs.</param>
    /// <param name="backgroundThreadsMax">The most background threads; 0 leaves all to the one for long
    /// scripts.</param>
    internal ScriptThreads(TimeProvider clock, int backgroundThreadsMax)
    {
        _clock = clock;
        _backgroundThreadsMax = backgroundThreadsMax;
    }

    /// <summary>Does work on one of the threads.</summary>
    /// <param name="work">Runs scripts in a tier; null if they need another one.</param>
    /// <param name="cancellation">The request has stopped waiting for them.</param>
    /// <exception cref="InsufficientMemoryException">There is no thread, and the system can start none.</exception>
    internal Task<bool> RunAsync(Func<ScriptTier, bool?> work, CancellationToken cancellation)
    {
        var job = new ScriptJob(work, _clock.GetTimestamp(), cancellation);
        lock (_gate)
        {
            if (_waiting.Count >= _resting && _backgroundThreads < _backgroundThreadsMax
                && ThreadStarter.TryStart(RunBackground, "scripts, background"))
            {
                _backgroundThreads++;
            }

            _hasLongThread = _hasLongThread || ThreadStarter.TryStart(RunLong, "scripts, long");
            if (!_hasLongThread && _backgroundThreads == 0)
            {
                throw new InsufficientMemoryException("The system starts no thread to run a script on.");
            }

            _waiting.Enqueue(job);
            Monitor.PulseAll(_gate);
        }

        return job.Done;
    }

    private void RunBackground()
    {
        ThreadScheduling.TryGiveWay(Niceness);
        while (TryTakeWaiting(out ScriptJob? job))
        {
            if (!job.TryRun(ScriptTier.Background))
            {
                lock (_gate)
                {
                    _hasLongThread = _hasLongThread || ThreadStarter.TryStart(RunLong, "scripts, long");
                    _givenUp.Enqueue(job);
                    Monitor.PulseAll(_gate);
                }
            }
        }
    }

    private bool TryTakeWaiting([NotNullWhen(true)] out ScriptJob? job)
    {
        lock (_gate)
        {
            _resting++;
            bool isWoken = true;
            while (!_waiting.TryDequeue(out job) && isWoken)
            {
                isWoken = Monitor.Wait(_gate, RestMax);
            }

            _resting--;
            _backgroundThreads -= job is null ? 1 : 0;
            return job is not null;
        }
    }

    private void RunLong()
    {
        ThreadScheduling.TryGiveWay(Niceness);
        while (TryTakeLate(out ScriptJob? job))
        {
            job.TryRun(ScriptTier.Long);
        }
    }

    private bool TryTakeLate([NotNullWhen(true)] out ScriptJob? job)
    {
        lock (_gate)
        {
            while (!_givenUp.TryDequeue(out job))
            {
                TimeSpan rest = RestMax;
                if (_waiting.TryPeek(out ScriptJob? oldest))
                {
                    rest = WaitMax - _clock.GetElapsedTime(oldest.QueuedAt);
                    if (rest <= TimeSpan.Zero || _backgroundThreadsMax == 0)
                    {
                        job = _waiting.Dequeue();
                        return true;
                    }
                }

                // A job that a background thread runs may still be given up: then this thread has to take it.
                if (!Monitor.Wait(_gate, rest) && _waiting.Count == 0 && _givenUp.Count == 0 && _backgroundThreads == 0)
                {
                    _hasLongThread = false;
                    return false;
                }
            }

            return true;
        }
    }
}
