namespace Raven.Storage.Trees;

/// <summary>What a root record describes. The numbers are on disk and never change their meaning.</summary>
public enum StructureKind : byte
{
    /// <summary>No structure.</summary>
    None = 0,

    /// <summary>A tree with keys of any length.</summary>
    Tree = 1,

    /// <summary>A tree with 8-byte keys and values of one size.</summary>
    FixedTree = 2,

    /// <summary>A tree from a key to a sorted set of values.</summary>
    MultiTree = 3,

    /// <summary>Rows packed in section pages.</summary>
    RowHeap = 4,

    /// <summary>Values of any size, in chunks.</summary>
    Streams = 5,

    /// <summary>A row heap with indexes.</summary>
    Table = 6,
}
