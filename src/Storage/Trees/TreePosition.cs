using System.Diagnostics;
using System.Runtime.CompilerServices;
using Raven.Blittable.Memory;

namespace Raven.Storage.Trees;

/// <summary>
/// The place of a cursor: an entry of a leaf, and the branches above it. It moves in both directions; the search for a
/// key is in the cursor itself.
/// </summary>
/// <typeparam name="TLeaves">The tree.</typeparam>
/// <typeparam name="TPage">Its pages.</typeparam>
internal struct TreePosition<TLeaves, TPage>
    where TLeaves : struct, ITreeLeaves<TPage>
    where TPage : struct, ITreePage<TPage>, allows ref struct
{
    /// <summary>The tree. It is set in place, as a constructor would copy the path.</summary>
    internal TLeaves Leaves;

    /// <summary>The leaf's number, and the branches above it.</summary>
    internal TreePath Path;

    internal NativeSlice Leaf;

    /// <summary>The entry in the leaf.</summary>
    internal int Index;

    private int _count;
    private int _version;

    /// <summary>Whether it is on an entry.</summary>
    internal readonly bool IsValid => (uint)Index < (uint)_count;

    /// <summary>Starts a search.</summary>
    /// <returns>False if the tree is empty.</returns>
    internal bool Begin()
    {
        _version = Leaves.Version;
        Index = -1;
        _count = 0;
        Path.Branches = 0;
        return Leaves.Structure.Root.RootPage != 0;
    }

    /// <summary>Goes to the first entry.</summary>
    /// <returns>False if the tree is empty.</returns>
    internal bool SeekFirst() => Begin() && GoToEdge(isLast: false);

    /// <summary>Goes to the last entry.</summary>
    /// <returns>False if the tree is empty.</returns>
    internal bool SeekLast() => Begin() && GoToEdge(isLast: true);

    /// <summary>Opens the leaf at the end of the path.</summary>
    internal TPage OpenLeaf()
    {
        Leaf = Leaves.Structure.Pages.GetPage(Path.Leaf);
        TPage page = Leaves.OpenLeaf(Leaf, Path.Leaf);
        _count = page.Count;
        return page;
    }

    /// <summary>Goes to the entry that a search in the leaf found, or to the first one behind.</summary>
    /// <param name="found">The index of the entry, or the complement of its insertion point.</param>
    /// <returns>False if there is none.</returns>
    internal bool MoveToOrBehind(int found)
    {
        Index = found >= 0 ? found : ~found;
        return Index < _count || NextLeaf();
    }

    /// <summary>Goes to the entry that a search in the leaf found, or to the last one before.</summary>
    /// <param name="found">The index of the entry, or the complement of its insertion point.</param>
    /// <returns>False if there is none.</returns>
    internal bool MoveToOrBefore(int found)
    {
        Index = found >= 0 ? found : ~found - 1;
        return Index >= 0 || PreviousLeaf();
    }

    /// <summary>Goes to the next entry.</summary>
    /// <returns>False behind the last one; it then stays there.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool MoveNext()
    {
        CheckVersion();
        return Index < _count && (++Index < _count || NextLeaf());
    }

    /// <summary>Goes to the entry before.</summary>
    /// <returns>False before the first one; it then stays there.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool MovePrevious()
    {
        CheckVersion();
        return Index >= 0 && (--Index >= 0 || PreviousLeaf());
    }

    /// <summary>Asserts that it is on an entry.</summary>
    [Conditional("DEBUG")]
    internal readonly void Check()
    {
        CheckVersion();
        Debug.Assert(IsValid);
    }

    private bool GoToEdge(bool isLast)
    {
        Structure tree = Leaves.Structure;
        Path.DescendToEdge<TPage>(tree.Pages, tree.Root.Depth, 0, tree.Root.RootPage, isLast);
        return EnterLeaf(isLast);
    }

    private bool NextLeaf() => MoveToNeighbour(isForward: true) && EnterLeaf(isLast: false);

    private bool PreviousLeaf() => MoveToNeighbour(isForward: false) && EnterLeaf(isLast: true);

    private bool MoveToNeighbour(bool isForward)
    {
        Structure tree = Leaves.Structure;
        return Path.TryMoveToNeighbour<TPage>(tree.Pages, tree.Root.Depth, isForward);
    }

    private bool EnterLeaf(bool isLast)
    {
        OpenLeaf();
        Index = isLast ? _count - 1 : 0;
        if (_count == 0)
        {
            Damage.Throw(Path.Leaf, "is an empty leaf");
        }

        return true;
    }

    [Conditional("DEBUG")]
    private readonly void CheckVersion() =>
        Debug.Assert(_version == Leaves.Version, "The tree changed under its cursor.");
}
