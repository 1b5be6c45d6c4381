using Raven.Blittable.Memory;

namespace Raven.Storage.Trees;

/// <summary>
/// The leaf of a tree in which a key is, if it is there. Belongs to one transaction, and is invalid after a write.
/// </summary>
public readonly struct TreeLeaf
{
    internal TreeLeaf(NativeSlice memory, long number)
    {
        Memory = memory;
        Number = number;
    }

    internal NativeSlice Memory { get; }

    /// <summary>The page of the leaf; 0 if the tree has none.</summary>
    internal long Number { get; }
}
