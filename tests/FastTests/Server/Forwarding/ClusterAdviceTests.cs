using Raven.Cluster.Etcd;
using Raven.Server.Http.Cluster;

namespace FastTests.Server.Forwarding;

public sealed class ClusterAdviceTests
{
    /// <summary>Each node as tag and role, with a sign before it if it is away.</summary>
    [Theory]
    [InlineData("A:Primary B:Member C:Member", 2, null)]
    [InlineData("A:Primary", 1, null)]
    [InlineData("-A:Primary B:Member C:Member", 2, "Nothing: another node takes over within seconds. Then start A")]
    [InlineData("A:Primary -B:Member C:Member", 2, "Nothing at once: writes go on without B")]
    [InlineData("A:Primary -B:Member -C:Member", 2, "Start B and C again: a write needs 2 nodes")]
    [InlineData("-A:Primary B:Rehab C:Rehab", 1, "acceptDataLoss=true on a node that is left")]
    [InlineData("A:Primary B:Member -C:Rehab", 2, "Start C again: it catches up by itself. If it is lost for good")]
    [InlineData("A:Primary B:Member C:Rehab", 2, "Wait: C catches up by itself.")]
    [InlineData("A:Primary B:Promotable", 1, "Wait: B gets its copy")]
    [InlineData("B:Rehab", 1, "Wait until it has a primary")]
    public void What_to_do_about_a_group_is_said(string nodes, int minInSync, string? expected)
    {
        string? advice = ClusterAdvice.Of(GroupOf(nodes, minInSync));
        if (expected is null)
        {
            Assert.Null(advice);
        }
        else
        {
            Assert.Contains(expected, advice, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_store_of_another_time_is_no_trouble_of_nodes()
    {
        GroupView group = GroupOf("A:Primary -B:Member", 2) with
        {
            Hindrance = "The store has an older record of the group than before: it was restored from an old copy.",
        };
        Assert.StartsWith("Give etcd the state back", ClusterAdvice.Of(group), StringComparison.Ordinal);
    }

    [Fact]
    public void What_to_do_about_a_node_and_the_store_is_said()
    {
        NodeView node = StandInNodes.Node("A", "http://a");
        Assert.Null(ClusterAdvice.Of(node));
        Assert.Contains("Start its server", ClusterAdvice.Of(node with { IsAlive = false }), StringComparison.Ordinal);
        Assert.NotNull(ClusterAdvice.Of(node with { Hindrance = "Another server has the tag A." }));
        var well = new StoreHealth
        {
            IsManaged = true, Member = new EtcdHealth(null, true, 1, 1, false, null), Age = default, Problem = null,
        };
        Assert.Null(ClusterAdvice.Of(well));
        Assert.NotNull(ClusterAdvice.Of(well with { Problem = "No answer." }));
        Assert.Contains(
            "quota", ClusterAdvice.Of(well with { Member = well.Member! with { IsFull = true } }),
            StringComparison.Ordinal);
    }

    private static GroupView GroupOf(string nodes, int minInSync) => new()
    {
        Database = "db",
        Etag = 1,
        Epoch = 1,
        Role = GroupRole.None,
        IsOpen = false,
        Primary = null,
        MinInSync = minInSync,
        Nodes =
        [
            .. nodes.Split(' ').Select(text => text.TrimStart('-').Split(':') is [string tag, string role]
                ? new GroupNode(
                    StandInNodes.Node(tag, "http://" + tag) with { IsAlive = text[0] != '-' },
                    Enum.Parse<GroupRole>(role))
                : throw new ArgumentException(text, nameof(nodes))),
        ],
    };
}
