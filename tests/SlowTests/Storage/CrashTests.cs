using Raven.Storage;
using Raven.Storage.Transactions;
using Shared.Storage;

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
    public void Twenty_thousand_images_of_a_lazy_environment_lose_only_its_end()
    {
        var run = new CrashRun(new StorageHooks(), StorageDurability.Lazy);
        for (int seed = 5_000_000; run.Images < 20_000; seed++)
        {
            run.RandomCuts(seed, steps: 80, images: 150);
        }
    }

    [Fact]
    [Trait(Category.Shard, "storage-recovery")]
    public void Twenty_thousand_crashes_in_recovery_are_only_crashes()
    {
        var run = new CrashRun(new StorageHooks());
        for (int seed = 3_000_000; run.Images < 20_000; seed++)
        {
            run.CrashesInRecovery(seed, steps: 60, images: 24, depth: 3);
        }
    }

    private static void Recover(int firstSeed, int images)
    {
        // One run for each core; a run's images are counted once.
        int share = images / 2;
        Parallel.For(0, 2, half =>
        {
            var run = new CrashRun(new StorageHooks());
            for (int seed = firstSeed + half; run.Images < share; seed += 2)
            {
                run.RandomCuts(seed, steps: 80, images: 150);
            }
        });
    }
}
