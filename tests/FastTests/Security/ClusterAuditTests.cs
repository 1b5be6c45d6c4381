using FastTests.Server;
using FastTests.Server.Forwarding;
using Raven.Server.Handlers;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Routing;

namespace FastTests.Security;

/// <summary>The lines in the audit log of what administrators do to a cluster.</summary>
public sealed class ClusterAuditTests
{
    private static readonly (string Method, string Target, string Body, string Event)[] Cases =
    [
        ("PUT", "/admin/cluster/node?url=http%3A%2F%2Fc&tag=C", "", "cluster.node.added"),
        ("DELETE", "/admin/cluster/node?nodeTag=C", "", "cluster.node.removed"),
        ("POST", "/admin/cluster/promote?nodeTag=C", "", "cluster.node.promoted"),
        ("POST", "/admin/cluster/demote?nodeTag=C", "", "cluster.node.demoted"),
        ("PUT", "/admin/databases/node?name=db&node=C", "", "database.node.added"),
        ("POST", "/admin/databases/promote?name=db&node=A", "", "database.node.promoted"),
        ("POST", "/admin/databases/primary?name=db&node=A", "", "database.primary.set"),
        ("POST", "/admin/databases/reorder?name=db", """{"MembersOrder":["A"]}""", "database.nodes.ordered"),
        ("POST", "/admin/databases/topology/modify?name=db", """{"Members":["A"]}""", "database.nodes.changed"),
    ];

    [Fact]
    [Trait("Invariant", "TRAIL-2")]
    public void Each_change_of_a_cluster_makes_its_line_before_it_is_done()
    {
        using var audited = new AuditedServer();
        NodeView node = StandInNodes.Node("A", "http://127.0.0.1:1");
        var cluster = new StandInCluster("A")
        {
            Cluster = new ClusterView { ClusterId = "c", Etag = 1, Term = 1, Observer = "A", Nodes = [node] },
        };
        cluster.Set(new GroupView
        {
            Database = "db", Etag = 1, Epoch = 1, Role = GroupRole.Primary, IsOpen = true, Primary = node,
            Nodes = [new GroupNode(node, GroupRole.Primary)], MinInSync = 1,
        });
        audited.Server.State.Cluster = cluster;
        foreach ((string method, string target, string body, string name) in Cases)
        {
            int before = audited.Lines.Length;
            (string path, string query) = (target[..target.IndexOf('?')], target[target.IndexOf('?')..]);
            int status = audited.Server.Send(new InMemoryRequest(method, path, query, body));
            Assert.True(status < 300, $"{method} {target}: {status}");
            string line = Assert.Single(audited.Lines[before..]);
            Assert.Contains($"\"event\":\"{name}\",\"outcome\":\"ok\"", line, StringComparison.Ordinal);
        }

        audited.Break();
        cluster.Calls.Clear();
        foreach ((string method, string target, string body, _) in Cases)
        {
            (string path, string query) = (target[..target.IndexOf('?')], target[target.IndexOf('?')..]);
            Assert.Equal(503, audited.Server.Send(new InMemoryRequest(method, path, query, body)));
        }

        Assert.Empty(cluster.Calls);
    }

    [Fact]
    public void All_routes_of_clusters_with_an_event_are_tried_here() => Assert.Equal(
        RouteTable.Default.Routes
            .Where(route => route.Audit != null)
            .Where(route => route.Handler.Method.DeclaringType is { } type
                && (type == typeof(ClusterHandler) || type == typeof(DatabaseNodesHandler)))
            .Select(route => route.Audit!).Order(StringComparer.Ordinal),
        Cases.Select(one => one.Event).Order(StringComparer.Ordinal));
}
