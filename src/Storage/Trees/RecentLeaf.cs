using Raven.Blittable.Memory;

namespace Raven.Storage.Trees;

/// <summary>One entry of <see cref="RecentLeaves"/>.</summary>
internal struct RecentLeaf
{
    /// <summary>The leaf's page, 0 for none.</summary>
    internal long PageNumber;

    /// <summary>Its memory in this transaction.</summary>
    internal NativeSlice Memory;

    /// <summary>The first 8 bytes of its first key: keys that start with more are inside.</summary>
    internal ulong First;

    /// <summary>The first 8 bytes of its last key: keys that start with less are inside.</summary>
    internal ulong Last;

    /// <summary>No leaf is before it.</summary>
    internal bool IsLeftmost;

    /// <summary>No leaf is behind it.</summary>
    internal bool IsRightmost;

    /// <summary>The memory is the transaction's own copy.</summary>
    internal bool IsWritable;

    /// <summary>The writer's handle of the page, if it is writable.</summary>
    internal int Handle;
}
