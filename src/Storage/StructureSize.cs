using Raven.Storage.Paging;
using Raven.Storage.Trees;

namespace Raven.Storage;

/// <summary>How large a structure is, or a part of one, and how full its pages are.</summary>
public readonly record struct StructureSize
{
    /// <summary>The name of the structure.</summary>
    public required string Name { get; init; }

    /// <summary>0 for the structure itself; its parts are numbered from 1.</summary>
    public int Part { get; init; }

    /// <summary>What the structure, or this part of it, is.</summary>
    public StructureKind Kind { get; init; }

    /// <summary>Entries, rows or values.</summary>
    public long Count { get; init; }

    /// <summary>Levels of a tree; 0 if it is empty or no tree.</summary>
    public int Depth { get; init; }

    /// <summary>Leaf pages of a tree, pages of rows of a heap.</summary>
    public long LeafPages { get; init; }

    /// <summary>Branch pages of a tree.</summary>
    public long BranchPages { get; init; }

    /// <summary>Pages of the values that have runs of their own.</summary>
    public long OverflowPages { get; init; }

    /// <summary>
    /// The share that is in use of the pages of a tree without those of runs, or of all pages of a heap; null if
    /// there are none, or if they were not read.
    /// </summary>
    public double? Fill { get; init; }

    /// <summary>Bytes of all of its pages, without those of its parts.</summary>
    public long Bytes => (LeafPages + BranchPages + OverflowPages) * PageHeader.PageSizeInBytes;
}
