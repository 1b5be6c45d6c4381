using FastTests.Support;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Storage.Crash;

/// <summary>
/// Power cuts on a simulated disk, with torn, lost and reordered writes: a sample; SlowTests cut 50,000
/// times in each run of CI.
/// </summary>
public sealed class CrashPointTests
{
    private const int FirstSeed = 1;

    [Fact]
    [Trait("Invariant", "RECOVERY-1")]
    [Trait("Invariant", "RECOVERY-3")]
    [Trait("Invariant", "FLUSH-1")]
    [Trait("Invariant", "FLUSH-2")]
    [Trait("Invariant", "COMMIT-2")]
    [Trait("Invariant", "JOURNAL-4")]
    [Trait(Proof.Row, Proof.Crashes)]
    public void Every_crash_image_recovers_to_an_acknowledged_state()
    {
        var run = new CrashRun(new StorageHooks());
        for (int seed = FirstSeed; run.Images < 1200; seed++)
        {
            run.RandomCuts(seed, steps: 60, images: 75);
        }

        IEnumerable<string> missed =
            from mark in Enum.GetValues<CoverageMark>()
            where run.Hooks.CountOf(mark) < 20
            select $"{mark}: {run.Hooks.CountOf(mark)}";
        Assert.Empty(missed);
    }

    [Fact]
    [Trait("Invariant", "DIRECT-1")]
    [Trait("Invariant", "DATA-2")]
    [Trait("Invariant", "FLUSH-3")]
    [Trait(Proof.Row, Proof.EveryCut)]
    public void Each_scenario_recovers_from_a_cut_at_any_operation_with_any_unsynced_sectors_lost()
    {
        var run = new CrashRun(new StorageHooks());
        int[] images =
        [
            .. CrashScenario.All.Select(scenario => scenario is { Copy: null, Look: null }
                ? run.EveryCutOf(scenario, seed: 101, sectorsMax: 5, subsetsByChance: 48)
                : run.EveryCutOf(scenario, seed: 101, sectorsMax: 3, subsetsByChance: 12)),
        ];
        Assert.True(images.Sum() > 600 && images.Min() > 3, $"{string.Join(", ", images)} images");
    }

    [Theory]
    [Trait("Invariant", "DATA-2")]
    [Trait(Proof.Row, Proof.EveryCut)]
    [InlineData("create")]
    [InlineData("first commit")]
    [InlineData("header A/B")]
    public void Three_short_scenarios_recover_from_the_loss_of_any_subset_of_twelve_sectors(string name)
    {
        var run = new CrashRun(new StorageHooks());
        CrashScenario scenario = CrashScenario.All.Single(scenario => scenario.Name == name);
        int images = run.EveryCutOf(scenario, seed: 102, sectorsMax: 12, subsetsByChance: 4);
        Assert.True(images > 3, $"{images} images");
    }

    [Fact]
    [Trait("Invariant", "COMMIT-2")]
    [Trait(Proof.Row, Proof.Crashes)]
    public void Merged_writes_that_overlap_recover_to_an_acknowledged_state()
    {
        var run = new CrashRun(new StorageHooks()) { MergesWrites = true };
        for (int seed = 11_001; run.Images < 225; seed++)
        {
            run.RandomCuts(seed, steps: 40, images: 75);
        }

        Assert.True(run.Overlaps > 35 && run.Throws > 5, $"{run.Overlaps} overlaps, {run.Throws} thrown");
    }

    [Fact]
    [Trait(Proof.Row, Proof.Crashes)]
    public void A_lazy_environment_loses_only_whole_transactions_from_its_end()
    {
        var run = new CrashRun(new StorageHooks(), StorageDurability.Lazy);
        for (int seed = 7_001; run.Images < 150; seed++)
        {
            run.RandomCuts(seed, steps: 60, images: 50);
        }
    }

    [Fact]
    [Trait(Proof.Row, Proof.CrashesUponCrashes)]
    public void A_power_cut_after_kills_loses_nothing_acknowledged()
    {
        var run = new CrashRun(new StorageHooks());
        for (int seed = 9_001; run.Images < 60; seed++)
        {
            run.CutsAfterKills(seed, steps: 12, kills: 4, images: 15);
        }
    }

    [Fact]
    [Trait(Proof.Row, Proof.CrashesUponCrashes)]
    public void A_journal_file_whose_maker_was_killed_before_its_sync_is_durable_once_it_is_used() =>
        new CrashRun(new StorageHooks()).CutsAfterKills(seed: 8_000_000, steps: 20, kills: 6, images: 60);

    [Fact]
    [Trait(Proof.Row, Proof.CrashesUponCrashes)]
    public void Fifty_checkpoints_kills_and_recoveries_of_one_folder_lose_nothing_acknowledged() =>
        new CrashRun(new StorageHooks()).CutsAfterKills(
            seed: 9_050, steps: 2, kills: 50, images: 20, checkpoints: true);

    [Fact]
    [Trait("Invariant", "RECOVERY-2")]
    [Trait(Proof.Row, Proof.CrashesUponCrashes)]
    public void The_recovery_after_a_crash_in_recovery_loses_nothing_acknowledged()
    {
        var run = new CrashRun(new StorageHooks());
        for (int seed = FirstSeed; run.Images < 64; seed++)
        {
            run.CrashesInRecovery(seed, steps: 40, images: 8, depth: 3);
        }
    }
}
