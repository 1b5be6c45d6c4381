using System.Runtime.CompilerServices;
using Raven.Storage.Paging;

namespace Raven.Storage.Trees;

/// <summary>The branches from the root down to a leaf, and the child taken in each.</summary>
internal struct TreePath
{
    private PageNumbers _pages;
    private ChildIndexes _children;

    /// <summary>How many branches are in the path: the depth of the tree less one.</summary>
    internal int Branches;

    /// <summary>The page of the leaf at its end.</summary>
    internal long Leaf;

    /// <summary>True if it is the first leaf of the tree.</summary>
    internal bool IsLeftmost;

    /// <summary>True if it is the last leaf of the tree.</summary>
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

    /// <summary>Descends from a page at a level to the first or last leaf below it.</summary>
    internal void DescendToEdge<TPage>(IPageReader pages, int depth, int level, long number, bool isLast)
        where TPage : struct, ITreePage<TPage>, allows ref struct
    {
        Branches = level;
        while (Branches < depth - 1)
        {
            TPage page = TPage.OpenBranch(pages.GetPage(number), number);
            int index = isLast ? page.Count : 0;
            Push(number, index);
            number = page.Child(index);
        }

        Leaf = number;
    }

    /// <summary>Moves to the leaf before or behind.</summary>
    /// <returns>False if there is none; the path is then as it was.</returns>
    internal bool TryMoveToNeighbour<TPage>(IPageReader pages, int depth, bool isForward)
        where TPage : struct, ITreePage<TPage>, allows ref struct
    {
        for (int level = Branches - 1; level >= 0; level--)
        {
            int index = _children[level] + (isForward ? 1 : -1);
            if (index < 0)
            {
                continue;
            }

            long number = _pages[level];
            TPage page = TPage.OpenBranch(pages.GetPage(number), number);
            if (index <= page.Count)
            {
                SetChildIndex(level, index);
                DescendToEdge<TPage>(pages, depth, level + 1, page.Child(index), isLast: !isForward);
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
