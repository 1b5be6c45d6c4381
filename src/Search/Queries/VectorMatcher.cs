using Raven.Search.Vectors;

namespace Raven.Search.Queries;

/// <summary>The entries of a segment that a condition on vectors has found; their similarity is their score.</summary>
internal sealed class VectorMatcher : Matcher
{
    private NearEntries _found = null!;
    private int _from;
    private int _to;

    internal override long Cost => _to - _from;

    /// <summary>Opens the matcher for the entries that were found in a segment.</summary>
    internal void Open(NearEntries found, int segment)
    {
        _found = found;
        _from = found.FirstOf(segment, 0);
        _to = found.FirstOf(segment + 1, 0);
    }

    internal override int Next(int start)
    {
        int at = FirstFrom(start);
        return at < _to ? _found.Entries[at].Entry : int.MaxValue;
    }

    internal override void Match(int start, Span<ulong> bits)
    {
        bits.Clear();
        ReadOnlySpan<NearEntry> found = _found.Entries;
        for (int at = FirstFrom(start); at < _to && found[at].Entry < start + Window.Entries; at++)
        {
            int bit = found[at].Entry - start;
            bits[bit >> 6] |= 1UL << (bit & 63);
        }
    }

    internal override void Score(int start, ReadOnlySpan<ulong> bits, Span<float> scores)
    {
        ReadOnlySpan<NearEntry> found = _found.Entries;
        for (int at = FirstFrom(start); at < _to && found[at].Entry < start + Window.Entries; at++)
        {
            int index = found[at].Entry - start;
            if (Window.Has(bits, index))
            {
                scores[index] += Boost * found[at].Similarity;
            }
        }
    }

    private int FirstFrom(int start)
    {
        ReadOnlySpan<NearEntry> found = _found.Entries;
        int low = _from;
        int high = _to;
        while (low < high)
        {
            int middle = (low + high) >>> 1;
            (low, high) = found[middle].Entry < start ? (middle + 1, high) : (low, middle);
        }

        return low;
    }
}
