using Raven.Blittable.Memory;
using Raven.Documents.Queries;

namespace FastTests.Queries;

/// <summary>What a query keeps beside its arena is bounded as that is.</summary>
public sealed class QueryMemoryTests
{
    [Fact]
    public void Results_that_a_query_keeps_are_limited_in_memory_and_complete_below_the_limit()
    {
        const int bytesMax = 1 << 20;
        var kept = new BufferedResults(bytesMax);
        byte[] key = new byte[502];
        Assert.Throws<ArenaLimitException>(() =>
        {
            while (kept.Count < bytesMax)
            {
                kept.Add(key, score: null, entry: -1);
            }
        });

        // A record has 10 bytes beside its key.
        Assert.InRange(kept.Count * 512, bytesMax - 65_536, bytesMax);
        long taken = 0;
        while (kept.TryTake(out ReadOnlySpan<byte> found, out _, out _))
        {
            Assert.Equal(key.Length, found.Length);
            taken++;
        }

        Assert.Equal(kept.Count, taken);
    }

    [Fact]
    public void The_memory_of_distinct_rows_that_a_query_has_seen_is_limited()
    {
        var seen = new BoundedSet<UInt128>(bytesMax: 2800);
        for (int i = 0; i < 100; i++)
        {
            Assert.True(seen.Add((UInt128)i));
            Assert.False(seen.Add((UInt128)i));
        }

        Assert.Throws<ArenaLimitException>(() => seen.Add(100));
    }
}
