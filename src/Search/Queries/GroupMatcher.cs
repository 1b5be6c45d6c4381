namespace Raven.Search.Queries;

/// <summary>And, or: several operators at once.</summary>
internal sealed class GroupMatcher : Matcher
{
    private readonly List<Matcher> _parts = [];
    private readonly ulong[] _scratch = new ulong[Window.Words];
    private bool _isAnd;
    private long _cost;

    internal override long Cost => _cost;

    /// <summary>The part of a group that has just one.</summary>
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

        // The rarest first: what it leaves empty nobody else looks at. Equal ones stay in the order of the query.
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
            // An entry that another part of the query let in gets nothing from words of a group that it does not match.
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

    private void ScoreParts(int start, ReadOnlySpan<ulong> bits, Span<float> scores)
    {
        foreach (Matcher part in _parts)
        {
            part.Score(start, bits, scores);
        }
    }
}
