using Raven.Tools.Stress.Histories;

namespace FastTests.Cluster;

/// <summary>What is done to real clusters is a function of a seed.</summary>
public sealed class FaultPlanTests
{
    private static readonly TimeSpan Minute = TimeSpan.FromMinutes(1);
    private static readonly FaultKind[] All = Enum.GetValues<FaultKind>();

    [Fact]
    public void A_seed_has_one_plan_and_another_seed_another()
    {
        Assert.Equal(FaultPlan.Make(7, Minute, All), FaultPlan.Make(7, Minute, All));
        Assert.NotEqual(FaultPlan.Make(7, Minute, All), FaultPlan.Make(8, Minute, All));
    }

    [Fact]
    public void Every_fault_ends_within_the_run_and_no_kind_comes_twice_before_all_have_come()
    {
        for (int seed = 0; seed < 200; seed++)
        {
            IReadOnlyList<Fault> plan = FaultPlan.Make(seed, Minute, All);
            Assert.InRange(plan.Count, 5, 100);
            Assert.All(plan, fault => Assert.InRange(fault.At + fault.Length, fault.At, Minute));
            Assert.All(plan.Chunk(All.Length), some => Assert.Distinct(some.Select(fault => fault.Kind)));
        }
    }

    [Fact]
    public void Every_kind_comes_in_the_short_runs_of_a_few_seeds()
    {
        IEnumerable<FaultKind> seen = Enumerable.Range(101, 20)
            .SelectMany(seed => FaultPlan.Make(seed, Minute / 4, All)).Select(fault => fault.Kind);
        Assert.Equal(All, seen.Distinct().Order());
    }
}
