using Lucene.Net.Index;
using Lucene.Net.Util;
using Raven.Blittable.Memory;
using Raven.Search.Fields;
using Raven.Search.Lucene.Engine.Fields;
using Raven.Search.Lucene.Engine.Files;
using Raven.Search.Lucene.Engine.Queries;
using Raven.Search.Queries;
using Raven.Search.Searchers;
using Raven.Search.Segments;
using Raven.Search.Spatial;
using OfLucene = Lucene.Net.Search.IndexSearcher;

namespace Raven.Search.Lucene.Engine.Searchers;

/// <summary>Runs queries over an index of Lucene. See <see cref="IndexSearcher"/>.</summary>
internal sealed class LuceneSearcher : EntrySearcher
{
    private readonly BytesRef _bytes = new();
    private ILuceneSnapshot? _snapshot;
    private LuceneHits? _hits;
    private SearchCounts? _counts;
    private OrderColumn? _column;
    private (int Segment, IndexField? Field) _columnOf;
    private EntryIds? _ids;
    private int _idsOf;
    private int _skip;

    /// <inheritdoc/>
    internal override int Count => Math.Max(0, (_hits?.Hits.Count ?? 0) - _skip);

    /// <inheritdoc/>
    internal override long TermsRead => _counts?.Terms ?? 0;

    /// <inheritdoc/>
    internal override long EntriesRead => _counts?.Entries ?? 0;

    /// <inheritdoc/>
    internal override void Run(IndexReader snapshot, SearchQuery query, int root, SearchRequest request)
    {
        var lucene = (ILuceneSnapshot)snapshot;
        _snapshot = lucene;
        _columnOf = default;
        _column = null;
        _ids = null;
        _skip = request.Skip;
        TotalCount = 0;
        int capacity = (int)Math.Min((long)request.Skip + request.Take, lucene.Reader.NumDocs);
        LuceneHits hits = new(new LuceneOrder(request, lucene.FindField), capacity, request.Cancellation);
        try
        {
            using (lucene.Enter())
            {
                LuceneCompiler compiler = new(
                    query, lucene.Reader, lucene.FindField, lucene.HasLengthsOfTime, request.Cancellation);
                _counts = compiler.Counts;
                OfLucene searcher = new(lucene.Reader) { Similarity = new TextSimilarity(lucene.Reader) };
                searcher.Search(compiler.Compile(root), hits);
                hits.Finish();
            }
        }
        catch (Exception failure) when (LuceneDamage.IsIt(failure))
        {
            throw LuceneDamage.Of(failure);
        }

        _hits = hits;
        TotalCount = hits.TotalCount;
    }

    /// <inheritdoc/>
    internal override ReadOnlySpan<byte> DocumentId(int result)
    {
        Hit hit = HitAt(result);
        using (_snapshot!.Enter())
        {
            if (_ids is null || _idsOf != hit.Segment)
            {
                _ids = new EntryIds(SegmentOf(hit));
                _idsOf = hit.Segment;
            }

            return _ids.IdOf(hit.Entry);
        }
    }

    /// <inheritdoc/>
    internal override int EntryNumber(int result)
    {
        Hit hit = HitAt(result);
        using (_snapshot!.Enter())
        {
            AtomicReader segment = SegmentOf(hit);
            SortedDocValues ids = segment.GetSortedDocValues(LuceneNames.Id);
            IBits? live = segment.LiveDocs;
            int ordinal = ids.GetOrd(hit.Entry);
            int number = 0;
            for (int entry = hit.Entry - 1; entry >= 0 && ids.GetOrd(entry) == ordinal; entry--)
            {
                number += live?.Get(entry) != false ? 1 : 0;
            }

            return number;
        }
    }

    /// <inheritdoc/>
    internal override float Score(int result) => HitAt(result).Score;

    /// <inheritdoc/>
    internal override NativeSlice StoredBytes(int result)
    {
        Hit hit = HitAt(result);
        using (_snapshot!.Enter())
        {
            if (SegmentOf(hit).GetBinaryDocValues(LuceneNames.Stored) is not { } stored)
            {
                return default;
            }

            stored.Get(hit.Entry, _bytes);
            return _snapshot.Keep(_bytes);
        }
    }

    /// <inheritdoc/>
    internal override IReadOnlyList<string> ValuesOf(int result, IndexField field)
    {
        Hit hit = HitAt(result);
        List<string> texts = [];
        using (_snapshot!.Enter())
        {
            if (ColumnOf(hit, field) is { } column)
            {
                foreach (int ordinal in column.OrdinalsOf(hit.Entry))
                {
                    ReadOnlySpan<byte> term = column.TermAt(ordinal);
                    if (TermCode.IsShown(term))
                    {
                        texts.Add(IndexTerms.TextOf(term, field.KeepsWholeTexts));
                    }
                }
            }
        }

        return texts;
    }

    /// <inheritdoc/>
    internal override bool TryGetNearestPoint(
        int result, IndexField field, (double Latitude, double Longitude) from,
        out (double Latitude, double Longitude) point, out double kilometers)
    {
        Hit hit = HitAt(result);
        point = default;
        kilometers = double.NaN;
        using (_snapshot!.Enter())
        {
            if (ColumnOf(hit, field) is not { } column)
            {
                return false;
            }

            foreach (int ordinal in column.OrdinalsOf(hit.Entry))
            {
                ReadOnlySpan<byte> term = column.TermAt(ordinal);
                if (term[0] != TermCode.Point)
                {
                    continue;
                }

                (double Latitude, double Longitude) one = PointCode.Read(term);
                double distance = GeoDistance.Kilometers(from.Latitude, from.Longitude, one.Latitude, one.Longitude);
                if (!(distance >= kilometers))
                {
                    (point, kilometers) = (one, distance);
                }
            }
        }

        return !double.IsNaN(kilometers);
    }

    private Hit HitAt(int result) => _hits!.Hits[result + _skip];

    private AtomicReader SegmentOf(in Hit hit) => _snapshot!.Reader.Leaves[hit.Segment].AtomicReader;

    /// <summary>The column of a field in the segment of a hit; that of the last call is kept.</summary>
    private OrderColumn? ColumnOf(in Hit hit, IndexField field)
    {
        if (_columnOf != (hit.Segment, field))
        {
            _columnOf = (hit.Segment, field);
            _column = OrderColumn.Open(SegmentOf(hit), field);
        }

        return _column;
    }
}
