using Raven.Search.Queries;

namespace Raven.Search.Searchers;

/// <summary>
/// Counts values of fields (of a field of words, its words) over all entries that a query finds. Reused for many runs.
/// One thread at a time. To count a range, add it to the query, with a facet without a field.
/// </summary>
public sealed class FacetSearcher
{
    private readonly SegmentsFacets _segments = new();
    private EntryCounting? _other;

    /// <summary>Counts.</summary>
    /// <param name="reader">The snapshot to search.</param>
    /// <param name="query">The query.</param>
    /// <param name="root">Its last node.</param>
    /// <param name="fields">What to count.</param>
    /// <param name="cancellation">Cancels the run.</param>
    /// <returns>For each field its values, in the order of values.</returns>
    public IReadOnlyList<IReadOnlyList<FacetValue>> Run(
        IndexReader reader, SearchQuery query, int root, IReadOnlyList<FacetField> fields,
        CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(reader);
        ArgumentNullException.ThrowIfNull(query);
        ArgumentNullException.ThrowIfNull(fields);
        EntryCounting counting = reader is IOtherEngine other ? _other ??= other.MakeCounting() : _segments;
        return counting.Run(reader, query, root, fields, cancellation);
    }
}
