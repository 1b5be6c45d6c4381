using Raven.Search.Segments;
using Raven.Search.Vectors;

namespace Raven.Search.Queries;

//   FUSE-1  Each condition of a fusion ranks entries of the whole index by its own scores, the first so many of them;
//           what the conditions beside the fusion exclude is in no list (VEC-2). An entry of rank r in a list gets
//           1 / (60 + r) of it (G. Cormack, C. Clarke, S. Buettcher: "Reciprocal rank fusion outperforms Condorcet and
//           individual rank learning methods", 2009); the sum is its score.

/// <summary>Fuses the ranks that entries have in the lists of several conditions.</summary>
internal sealed class QueryFusion
{
    private const float RankOffset = 60;

    private static readonly Comparison<NearEntry> ByRank = (left, right) =>
        left.IsBehind(right) ? 1 : right.IsBehind(left) ? -1 : 0;

    private static readonly Comparison<NearEntry> InOrder = (left, right) => left.Segment != right.Segment
        ? left.Segment.CompareTo(right.Segment)
        : left.Entry.CompareTo(right.Entry);

    private readonly ulong[] _bits = new ulong[Window.Words];
    private readonly float[] _scores = new float[Window.Entries];
    private readonly NearEntries _list = new();
    private NearEntry[] _ranked = new NearEntry[64];
    private int _count;

    /// <summary>Begins a fusion.</summary>
    internal void Begin() => _count = 0;

    /// <summary>Begins the list of a condition.</summary>
    /// <param name="most">The most entries that it ranks.</param>
    internal void BeginList(int most) => _list.Open(-1, most);

    /// <summary>Adds what a condition finds in a segment.</summary>
    /// <param name="number">The number of the segment.</param>
    /// <param name="segment">The segment.</param>
    /// <param name="matcher">The condition.</param>
    /// <param name="allowed">One bit an entry, set if it may be in the list; empty if all may.</param>
    /// <param name="cancellation">Ends the query.</param>
    internal void Add(
        int number, SegmentReader segment, Matcher matcher, ReadOnlySpan<ulong> allowed, CancellationToken cancellation)
    {
        for (int start = 0; start < segment.EntryCount; start += Window.Entries)
        {
            cancellation.ThrowIfCancellationRequested();
            int next = matcher.Next(start);
            if (next >= segment.EntryCount)
            {
                return;
            }

            start = Math.Max(start, next / Window.Entries * Window.Entries);
            _scores.AsSpan().Clear();
            matcher.MatchAndScore(start, _bits, _scores);
            segment.RemoveDeleted(start, _bits);
            if (!allowed.IsEmpty)
            {
                Window.And(_bits, allowed.Slice(start >> 6, Window.Words));
            }

            AddWindow(number, start);
        }
    }

    /// <summary>Ends the list: gives its entries their ranks.</summary>
    internal void EndList()
    {
        _list.Finish();
        ReadOnlySpan<NearEntry> entries = _list.Entries;
        if (_ranked.Length < _count + entries.Length)
        {
            Array.Resize(ref _ranked, Math.Max(_ranked.Length * 2, _count + entries.Length));
        }

        Span<NearEntry> ranked = _ranked.AsSpan(_count, entries.Length);
        entries.CopyTo(ranked);
        ranked.Sort(ByRank);
        for (int i = 0; i < ranked.Length; i++)
        {
            ranked[i].Similarity = 1 / (RankOffset + i + 1);
        }

        _count += ranked.Length;
    }

    /// <summary>Adds all that is in any list, with the sum of what its ranks give.</summary>
    internal void Finish(NearEntries found)
    {
        Span<NearEntry> ranked = _ranked.AsSpan(0, _count);
        ranked.Sort(InOrder);
        for (int i = 0; i < ranked.Length;)
        {
            NearEntry entry = ranked[i++];
            for (; i < ranked.Length && InOrder(ranked[i], entry) == 0; i++)
            {
                entry.Similarity += ranked[i].Similarity;
            }

            found.Add(entry.Segment, entry.Entry, entry.Similarity);
        }
    }

    private void AddWindow(int number, int start)
    {
        for (int word = 0; word < Window.Words; word++)
        {
            for (ulong left = _bits[word]; left != 0; left &= left - 1)
            {
                int index = (word * 64) + System.Numerics.BitOperations.TrailingZeroCount(left);
                if (_scores[index] > _list.Bar)
                {
                    _list.Add(number, start + index, _scores[index]);
                }
            }
        }
    }
}
