using Raven.Blittable.Memory;
using Raven.Search.Fields;
using Raven.Search.Queries;

namespace Raven.Search.Searchers;

/// <summary>What an engine has for <see cref="IndexSearcher"/>, whose members say what these do.</summary>
internal abstract class EntrySearcher
{
    internal long TotalCount { get; set; }

    internal abstract int Count { get; }

    internal abstract long TermsRead { get; }

    internal abstract long EntriesRead { get; }

    internal abstract void Run(IndexReader snapshot, SearchQuery query, int root, SearchRequest request);

    internal abstract ReadOnlySpan<byte> DocumentId(int result);

    internal abstract int EntryNumber(int result);

    internal abstract float Score(int result);

    internal abstract NativeSlice StoredBytes(int result);

    internal abstract IReadOnlyList<string> ValuesOf(int result, IndexField field);

    internal abstract bool TryGetNearestPoint(
        int result, IndexField field, (double Latitude, double Longitude) from,
        out (double Latitude, double Longitude) point, out double kilometers);
}
