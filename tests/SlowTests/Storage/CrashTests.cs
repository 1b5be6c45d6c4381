using Raven.Storage;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace SlowTests.Storage;

/// <summary>The crash tests of the fast suite in their large counts.</summary>
[Trait(Category.Shard, "storage")]
public sealed class CrashTests
{
    [Fact]
    [Trait(Category.Run, Category.Ci)]
    public void Fifty_thousand_crash_images_recover() => Recover(firstSeed: 1_000_000, images: 50_000);

    [Fact]
    public void A_hundred_thousand_crash_images_recover() => Recover(firstSeed: 2_000_000, images: 100_000);

    [Fact]
    public void Twenty_thousand_images_of_a_lazy_environment_lose_only_its_end()
    {
        var run = new CrashRun(new StorageHooks(), StorageDurability.Lazy);
        for (int seed = 5_000_000; run.Images < 20_000; seed++)
        {
            run.RandomCuts(seed, steps: 80, images: 150);
        }
    }

    [Fact]
    public void Twenty_thousand_crashes_in_recovery_are_only_crashes()
    {
        var run = new CrashRun(new StorageHooks());
        for (int seed = 3_000_000; run.Images < 20_000; seed++)
        {
            run.CrashesInRecovery(seed, steps: 60, images: 24, depth: 3);
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    public void Ten_thousand_faults_of_a_kind_lose_nothing_acknowledged(int kind)
    {
        var run = new CrashRun(new StorageHooks());
        int reached = 0;
        for (int seed = 4_000_000; reached < 10_000; seed++)
        {
            bool more = true;
            for (int call = 0; more; call++)
            {
                var fault = new DiskFault((DiskFaultKind)kind, call, IsSticky: true);
                more = run.Fault(seed, steps: 40, fault);
                reached += more ? 1 : 0;
                reached += run.Fault(seed, steps: 40, fault with { IsSticky = false }) ? 1 : 0;
            }
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
