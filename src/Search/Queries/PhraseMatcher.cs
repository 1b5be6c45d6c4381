using System.Numerics;
using Raven.Search.Segments;

namespace Raven.Search.Queries;

/// <summary>
/// The entries whose text has words one behind the other, or, with a distance, with at most so many other words
/// between them, in the order of the phrase.
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
    private int _window;

    internal override long Cost => _all.Cost;

    internal void Open(FieldReader field, int distance, TermScorer? scorer)
    {
        _field = field;
        _distance = distance;
        _scorer = scorer;
        _count = 0;
        _window = -1;
        _all.Open(isAnd: true);
    }

    /// <summary>Adds a word that stands so many words behind the first.</summary>
    internal void Add(int ordinal, int offset)
    {
        if (_count == _terms.Count)
        {
            _terms.Add(new PhraseTerm());
            _matchers.Add(new TermMatcher());
        }

        _terms[_count].Open(_field, ordinal, offset);
        _matchers[_count].Open(_field, ordinal, null);
        _all.Add(_matchers[_count++]);
    }

    internal override void Match(int start, Span<ulong> bits)
    {
        // Positions are read forward only: a window is worked out once and kept.
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

        int count = 0;
        foreach (int position in _terms[0].Positions)
        {
            int last = position;
            int left = _distance;
            bool isThere = true;
            for (int i = 1; i < _count && isThere; i++)
            {
                int wanted = last + _terms[i].Offset - _terms[i - 1].Offset;
                int found = FirstFrom(_terms[i].Positions, wanted);
                isThere = found >= 0 && found - wanted <= left;
                left -= found - wanted;
                last = found;
            }

            count += isThere ? 1 : 0;
        }

        return count;
    }

    private static int FirstFrom(ReadOnlySpan<int> positions, int wanted)
    {
        foreach (int position in positions)
        {
            if (position >= wanted)
            {
                return position;
            }
        }

        return -1;
    }
}
