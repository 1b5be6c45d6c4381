using Raven.Tools.Stress.Cluster;

namespace FastTests.Cluster;

/// <summary>
/// Clusters in simulated time: nodes that crash, stop and are slow, a network that is cut, a store whose answers get
/// lost, clocks of own rates. What the cluster promises is looked at after each step; the message of a failure says the
/// seed, which <c>Stress cluster --seed</c> repeats.
/// </summary>
public sealed class ClusterSimulationTests
{
    /// <summary>
    /// A new primary added a node that lacked the last transaction of its log, which was committed under the epoch
    /// before.
    /// </summary>
    [Theory]
    [InlineData(2667)]
    [InlineData(3708)]
    [Trait("Invariant", "REP-5")]
    public void A_node_that_lacks_what_an_earlier_epoch_committed_is_not_added(int seed) =>
        Assert.True(SimulatedWorld.Run(seed, hasStorage: false).Writes > 0);

    /// <summary>
    /// A new primary that was in sync alone waited for a second node before it committed its log, and with that before
    /// it opened its files; the others had lost theirs, and nobody could copy any.
    /// </summary>
    [Theory]
    [InlineData(100_020)]
    [InlineData(100_106)]
    [Trait("Invariant", "REP-6")]
    public void A_node_that_has_everything_gives_it_to_those_that_have_nothing(int seed) =>
        Assert.True(SimulatedWorld.Run(seed, hasStorage: false).Losses > 0);

    /// <summary>Real storage on simulated disks: a run costs five of those in memory.</summary>
    [Fact]
    [Trait("Invariant", "REP-1")]
    [Trait("Invariant", "LOG-3")]
    public void No_run_on_real_storage_breaks_a_promise()
    {
        int writes = 0;
        int takeovers = 0;
        for (int seed = 101; seed <= 180; seed++)
        {
            SimulationCheck run = SimulatedWorld.Run(seed, hasStorage: true);
            writes += run.Writes;
            takeovers += run.Takeovers;
        }

        Assert.True(writes > 10_000 && takeovers > 50, $"{writes}, {takeovers}");
    }

    [Fact]
    [Trait("Invariant", "REP-1")]
    [Trait("Invariant", "REP-10")]
    public void No_run_breaks_a_promise()
    {
        int writes = 0;
        int reads = 0;
        int takeovers = 0;
        for (int seed = 1; seed <= 40; seed++)
        {
            SimulationCheck run = SimulatedWorld.Run(seed, hasStorage: false);
            writes += run.Writes;
            reads += run.Reads;
            takeovers += run.Takeovers;
        }

        Assert.True(writes > 5_000 && reads > 5_000 && takeovers > 25, $"{writes}, {reads}, {takeovers}");
    }
}
