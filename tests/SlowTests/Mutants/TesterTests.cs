using Shared.Mutants;

namespace SlowTests.Mutants;

/// <summary>
/// The testers that <see cref="MutantTests"/> does not ask, each alone with a few of the mutants: cuts at every
/// operation, bits, lists of operations and the readers beside them, the audit of each commit, and
/// power cuts of indexes. What each must find is in its own message.
/// </summary>
[Trait(Category.Shard, "storage-bugs")]
public sealed class TesterTests(MutantBench bench) : IClassFixture<MutantBench>
{
    /// <summary>Each mutant with each check that must catch it, but for the one of the other tests.</summary>
    public static TheoryData<string, string> Pairs
    {
        get
        {
            TheoryData<string, string> pairs = [];
            foreach (Mutant mutant in Mutant.All.Values)
            {
                foreach (MutantCheck check in mutant.Checks.Where(IsAskedHere))
                {
                    pairs.Add($"{check}", mutant.Name);
                }
            }

            return pairs;
        }
    }

    /// <summary>Each check, and the project whose mutants it catches.</summary>
    public static TheoryData<string, string> Checks
    {
        get
        {
            TheoryData<string, string> checks = [];
            foreach (MutantCheck check in Enum.GetValues<MutantCheck>()
                .Where(IsAskedHere))
            {
                checks.Add($"{check}", Mutant.All.Values.First(mutant => mutant.Checks.Contains(check)).Project);
            }

            return checks;
        }
    }

    /// <summary>False for the checks that other classes ask.</summary>
    private static bool IsAskedHere(MutantCheck check) => check
        is not (MutantCheck.CrashesAndFaults or MutantCheck.ClusterRuns or MutantCheck.ReplicationTests);

    [Theory]
    [MemberData(nameof(Pairs))]
    public void Each_tester_catches_its_mutants(string tester, string mutant) =>
        bench.RequireCaught(mutant, Enum.Parse<MutantCheck>(tester));

    [Theory]
    [MemberData(nameof(Checks))]
    public void Each_tester_finds_nothing_without_a_mutant(string tester, string project) =>
        bench.RequirePasses(Enum.Parse<MutantCheck>(tester), project);
}
