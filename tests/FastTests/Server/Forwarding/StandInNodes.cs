using Raven.Server.Http.Cluster;
using Raven.Server.Options;

namespace FastTests.Server.Forwarding;

/// <summary>
/// Two servers that believe to be the nodes A and B of a cluster. Each has a database of its own under the same name,
/// so that a test sees which of them has done something.
/// </summary>
internal sealed class StandInNodes : IDisposable
{
    private StandInNodes(TestServer a, TestServer b)
    {
        A = a;
        B = b;
        OfA = new StandInCluster("A");
        OfB = new StandInCluster("B");
        NodeA = Node("A", a.Host.Url);
        NodeB = Node("B", b.Host.Url);
    }

    internal TestServer A { get; }

    internal TestServer B { get; }

    internal StandInCluster OfA { get; }

    internal StandInCluster OfB { get; }

    internal NodeView NodeA { get; }

    internal NodeView NodeB { get; }

    /// <summary>Makes them; A is the primary and B a member that is in sync.</summary>
    internal static async Task<StandInNodes> CreateAsync(Func<ServerOptions, ServerOptions>? configure = null)
    {
        var nodes = new StandInNodes(
            await TestServer.WithDatabaseAsync(configure), await TestServer.WithDatabaseAsync(configure));
        var cluster = new ClusterView
        {
            ClusterId = "c", Etag = 5, Term = 3, Observer = "A", Nodes = [nodes.NodeA, nodes.NodeB],
        };
        nodes.OfA.Cluster = cluster;
        nodes.OfB.Cluster = cluster;
        nodes.OfA.Set(nodes.Group(GroupRole.Primary, nodes.NodeA));
        nodes.OfB.Set(nodes.Group(GroupRole.Member, nodes.NodeA));
        nodes.A.Host.State.Cluster = nodes.OfA;
        nodes.B.Host.State.Cluster = nodes.OfB;
        return nodes;
    }

    internal static NodeView Node(string tag, string url) => new()
    {
        Tag = tag, Url = url, Role = NodeRole.Member, IsAlive = true,
    };

    /// <summary>The group as the node sees it that has a role.</summary>
    internal GroupView Group(
        GroupRole own, NodeView? primary, long epoch = 1, long etag = 10, bool isOpen = true) => new()
        {
            Database = TestServer.Database,
            Etag = etag,
            Epoch = epoch,
            Role = own,
            IsOpen = isOpen,
            Primary = primary,
            Nodes = primary?.Tag == "B"
            ? [new GroupNode(NodeB, GroupRole.Primary), new GroupNode(NodeA, GroupRole.Member)]
            : [new GroupNode(NodeA, GroupRole.Primary), new GroupNode(NodeB, GroupRole.Member)],
            MinInSync = 1,
        };

    public void Dispose()
    {
        A.Dispose();
        B.Dispose();
    }
}
