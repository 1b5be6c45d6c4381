namespace Raven.Cluster.Hosting;

/// <summary>
/// How far the clocks of other nodes are from this one's, by the times in their signs of life. A time takes a while to
/// come here, so it may be older than it says, and never newer: a clock that is ahead is seen by one of them, one that
/// is behind only if several in a row come late. Safe for all threads.
/// </summary>
/// <param name="clock">The clock of this node.</param>
internal sealed class PeerClocks(TimeProvider clock)
{
    /// <summary>What is allowed: clocks that a network sets differ by less.</summary>
    internal static readonly TimeSpan Allowed = TimeSpan.FromMilliseconds(500);

    private const int Kept = 3;

    private readonly Lock _gate = new();
    private readonly Dictionary<string, Queue<TimeSpan>> _ages = [];

    /// <summary>Takes the time of a sign of life that has just come.</summary>
    internal void Take(string tag, DateTimeOffset time)
    {
        lock (_gate)
        {
            if (!_ages.TryGetValue(tag, out Queue<TimeSpan>? ages))
            {
                _ages.Add(tag, ages = []);
            }

            ages.Enqueue(clock.GetUtcNow() - time);
            if (ages.Count > Kept)
            {
                ages.Dequeue();
            }
        }
    }

    /// <summary>Forgets a node, which gives no sign of life any more.</summary>
    internal void Forget(string tag)
    {
        lock (_gate)
        {
            _ages.Remove(tag);
        }
    }

    /// <summary>The nodes whose clocks are off, and by how much they are ahead of this one's.</summary>
    internal IReadOnlyList<(string Tag, TimeSpan Ahead)> FindDiffering()
    {
        List<(string, TimeSpan)> found = [];
        lock (_gate)
        {
            foreach ((string tag, Queue<TimeSpan> ages) in _ages)
            {
                TimeSpan youngest = ages.Min();
                if (youngest < -Allowed || (youngest > Allowed && ages.Count == Kept))
                {
                    found.Add((tag, -youngest));
                }
            }
        }

        return found;
    }
}
