using Raven.Storage.Transactions;
using Shared.Storage;

namespace SlowTests.Storage;

/// <summary>
/// Each operation of the named scenarios as the last one, with all subsets of up to 12 sectors that were not durable
/// (T2); where there are more, with subsets by chance.
/// </summary>
public sealed class EveryCutTests
{
    public static TheoryData<string> Scenarios => [.. CrashScenario.All.Select(scenario => scenario.Name)];

    [Theory]
    [Trait(Category.Shard, "storage-cuts")]
    [MemberData(nameof(Scenarios))]
    public void Every_operation_may_be_the_last_with_any_of_its_sectors_lost(string name)
    {
        CrashScenario scenario = CrashScenario.All.Single(known => known.Name == name);
        long images = InHalves(firstSeed: 201, seeds: 10, (run, seed) =>
        {
            if (scenario.Copy is null)
            {
                run.EveryCutOf(scenario, seed, sectorsMax: 12, imagesPerCutMax: 4096);
            }
            else
            {
                run.EveryCutOfCopy(scenario, seed, sectorsMax: 12, imagesPerCutMax: 256);
            }
        });
        Assert.True(images > 20, $"{images} images");
        Console.WriteLine($"{name}: {images} images");
    }

    [Fact]
    [Trait(Category.Shard, "storage-cuts-random")]
    public void Every_operation_of_six_random_runs_may_be_the_last()
    {
        long images = InHalves(
            firstSeed: 501,
            seeds: 6,
            (run, seed) => run.EveryCut(seed, steps: 60, sectorsMax: 12, imagesPerCutMax: 4096));
        Assert.True(images > 20_000, $"{images} images");
    }

    /// <summary>One run for each core; a run's images are counted once.</summary>
    private static long InHalves(int firstSeed, int seeds, Action<CrashRun, int> test)
    {
        long images = 0;
        Parallel.For(0, 2, half =>
        {
            var run = new CrashRun(new StorageHooks());
            for (int seed = firstSeed + half; seed < firstSeed + seeds; seed += 2)
            {
                test(run, seed);
            }

            Interlocked.Add(ref images, run.Images);
        });
        return images;
    }
}
