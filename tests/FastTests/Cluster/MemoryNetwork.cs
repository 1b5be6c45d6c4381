using Raven.Cluster.Hosting;

namespace FastTests.Cluster;

/// <summary>Connections in memory between nodes of one process: they can be cut, one way or both, and slowed
/// down.</summary>
internal sealed class MemoryNetwork
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, ReplicaNode> _nodes = [];
    private readonly HashSet<(string From, string To)> _cuts = [];
    private readonly List<MemoryConnection> _connections = [];

    /// <summary>How many connections were made.</summary>
    internal int Dials { get; private set; }

    internal void Add(string tag, ReplicaNode node)
    {
        lock (_lock)
        {
            _nodes[tag] = node;
        }
    }

    /// <summary>The process of a node is gone: its connections end.</summary>
    internal void Remove(string tag)
    {
        MemoryConnection[] ended;
        lock (_lock)
        {
            _nodes.Remove(tag);
            ended = [.. _connections.Where(each => each.Near.From == tag || each.Near.To == tag)];
            _connections.RemoveAll(ended.Contains);
        }

        foreach (MemoryConnection each in ended)
        {
            each.Near.Dispose();
            each.Far.Dispose();
        }
    }

    /// <summary>What one node sends another one does not come.</summary>
    internal void Cut(string from, string to)
    {
        lock (_lock)
        {
            _cuts.Add((from, to));
            Hold();
        }
    }

    internal void CutBoth(string one, string other)
    {
        Cut(one, other);
        Cut(other, one);
    }

    internal void Heal()
    {
        lock (_lock)
        {
            _cuts.Clear();
            Hold();
        }
    }

    /// <summary>All connections break: both ends see it.</summary>
    internal void BreakAll()
    {
        MemoryConnection[] ended;
        lock (_lock)
        {
            ended = [.. _connections];
            _connections.Clear();
        }

        foreach (MemoryConnection each in ended)
        {
            each.Near.Dispose();
            each.Far.Dispose();
        }
    }

    internal IReplicaNetwork Of(string tag) => new View(this, tag);

    internal Stream? Dial(string from, string to, string database)
    {
        ReplicaNode? node;
        MemoryConnection connection;
        lock (_lock)
        {
            Dials++;
            if (_cuts.Contains((from, to)) || _cuts.Contains((to, from)) || !_nodes.ContainsKey(from)
                || !_nodes.TryGetValue(to, out node))
            {
                return null;
            }

            connection = new MemoryConnection(from, to);
            _connections.Add(connection);
        }

        _ = AcceptAsync(node, database, connection, from);
        return connection.Near;
    }

    private static async Task AcceptAsync(ReplicaNode node, string database, MemoryConnection connection, string from)
    {
        await node.AcceptAsync(database, connection.Far, from, CancellationToken.None);
        connection.Far.Dispose();
    }

    private void Hold()
    {
        foreach (MemoryConnection each in _connections)
        {
            each.Far.Incoming.IsHeld = _cuts.Contains((each.Near.From, each.Near.To));
            each.Near.Incoming.IsHeld = _cuts.Contains((each.Near.To, each.Near.From));
        }
    }

    private sealed class View(MemoryNetwork network, string from) : IReplicaNetwork
    {
        public ValueTask<Stream?> DialAsync(string tag, string database, CancellationToken stop) =>
            new(network.Dial(from, tag, database));
    }
}
