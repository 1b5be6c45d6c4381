namespace SlowTests.Cluster;

/// <summary>
/// Histories of clients of three real servers and three etcds, with faults: kills, processes that stand still, cuts of
/// every kind, clocks, disks. Networks that can be cut take root (CAP_NET_ADMIN) and <c>ip</c>; without them all
/// processes are on one loopback, and the other faults remain. <c>Stress cluster-histories --seed N --rounds 1</c>
/// repeats one.
/// </summary>
[Trait(Category.Shard, "cluster-histories")]
public sealed class ClusterHistoriesTests(ITestOutputHelper output) : HistoryTestsBase(output)
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    [InlineData(7)]
    [InlineData(8)]
    public async Task A_minute_of_faults_breaks_no_promise(int seed) =>
        Assert.Empty((await RunAsync(seed, TimeSpan.FromSeconds(60))).Problems);
}
