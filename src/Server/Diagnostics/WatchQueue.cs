namespace Raven.Server.Diagnostics;

/// <summary>What waits for one who watches. One who reads too slowly loses the oldest, and is told how many. Any thread
/// adds; one reads.</summary>
/// <typeparam name="T">What is watched.</typeparam>
internal sealed class WatchQueue<T>
    where T : class
{
    /// <summary>How many wait at most.</summary>
    internal const int CountMax = 1024;

    private readonly Lock _gate = new();
    private readonly Queue<T> _waiting = new();
    private TaskCompletionSource _news = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _lost;

    internal void Add(T what)
    {
        lock (_gate)
        {
            if (_waiting.Count == CountMax)
            {
                _waiting.Dequeue();
                _lost++;
            }

            _waiting.Enqueue(what);
            _news.TrySetResult();
        }
    }

    /// <summary>Completes when something waits.</summary>
    internal Task WhenNews()
    {
        lock (_gate)
        {
            return _news.Task;
        }
    }

    /// <summary>Takes all that waits.</summary>
    /// <param name="lost">How many were lost since the last time, before those that are given.</param>
    internal T[] Take(out long lost)
    {
        lock (_gate)
        {
            lost = _lost;
            _lost = 0;
            T[] all = [.. _waiting];
            _waiting.Clear();
            if (_news.Task.IsCompleted)
            {
                _news = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            }

            return all;
        }
    }
}
