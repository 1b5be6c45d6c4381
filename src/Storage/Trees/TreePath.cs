using System.Runtime.CompilerServices;

namespace Raven.Storage.Trees;

/// <summary>The branches from the root down to a leaf, and the child taken in each.</summary>
internal struct TreePath
{
    private PageNumbers _pages;
    private ChildIndexes _children;

    /// <summary>Branches in the path: the depth of the tree less one.</summary>
    internal int Branches;

    /// <summary>The leaf at its end.</summary>
    internal long Leaf;

    /// <summary>No leaf is before it.</summary>
    internal bool IsLeftmost;

    /// <summary>No leaf is behind it.</summary>
    internal bool IsRightmost;

    internal readonly long Page(int level) => _pages[level];

    internal readonly int ChildIndex(int level) => _children[level];

    internal void Push(long page, int childIndex)
    {
        _pages[Branches] = page;
        _children[Branches] = (ushort)childIndex;
        Branches++;
    }

    internal void SetChildIndex(int level, int childIndex) => _children[level] = (ushort)childIndex;

    [InlineArray(TreeLimits.DepthMax)]
    private struct PageNumbers
    {
        private long _first;
    }

    [InlineArray(TreeLimits.DepthMax)]
    private struct ChildIndexes
    {
        private ushort _first;
    }
}
