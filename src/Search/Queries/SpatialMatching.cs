using System.Buffers.Binary;
using Raven.Search.Segments;
using Raven.Search.Spatial;

namespace Raven.Search.Queries;

/// <summary>Finds the entries whose points or shapes a filter accepts, by the dictionary.</summary>
internal sealed class SpatialMatching
{
    private readonly List<(ulong From, ulong To)> _runs = [];
    private readonly TermCursor _cursor = new();
    private readonly ShapeCode _code = new();
    private CancellationToken _cancellation;

    internal void Add(FieldReader values, SpatialFilter filter, SetMatcher found, CancellationToken cancellation)
    {
        _cancellation = cancellation;
        _cursor.Open(values);
        if (filter.Relation == SpatialRelation.Disjoint)
        {
            AddPoints(values, filter, found, 0, ulong.MaxValue);
        }
        else
        {
            filter.Box.Cover(_runs);
            foreach ((ulong from, ulong to) in _runs)
            {
                AddPoints(values, filter, found, from, to);
            }
        }

        int end = values.LowerBound([TermCode.Shape + 1]);
        for (int ordinal = values.LowerBound([TermCode.Shape]); ordinal < end; ordinal++)
        {
            TermCancellation.Step(ordinal, _cancellation);
            _cursor.Seek(ordinal);
            if (filter.Matches(_cursor.Term, _code))
            {
                found.AddTerm(values, ordinal);
            }
        }
    }

    private void AddPoints(FieldReader values, SpatialFilter filter, SetMatcher found, ulong from, ulong to)
    {
        Span<byte> bound = stackalloc byte[TermCode.PointSize];
        bound[0] = TermCode.Point;
        BinaryPrimitives.WriteUInt64BigEndian(bound[1..], from);
        int ordinal = values.LowerBound(bound);
        for (; ordinal < values.TermCount; ordinal++)
        {
            TermCancellation.Step(ordinal, _cancellation);
            _cursor.Seek(ordinal);
            ReadOnlySpan<byte> term = _cursor.Term;
            if (term[0] != TermCode.Point || BinaryPrimitives.ReadUInt64BigEndian(term[1..]) > to)
            {
                return;
            }

            (double latitude, double longitude) = PointCode.Read(term);
            if (filter.Matches(latitude, longitude))
            {
                found.AddTerm(values, ordinal);
            }
        }
    }
}
