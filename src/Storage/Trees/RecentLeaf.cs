using Raven.Blittable.Memory;

namespace Raven.Storage.Trees;

/// <summary>One entry of <see cref="RecentLeaves"/>.</summary>
internal struct RecentLeaf
{
    /// <summary>The page of the leaf; 0 if there is none.</summary>
    internal long PageNumber;

    /// <summary>The memory of the leaf in this transaction.</summary>
    internal NativeSlice Memory;

    /// <summary>The first 8 bytes of its first key: a key with greater ones is behind that.</summary>
    internal ulong First;

    /// <summary>The first 8 bytes of its last key: a key with smaller ones is before that.</summary>
    internal ulong Last;

    /// <summary>True if it is the first leaf of the tree.</summary>
    internal bool IsLeftmost;

    /// <summary>True if it is the last leaf of the tree.</summary>
    internal bool IsRightmost;

    /// <summary>True if the memory is the transaction's own copy.</summary>
    internal bool IsWritable;

    /// <summary>The writer's handle of the page, if it is writable.</summary>
    internal int Handle;
}
