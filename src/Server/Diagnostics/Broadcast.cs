namespace Raven.Server.Diagnostics;

/// <summary>Gives what happens to those who watch; while nobody does, it costs the reading of one field. Any thread.
/// </summary>
/// <typeparam name="T">What happens.</typeparam>
internal sealed class Broadcast<T>
    where T : class
{
    /// <summary>How many may watch at a time: each takes part in all that happens, and has a queue.</summary>
    internal const int WatchesMax = 100;

    private readonly Lock _gate = new();
    private volatile WatchQueue<T>[] _watches = [];

    /// <summary>Whether anyone watches.</summary>
    internal bool IsWatched => _watches.Length > 0;

    /// <summary>Begins to watch; null if <see cref="WatchesMax"/> watch already.</summary>
    internal WatchQueue<T>? TryWatch()
    {
        var queue = new WatchQueue<T>();
        lock (_gate)
        {
            if (_watches.Length >= WatchesMax)
            {
                return null;
            }

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
