using System.Numerics;
using Raven.Search.Segments;

namespace Raven.Search.Queries;

/// <summary>
/// The entries whose text has words one behind the other, or, with a distance, at most so many moves of a word by
/// one place away from that: with others between them, or in another order (Lucene's slop; two words are exchanged
/// by two moves).
/// </summary>
internal sealed class PhraseMatcher : Matcher
{
    private readonly GroupMatcher _all = new();
    private readonly List<TermMatcher> _matchers = [];
    private readonly List<PhraseTerm> _terms = [];
    private readonly int[] _frequencies = new int[Window.Entries];
    private readonly ulong[] _found = new ulong[Window.Words];
    private FieldReader _field = null!;
    private TermScorer? _scorer;
    private int _count;
    private int _distance;
    private int[] _next = new int[8];
    private bool _hasRepeats;
    private int _window;

    internal override long Cost => _all.Cost;

    internal void Open(FieldReader field, int distance, TermScorer? scorer)
    {
        _field = field;
        _distance = distance;
        _scorer = scorer;
        _count = 0;
        _hasRepeats = false;
        _window = -1;
        _all.Open(isAnd: true);
    }

    /// <summary>Adds a word and its distance from the first.</summary>
    internal void Add(int ordinal, int offset)
    {
        if (_count == _terms.Count)
        {
            _terms.Add(new PhraseTerm());
            _matchers.Add(new TermMatcher());
        }

        if (_count == _next.Length)
        {
            Array.Resize(ref _next, _count * 2);
        }

        for (int i = 0; i < _count; i++)
        {
            _hasRepeats |= _terms[i].Ordinal == ordinal;
        }

        _terms[_count].Open(_field, ordinal, offset);
        _matchers[_count].Open(_field, ordinal, null);
        _all.Add(_matchers[_count++]);
    }

    internal override void Match(int start, Span<ulong> bits)
    {
        // Positions are read forward only: a window is computed once and kept.
        if (_window != start)
        {
            _window = start;
            _all.Match(start, _found);
            for (int word = 0; word < Window.Words; word++)
            {
                for (ulong left = _found[word]; left != 0; left &= left - 1)
                {
                    int at = (word * 64) + BitOperations.TrailingZeroCount(left);
                    _frequencies[at] = CountIn(start + at);
                    _found[word] &= _frequencies[at] > 0 ? ulong.MaxValue : ~(1UL << (at & 63));
                }
            }
        }

        _found.CopyTo(bits);
    }

    internal override void Score(int start, ReadOnlySpan<ulong> bits, Span<float> scores)
    {
        ReadOnlySpan<byte> norms = _field.Norms;
        for (int word = 0; word < Window.Words; word++)
        {
            for (ulong left = bits[word] & _found[word]; left != 0; left &= left - 1)
            {
                int at = (word * 64) + BitOperations.TrailingZeroCount(left);
                scores[at] += _scorer is null ? Boost : _scorer.Score(_frequencies[at], norms[start + at]);
            }
        }
    }

    /// <summary>How often an entry has the phrase.</summary>
    private int CountIn(int entry)
    {
        for (int i = 0; i < _count; i++)
        {
            if (!_terms[i].Advance(entry))
            {
                return 0;
            }
        }

        Span<int> next = _next.AsSpan(0, _count);
        next.Clear();
        for (int count = 0; ;)
        {
            (int first, int spread) = FirstAndSpread(next);
            int same = spread <= _distance ? SecondAtOnePlace(next) : -1;
            count += spread <= _distance && same < 0 ? 1 : 0;
            first = same < 0 ? first : same;
            if (++next[first] == _terms[first].PositionCount)
            {
                return count;
            }
        }
    }

    /// <summary>
    /// Each word's position implies a start of the phrase: the word with the least start, and the distance of the
    /// greatest start from it.
    /// </summary>
    private (int First, int Spread) FirstAndSpread(ReadOnlySpan<int> next)
    {
        int first = 0;
        int least = int.MaxValue;
        int most = int.MinValue;
        for (int i = 0; i < next.Length; i++)
        {
            int begin = _terms[i].Positions[next[i]] - _terms[i].Offset;
            first = begin < least ? i : first;
            least = Math.Min(least, begin);
            most = Math.Max(most, begin);
        }

        return (first, most - least);
    }

    /// <summary>
    /// If a word occurs twice in the phrase and both would be at the same position of the text, the
    /// second; otherwise -1.
    /// </summary>
    private int SecondAtOnePlace(ReadOnlySpan<int> next)
    {
        if (!_hasRepeats)
        {
            return -1;
        }

        for (int i = 1; i < next.Length; i++)
        {
            for (int j = 0; j < i; j++)
            {
                if (_terms[i].Ordinal == _terms[j].Ordinal
                    && _terms[i].Positions[next[i]] == _terms[j].Positions[next[j]])
                {
                    return i;
                }
            }
        }

        return -1;
    }
}
