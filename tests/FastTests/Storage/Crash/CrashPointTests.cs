using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Crash;

/// <summary>Power cuts on a simulated disk, with torn, lost and reordered writes (T1, T2, T3).</summary>
public sealed class CrashPointTests
{
    private const int FirstSeed = 1;

    [Fact]
    public void Every_crash_image_recovers_to_an_acknowledged_state()
    {
        var run = new CrashRun(new StorageHooks());
        for (int seed = FirstSeed; run.Images < 3000; seed++)
        {
            run.RandomCuts(seed, steps: 60, images: 75);
        }

        IEnumerable<string> missed =
            from mark in Enum.GetValues<ProtocolMark>()
            where run.Hooks.CountOf(mark) < 100
            select $"{mark}: {run.Hooks.CountOf(mark)}";
        Assert.Empty(missed);
    }

    [Fact]
    public void Every_operation_may_be_the_last_with_any_of_its_sectors_lost()
    {
        // Three short runs: the first commits, a journal that is switched, and flushes with both headers.
        var run = new CrashRun(new StorageHooks());
        run.EveryCut(seed: 101, steps: 12, sectorsMax: 12, imagesPerCutMax: 64);
        run.EveryCut(seed: 102, steps: 40, sectorsMax: 12, imagesPerCutMax: 24);
        run.EveryCut(seed: 103, steps: 40, sectorsMax: 12, imagesPerCutMax: 24);
        Assert.True(run.Images > 600, $"{run.Images} images");
    }

    [Fact]
    public void A_crash_in_recovery_is_only_another_crash()
    {
        var run = new CrashRun(new StorageHooks());
        for (int seed = FirstSeed; run.Images < 250; seed++)
        {
            run.CrashesInRecovery(seed, steps: 40, images: 8, depth: 3);
        }
    }
}
