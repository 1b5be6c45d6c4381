using Raven.Storage.Transactions;
using Shared.Storage;
using SlowTests.Support;

namespace SlowTests.Storage;

/// <summary>
/// Damage of all sorts, a million times: what is read is what was written, or the damage is reported (T4).
/// </summary>
public sealed class DamageTests
{
    private const int Seeds = 250;

    [Fact]
    [Trait(Category.Shard, "storage-damage")]
    public void The_first_half_of_a_million_places_damaged_at_random_is_reported_or_harmless() =>
        DamageAtRandom(6_000_000);

    [Fact]
    [Trait(Category.Shard, "storage-damage-more")]
    public void The_second_half_of_a_million_places_damaged_at_random_is_reported_or_harmless() =>
        DamageAtRandom(6_000_000 + Seeds);

    [Fact]
    [Trait(Category.Shard, "storage-damage-more")]
    public void Every_bit_of_every_page_header_and_every_byte_of_the_journal_are_watched()
    {
        var run = new CrashRun(new StorageHooks());
        int places = run.DamageEverywhere(seed: 6_900_000, steps: 64);

        Console.WriteLine($"{places} places");
        Assert.True(places > 10_000, $"{places} places");
    }

    private static void DamageAtRandom(int firstSeed)
    {
        var run = new CrashRun(new StorageHooks());
        AllCores.ForEach(
            AllCores.SeedsFrom(firstSeed).Take(Seeds), seed => run.Damage(seed, steps: 30, flips: 2_000));
    }
}
