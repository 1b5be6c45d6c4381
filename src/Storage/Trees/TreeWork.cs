namespace Raven.Storage.Trees;

/// <summary>The counters of <see cref="TreeStatistics"/> that grow while a transaction works.</summary>
internal struct TreeWork
{
    internal long Searches;
    internal long RecentHits;
    internal long Compares;
    internal long BytesMoved;
    internal long Splits;
    internal long Merges;
}
