using Raven.Tools.Stress.Cluster;

namespace SlowTests.Cluster;

/// <summary>The simulated clusters of the fast tests, thousands of them.</summary>
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
    [Trait(Category.Shard, "cluster")]
    [InlineData(1_000)]
    [InlineData(11_000)]
    public void No_run_in_memory_breaks_a_promise(int from) => Run(from, count: 10_000, hasStorage: false);

    private static void Run(int from, int count, bool hasStorage)
    {
        int writes = 0;
        for (int seed = from; seed < from + count; seed++)
        {
            writes += SimulatedWorld.Run(seed, hasStorage).Writes;
        }

        Assert.True(writes > count * 100, $"{writes}");
    }
}
