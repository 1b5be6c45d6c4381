using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Paging;

namespace Raven.Storage.Trees;

/// <summary>
/// Merges pages after deletes. A page less than a quarter full is merged with a neighbour that has room; if none has,
/// both neighbours are more than two thirds full, so that any three pages in a row hold more than one and a quarter
/// pages. Entries are never moved just to balance pages. An empty page is removed.
/// </summary>
internal static class TreeMerge
{
    /// <summary>A page with fewer bytes in use is merged with a neighbour, if one has room.</summary>
    internal const int UsedBytesMin = TreePage.Capacity / 4;

    // Merged pages keep some room, so that the next insert does not split them again.
    private const int MergedBytesMax = TreePage.Capacity - (TreePage.Capacity / 12);

    /// <summary>Merges or removes pages, after entries of the leaf at the end of the path were removed.</summary>
    internal static void AfterShrink(Tree tree, ref TreePath path)
    {
        NativeSlice memory = tree.Pages.GetPage(path.Leaf);
        TreePage leaf = TreePage.Open(memory, path.Leaf, PageKind.TreeLeaf);
        if (leaf.Count == 0)
        {
            tree.ForgetRecentLeaves();
            tree.Writer.FreePage(path.Leaf);
            tree.Root.LeafPages--;
            tree.Counters.Merges++;
            RemoveChild(tree, ref path, path.Branches - 1, -1);
        }
        else if (leaf.Used < UsedBytesMin)
        {
            TryMerge(tree, ref path, path.Branches - 1, PageKind.TreeLeaf);
        }
    }

    /// <summary>Removes a child from the branch at a level; -1 is the one that the path goes through.</summary>
    private static void RemoveChild(Tree tree, ref TreePath path, int level, int childIndex)
    {
        if (level < 0)
        {
            tree.Root.RootPage = 0;
            tree.Root.Depth = 0;
            return;
        }

        long number = path.Page(level);
        TreePage page = TreePage.Open(tree.Writer.ModifyPage(number), number, PageKind.TreeBranch);
        if (page.Count == 0)
        {
            tree.Writer.FreePage(number);
            tree.Root.BranchPages--;
            tree.Counters.Merges++;
            RemoveChild(tree, ref path, level - 1, -1);
            return;
        }

        int index = childIndex < 0 ? path.ChildIndex(level) : childIndex;
        if (index == 0)
        {
            page.LeftChild = page.Child(1);
            index = 1;
        }

        TreePageEdit.Remove(page, index - 1, index, ref tree.Counters.BytesMoved);
        if (level == 0)
        {
            ShrinkRoot(tree);
        }
        else if (page.Used < UsedBytesMin)
        {
            TryMerge(tree, ref path, level - 1, PageKind.TreeBranch);
        }
    }

    /// <summary>Merges the child that the path goes through with the one before or behind it.</summary>
    private static void TryMerge(Tree tree, ref TreePath path, int level, PageKind kind)
    {
        if (level < 0)
        {
            return;
        }

        long number = path.Page(level);
        TreePage parent = TreePage.Open(tree.Pages.GetPage(number), number, PageKind.TreeBranch);
        int index = path.ChildIndex(level);
        if (index > 0 && Merge(tree, parent, index - 1, kind))
        {
            RemoveChild(tree, ref path, level, index);
        }
        else if (index < parent.Count && Merge(tree, parent, index, kind))
        {
            RemoveChild(tree, ref path, level, index + 1);
        }
    }

    private static bool Merge(Tree tree, TreePage parent, int leftIndex, PageKind kind)
    {
        IPageWriter writer = tree.Writer;
        long leftNumber = parent.Child(leftIndex);
        long rightNumber = parent.Child(leftIndex + 1);
        TreePage left = TreePage.Open(writer.GetPage(leftNumber), leftNumber, kind);
        TreePage right = TreePage.Open(writer.GetPage(rightNumber), rightNumber, kind);
        ReadOnlySpan<byte> separator = parent.Key(leftIndex);
        bool isBranch = kind == PageKind.TreeBranch;
        int separatorSize = isBranch ? separator.Length + TreePage.ChildSize + TreePage.SlotSize : 0;
        int size = left.Used + right.Used + separatorSize;
        if (size > MergedBytesMax)
        {
            return false;
        }

        tree.ForgetRecentLeaves();
        left = TreePage.Open(writer.ModifyPage(leftNumber), leftNumber, kind);
        if (left.Gap < right.Used + separatorSize)
        {
            TreePageEdit.Compact(left, ref tree.Counters.BytesMoved);
        }

        if (isBranch)
        {
            int at = TreePageEdit.Insert(
                left, left.Count, separator, TreePage.ChildSize, ref tree.Counters.BytesMoved);
            MemoryMarshal.Write(left.Bytes[at..], right.LeftChild);
            tree.Root.BranchPages--;
        }
        else
        {
            tree.Root.LeafPages--;
        }

        TreePageEdit.Append(left, right, 0, right.Count, ref tree.Counters.BytesMoved);
        writer.FreePage(rightNumber);
        tree.Counters.Merges++;
        return true;
    }

    /// <summary>Replaces a root that has a single child by that child.</summary>
    private static void ShrinkRoot(Tree tree)
    {
        ref StructureRoot root = ref tree.Root;
        while (root.Depth > 1)
        {
            TreePage page = TreePage.Open(tree.Pages.GetPage(root.RootPage), root.RootPage, PageKind.TreeBranch);
            if (page.Count != 0)
            {
                return;
            }

            long child = page.LeftChild;
            tree.Writer.FreePage(root.RootPage);
            root.RootPage = child;
            root.Depth--;
            root.BranchPages--;
        }
    }
}
