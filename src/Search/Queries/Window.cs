using System.Numerics;

namespace Raven.Search.Queries;

/// <summary>
/// A query is evaluated window by window: 4,096 entries of a segment at a time, one bit each, so that all that an
/// operator touches stays in the nearest cache and nothing of the size of the index is ever allocated.
/// </summary>
internal static class Window
{
    internal const int Entries = 4096;
    internal const int Words = Entries / 64;

    /// <summary>Sets the bits of the existing entries.</summary>
    internal static void SetAll(Span<ulong> bits, int count)
    {
        bits.Clear();
        if (count >= Entries)
        {
            bits.Fill(ulong.MaxValue);
            return;
        }

        bits[..(count / 64)].Fill(ulong.MaxValue);
        if (count % 64 != 0)
        {
            bits[count / 64] = (1UL << (count % 64)) - 1;
        }
    }

    internal static bool And(Span<ulong> bits, ReadOnlySpan<ulong> other)
    {
        ulong any = 0;
        for (int i = 0; i < Words; i++)
        {
            bits[i] &= other[i];
            any |= bits[i];
        }

        return any != 0;
    }

    internal static void Or(Span<ulong> bits, ReadOnlySpan<ulong> other)
    {
        for (int i = 0; i < Words; i++)
        {
            bits[i] |= other[i];
        }
    }

    internal static void AndNot(Span<ulong> bits, ReadOnlySpan<ulong> other)
    {
        for (int i = 0; i < Words; i++)
        {
            bits[i] &= ~other[i];
        }
    }

    internal static int Count(ReadOnlySpan<ulong> bits)
    {
        int count = 0;
        foreach (ulong word in bits)
        {
            count += BitOperations.PopCount(word);
        }

        return count;
    }

    internal static bool Has(ReadOnlySpan<ulong> bits, int index) => (bits[index >> 6] & (1UL << (index & 63))) != 0;
}
