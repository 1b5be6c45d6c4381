namespace Raven.Storage.Checks;

/// <summary>What the entries of a tree are to the structure that it is a part of.</summary>
internal enum EntryRole
{
    /// <summary>Nothing but entries.</summary>
    Plain,

    /// <summary>The catalog: root records by name.</summary>
    Catalog,

    /// <summary>A multi-value tree: sets of values, the long ones as trees of their own.</summary>
    Sets,

    /// <summary>The streams by name.</summary>
    StreamNames,

    /// <summary>The chunks of streams.</summary>
    StreamChunks,

    /// <summary>The pages of a heap.</summary>
    HeapPages,

    /// <summary>The free space of a heap's pages.</summary>
    HeapFreeSpace,
}
