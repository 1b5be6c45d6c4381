namespace Raven.Storage.Trees;

/// <summary>The counters of <see cref="TreeStatistics"/> that grow while a transaction works.</summary>
internal struct TreeCounters
{
    internal long Searches;
    internal long RecentHits;
    internal long Compares;
    internal long BytesMoved;
    internal long Splits;
    internal long Merges;

    internal readonly TreeStatistics ToStatistics(in StructureRoot root) => new()
    {
        Count = root.Count,
        Depth = root.Depth,
        LeafPages = root.LeafPages,
        BranchPages = root.BranchPages,
        OverflowPages = root.OverflowPages,
        Searches = Searches,
        RecentHits = RecentHits,
        Compares = Compares,
        BytesMoved = BytesMoved,
        Splits = Splits,
        Merges = Merges,
    };
}
