using Raven.Blittable.Memory;
using Raven.Storage.Paging;

namespace Raven.Storage.Trees;

/// <summary>The leaves of a <see cref="Trees.Tree"/>.</summary>
internal readonly struct TreeLeaves(Tree tree) : ITreeLeaves<TreePage>
{
    internal Tree Tree => tree;

    public Structure Structure => tree;

    public int Version => tree.Version;

    public TreePage OpenLeaf(NativeSlice slice, long pageNumber) =>
        TreePage.Open(slice, pageNumber, PageKind.TreeLeaf);
}
