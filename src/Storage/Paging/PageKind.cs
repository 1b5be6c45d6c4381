namespace Raven.Storage.Paging;

/// <summary>What a page holds. The numbers are on disk and never change their meaning.</summary>
public enum PageKind : byte
{
    /// <summary>Not written yet.</summary>
    None = 0,

    /// <summary>A leaf of a variable-key tree.</summary>
    TreeLeaf = 1,

    /// <summary>A branch of a variable-key tree.</summary>
    TreeBranch = 2,

    /// <summary>A value that spans pages: one header, then the bytes.</summary>
    Overflow = 3,

    /// <summary>A leaf of a tree with 8-byte keys.</summary>
    FixedLeaf = 4,

    /// <summary>A branch of a tree with 8-byte keys.</summary>
    FixedBranch = 5,

    /// <summary>Packed small rows of a table.</summary>
    TableSection = 6,

    /// <summary>A part of the free-space map.</summary>
    FreeSpace = 7,
}
