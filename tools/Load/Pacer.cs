using System.Diagnostics;

namespace Raven.Tools.Load;

/// <summary>
/// Wakes clients at the moment their next request is due. One thread sleeps for all of them, in steps short enough that
/// lateness stays near 0.1 ms; the continuation of a client (it sends) runs on that thread.
/// </summary>
internal sealed class Pacer : IDisposable
{
    private static readonly long NapTicksMax = Stopwatch.Frequency / 2000;
    private readonly PriorityQueue<TaskCompletionSource, long> _waiting = new();
    private readonly Lock _lock = new();
    private volatile bool _stopped;

    internal Pacer()
    {
        new Thread(Run) { IsBackground = true, Name = "pacer" }.Start();
    }

    /// <summary>Completes when the clock (<see cref="Stopwatch.GetTimestamp"/>) shows <paramref name="due"/>.</summary>
    internal ValueTask WaitUntilAsync(long due)
    {
        if (Stopwatch.GetTimestamp() >= due)
        {
            return ValueTask.CompletedTask;
        }

        var source = new TaskCompletionSource();
        lock (_lock)
        {
            _waiting.Enqueue(source, due);
        }

        return new ValueTask(source.Task);
    }

    /// <summary>
    /// Makes the thread end by itself: Dispose may run on that thread, where the last client may finish, and waiting
    /// for it would never end.
    /// </summary>
    public void Dispose() => _stopped = true;

    private void Run()
    {
        while (!_stopped)
        {
            TaskCompletionSource? ready = null;
            long nap = NapTicksMax;
            lock (_lock)
            {
                if (_waiting.TryPeek(out TaskCompletionSource? next, out long due))
                {
                    long left = due - Stopwatch.GetTimestamp();
                    nap = Math.Min(nap, left);
                    ready = left <= 0 ? _waiting.Dequeue() : null;
                    Debug.Assert(ready is null || ready == next);
                }
            }

            if (ready is not null)
            {
                ready.SetResult();
            }
            else
            {
                Nap(nap);
            }
        }

        lock (_lock)
        {
            while (_waiting.TryDequeue(out TaskCompletionSource? source, out _))
            {
                source.TrySetCanceled();
            }
        }
    }

    private static void Nap(long ticks)
    {
        if (OperatingSystem.IsLinux())
        {
            long nanoseconds = (long)(ticks * (1e9 / Stopwatch.Frequency));
            _ = NativeMethods.Sleep(new NativeMethods.TimeSpec { Nanoseconds = nanoseconds }, 0);
        }
        else
        {
            Thread.Sleep(1);
        }
    }
}
