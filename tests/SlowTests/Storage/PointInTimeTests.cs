using Shared.Storage;

namespace SlowTests.Storage;

/// <summary>Restores to random times in random histories (FastTests play a few).</summary>
[Trait(Category.Shard, "storage-recovery")]
public sealed class PointInTimeTests(ITestOutputHelper output)
{
    private const int Histories = 25;
    private const int TimesOfEach = 40;
    private const int Steps = 400;

    [Fact]
    [Trait("Invariant", "ARCH-1")]
    [Trait("Invariant", "ARCH-2")]
    public async Task A_thousand_restores_to_random_times_are_the_model_at_those_times()
    {
        int pieces = 0;
        for (int seed = 1_000; seed < 1_000 + Histories; seed++)
        {
            using PointInTimeRun run = await PointInTimeRun.PlayAsync(seed, Steps);
            pieces += run.Pieces.Count;
            string? difference = await run.CheckAsync(TimesOfEach);
            Assert.True(difference is null, $"Seed {seed}: {difference}");
        }

        Assert.True(pieces > 10 * Histories, $"{pieces} pieces");
        output.WriteLine($"{Histories * TimesOfEach} times in {Histories} histories, {pieces} pieces of journals");
    }
}
