using Raven.Blittable.Memory;

namespace Raven.Storage.Trees;

/// <summary>What a cursor needs of its tree, whatever its keys are.</summary>
internal interface ITreeLeaves<TPage>
    where TPage : struct, ITreePage<TPage>, allows ref struct
{
    /// <summary>The tree's pages and its root.</summary>
    Structure Structure { get; }

    /// <summary>Grows with every change: a cursor made before a change is invalid after it.</summary>
    int Version { get; }

    /// <summary>Wraps a leaf after checking its header.</summary>
    TPage OpenLeaf(NativeSlice slice, long pageNumber);
}
