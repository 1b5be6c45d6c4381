namespace Raven.Server.Diagnostics;

/// <summary>Gives what happens to those who watch; while nobody does, it costs the reading of one field. Any thread.
/// </summary>
/// <typeparam name="T">What happens.</typeparam>
internal sealed class Broadcast<T>
    where T : class
{
    private readonly Lock _gate = new();
    private volatile WatchQueue<T>[] _watches = [];

    /// <summary>Whether anyone watches.</summary>
    internal bool IsWatched => _watches.Length > 0;

    /// <summary>Begins to watch.</summary>
    internal WatchQueue<T> Watch()
    {
        var queue = new WatchQueue<T>();
        lock (_gate)
        {
            _watches = [.. _watches, queue];
        }

        return queue;
    }

    /// <summary>Ends a watch.</summary>
    internal void Unwatch(WatchQueue<T> queue)
    {
        lock (_gate)
        {
            _watches = [.. _watches.Where(one => one != queue)];
        }
    }

    /// <summary>Gives it to all that watch.</summary>
    internal void Add(T what)
    {
        foreach (WatchQueue<T> queue in _watches)
        {
            queue.Add(what);
        }
    }
}
