using Raven.Blittable.Memory;

namespace Raven.Storage.Trees;

/// <summary>
/// What walks from leaf to leaf need of the pages of one kind of tree. A walk is generic over the page, a struct, so
/// that each kind of tree has code of its own without a virtual call.
/// </summary>
internal interface ITreePage<TSelf>
    where TSelf : struct, ITreePage<TSelf>, allows ref struct
{
    /// <summary>Entries of a leaf; separators of a branch, which has one child more.</summary>
    int Count { get; }

    /// <summary>Wraps a branch after checking its header.</summary>
    static abstract TSelf OpenBranch(NativeSlice slice, long pageNumber);

    /// <summary>The page of a child of a branch.</summary>
    long Child(int childIndex);
}
