using Shared.Mutants;
using SlowTests.Mutants;

namespace SlowTests.Cluster;

/// <summary>
/// Mistakes in replication, one at a time: the simulated clusters must find each that is made in its rules, and the
/// tests of the storage each that is made in what it asks of the storage. A tester that was never seen to fail proves
/// nothing.
/// </summary>
[Trait(Category.Shard, "cluster-bugs")]
public sealed class ClusterMutantTests(MutantBench bench) : IClassFixture<MutantBench>
{
    public static TheoryData<string> OfReplication => [.. ClusterMutants.All.Select(mutant => mutant.Name)];

    public static TheoryData<string> OfStorage => [.. ReplicationMutants.All.Select(mutant => mutant.Name)];

    [Theory]
    [MemberData(nameof(OfReplication))]
    public void Simulated_clusters_catch_every_mutant_of_replication(string mutant) =>
        bench.RequireCaught(mutant, MutantCheck.ClusterRuns);

    [Theory]
    [MemberData(nameof(OfStorage))]
    public void The_tests_of_gate_log_and_copies_catch_every_mutant_of_them(string mutant) =>
        bench.RequireCaught(mutant, MutantCheck.ReplicationTests);

    [Fact]
    public void Simulated_clusters_find_nothing_without_a_mutant() =>
        bench.RequirePasses(MutantCheck.ClusterRuns, "src/Cluster");

    [Fact]
    public void The_tests_of_gate_log_and_copies_find_nothing_without_a_mutant() =>
        bench.RequirePasses(MutantCheck.ReplicationTests, "src/Storage");
}
