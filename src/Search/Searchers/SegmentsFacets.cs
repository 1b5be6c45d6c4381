using Raven.Search.Queries;
using Raven.Search.Segments;

namespace Raven.Search.Searchers;

/// <summary>Counts values over an index of segments. See <see cref="FacetSearcher"/>.</summary>
internal sealed class SegmentsFacets : EntryCounting
{
    private readonly QueryCompiler _compiler = new();
    private readonly List<FacetCounter> _counters = [];
    private readonly ulong[] _bits = new ulong[Window.Words];

    /// <inheritdoc/>
    internal override IReadOnlyList<IReadOnlyList<FacetValue>> Run(
        IndexReader snapshot, SearchQuery query, int root, IReadOnlyList<FacetField> fields,
        CancellationToken cancellation)
    {
        var reader = (SegmentsReader)snapshot;
        while (_counters.Count < fields.Count)
        {
            _counters.Add(new FacetCounter());
        }

        for (int i = 0; i < fields.Count; i++)
        {
            _counters[i].Begin();
        }

        _compiler.Begin(query, reader, root, isScored: false, cancellation);
        for (int i = 0; i < reader.Segments.Count; i++)
        {
            SegmentReader segment = reader.Segments[i];
            Matcher matcher = _compiler.Compile(root, segment, i);
            for (int field = 0; field < fields.Count; field++)
            {
                BeginSegment(_counters[field], fields[field], reader, segment);
            }

            Count(segment, matcher, fields.Count, cancellation);
            for (int field = 0; field < fields.Count; field++)
            {
                _counters[field].EndSegment(cancellation);
            }
        }

        return
        [
            .. _counters.Take(fields.Count).Zip(fields, (counter, facet) =>
                counter.ToList(reader.Catalog.Find(facet.Field)?.KeepsWholeTexts ?? true)),
        ];
    }

    private static void BeginSegment(
        FacetCounter counter, FacetField facet, SegmentsReader reader, SegmentReader segment) => counter.BeginSegment(
            FieldOf(facet.Field, reader, segment),
            facet.Field.Length == 0,
            facet.AggregatedField.Length > 0,
            FieldOf(facet.AggregatedField, reader, segment));

    private static FieldReader? FieldOf(string name, SegmentsReader reader, SegmentReader segment) =>
        reader.Catalog.Find(name) is { } field ? segment.TryGetField(field.Number) : null;

    private void Count(SegmentReader segment, Matcher matcher, int fieldCount, CancellationToken cancellation)
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
            matcher.Match(start, _bits);
            segment.RemoveDeleted(start, _bits);
            for (int i = 0; i < fieldCount; i++)
            {
                _counters[i].Add(start, _bits);
            }
        }
    }
}
