using System.Buffers.Binary;
using Lucene.Net.Index;
using Lucene.Net.Util;
using Raven.Search.Lucene.Engine.Fields;
using Raven.Search.Segments;
using Raven.Search.Spatial;

namespace Raven.Search.Lucene.Engine.Queries;

/// <summary>The entries whose points or shapes a filter accepts.</summary>
internal sealed class SpatialTermsFilter(
    string field, SpatialFilter filter, SearchCounts counts, CancellationToken cancellation)
    : TermsFilter(field, counts, cancellation)
{
    private protected override void Walk(TermsEnum terms, Found found)
    {
        List<(ulong From, ulong To)> runs = [];
        if (filter.Relation == SpatialRelation.Disjoint)
        {
            runs.Add((0, ulong.MaxValue));
        }
        else
        {
            filter.Box.Cover(runs);
        }

        foreach ((ulong from, ulong to) in runs)
        {
            AddPoints(terms, found, from, to);
        }

        ShapeCode code = new();
        bool isAny = terms.SeekCeil(new BytesRef([TermCode.Shape])) != TermsEnum.SeekStatus.END;
        for (; isAny && terms.Term.AsSpan()[0] == TermCode.Shape; isAny = terms.MoveNext())
        {
            found.Step();
            if (filter.Matches(terms.Term.AsSpan(), code))
            {
                found.Add(terms);
            }
        }
    }

    private void AddPoints(TermsEnum terms, Found found, ulong from, ulong to)
    {
        byte[] bound = new byte[TermCode.PointSize];
        bound[0] = TermCode.Point;
        BinaryPrimitives.WriteUInt64BigEndian(bound.AsSpan(1), from);
        bool isAny = terms.SeekCeil(new BytesRef(bound)) != TermsEnum.SeekStatus.END;
        for (; isAny; isAny = terms.MoveNext())
        {
            found.Step();
            ReadOnlySpan<byte> term = terms.Term.AsSpan();
            if (term[0] != TermCode.Point || BinaryPrimitives.ReadUInt64BigEndian(term[1..]) > to)
            {
                return;
            }

            (double latitude, double longitude) = PointCode.Read(term);
            if (filter.Matches(latitude, longitude))
            {
                found.Add(terms);
            }
        }
    }
}
