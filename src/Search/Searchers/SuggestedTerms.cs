using System.Text;
using Raven.Search.Segments;

namespace Raven.Search.Searchers;

/// <summary>
/// The words that segments suggest, each once, with what is known of it. Texts are made of the best alone.
/// </summary>
internal sealed class SuggestedTerms
{
    private readonly TermTable _terms = new();
    private readonly List<(double Rank, int Distance, long Count)> _known = [];

    /// <summary>Adds a word of a segment.</summary>
    /// <param name="term">Its text.</param>
    /// <param name="rank">The less the better; the same in each segment.</param>
    /// <param name="distance">What the suggestion says of its distance.</param>
    /// <param name="count">How many entries of the segment have it.</param>
    internal void Add(ReadOnlySpan<byte> term, double rank, int distance, long count)
    {
        int number = _terms.GetOrAdd(term);
        if (number == _known.Count)
        {
            _known.Add((rank, distance, 0));
        }

        _known[number] = _known[number] with { Count = _known[number].Count + count };
    }

    /// <summary>The best words: by rank, then the frequent ones, then in the order of their UTF-16.</summary>
    internal List<TermSuggestion> Best(int take)
    {
        var order = new int[_known.Count];
        for (int i = 0; i < order.Length; i++)
        {
            order[i] = i;
        }

        Array.Sort(order, Compare);
        int count = Math.Clamp(take, 0, order.Length);
        List<TermSuggestion> best = new(count);
        foreach (int number in order.AsSpan(0, count))
        {
            (_, int distance, long entries) = _known[number];
            best.Add(new TermSuggestion(Encoding.UTF8.GetString(_terms[number]), distance, entries));
        }

        return best;
    }

    private int Compare(int left, int right)
    {
        int order = _known[left].Rank.CompareTo(_known[right].Rank);
        order = order != 0 ? order : _known[right].Count.CompareTo(_known[left].Count);
        return order != 0 ? order : CompareAsUtf16(_terms[left], _terms[right]);
    }

    /// <summary>
    /// UTF-8 has the order of code points. In UTF-16 those behind U+FFFF, of four bytes, are before U+E000 to U+FFFF.
    /// </summary>
    private static int CompareAsUtf16(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
    {
        int same = left.CommonPrefixLength(right);
        if (same == left.Length || same == right.Length)
        {
            return left.Length - right.Length;
        }

        (byte one, byte other) = (left[same], right[same]);
        bool isSwapped = Math.Min(one, other) is 0xEE or 0xEF && Math.Max(one, other) >= 0xF0;
        return isSwapped ? other - one : one - other;
    }
}
