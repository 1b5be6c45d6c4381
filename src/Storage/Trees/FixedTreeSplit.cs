using Raven.Blittable.Memory;
using Raven.Storage.Paging;

namespace Raven.Storage.Trees;

/// <summary>Splits full pages of a <see cref="FixedTree"/>.</summary>
internal static class FixedTreeSplit
{
    /// <summary>Splits the full leaf at the end of the path.</summary>
    /// <param name="tree">The tree.</param>
    /// <param name="path">The path to the leaf.</param>
    /// <param name="key">The key that the leaf has no room for.</param>
    /// <param name="isRightmost">Whether the leaf is the last one.</param>
    /// <param name="memory">The leaf; afterwards the leaf that the key belongs in.</param>
    /// <param name="index">The place of the key in that leaf, before and afterwards.</param>
    /// <returns>The number of the leaf that the key belongs in.</returns>
    internal static long SplitLeaf(
        FixedTree tree, ref TreePath path, long key, bool isRightmost, ref NativeSlice memory, ref int index)
    {
        IPageWriter writer = tree.Writer;
        int valueSize = tree.ValueSizeBytes;
        FixedPage left = tree.OpenLeaf(memory, path.Leaf);
        int count = left.Count;

        // If keys ascend, the full page stays full.
        int middle = isRightmost && index == count ? count : count / 2;
        long rightNumber = writer.AllocatePage(PageKind.FixedLeaf, 0, out NativeSlice rightMemory);
        FixedPage.FormatLeaf(rightMemory.WritableSpan, valueSize);
        FixedPage right = tree.OpenLeaf(rightMemory, rightNumber);
        right.AppendPlaces(left, middle, count, valueSize, tree.Capacity, ref tree.Counters.BytesMoved);
        left.Count = middle;
        tree.Root.LeafPages++;
        tree.Counters.Splits++;
        bool goesRight = middle == count || index > middle;
        long separator = middle == count ? key : right.Key(0);
        InsertSeparator(tree, ref path, path.Branches - 1, separator, rightNumber);
        if (!goesRight)
        {
            return path.Leaf;
        }

        index -= middle;
        memory = rightMemory;
        return rightNumber;
    }

    private static void InsertSeparator(FixedTree tree, ref TreePath path, int level, long key, long child)
    {
        IPageWriter writer = tree.Writer;
        for (; level >= 0; level--)
        {
            long number = path.Page(level);
            FixedPage page = FixedPage.OpenBranch(writer.ModifyPage(number), number);
            int index = path.ChildIndex(level);
            if (page.Count < FixedPage.BranchCapacity)
            {
                page.InsertChild(index, key, child);
                return;
            }

            SplitBranch(tree, page, index, ref key, ref child);
        }

        GrowRoot(tree, key, child);
    }

    /// <summary>
    /// Splits a full branch and adds the child. Afterwards key and child are those that the branch above must get.
    /// </summary>
    private static void SplitBranch(FixedTree tree, FixedPage left, int index, ref long key, ref long child)
    {
        int count = left.Count;
        int raised = index == count ? count - 1 : count / 2;
        long rightNumber = tree.Writer.AllocatePage(PageKind.FixedBranch, 0, out NativeSlice rightMemory);
        FixedPage right = FixedPage.OpenBranch(rightMemory, rightNumber);
        tree.Root.BranchPages++;
        tree.Counters.Splits++;
        long raisedKey = left.Key(raised);
        right.SetChild(0, left.Child(raised + 1));
        right.AppendChildren(left, raised + 1);
        left.Count = raised;
        if (index > raised)
        {
            right.InsertChild(index - raised - 1, key, child);
        }
        else
        {
            left.InsertChild(index, key, child);
        }

        key = raisedKey;
        child = rightNumber;
    }

    private static void GrowRoot(FixedTree tree, long key, long child)
    {
        ref StructureRoot root = ref tree.Root;
        if (root.Depth == TreeLimits.DepthMax)
        {
            Damage.Throw(root.RootPage, "is the root of a tree that is deeper than any can be");
        }

        long number = tree.Writer.AllocatePage(PageKind.FixedBranch, 0, out NativeSlice memory);
        FixedPage page = FixedPage.OpenBranch(memory, number);
        page.SetChild(0, root.RootPage);
        page.InsertChild(0, key, child);
        root.RootPage = number;
        root.Depth++;
        root.BranchPages++;
    }
}
