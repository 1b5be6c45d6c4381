using System.Diagnostics;
using FastTests.Documents;
using Raven.Storage.Options;
using Shared.Storage;
using Shared.Storage.Structures;

namespace SlowTests.Storage;

/// <summary>
/// The testers that <see cref="PlantedBugTests"/> does not ask, each alone with a few of the planted mistakes (T8):
/// cuts at every operation (T2), every bit (T4), lists of operations and the readers beside them (T5), and the audit of
/// each commit (T6). The message of each says what it must find.
/// </summary>
[Trait(Category.Shard, "storage-bugs")]
public sealed class TesterTests
{
    private const int Keys = 60;

    /// <summary>Of the kinds of operations those below it neither open the environment nor look at it.</summary>
    private const int KindsThatDoNotLook = 92;

    [Theory]
    [InlineData("DataNotSyncedBeforeHeader")]
    [InlineData("FolderNotSyncedForJournal")]
    [InlineData("SwitchNotFollowed")]
    public void Cuts_at_every_operation_of_the_scenarios_find(string bug) => Find(bug, "^Scenario ", hooks =>
    {
        var run = new CrashRun(hooks);
        foreach (CrashScenario scenario in CrashScenario.All.Where(scenario => scenario.Copy is null))
        {
            run.EveryCutOf(scenario, seed: 201, sectorsMax: 8, subsetsByChance: 64);
        }
    });

    [Fact]
    public void Cuts_at_every_operation_find_an_old_index_that_goes_before_the_new_one_is_named()
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

    [Theory]
    [InlineData("PageHashIgnored")]
    public void Every_bit_of_a_page_of_each_kind_finds(string bug) =>
        Find(bug, "changed, and nobody noticed", hooks => BitCheck.Pages(stride: 61, hooks));

    [Theory]
    [InlineData("RecordHashIgnored")]
    public void Every_bit_of_journal_records_finds(string bug) =>
        Find(bug, "changed, and nobody noticed", hooks => BitCheck.Records(stride: 61, recordsMax: 4, hooks));

    [Theory]
    [InlineData("CatalogNotSaved")]
    [InlineData("DropsMoreThanFlushed")]
    [InlineData("FlushSkipsAPage")]
    [InlineData("SupersededFreedEarly")]
    public void Lists_of_operations_on_a_structure_find(string bug) => Find(bug, "Falsifiable", hooks =>
        ModelProperty.Check(
            ModelStructure.Tree,
            lists: 200,
            operations: 200,
            new ModelSettings(Keys) { Audits = false, Hooks = hooks }));

    [Theory]
    [InlineData("SupersededFreedEarly")]
    [InlineData("FlushIgnoresReaders")]
    public void Readers_beside_the_writer_of_a_list_find(string bug) =>
        Find(bug, "A reader beside the writer", hooks =>
            PlayUnlooked(new ModelSettings(Keys) { Audits = false, Readers = 2, Hooks = hooks }));

    [Theory]
    [InlineData("CatalogNotSaved")]
    [InlineData("FlushSkipsAPage")]
    public void Lists_of_operations_on_documents_find(string bug) =>
        Find(bug, "Falsifiable", hooks => DocumentProperty.Check(lists: 200, operations: 80, hooks));

    [Theory]
    [InlineData("FreedTwiceAndReissued")]
    [InlineData("RollbackKeepsFreeSpace")]
    [InlineData("CatalogNotSaved")]
    public void The_audit_of_each_commit_finds(string bug) => Find(bug, "^Audit of transaction", hooks =>
        PlayUnlooked(new ModelSettings(Keys) { Hooks = hooks }));

    /// <summary>Lists whose only looks are those of the readers, of the audits and at the end.</summary>
    private static void PlayUnlooked(ModelSettings settings)
    {
        for (int seed = 1; seed <= 200; seed++)
        {
            var random = new Random(seed);
            int[] list = [.. Enumerable.Range(0, 500).Select(_ => random.Next())];
            ModelRun.Play(
                ModelStructure.Tree, [.. list.Where(each => each % ModelRun.Kinds < KindsThatDoNotLook)], settings);
        }
    }

    /// <summary>Without the mistake nothing is found, with it what the pattern says.</summary>
    private static void Find(string bug, string pattern, Action<StorageHooks> tester)
    {
        tester(new StorageHooks());
        long start = Stopwatch.GetTimestamp();
        Exception found = Assert.ThrowsAny<Exception>(
            () => tester(new StorageHooks { Bug = Enum.Parse<PlantedBug>(bug) }));
        TimeSpan elapsed = Stopwatch.GetElapsedTime(start);
        Assert.Matches(pattern, found.Message);
        Assert.InRange(elapsed, TimeSpan.Zero, TimeSpan.FromSeconds(60));
    }
}
