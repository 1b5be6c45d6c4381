using System.Diagnostics.CodeAnalysis;

namespace Raven.Storage.Transactions;

/// <summary>
/// A few threads that all environments of a process share, so that many databases cost no thread each. They may block
/// in a sync, which the thread pool's should not.
/// </summary>
public sealed class BackgroundThreads : IBackgroundScheduler
{
    private static readonly TimeSpan IdleMax = TimeSpan.FromSeconds(20);

    private readonly Queue<Action> _work = [];
    private readonly int _threadsMax;
    private int _threads;
    private int _idle;

    /// <summary>Makes a set of threads; none is started before there is work.</summary>
    public BackgroundThreads(int threadsMax)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(threadsMax);
        _threadsMax = threadsMax;
    }

    /// <summary>The threads of this process.</summary>
    public static BackgroundThreads Shared { get; } = new(Math.Max(4, Environment.ProcessorCount));

    /// <summary>Threads for commits, which never wait behind a flush.</summary>
    public static BackgroundThreads Writers { get; } = new(Math.Max(4, Environment.ProcessorCount));

    /// <inheritdoc/>
    public void Schedule(Action work)
    {
        lock (_work)
        {
            _work.Enqueue(work);
            if (_work.Count > _idle && _threads < _threadsMax)
            {
                _threads++;
                new Thread(Run) { IsBackground = true, Name = "storage background" }.Start();
            }

            Monitor.Pulse(_work);
        }
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
