using Raven.Tools.Stress.Cluster;

namespace SlowTests.Cluster;

/// <summary>The simulated clusters of the fast tests, thousands of them; those of later seeds lose disks, too.
/// </summary>
public sealed class ClusterSimulationTests
{
    [Theory]
    [Trait(Category.Shard, "cluster-seeds")]
    [InlineData(1_000)]
    [InlineData(3_500)]
    [InlineData(6_000)]
    [InlineData(8_500)]
    public void No_run_on_real_storage_breaks_a_promise(int from) => Run(from, count: 2_500, hasStorage: true);

    [Theory]
    [Trait(Category.Shard, "cluster-losses")]
    [InlineData(100_000)]
    [InlineData(102_500)]
    [InlineData(105_000)]
    [InlineData(107_500)]
    public void No_run_in_which_disks_are_lost_breaks_a_promise(int from)
    {
        (int losses, int promotions) = Run(from, count: 2_500, hasStorage: true);
        Assert.True(losses > 500 && promotions > 250, $"{losses} disks were lost, {promotions} promotions");
    }

    [Theory]
    [Trait(Category.Shard, "cluster")]
    [InlineData(11_000)]
    [InlineData(110_000)]
    public void No_run_in_memory_breaks_a_promise(int from) => Run(from, count: 5_000, hasStorage: false);

    private static (int Losses, int Promotions) Run(int from, int count, bool hasStorage)
    {
        int writes = 0;
        int losses = 0;
        int promotions = 0;
        for (int seed = from; seed < from + count; seed++)
        {
            SimulationCheck run = SimulatedWorld.Run(seed, hasStorage);
            writes += run.Writes;
            losses += run.Losses;
            promotions += run.Histories - 1;
        }

        Assert.True(writes > count * 100, $"{writes} writes");
        return (losses, promotions);
    }
}
