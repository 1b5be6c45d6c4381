using Raven.Blittable.Memory;
using Raven.Search.Fields;
using Raven.Search.Queries;

namespace Raven.Search.Searchers;

/// <summary>
/// Runs queries and holds the results of the last one. Reused for many runs: a query of a shape that was run before
/// allocates nothing in our own engine. One thread at a time.
/// </summary>
public sealed class IndexSearcher
{
    private readonly SegmentsSearcher _segments = new();
    private EntrySearcher? _other;
    private EntrySearcher _used;

    /// <summary>Makes a searcher.</summary>
    public IndexSearcher() => _used = _segments;

    /// <summary>How many entries match, all of them counted.</summary>
    public long TotalCount => _used.TotalCount;

    /// <summary>How many results there are.</summary>
    public int Count => _used.Count;

    /// <summary>How many terms of the conditions of the last query were found, over all segments.</summary>
    public long TermsRead => _used.TermsRead;

    /// <summary>How many entries these terms have.</summary>
    public long EntriesRead => _used.EntriesRead;

    /// <summary>Runs a query. Its results are valid until the next one, or until the reader is disposed of.</summary>
    /// <param name="reader">The snapshot to search.</param>
    /// <param name="query">The query.</param>
    /// <param name="root">Its last node.</param>
    /// <param name="request">How many results, and their order.</param>
    /// <exception cref="System.Text.RegularExpressions.RegexMatchTimeoutException">A pattern took too long.</exception>
    /// <exception cref="OperationCanceledException">The request was cancelled.</exception>
    public void Run(IndexReader reader, SearchQuery query, int root, SearchRequest request)
    {
        ArgumentNullException.ThrowIfNull(reader);
        ArgumentNullException.ThrowIfNull(query);
        ArgumentNullException.ThrowIfNull(request);
        _used = reader is IOtherEngine other ? _other ??= other.MakeSearcher() : _segments;
        _used.Run(reader, query, root, request);
    }

    /// <summary>The document of a result. Valid until the next call.</summary>
    public ReadOnlySpan<byte> DocumentId(int result) => _used.DocumentId(result);

    /// <summary>Which of its document's entries a result is: in the order of the index, from 0 on.</summary>
    public int EntryNumber(int result) => _used.EntryNumber(result);

    /// <summary>How well a result matches; 0 if scores were not requested.</summary>
    public float Score(int result) => _used.Score(result);

    /// <summary>The bytes that were stored with a result's entry; empty if none were.</summary>
    public NativeSlice StoredBytes(int result) => _used.StoredBytes(result);

    /// <summary>
    /// The values of a field of a result's entry, as text; none of a field of words, whose values are not kept
    /// by entry.
    /// </summary>
    public IReadOnlyList<string> ValuesOf(int result, IndexField field)
    {
        ArgumentNullException.ThrowIfNull(field);
        return _used.ValuesOf(result, field);
    }

    /// <summary>The point of a result's entry that is nearest to a place; false if the field holds none.</summary>
    /// <param name="result">The result.</param>
    /// <param name="field">The field.</param>
    /// <param name="from">The place, degrees.</param>
    /// <param name="point">The point, degrees.</param>
    /// <param name="kilometers">Its distance.</param>
    public bool TryGetNearestPoint(
        int result, IndexField field, (double Latitude, double Longitude) from,
        out (double Latitude, double Longitude) point, out double kilometers)
    {
        ArgumentNullException.ThrowIfNull(field);
        return _used.TryGetNearestPoint(result, field, from, out point, out kilometers);
    }
}
