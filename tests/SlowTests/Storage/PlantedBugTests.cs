using System.Diagnostics;
using Raven.Storage.Options;
using Shared.Storage;

namespace SlowTests.Storage;

/// <summary>
/// Mistakes that were planted in the storage, one at a time: each must be found by the crash, recovery, fault or
/// damage tests (T8). A tester that was never seen to fail proves nothing.
/// </summary>
[Trait(Category.Shard, "storage-bugs")]
public sealed class PlantedBugTests
{
    public static TheoryData<string> Bugs => [.. Enum.GetNames<PlantedBug>().Where(name => name != "None")];

    [Theory]
    [MemberData(nameof(Bugs))]
    public void Every_planted_mistake_is_found(string bug)
    {
        var hooks = new StorageHooks { Bug = Enum.Parse<PlantedBug>(bug) };
        long start = Stopwatch.GetTimestamp();
        Assert.ThrowsAny<CrashTestException>(() => SearchFor(hooks));
        Assert.InRange(Stopwatch.GetElapsedTime(start), TimeSpan.Zero, TimeSpan.FromSeconds(60));
    }

    [Fact]
    public void Where_nothing_is_planted_nothing_is_found() => SearchFor(new StorageHooks());

    private static void SearchFor(StorageHooks hooks)
    {
        var run = new CrashRun(hooks);
        var lazy = new CrashRun(hooks, StorageDurability.Lazy);
        var merged = new CrashRun(hooks) { MergesWrites = true };
        var faults = new FaultRun(hooks);
        var mergedFaults = new FaultRun(hooks) { MergesWrites = true };
        for (int seed = 1; seed <= 25; seed++)
        {
            run.RandomCuts(seed, steps: 60, images: 75);
            lazy.RandomCuts(seed, steps: 60, images: 75);
            run.CrashesInRecovery(seed, steps: 40, images: 8, depth: 3);
            run.CutsAfterKills(seed, steps: 20, kills: 6, images: 60);
            for (int call = seed; call < 60; call += 5)
            {
                var fault = new DiskFault((DiskFaultKind)(call % 4), call, IsSticky: call % 3 == 0);
                faults.InWorkload(seed, steps: 40, fault);
                mergedFaults.InWorkload(seed, steps: 20, fault);
            }

            faults.InRecovery(seed, steps: 30, DiskFaultKind.ReadError, isSticky: false);
            merged.RandomCuts(seed, steps: 40, images: 40);
            run.Damage(seed, steps: 40, flips: 60);
        }
    }
}
