using Raven.Blittable.Memory;
using Raven.Server.Queries;

namespace FastTests.Queries;

/// <summary>What a query keeps beside its arena is bounded as that is.</summary>
public sealed class KeptMemoryTests
{
    [Fact]
    public void Results_that_are_kept_are_bounded_and_those_that_fit_are_all_there()
    {
        const int bytesMax = 1 << 20;
        var kept = new KeptResults(bytesMax);
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
    public void What_was_there_already_is_bounded()
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
