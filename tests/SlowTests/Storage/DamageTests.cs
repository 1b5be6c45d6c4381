using Raven.Storage.Options;
using Raven.Storage.Paging;
using Shared.Storage;
using SlowTests.Support;

namespace SlowTests.Storage;

/// <summary>
/// Damage of all sorts, a million times: what is read is what was written, or the damage is reported.
/// </summary>
public sealed class DamageTests
{
    private const int Seeds = 250;
    private const int Transactions = 64;

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
    public void Every_flipped_bit_of_page_headers_and_the_rest_of_the_journal_is_reported_or_harmless()
    {
        var run = new CrashRun(new StorageHooks());
        int bits = run.DamageEverywhere(seed: 6_900_000, steps: 64);
        Console.WriteLine($"{bits} bits");
        Assert.True(bits > 10_000, $"{bits} bits");
    }

    /// <summary>Every byte of it, and all eight bits of each that is not zero.</summary>
    [Fact]
    [Trait(Category.Shard, "storage-damage-journal")]
    public void Every_flipped_bit_of_a_journal_of_64_transactions_is_reported_or_harmless()
    {
        var run = new CrashRun(new StorageHooks());
        int parts = Environment.ProcessorCount;
        int bits = 0;
        int bytes = 0;
        AllCores.ForEach(Enumerable.Range(0, parts), part =>
        {
            (int ofPart, bytes) = run.DamageJournal(seed: 6_900_001, Transactions, (part, parts));
            Interlocked.Add(ref bits, ofPart);
        });
        Console.WriteLine($"{bits} bits of {bytes} bytes");
        Assert.True(bytes > 4_000 * Transactions && bits > bytes, $"{bits} bits of {bytes} bytes");
    }

    [Fact]
    [Trait(Category.Shard, "storage-damage-more")]
    public void Every_flipped_bit_of_a_page_of_each_kind_and_of_journal_records_is_found()
    {
        (IReadOnlyCollection<PageKind> kinds, int ofPages) = BitCheck.Pages(stride: 1);
        (int records, int ofRecords) = BitCheck.Records(stride: 1, recordsMax: 4);
        Console.WriteLine($"{ofPages} bits of {kinds.Count} kinds of pages, {ofRecords} of {records} records");
        Assert.Equal(Enum.GetValues<PageKind>().Length - 1, kinds.Count);
        Assert.Equal(4, records);
    }

    private static void DamageAtRandom(int firstSeed)
    {
        var run = new CrashRun(new StorageHooks());
        AllCores.ForEach(
            AllCores.SeedsFrom(firstSeed).Take(Seeds), seed => run.Damage(seed, steps: 30, flips: 2_000));
    }
}
