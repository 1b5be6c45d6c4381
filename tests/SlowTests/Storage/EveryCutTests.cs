using Raven.Storage.Transactions;
using Shared.Storage;

namespace SlowTests.Storage;

/// <summary>
/// Each operation of the named scenarios as the last one, with all subsets of up to 12 sectors that were not durable
/// (T2); where there are more, with subsets by chance.
/// </summary>
[Trait(Category.Shard, "storage-cuts")]
public sealed class EveryCutTests
{
    public static TheoryData<string> Scenarios => [.. CrashScenario.All.Select(scenario => scenario.Name)];

    [Theory]
    [MemberData(nameof(Scenarios))]
    public void Every_operation_may_be_the_last_with_any_of_its_sectors_lost(string name)
    {
        CrashScenario scenario = CrashScenario.All.Single(known => known.Name == name);
        var run = new CrashRun(new StorageHooks());
        for (int seed = 201; seed <= 210; seed++)
        {
            if (scenario.Copy is null)
            {
                run.EveryCutOf(scenario, seed, sectorsMax: 12, imagesPerCutMax: 4096);
            }
            else
            {
                run.EveryCutOfCopy(scenario, seed, sectorsMax: 12, imagesPerCutMax: 256);
            }
        }

        Assert.True(run.Images > 20, $"{run.Images} images");
        Console.WriteLine($"{name}: {run.Images} images");
    }

    [Fact]
    public void Every_operation_of_six_random_runs_may_be_the_last()
    {
        var run = new CrashRun(new StorageHooks());
        for (int seed = 501; seed <= 506; seed++)
        {
            run.EveryCut(seed, steps: 60, sectorsMax: 12, imagesPerCutMax: 4096);
        }

        Assert.True(run.Images > 20_000, $"{run.Images} images");
    }
}
