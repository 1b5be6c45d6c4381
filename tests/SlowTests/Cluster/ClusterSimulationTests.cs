using Raven.Tools.Stress.Cluster;

namespace SlowTests.Cluster;

/// <summary>The simulated clusters of the fast tests, thousands of them.</summary>
public sealed class ClusterSimulationTests
{
    [Fact]
    [Trait(Category.Shard, "cluster")]
    public void No_run_of_the_first_half_breaks_a_promise() => Run(from: 1_000, count: 10_000, hasStorage: false);

    [Fact]
    [Trait(Category.Shard, "cluster")]
    public void No_run_of_the_second_half_breaks_a_promise() => Run(from: 11_000, count: 10_000, hasStorage: false);

    [Fact]
    [Trait(Category.Shard, "cluster")]
    public void No_run_on_real_storage_breaks_a_promise() => Run(from: 1_000, count: 1_000, hasStorage: true);

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
