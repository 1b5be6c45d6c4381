using Shared.Mutants;

namespace SlowTests.Mutants;

/// <summary>
/// Mistakes in the storage, one at a time: each must be caught by the crash, recovery, fault and damage tests. A
/// tester that was never seen to fail proves nothing.
/// </summary>
[Trait(Category.Shard, "storage-bugs")]
public sealed class MutantTests(MutantBench bench) : IClassFixture<MutantBench>
{
    public static TheoryData<string> OfStorage =>
    [
        .. from mutant in Mutant.All.Values
           where mutant.Checks.Contains(MutantCheck.CrashesAndFaults)
           select mutant.Name,
    ];

    [Theory]
    [MemberData(nameof(OfStorage))]
    public void Crash_damage_and_fault_tests_catch_every_mutant_of_the_storage(string mutant) =>
        bench.RequireCaught(mutant, MutantCheck.CrashesAndFaults);

    [Fact]
    public void Crash_damage_and_fault_tests_find_nothing_without_a_mutant() =>
        bench.RequirePasses(MutantCheck.CrashesAndFaults, "src/Storage");

    /// <summary>Those that are caught within seconds.</summary>
    [Theory]
    [InlineData("JournalNotWritten")]
    [InlineData("SwitchNotFollowed")]
    [Trait(Category.Run, Category.Ci)]
    public void Each_mutant_of_the_sample_is_caught(string mutant) =>
        bench.RequireCaught(mutant, MutantCheck.CrashesAndFaults);

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    public void Every_mutant_compiles() =>
        Assert.All(Mutant.All.Values, mutant => MutatedProject.In(mutant.Project).RequireCompiles(mutant));
}
