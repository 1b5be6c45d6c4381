using System.Diagnostics.CodeAnalysis;
using Raven.Storage.Platform;

namespace Raven.Storage.Options;

/// <summary>
/// A few threads that all environments of a process share, so that a database costs no thread. They may block in a
/// sync, which threads of the pool should not; the pool does the work only if the system starts no thread.
/// </summary>
public sealed class BackgroundThreads : IBackgroundScheduler
{
    private static readonly TimeSpan IdleMax = TimeSpan.FromSeconds(20);

    private readonly Queue<Action> _work = [];
    private readonly int _threadsMax;
    private readonly Action<Thread>? _start;
    private int _threads;
    private int _idle;

    /// <summary>Makes a set of threads; none is started before there is work.</summary>
    public BackgroundThreads(int threadsMax)
        : this(threadsMax, start: null)
    {
    }

    /// <summary>Makes a set of threads that are started by a test, which may refuse to.</summary>
    internal BackgroundThreads(int threadsMax, Action<Thread>? start)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(threadsMax);
        _threadsMax = threadsMax;
        _start = start;
    }

    /// <summary>The threads of this process.</summary>
    public static BackgroundThreads Shared { get; } = new(Math.Max(4, Environment.ProcessorCount));

    /// <summary>Threads for commits, which therefore never wait behind a flush.</summary>
    public static BackgroundThreads Writers { get; } = new(Math.Max(4, Environment.ProcessorCount));

    internal int Count
    {
        get
        {
            lock (_work)
            {
                return _threads;
            }
        }
    }

    /// <inheritdoc/>
    public void Schedule(Action work)
    {
        lock (_work)
        {
            // The work comes last: if memory is short it is not taken, and stays with the caller.
            _work.EnsureCapacity(_work.Count + 1);
            if (_work.Count >= _idle && _threads < _threadsMax && !TryStart() && _threads == 0)
            {
                // Not on this thread: the caller may hold what the work waits for. The pool has threads already.
                ThreadPool.UnsafeQueueUserWorkItem(static threads => threads.RunQueued(), this, preferLocal: false);
            }

            _work.Enqueue(work);
            Monitor.Pulse(_work);
        }
    }

    /// <returns>False if the system starts no more threads.</returns>
    private bool TryStart()
    {
        bool isStarted = ThreadStarter.TryStart(Run, "storage background", ThreadPriority.Normal, _start);
        _threads += isStarted ? 1 : 0;
        return isStarted;
    }

    /// <summary>Does one piece of work, unless a thread did it already.</summary>
    private void RunQueued()
    {
        Action? work;
        lock (_work)
        {
            _work.TryDequeue(out work);
        }

        work?.Invoke();
    }

    private void Run()
    {
        while (TryTake(out Action? work))
        {
            work();
        }
    }

    private bool TryTake([NotNullWhen(true)] out Action? work)
    {
        lock (_work)
        {
            _idle++;
            bool woken = true;
            while (!_work.TryDequeue(out work) && woken)
            {
                woken = Monitor.Wait(_work, IdleMax);
            }

            _idle--;
            _threads -= work is null ? 1 : 0;
            return work is not null;
        }
    }
}
