using System.Runtime.CompilerServices;
using Raven.Blittable.Memory;

namespace Raven.Storage.Trees;

/// <summary>
/// The leaf of a <see cref="FixedTree"/> that was used last, and the range of keys that belong in it.
/// </summary>
internal struct FixedLeafRange
{
    /// <summary>The page of the leaf; 0 if there is none.</summary>
    internal long PageNumber;

    /// <summary>The memory of the leaf in this transaction.</summary>
    internal NativeSlice Memory;

    /// <summary>The smallest key of its range.</summary>
    internal long Low;

    /// <summary>The largest key of its range.</summary>
    internal long High;

    /// <summary>True if it is the last leaf of the tree.</summary>
    internal bool IsRightmost;

    /// <summary>True if the memory is the transaction's own copy.</summary>
    internal bool IsWritable;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly bool Holds(long key) => PageNumber != 0 && key >= Low && key <= High;
}
