using Raven.Storage.Options;
using Shared.Storage;
using SlowTests.Support;

namespace SlowTests.Storage;

/// <summary>The crash tests of the fast suite in their large counts.</summary>
public sealed class CrashTests
{
    [Fact]
    [Trait(Category.Shard, "storage-crashes")]
    [Trait(Category.Run, Category.Ci)]
    public void Fifty_thousand_crash_images_recover() => Recover(firstSeed: 1_000_000, images: 50_000);

    [Fact]
    [Trait(Category.Shard, "storage-crashes")]
    public void A_hundred_thousand_crash_images_recover() => Recover(firstSeed: 2_000_000, images: 100_000);

    [Fact]
    [Trait(Category.Shard, "storage-recovery")]
    public void Twenty_thousand_images_of_a_lazy_environment_lose_only_its_end() =>
        Recover(firstSeed: 5_000_000, images: 20_000, StorageDurability.Lazy);

    [Fact]
    [Trait(Category.Shard, "storage-recovery")]
    public void Twenty_thousand_crashes_in_recovery_lose_nothing_acknowledged()
    {
        var run = new CrashRun(new StorageHooks());
        AllCores.ForEach(
            AllCores.SeedsFrom(3_000_000).TakeWhile(_ => run.Images < 20_000),
            seed => run.CrashesInRecovery(seed, steps: 60, images: 24, depth: 3));
    }

    [Fact]
    [Trait(Category.Shard, "storage-recovery")]
    public void Twenty_thousand_power_cuts_after_kills_lose_nothing_acknowledged()
    {
        var run = new CrashRun(new StorageHooks());
        AllCores.ForEach(
            AllCores.SeedsFrom(8_000_000).TakeWhile(_ => run.Images < 20_000),
            seed => run.CutsAfterKills(seed, steps: 20, kills: 6, images: 60));
    }

    [Fact]
    [Trait(Category.Shard, "storage-recovery")]
    public void Twenty_thousand_images_of_merged_writes_that_overlap_recover()
    {
        var run = new CrashRun(new StorageHooks()) { MergesWrites = true };
        AllCores.ForEach(
            AllCores.SeedsFrom(11_000_000).TakeWhile(_ => run.Images < 20_000),
            seed => run.RandomCuts(seed, steps: 60, images: 100));
        Assert.True(run.Overlaps > 2_000 && run.Throws > 500, $"{run.Overlaps} overlaps, {run.Throws} thrown");
    }

    private static void Recover(
        int firstSeed, int images, StorageDurability durability = StorageDurability.Durable)
    {
        var run = new CrashRun(new StorageHooks(), durability);
        AllCores.ForEach(
            AllCores.SeedsFrom(firstSeed).TakeWhile(_ => run.Images < images),
            seed => run.RandomCuts(seed, steps: 80, images: 150));
    }
}
