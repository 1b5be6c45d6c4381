using Raven.Storage.Paging;


namespace Raven.Storage.Trees;

/// <summary>Merges pages of a <see cref="FixedTree"/> after deletes, by the rule of <see cref="TreeMerge"/>.</summary>
internal static class FixedTreeMerge
{
    private const int BranchCountMin = FixedPage.BranchCapacity / 4;

    /// <summary>Merges or removes pages, after entries of the leaf at the end of the path were removed.</summary>
    internal static void AfterShrink(FixedTree tree, ref TreePath path)
    {
        FixedPage leaf = tree.OpenLeaf(tree.Pages.GetPage(path.Leaf), path.Leaf);
        if (leaf.Count == 0)
        {
            tree.ForgetRecent();
            tree.Writer.FreePage(path.Leaf);
            tree.Root.LeafPages--;
            tree.Counters.Merges++;
            RemoveChild(tree, ref path, path.Branches - 1, -1);
        }
        else if (leaf.Count < tree.Capacity / 4)
        {
            TryMerge(tree, ref path, path.Branches - 1, isLeaf: true);
        }
    }

    /// <summary>Removes a child from the branch at a level; -1 is the one that the path goes through.</summary>
    private static void RemoveChild(FixedTree tree, ref TreePath path, int level, int childIndex)
    {
        IPageWriter writer = tree.Writer;
        for (; level >= 0; level--)
        {
            long number = path.Page(level);
            FixedPage page = FixedPage.OpenBranch(writer.ModifyPage(number), number);
            if (page.Count != 0)
            {
                page.RemoveChild(childIndex < 0 ? path.ChildIndex(level) : childIndex);
                AfterRemoval(tree, ref path, level, page.Count);
                return;
            }

            writer.FreePage(number);
            tree.Root.BranchPages--;
            tree.Counters.Merges++;
            childIndex = -1;
        }

        tree.Root.RootPage = 0;
        tree.Root.Depth = 0;
    }

    private static void AfterRemoval(FixedTree tree, ref TreePath path, int level, int count)
    {
        if (level == 0)
        {
            ShrinkRoot(tree);
        }
        else if (count < BranchCountMin)
        {
            TryMerge(tree, ref path, level - 1, isLeaf: false);
        }
    }

    private static void TryMerge(FixedTree tree, ref TreePath path, int level, bool isLeaf)
    {
        if (level < 0)
        {
            return;
        }

        long number = path.Page(level);
        FixedPage parent = FixedPage.OpenBranch(tree.Pages.GetPage(number), number);
        int index = path.ChildIndex(level);
        if (index > 0 && Merge(tree, parent, index - 1, isLeaf))
        {
            RemoveChild(tree, ref path, level, index);
        }
        else if (index < parent.Count && Merge(tree, parent, index, isLeaf))
        {
            RemoveChild(tree, ref path, level, index + 1);
        }
    }

    private static bool Merge(FixedTree tree, FixedPage parent, int leftIndex, bool isLeaf)
    {
        long left = parent.Child(leftIndex);
        long right = parent.Child(leftIndex + 1);
        bool merged = isLeaf ? MergeLeaves(tree, left, right) : MergeBranches(tree, left, right, parent.Key(leftIndex));
        if (merged)
        {
            tree.ForgetRecent();
            tree.Writer.FreePage(right);
            tree.Counters.Merges++;
        }

        return merged;
    }

    private static bool MergeLeaves(FixedTree tree, long leftNumber, long rightNumber)
    {
        IPageWriter writer = tree.Writer;
        FixedPage left = tree.OpenLeaf(writer.GetPage(leftNumber), leftNumber);
        FixedPage right = tree.OpenLeaf(writer.GetPage(rightNumber), rightNumber);
        if (left.Count + right.Count > MergedMax(tree.Capacity))
        {
            return false;
        }

        left = tree.OpenLeaf(writer.ModifyPage(leftNumber), leftNumber);
        left.AppendPlaces(right, 0, right.Count, tree.ValueSizeBytes, tree.Capacity, ref tree.Counters.BytesMoved);
        tree.Root.LeafPages--;
        return true;
    }

    private static bool MergeBranches(FixedTree tree, long leftNumber, long rightNumber, long separator)
    {
        IPageWriter writer = tree.Writer;
        FixedPage left = FixedPage.OpenBranch(writer.GetPage(leftNumber), leftNumber);
        FixedPage right = FixedPage.OpenBranch(writer.GetPage(rightNumber), rightNumber);
        if (left.Count + right.Count + 1 > MergedMax(FixedPage.BranchCapacity))
        {
            return false;
        }

        left = FixedPage.OpenBranch(writer.ModifyPage(leftNumber), leftNumber);
        left.InsertChild(left.Count, separator, right.Child(0));
        left.AppendChildren(right, 0);
        tree.Root.BranchPages--;
        return true;
    }

    // Some room is left, so that the next insert does not split the page again.
    private static int MergedMax(int capacity) => capacity - (capacity / 12);

    private static void ShrinkRoot(FixedTree tree)
    {
        ref StructureRoot root = ref tree.Root;
        while (root.Depth > 1)
        {
            FixedPage page = FixedPage.OpenBranch(tree.Pages.GetPage(root.RootPage), root.RootPage);
            if (page.Count != 0)
            {
                return;
            }

            long child = page.Child(0);
            tree.Writer.FreePage(root.RootPage);
            root.RootPage = child;
            root.Depth--;
            root.BranchPages--;
        }
    }
}
