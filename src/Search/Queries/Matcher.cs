namespace Raven.Search.Queries;

/// <summary>
/// One operator over one segment. Windows are evaluated in ascending order, and may be skipped. Reused by
/// later queries.
/// </summary>
internal abstract class Matcher
{
    private readonly ulong[] _scratch = new ulong[Window.Words];

    /// <summary>About how many entries match: the operator with the least is evaluated first.</summary>
    internal abstract long Cost { get; }

    /// <summary>The factor of its scores.</summary>
    internal float Boost { get; set; } = 1;

    /// <summary>The first entry from <paramref name="start"/> on that may match: none before it does.</summary>
    internal virtual int Next(int start) => start;

    /// <summary>Sets the bits of the entries that match, and clears the others.</summary>
    /// <param name="start">The first entry of the window.</param>
    /// <param name="bits">The window.</param>
    internal abstract void Match(int start, Span<ulong> bits);

    /// <summary>Clears the bits of the entries that do not match.</summary>
    /// <returns>Whether any is left.</returns>
    internal virtual bool Restrict(int start, Span<ulong> bits)
    {
        Match(start, _scratch);
        return Window.And(bits, _scratch);
    }

    /// <summary>Adds to the scores of the entries whose bits are set and that match.</summary>
    internal virtual void Score(int start, ReadOnlySpan<ulong> bits, Span<float> scores)
    {
        Match(start, _scratch);
        for (int word = 0; word < Window.Words; word++)
        {
            for (ulong left = bits[word] & _scratch[word]; left != 0; left &= left - 1)
            {
                scores[(word * 64) + System.Numerics.BitOperations.TrailingZeroCount(left)] += Boost;
            }
        }
    }

    /// <summary>An upper bound of its scores in a window.</summary>
    internal virtual float BoundOf(int start) => float.PositiveInfinity;

    /// <summary>
    /// Like <see cref="MatchAndScore(int, Span{ulong}, Span{float})"/>, but an entry that cannot exceed a given score
    /// need only be counted, not scored.
    /// </summary>
    /// <param name="start">The first entry of the window.</param>
    /// <param name="bits">All entries that match.</param>
    /// <param name="scores">Scores of those that may exceed it.</param>
    /// <param name="least">The score to exceed.</param>
    internal virtual void MatchAndScore(int start, Span<ulong> bits, Span<float> scores, float least)
    {
        if (least > 0 && BoundOf(start) < least)
        {
            Match(start, bits);
        }
        else
        {
            MatchAndScore(start, bits, scores);
        }
    }

    /// <summary>Like <see cref="Match"/>, with scores of the candidates that match.</summary>
    internal virtual void MatchAndScoreSome(
        int start, Span<ulong> bits, Span<float> scores, ReadOnlySpan<ulong> candidates)
    {
        Match(start, bits);
        Score(start, candidates, scores);
    }

    /// <summary>Like <see cref="Match"/>, with scores of the matching entries.</summary>
    internal virtual void MatchAndScore(int start, Span<ulong> bits, Span<float> scores)
    {
        Match(start, bits);
        Score(start, bits, scores);
    }
}
