using Raven.Blittable.Memory;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Segments;
using Raven.Search.Spatial;

namespace Raven.Search.Searchers;

/// <summary>Runs queries over an index of segments. See <see cref="IndexSearcher"/>.</summary>
internal sealed class SegmentsSearcher : EntrySearcher
{
    private readonly QueryCompiler _compiler = new();
    private readonly HitOrder _order = new();
    private readonly HitCollector _collector;
    private readonly ulong[] _bits = new ulong[Window.Words];
    private readonly ulong[] _scored = new ulong[Window.Words];
    private readonly float[] _few = new float[PackedInts.BlockSize];
    private readonly float[] _scores = new float[Window.Entries];
    private SegmentsReader? _reader;
    private CancellationToken _cancellation;
    private int _skip;
    private bool _isUnderWay;

    internal SegmentsSearcher() => _collector = new HitCollector(_order);

    /// <inheritdoc/>
    internal override int Count => Math.Max(0, _collector.Count - _skip);

    /// <inheritdoc/>
    internal override long TermsRead => _compiler.TermsRead;

    /// <inheritdoc/>
    internal override long EntriesRead => _compiler.EntriesRead;

    /// <inheritdoc/>
    internal override void Run(IndexReader snapshot, SearchQuery query, int root, SearchRequest request)
    {
        var reader = (SegmentsReader)snapshot;
        if (_isUnderWay)
        {
            // The query before met damage or a timeout, or was cancelled.
            _scores.AsSpan().Clear();
        }

        _isUnderWay = true;
        _reader = reader;
        _skip = request.Skip;
        TotalCount = 0;
        _order.Begin(reader, request);
        _collector.Begin((int)Math.Min((long)request.Skip + request.Take, reader.Segments.LiveCount));
        _cancellation = request.Cancellation;
        _compiler.Begin(query, reader, root, _order.NeedsScores, _cancellation);
        for (int i = 0; i < reader.Segments.Count; i++)
        {
            SegmentReader segment = reader.Segments[i];
            Matcher matcher = _compiler.Compile(root, segment, i);
            _order.BeginSegment(i);
            _collector.BeginSegment();
            Run(i, segment, matcher);
        }

        _collector.Finish(_cancellation);
        _cancellation = default;
        _isUnderWay = false;
    }

    /// <inheritdoc/>
    internal override ReadOnlySpan<byte> DocumentId(int result)
    {
        ref readonly Hit hit = ref HitAt(result);
        FieldReader ids = _reader!.Segments[hit.Segment].TryGetField(IndexNames.IdField)!;
        return ids.TermAt(ids.FirstOrdinal(hit.Entry))[1..];
    }

    /// <inheritdoc/>
    internal override int EntryNumber(int result)
    {
        ref readonly Hit hit = ref HitAt(result);
        SegmentReader segment = _reader!.Segments[hit.Segment];
        FieldReader ids = segment.TryGetField(IndexNames.IdField)!;
        int ordinal = ids.FirstOrdinal(hit.Entry);
        int number = 0;
        for (int entry = hit.Entry - 1; entry >= 0 && ids.FirstOrdinal(entry) == ordinal; entry--)
        {
            number += segment.IsDeleted(entry) ? 0 : 1;
        }

        return number;
    }

    /// <inheritdoc/>
    internal override float Score(int result) => HitAt(result).Score;

    /// <inheritdoc/>
    internal override NativeSlice StoredBytes(int result)
    {
        ref readonly Hit hit = ref HitAt(result);
        return _reader!.Segments[hit.Segment].StoredBytes(hit.Entry);
    }

    /// <inheritdoc/>
    internal override IReadOnlyList<string> ValuesOf(int result, IndexField field)
    {
        ArgumentNullException.ThrowIfNull(field);
        ref readonly Hit hit = ref HitAt(result);
        List<string> texts = [];
        if (_reader!.Segments[hit.Segment].TryGetField(field.Number) is { HasWords: false, TermCount: > 0 } values)
        {
            if (values.HasManyValues)
            {
                foreach (int ordinal in values.OrdinalsOf(hit.Entry))
                {
                    ReadOnlySpan<byte> term = values.TermAt(ordinal);
                    if (TermCode.IsShown(term))
                    {
                        texts.Add(IndexTerms.TextOf(term, field.KeepsWholeTexts));
                    }
                }
            }
            else if (values.SingleOrdinal(hit.Entry) is >= 0 and int only)
            {
                texts.Add(IndexTerms.TextOf(values.TermAt(only), field.KeepsWholeTexts));
            }
        }

        return texts;
    }

    /// <inheritdoc/>
    internal override bool TryGetNearestPoint(
        int result, IndexField field, (double Latitude, double Longitude) from,
        out (double Latitude, double Longitude) point, out double kilometers)
    {
        ArgumentNullException.ThrowIfNull(field);
        ref readonly Hit hit = ref HitAt(result);
        point = default;
        kilometers = double.NaN;
        if (_reader!.Segments[hit.Segment].TryGetField(field.Number) is not { HasWords: false, TermCount: > 0 } values)
        {
            return false;
        }

        int single = values.HasManyValues ? -1 : values.SingleOrdinal(hit.Entry);
        ReadOnlySpan<int> ordinals = values.HasManyValues ? values.OrdinalsOf(hit.Entry)
            : single < 0 ? default : new ReadOnlySpan<int>(in single);
        foreach (int ordinal in ordinals)
        {
            ReadOnlySpan<byte> term = values.TermAt(ordinal);
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

        return !double.IsNaN(kilometers);
    }

    private ref readonly Hit HitAt(int result) => ref _collector.Hits[result + _skip];

    private void Run(int number, SegmentReader segment, Matcher matcher)
    {
        bool isScored = _order.NeedsScores;
        if (matcher is TermMatcher term && term.TryReadFew(isScored ? _few : default, out ReadOnlySpan<int> entries))
        {
            AddFew(number, segment, entries);
            return;
        }

        if (matcher is TermMatcher alone && segment.DeletedCount == 0 && (isScored || _order.Count == 0))
        {
            AddBest(number, alone);
            return;
        }

        for (int start = 0; start < segment.EntryCount; start += Window.Entries)
        {
            _cancellation.ThrowIfCancellationRequested();
            int next = matcher.Next(start);
            if (next >= segment.EntryCount)
            {
                return;
            }

            start = Math.Max(start, next / Window.Entries * Window.Entries);
            if (isScored)
            {
                matcher.MatchAndScore(start, _bits, _scores, _collector.ScoreThatIsNotEnough);
                _bits.CopyTo(_scored.AsSpan());
            }
            else
            {
                matcher.Match(start, _bits);
            }

            segment.RemoveDeleted(start, _bits);

            int count = Window.Count(_bits);
            TotalCount += count;
            if (count > 0)
            {
                _collector.Add(number, start, _bits, isScored ? _scores : default);
            }

            if (isScored)
            {
                ClearScores();
            }
        }
    }

    /// <summary>
    /// A word alone, of a segment in which nothing is deleted: all of its entries count, and blocks of postings that
    /// have none of the best ones are passed by (S. Ding, T. Suel: "Faster top-k document retrieval using block-max
    /// indexes", 2011).
    /// </summary>
    private void AddBest(int number, TermMatcher term)
    {
        bool isScored = _order.NeedsScores;
        TotalCount += term.EntryCount;
        for (int block = 0; block < term.BlockCount && !_collector.IsComplete; block++)
        {
            TermCancellation.Step(block, _cancellation);
            float least = isScored ? _collector.ScoreThatIsNotEnough : 0;
            if (least > 0 && term.BoundOfBlock(block) < least)
            {
                continue;
            }

            ReadOnlySpan<int> entries = term.ReadBlock(block, isScored ? _few : default);
            for (int i = 0; i < entries.Length; i++)
            {
                float score = isScored ? _few[i] : 0;
                if (least <= 0 || score >= least)
                {
                    _collector.Add(number, entries[i], score);
                }
            }
        }
    }

    private void AddFew(int number, SegmentReader segment, ReadOnlySpan<int> entries)
    {
        for (int i = 0; i < entries.Length; i++)
        {
            if (segment.DeletedCount == 0 || !segment.IsDeleted(entries[i]))
            {
                TotalCount++;
                _collector.Add(number, entries[i], _order.NeedsScores ? _few[i] : 0);
            }
        }
    }

    /// <summary>Scores are zero between windows; mostly only a few have to be cleared.</summary>
    private void ClearScores()
    {
        for (int word = 0; word < Window.Words; word++)
        {
            if (_scored[word] != 0)
            {
                _scores.AsSpan(word * 64, 64).Clear();
            }
        }
    }
}
