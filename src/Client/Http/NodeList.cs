namespace Raven.Client.Http;

/// <summary>
/// The servers of a database, and which of them failed recently: those are tried last. Safe for all threads.
/// </summary>
internal sealed class NodeList(Topology topology, TimeProvider clock)
{
    private static readonly TimeSpan FailureMemory = TimeSpan.FromSeconds(5);

    private readonly long[] _failedAt = new long[topology.Nodes.Count];
    private int _next = -1;

    internal Topology Topology => topology;

    /// <summary>A number that increases with each call, to spread reads.</summary>
    internal int NextStart() => Interlocked.Increment(ref _next) & int.MaxValue;

    /// <summary>The servers in the order in which they are tried.</summary>
    /// <param name="start">The index of the server to begin with.</param>
    internal IReadOnlyList<ServerNode> InOrder(int start)
    {
        int count = topology.Nodes.Count;
        if (count == 1)
        {
            return topology.Nodes;
        }

        return [.. Enumerable.Range(0, count).Select(i => (start + i) % count)
            .OrderBy(i => HasFailed(i) ? 1 : 0).Select(i => topology.Nodes[i])];
    }

    internal void SetFailed(ServerNode node) => Volatile.Write(ref _failedAt[IndexOf(node)], clock.GetTimestamp());

    internal void SetWell(ServerNode node) => Volatile.Write(ref _failedAt[IndexOf(node)], 0);

    private bool HasFailed(int index)
    {
        long at = Volatile.Read(ref _failedAt[index]);
        return at != 0 && clock.GetElapsedTime(at) < FailureMemory;
    }

    private int IndexOf(ServerNode node)
    {
        for (int i = 0; i < topology.Nodes.Count; i++)
        {
            if (ReferenceEquals(topology.Nodes[i], node))
            {
                return i;
            }
        }

        throw new InvalidOperationException($"{node} is not of this topology.");
    }
}
