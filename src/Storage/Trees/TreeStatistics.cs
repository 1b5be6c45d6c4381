namespace Raven.Storage.Trees;

/// <summary>The size of a tree, and what was done to it through one transaction.</summary>
public readonly record struct TreeStatistics
{
    /// <summary>How many entries the tree has.</summary>
    public long Count { get; init; }

    /// <summary>How many levels it has; 0 if it is empty.</summary>
    public int Depth { get; init; }

    /// <summary>Leaf pages.</summary>
    public long LeafPages { get; init; }

    /// <summary>Branch pages.</summary>
    public long BranchPages { get; init; }

    /// <summary>Pages of overflow runs.</summary>
    public long OverflowPages { get; init; }

    /// <summary>Searches for a key in this transaction.</summary>
    public long Searches { get; init; }

    /// <summary>Searches that found their leaf among the recently used ones, without a descent.</summary>
    public long RecentHits { get; init; }

    /// <summary>Slot heads and keys compared in this transaction.</summary>
    public long Compares { get; init; }

    /// <summary>
    /// Bytes of slots and entries moved inside and between pages in this transaction; values not counted.
    /// </summary>
    public long BytesMoved { get; init; }

    /// <summary>Pages split in this transaction.</summary>
    public long Splits { get; init; }

    /// <summary>Pages merged into a neighbour or removed in this transaction.</summary>
    public long Merges { get; init; }
}
