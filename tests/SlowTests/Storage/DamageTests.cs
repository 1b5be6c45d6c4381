using Raven.Storage.Transactions;
using Shared.Storage;

namespace SlowTests.Storage;

/// <summary>
/// Damage of all sorts, a million times: what is read is what was written, or the damage is reported (T4).
/// </summary>
[Trait(Category.Shard, "storage-damage")]
public sealed class DamageTests
{
    [Fact]
    public void A_million_places_damaged_at_random_are_reported_or_harmless() =>
        Parallel.For(0, 2, half =>
        {
            var run = new CrashRun(new StorageHooks());
            int firstSeed = 6_000_000 + (half * 500_000);
            for (int seed = firstSeed; seed < firstSeed + 250; seed++)
            {
                run.Damage(seed, steps: 30, flips: 2_000);
            }
        });

    [Fact]
    public void Every_bit_of_every_page_header_and_every_byte_of_the_journal_are_watched()
    {
        var run = new CrashRun(new StorageHooks());
        int places = run.DamageEverywhere(seed: 6_900_000, steps: 64);

        Console.WriteLine($"{places} places");
        Assert.True(places > 10_000, $"{places} places");
    }
}
