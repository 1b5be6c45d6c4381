using Raven.Search.Queries;

namespace Raven.Search.Searchers;

/// <summary>What an engine has for <see cref="FacetSearcher"/>.</summary>
internal abstract class EntryCounting
{
    /// <summary>See <see cref="FacetSearcher.Run"/>.</summary>
    internal abstract IReadOnlyList<IReadOnlyList<FacetValue>> Run(
        IndexReader snapshot, SearchQuery query, int root, IReadOnlyList<FacetField> fields,
        CancellationToken cancellation);
}
