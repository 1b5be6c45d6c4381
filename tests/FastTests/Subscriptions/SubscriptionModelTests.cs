namespace FastTests.Subscriptions;

/// <summary>Nothing is lost and nothing is with two workers, whatever vanishes between two steps.</summary>
public sealed class SubscriptionModelTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [Trait("Invariant", "SUB-1")]
    public void Nothing_is_lost_or_with_two_workers_whatever_vanishes_between_two_steps(int half)
    {
        Dictionary<string, int> counts = [];
        for (int seed = half; seed < 50; seed += 2)
        {
            using SubscriptionModelRun run = new(seed, steps: 80);
            run.Play();
            foreach ((string what, int count) in run.Counts)
            {
                counts[what] = counts.GetValueOrDefault(what) + count;
            }
        }

        string[] happens =
        [
            "batch", "acknowledgement", "vanished", "cut", "refused", "sent again", "Concurrent", "OpenIfFree",
            "gave way to TakeOver", "gave way to WaitForFree",
        ];
        foreach (string what in happens)
        {
            Assert.True(counts.GetValueOrDefault(what) > 5, $"{what} happened {counts.GetValueOrDefault(what)} times");
        }
    }
}
