using System.Collections.Concurrent;
using Raven.Blittable.Memory;
using Raven.Search.Queries;
using Raven.Search.Searchers;

namespace Raven.Documents.Queries;

/// <summary>The reusable objects of a query.</summary>
internal sealed class QueryWorkspace
{
    /// <summary>Documents that are found before they are written.</summary>
    internal const int RowsAhead = 16;

    /// <summary>How many of them are searched together.</summary>
    internal const int GroupRows = 8;

    private const int KeptMax = 32;

    private static readonly ConcurrentBag<QueryWorkspace> Kept = [];

    /// <summary>Finds results.</summary>
    internal IndexSearcher Searcher { get; } = new();

    /// <summary>Counts values.</summary>
    internal FacetSearcher Facets { get; } = new();

    /// <summary>The conditions.</summary>
    internal SearchQuery Query { get; } = new();

    /// <summary>Rows of documents ahead, with what is stored of them in the index, and their result numbers.</summary>
    internal (NativeSlice Row, NativeSlice Stored, int Result)[] Rows { get; } =
        new (NativeSlice, NativeSlice, int)[RowsAhead];

    /// <summary>Documents that are being searched.</summary>
    internal DocumentLookup[] Lookups { get; } = [.. Enumerable.Range(0, GroupRows).Select(_ => new DocumentLookup())];

    /// <summary>Takes a workspace that is not in use.</summary>
    internal static QueryWorkspace Rent() => Kept.TryTake(out QueryWorkspace? kept) ? kept : new QueryWorkspace();

    /// <summary>Returns it for another query.</summary>
    internal void Return()
    {
        Query.Clear();
        if (Kept.Count < KeptMax)
        {
            Kept.Add(this);
        }
    }
}
