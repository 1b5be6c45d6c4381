namespace Raven.Search.Queries;

/// <summary>An "and" or an "or" of several operators.</summary>
internal sealed class GroupMatcher : Matcher
{
    private const int BoundedPartsMax = 16;

    /// <summary>The parts that match an entry are counted up to this number.</summary>
    private const int TogetherMax = 4;

    private readonly List<Matcher> _parts = [];
    private readonly ulong[] _scratch = new ulong[Window.Words];
    private readonly ulong[] _candidates = new ulong[Window.Words];
    private readonly float[] _bounds = new float[BoundedPartsMax];
    private readonly ulong[] _together = new ulong[TogetherMax * Window.Words];
    private bool _isAnd;
    private long _cost;

    internal override long Cost => _cost;

    /// <summary>The part of a group that has only one.</summary>
    internal Matcher Only => _parts[0];

    internal void Open(bool isAnd)
    {
        _isAnd = isAnd;
        _parts.Clear();
        _cost = isAnd ? long.MaxValue : 0;
    }

    internal void Add(Matcher part)
    {
        _cost = _isAnd ? Math.Min(_cost, part.Cost) : _cost + part.Cost;
        int at = _parts.Count;
        _parts.Add(part);

        // The rarest first: the others need not check windows that it leaves empty. Equal ones stay in the order of
        // the query.
        for (; _isAnd && at > 0 && _parts[at - 1].Cost > part.Cost; at--)
        {
            _parts[at] = _parts[at - 1];
            _parts[at - 1] = part;
        }
    }

    internal override int Next(int start)
    {
        int next = _isAnd ? start : int.MaxValue;
        foreach (Matcher part in _parts)
        {
            next = _isAnd ? Math.Max(next, part.Next(start)) : Math.Min(next, part.Next(start));
        }

        return next;
    }

    internal override void Match(int start, Span<ulong> bits)
    {
        _parts[0].Match(start, bits);
        for (int i = 1; i < _parts.Count; i++)
        {
            if (!_isAnd)
            {
                _parts[i].Match(start, _scratch);
                Window.Or(bits, _scratch);
            }
            else if ((i == 1 && !bits.ContainsAnyExcept(0UL)) || !_parts[i].Restrict(start, bits))
            {
                return;
            }
        }
    }

    internal override void Score(int start, ReadOnlySpan<ulong> bits, Span<float> scores)
    {
        if (_isAnd)
        {
            // The bits may have entries that only another part of the query matches: this group adds nothing
            // to their scores.
            Match(start, _scratch);
            Window.And(_scratch, bits);
            bits = _scratch;
        }

        ScoreParts(start, bits, scores);
    }

    internal override void MatchAndScore(int start, Span<ulong> bits, Span<float> scores)
    {
        if (_isAnd)
        {
            Match(start, bits);
            if (bits.ContainsAnyExcept(0UL))
            {
                ScoreParts(start, bits, scores);
            }

            return;
        }

        _parts[0].MatchAndScore(start, bits, scores);
        for (int i = 1; i < _parts.Count; i++)
        {
            _parts[i].MatchAndScore(start, _scratch, scores);
            Window.Or(bits, _scratch);
        }
    }

    internal override float BoundOf(int start)
    {
        float sum = 0;
        foreach (Matcher part in _parts)
        {
            sum += part.BoundOf(start);
        }

        // The scores are summed in another order, and so round differently.
        return sum * 1.0001f;
    }

    /// <summary>
    /// In an "or", the parts whose scores are too low even together only add to entries that another part has as well
    /// (H. Turtle, J. Flood: "Query evaluation: strategies and optimizations", 1995: MaxScore).
    /// </summary>
    internal override void MatchAndScore(int start, Span<ulong> bits, Span<float> scores, float least)
    {
        if (_isAnd || _parts.Count > BoundedPartsMax || least <= 0)
        {
            base.MatchAndScore(start, bits, scores, least);
            return;
        }

        uint weak = FindWeak(start, least);
        int together = CountTogether(least);
        if (together > 1)
        {
            MatchAndScoreTogether(start, bits, scores, together);
            return;
        }

        if (weak == 0)
        {
            MatchAndScore(start, bits, scores);
            return;
        }

        bits.Clear();
        for (int i = 0; i < _parts.Count; i++)
        {
            if ((weak & (1u << i)) == 0)
            {
                _parts[i].MatchAndScore(start, _scratch, scores);
                Window.Or(bits, _scratch);
            }
        }

        bits.CopyTo(_candidates);
        for (int i = 0; i < _parts.Count; i++)
        {
            if ((weak & (1u << i)) != 0)
            {
                _parts[i].MatchAndScoreSome(start, _scratch, scores, _candidates);
                Window.Or(bits, _scratch);
            }
        }
    }

    /// <summary>The parts, one bit each, whose bounds together are less than a score; the weakest first.</summary>
    private uint FindWeak(int start, float least)
    {
        for (int i = 0; i < _parts.Count; i++)
        {
            _bounds[i] = _parts[i].BoundOf(start) * 1.0001f;
        }

        uint weak = 0;
        float sum = 0;
        while (true)
        {
            int next = -1;
            for (int i = 0; i < _parts.Count; i++)
            {
                if ((weak & (1u << i)) == 0 && (next < 0 || _bounds[i] < _bounds[next]))
                {
                    next = i;
                }
            }

            if (next < 0 || !(sum + _bounds[next] < least))
            {
                return weak;
            }

            sum += _bounds[next];
            weak |= 1u << next;
        }
    }

    /// <summary>
    /// How many parts an entry must have, as the bounds of fewer are less than a score even together.
    /// </summary>
    private int CountTogether(float least)
    {
        uint counted = 0;
        float sum = 0;
        for (int count = 0; count < _parts.Count; count++)
        {
            if (sum >= least)
            {
                return count;
            }

            int next = -1;
            for (int i = 0; i < _parts.Count; i++)
            {
                if ((counted & (1u << i)) == 0 && (next < 0 || _bounds[i] > _bounds[next]))
                {
                    next = i;
                }
            }

            sum += _bounds[next];
            counted |= 1u << next;
        }

        return sum >= least ? _parts.Count : _parts.Count + 1;
    }

    /// <summary>
    /// In an "or" of words that are about as common, none of which is enough alone: counts all entries, and scores
    /// those that have enough of the words.
    /// </summary>
    private void MatchAndScoreTogether(int start, Span<ulong> bits, Span<float> scores, int together)
    {
        int levels = Math.Min(together, TogetherMax);
        Span<ulong> counts = _together.AsSpan(0, levels * Window.Words);
        counts.Clear();
        foreach (Matcher part in _parts)
        {
            part.Match(start, _scratch);
            for (int level = levels - 1; level > 0; level--)
            {
                Span<ulong> more = counts.Slice(level * Window.Words, Window.Words);
                ReadOnlySpan<ulong> fewer = counts.Slice((level - 1) * Window.Words, Window.Words);
                for (int word = 0; word < Window.Words; word++)
                {
                    more[word] |= fewer[word] & _scratch[word];
                }
            }

            Window.Or(counts[..Window.Words], _scratch);
        }

        counts[..Window.Words].CopyTo(bits);
        ReadOnlySpan<ulong> candidates = counts.Slice((levels - 1) * Window.Words, Window.Words);
        if (together <= _parts.Count && candidates.ContainsAnyExcept(0UL))
        {
            ScoreParts(start, candidates, scores);
        }
    }

    private void ScoreParts(int start, ReadOnlySpan<ulong> bits, Span<float> scores)
    {
        foreach (Matcher part in _parts)
        {
            part.Score(start, bits, scores);
        }
    }
}
