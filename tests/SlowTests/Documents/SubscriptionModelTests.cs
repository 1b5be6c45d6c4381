using FastTests.Subscriptions;

namespace SlowTests.Documents;

/// <summary>The model of subscriptions, for as long as a slow test may take.</summary>
public sealed class SubscriptionModelTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [Trait(Category.Shard, "documents")]
    [Trait("Invariant", "SUB-1")]
    public void Nothing_is_lost_or_with_two_workers_in_thousands_of_runs(int half)
    {
        for (int seed = 1_000 + half; seed < 6_000; seed += 2)
        {
            using SubscriptionModelRun run = new(seed, steps: 120);
            run.Play();
        }
    }
}
