using System.Runtime.CompilerServices;
using Raven.Storage.Paging;

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

    /// <summary>From a page at a level down to the first or last leaf below it.</summary>
    internal void DescendToEdge<TBranches>(IPageReader pages, int depth, int level, long number, bool isLast)
        where TBranches : struct, IBranchPages
    {
        Branches = level;
        while (Branches < depth - 1)
        {
            long child = TBranches.EdgeChild(pages, number, isLast, out int index);
            Push(number, index);
            number = child;
        }

        Leaf = number;
    }

    /// <summary>To the leaf beside this one.</summary>
    /// <returns>False if there is none; the path is then as it was.</returns>
    internal bool TryMoveToNeighbour<TBranches>(IPageReader pages, int depth, bool isForward)
        where TBranches : struct, IBranchPages
    {
        for (int level = Branches - 1; level >= 0; level--)
        {
            int index = _children[level] + (isForward ? 1 : -1);
            if (index >= 0 && TBranches.TryGetChild(pages, _pages[level], index, out long child))
            {
                SetChildIndex(level, index);
                DescendToEdge<TBranches>(pages, depth, level + 1, child, isLast: !isForward);
                return true;
            }
        }

        return false;
    }

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
