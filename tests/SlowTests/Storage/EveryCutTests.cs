using Raven.Storage.Options;
using Shared.Storage;
using SlowTests.Support;

namespace SlowTests.Storage;

/// <summary>
/// Each operation of the named scenarios as the last one, with all subsets of up to 12 sectors that were not durable
///; if there are more, with random subsets.
/// </summary>
public sealed class EveryCutTests
{
    private const int SectorsMax = 12;
    private const int SubsetsByChance = 2048;
    private const int ImagesMin = 1_000_000;
    private const int SeedsMin = 10;

    // A random run has hundreds of cuts with more sectors than that, and values that fill a megabyte.
    private const int SubsetsOfRandomRuns = 512;
    private const int Parts = 8;

    [Fact]
    [Trait(Category.Shard, "storage-cuts")]
    public void Each_scenario_recovers_from_a_cut_at_any_operation_with_any_unsynced_sectors_lost()
    {
        var run = new CrashRun(new StorageHooks());
        int[] images = new int[CrashScenario.All.Count];
        var cases =
            from seed in AllCores.SeedsFrom(201)
            from number in Enumerable.Range(0, images.Length)
            select (Seed: seed, Number: number);
        bool IsOver(int done) => done >= SeedsMin * images.Length && run.Images >= ImagesMin;
        AllCores.ForEach(cases.TakeWhile((_, done) => !IsOver(done)), one =>
        {
            CrashScenario scenario = CrashScenario.All[one.Number];
            int added = run.EveryCutOf(scenario, one.Seed, SectorsMax, SubsetsByChance);
            Interlocked.Add(ref images[one.Number], added);
        });
        string what = string.Join(", ", images.Select((count, number) => $"{CrashScenario.All[number].Name} {count}"));
        Console.WriteLine(what);
        Assert.True(run.Images >= ImagesMin && images.Min() > 3, what);
    }

    [Fact]
    [Trait(Category.Shard, "storage-cuts-random")]
    public void Random_runs_recover_from_a_cut_at_any_operation()
    {
        var run = new CrashRun(new StorageHooks());
        var shares =
            from seed in Enumerable.Range(501, 6)
            from part in Enumerable.Range(0, Parts)
            select (Seed: seed, Part: part);
        AllCores.ForEach(shares, one =>
            run.EveryCut(one.Seed, steps: 60, SectorsMax, SubsetsOfRandomRuns, (one.Part, Parts)));
        Console.WriteLine($"{run.Images} images");
        Assert.True(run.Images > 100_000, $"{run.Images} images");
    }
}
