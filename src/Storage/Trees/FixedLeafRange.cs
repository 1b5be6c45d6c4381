using System.Runtime.CompilerServices;
using Raven.Blittable.Memory;

namespace Raven.Storage.Trees;

/// <summary>A leaf of a <see cref="FixedTree"/> used lately, and the keys that belong in it.</summary>
internal struct FixedLeafRange
{
    /// <summary>The leaf, 0 for none.</summary>
    internal long PageNumber;

    /// <summary>Its memory in this transaction.</summary>
    internal NativeSlice Memory;

    /// <summary>The smallest key of its range.</summary>
    internal long Low;

    /// <summary>The largest key of its range.</summary>
    internal long High;

    /// <summary>No leaf is behind it.</summary>
    internal bool IsRightmost;

    /// <summary>The memory is the transaction's own copy.</summary>
    internal bool IsWritable;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly bool Holds(long key) => PageNumber != 0 && key >= Low && key <= High;
}
