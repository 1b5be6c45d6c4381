using Raven.Storage.Options;
using Shared.Storage;

namespace SlowTests.Storage;

/// <summary>
/// Cuts at every operation of a program that swaps an index in the wrong order: the mistake is the caller's, and
/// no mutant of the storage.
/// </summary>
[Trait(Category.Shard, "storage-bugs")]
public sealed class SwapOrderTests
{
    [Fact]
    public void Cuts_at_every_operation_find_an_index_that_is_deleted_before_its_successor_is_named()
    {
        var run = new CrashRun(new StorageHooks());
        var mistake = new CrashScenario("swap", workload => IndexSwap.Play(workload, deletesFirst: true))
        {
            Look = IndexSwap.Require,
        };
        var found = Assert.Throws<CrashTestException>(
            () => run.EveryCutOf(mistake, seed: 201, sectorsMax: 8, subsetsByChance: 64));
        Assert.StartsWith("Scenario swap", found.Message, StringComparison.Ordinal);
        Assert.Matches("The index in old|old/", found.ToString());
    }
}
