using Shared.Cluster;

namespace SlowTests.Cluster;

/// <summary>
/// The protocol of replication in all states that three nodes reach in four epochs with three transactions and two
/// crashes.
/// </summary>
[Trait(Category.Shard, "cluster")]
public sealed class ReplicationModelTests
{
    [Theory]
    [InlineData(1, 13_864_853)]
    [InlineData(2, 10_181_080)]
    [Trait(Category.Run, Category.Ci)]
    public void No_state_breaks_a_promise(int minInSync, int states) => Assert.Equal(
        new ModelResult(states, null, ""),
        new ReplicationModel(epochs: 4, transactions: 3, crashes: 2, minInSync) { AsksMinimumOfOldLogs = true }.Run());

    /// <summary>As the code does it: the minimum is for what writers are told.</summary>
    [Fact]
    [Trait(Category.Run, Category.Ci)]
    public void No_state_breaks_a_promise_if_a_node_that_took_over_alone_commits_its_log()
    {
        ModelResult result = Create(minInSync: 2, handsOver: false).Run();
        Assert.Null(result.Violation);
        Assert.True(result.States > 1_000_000, $"{result.States} states");
    }

    /// <summary>A primary that gives its place to another one stays in sync.</summary>
    [Fact]
    public void No_state_breaks_a_promise_if_primaries_hand_over() =>
        Assert.Equal(new ModelResult(15_447_650, null, ""), Create(minInSync: 1, handsOver: true).Run());

    private static ReplicationModel Create(int minInSync, bool handsOver) =>
        new(epochs: 4, transactions: 3, crashes: 2, minInSync) { HandsOver = handsOver };
}
