using Raven.Blittable.Memory;

namespace Raven.Storage.Trees;

/// <summary>The leaves of a <see cref="FixedTree"/>.</summary>
internal readonly struct FixedTreeLeaves(FixedTree tree) : ITreeLeaves<FixedPage>
{
    internal FixedTree Tree => tree;

    public Structure Structure => tree;

    public int Version => tree.Version;

    public FixedPage OpenLeaf(NativeSlice slice, long pageNumber) => tree.OpenLeaf(slice, pageNumber);
}
