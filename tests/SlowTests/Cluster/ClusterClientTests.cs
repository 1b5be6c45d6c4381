namespace SlowTests.Cluster;

/// <summary>
/// The .NET client on three nodes: what it is told is so, whatever happens to them, and what it is not sure of it says
/// by an exception of its own.
/// </summary>
[Trait(Category.Shard, "cluster-client")]
public sealed class ClusterClientTests
{
    [Theory]
    [InlineData(2, 4)]
    public Task Sessions_lose_nothing_that_was_acknowledged_when_the_primary_is_killed(int kills, int seconds) =>
        KillAsync(kills, seconds);

    [Theory]
    [InlineData(8, 10)]
    public Task Sessions_lose_nothing_that_was_acknowledged_when_the_primary_is_killed_often(int kills, int seconds) =>
        KillAsync(kills, seconds);

    /// <summary>One node after the other is stopped in order and started again, as an upgrade does.</summary>
    [Fact]
    public async Task Nodes_are_upgraded_one_after_the_other_without_an_error()
    {
        await using RealCluster cluster = await RealCluster.StartAsync();
        await using (var load = new ClientLoad(cluster.Urls))
        {
            await load.StartAsync();
            for (int round = 0; round < 2; round++)
            {
                foreach (string tag in cluster.Processes.Tags)
                {
                    await MoreAsync(cluster, load);
                    await cluster.Processes.StopAsync(tag);
                    await MoreAsync(cluster, load);
                    cluster.Processes.StartServer(tag);
                    await cluster.Processes.InSyncAsync(RealCluster.Database, RealCluster.Servers);
                }
            }

            await AssertWellAsync(load);
            Assert.Equal(0, load.Perhaps);
        }

        await cluster.AssertSamePagesAsync();
    }

    private static async Task KillAsync(int kills, int seconds)
    {
        await using RealCluster cluster = await RealCluster.StartAsync();
        await using (var load = new ClientLoad(cluster.Urls))
        {
            await load.StartAsync();
            await cluster.KillPrimariesAsync(TimeSpan.FromSeconds(seconds), done => done >= kills);
            await MoreAsync(cluster, load);
            await AssertWellAsync(load);
        }

        await cluster.AssertSamePagesAsync();
    }

    private static async Task AssertWellAsync(ClientLoad load)
    {
        string wrong = await load.EndAsync();
        Assert.True(wrong.Length == 0, wrong);
    }

    /// <summary>Waits until the load has gone on.</summary>
    private static async Task MoreAsync(RealCluster cluster, ClientLoad load)
    {
        int before = load.Stored;
        await cluster.Processes.UntilAsync(() => Task.FromResult(load.Stored > before + 50), "nothing more is stored");
    }
}
