using Raven.Blittable.Memory;

namespace Raven.Storage.Checks;

/// <summary>What <see cref="TreeWalk"/> needs of one kind of tree.</summary>
internal interface ICheckedTree<TBounds>
    where TBounds : struct, IPageBounds, allows ref struct
{
    /// <summary>Checks the keys of a leaf, and visits its entries.</summary>
    void CheckLeaf(NativeSlice memory, long number, in TBounds bounds, ref CheckTotals own);

    /// <summary>Checks the separators of a branch, and walks its children.</summary>
    void CheckBranch(NativeSlice memory, long number, int levelsBelow, in TBounds bounds, ref CheckTotals own);
}
