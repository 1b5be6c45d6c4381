using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Paging;

namespace Raven.Storage.Trees;

/// <summary>
/// Splits pages that have no room for one more entry. The entries that move to the new page are chosen with the new
/// entry included; those that stay are not touched, so that the change of the old page is small in the journal.
/// </summary>
internal static class TreeSplit
{
    // So many inserts in a row, each right behind the one before, count as an ascending load.
    private const int InsertRunMin = 4;

    // A branch with fewer keys has room for one more, even if all are of the greatest length.
    private const int BranchCountMin = 3;

    /// <summary>Splits the leaf at the end of the path.</summary>
    /// <param name="tree">The tree.</param>
    /// <param name="path">The path to the leaf; afterwards to the leaf that takes the entry.</param>
    /// <param name="memory">The leaf.</param>
    /// <param name="index">The place of the new entry in that leaf, before and afterwards.</param>
    /// <param name="key">The new entry's key.</param>
    /// <param name="size">The new entry's size with its slot.</param>
    /// <returns>The leaf that takes the entry, with room for it.</returns>
    internal static NativeSlice SplitLeaf(
        Tree tree, ref TreePath path, NativeSlice memory, ref int index, ReadOnlySpan<byte> key, int size)
    {
        IPageWriter writer = tree.Writer;
        TreePage left = TreePage.Open(memory, path.Leaf, PageKind.TreeLeaf);
        if (left.Count == 0)
        {
            Damage.Throw(path.Leaf, "has no room although it has no entry");
        }

        bool isRun = IsRun(left, index);
        int middle = ChooseLeafSplit(left, index, size, isRun, path.IsRightmost);
        long rightNumber = writer.AllocatePage(PageKind.TreeLeaf, 0, out NativeSlice rightMemory);
        TreePageEdit.Format(rightMemory.WritableSpan);
        TreePage right = TreePage.Open(rightMemory, rightNumber, PageKind.TreeLeaf);
        tree.Root.LeafPages++;
        tree.Counters.Splits++;

        bool goesRight = index >= middle;
        int firstMoved = goesRight ? middle : middle - 1;
        Move(tree, left, right, firstMoved);
        bool isLastOfLeft = !goesRight && index == firstMoved;
        bool isFirstOfRight = goesRight && index == middle;
        ReadOnlySpan<byte> lastOfLeft = isLastOfLeft ? key : left.Key(left.Count - 1);
        ReadOnlySpan<byte> firstOfRight = isFirstOfRight ? key : right.Key(0);
        InsertSeparator(tree, ref path, path.Branches - 1, Separator(lastOfLeft, firstOfRight), rightNumber);
        if (!goesRight)
        {
            return memory;
        }

        index -= middle;
        path.Leaf = rightNumber;
        right.LastInsert = isRun ? (ushort)(index - 1) : 0;
        right.InsertRun = isRun ? left.InsertRun : 0;
        return rightMemory;
    }

    /// <summary>
    /// The shortest key that is behind <paramref name="before"/> and not behind <paramref name="first"/>.
    /// </summary>
    internal static ReadOnlySpan<byte> Separator(ReadOnlySpan<byte> before, ReadOnlySpan<byte> first) =>
        first[..Math.Min(first.Length, before.CommonPrefixLength(first) + 1)];

    private static void InsertSeparator(Tree tree, ref TreePath path, int level, ReadOnlySpan<byte> key, long child)
    {
        if (level < 0)
        {
            GrowRoot(tree, key, child);
            return;
        }

        long number = path.Page(level);
        TreePage page = TreePage.Open(tree.Writer.ModifyPage(number), number, PageKind.TreeBranch);
        int index = path.ChildIndex(level);
        if (page.HasRoom(key.Length + TreePage.ChildSize + TreePage.SlotSize))
        {
            InsertChild(tree, page, index, key, child);
        }
        else
        {
            SplitBranch(tree, ref path, level, page, index, key, child);
        }
    }

    [SkipLocalsInit]
    private static void SplitBranch(
        Tree tree, ref TreePath path, int level, TreePage left, int index, ReadOnlySpan<byte> key, long child)
    {
        Span<byte> raised = stackalloc byte[TreeLimits.KeySizeBytesMax];
        IPageWriter writer = tree.Writer;
        int count = left.Count;
        if (count < BranchCountMin)
        {
            Damage.Throw(left.Number, "has no room although it has hardly an entry");
        }

        // Of the count + 1 separators, including the new one, the one at `middle` moves up.
        int middle = path.IsRightmost && index == count
            ? count - 1
            : BalancedSplit(left, index, key.Length + TreePage.ChildSize + TreePage.SlotSize);
        middle = Math.Clamp(middle, 1, count - 1);
        long rightNumber = writer.AllocatePage(PageKind.TreeBranch, 0, out NativeSlice rightMemory);
        TreePageEdit.Format(rightMemory.WritableSpan);
        TreePage right = TreePage.Open(rightMemory, rightNumber, PageKind.TreeBranch);
        tree.Root.BranchPages++;
        tree.Counters.Splits++;
        if (middle == index)
        {
            key.CopyTo(raised);
            raised = raised[..key.Length];
            right.LeftChild = child;
            Move(tree, left, right, middle);
        }
        else
        {
            int raisedIndex = index < middle ? middle - 1 : middle;
            ReadOnlySpan<byte> raisedKey = left.Key(raisedIndex);
            raisedKey.CopyTo(raised);
            raised = raised[..raisedKey.Length];
            right.LeftChild = left.Child(raisedIndex + 1);
            Move(tree, left, right, raisedIndex + 1);
            TreePageEdit.Remove(left, raisedIndex, raisedIndex + 1, ref tree.Counters.BytesMoved);
            bool goesRight = index > middle;
            InsertChild(tree, goesRight ? right : left, goesRight ? index - middle - 1 : index, key, child);
        }

        InsertSeparator(tree, ref path, level - 1, raised, rightNumber);
    }

    private static void InsertChild(Tree tree, TreePage page, int index, ReadOnlySpan<byte> key, long child)
    {
        int at = TreePageEdit.Insert(page, index, key, TreePage.ChildSize, ref tree.Counters.BytesMoved);
        MemoryMarshal.Write(page.Bytes[at..], child);
    }

    private static void GrowRoot(Tree tree, ReadOnlySpan<byte> key, long child)
    {
        ref StructureRoot root = ref tree.Root;
        if (root.Depth == TreeLimits.DepthMax)
        {
            Damage.Throw(root.RootPage, "is the root of a tree that is deeper than any can be");
        }

        long number = tree.Writer.AllocatePage(PageKind.TreeBranch, 0, out NativeSlice memory);
        TreePageEdit.Format(memory.WritableSpan);
        TreePage page = TreePage.Open(memory, number, PageKind.TreeBranch);
        page.LeftChild = root.RootPage;
        InsertChild(tree, page, 0, key, child);
        root.RootPage = number;
        root.Depth++;
        root.BranchPages++;
    }

    private static void Move(Tree tree, TreePage left, TreePage right, int from)
    {
        int count = left.Count;
        TreePageEdit.Append(right, left, from, count, ref tree.Counters.BytesMoved);
        TreePageEdit.Remove(left, from, count, ref tree.Counters.BytesMoved);
    }

    private static bool IsRun(TreePage page, int index) =>
        page.InsertRun >= InsertRunMin && index == (ushort)(page.LastInsert + 1);

    /// <summary>How many of the entries, including the new one, stay: at least 1, at most all but one.</summary>
    private static int ChooseLeafSplit(TreePage page, int index, int size, bool isRun, bool isRightmost)
    {
        int count = page.Count;
        if (index == count && (isRun || isRightmost))
        {
            // Ascending keys: the full page stays full, the next ones fill the new page.
            return count;
        }

        if (isRun && TreePageEdit.SizeOf(page, 0, index) + size <= TreePage.Capacity)
        {
            // Ascending keys in the middle: the entries behind them move, and the next keys go to the page's end.
            return index + 1;
        }

        return BalancedSplit(page, index, size);
    }

    /// <summary>
    /// The first position with half of the bytes before it. Both sides fit, as no entry is larger than half a page.
    /// </summary>
    private static int BalancedSplit(TreePage page, int index, int size)
    {
        int count = page.Count;
        int half = (TreePageEdit.SizeOf(page, 0, count) + size) / 2;
        int before = 0;
        for (int i = 0; i <= count; i++)
        {
            int next = i == index ? size : TreePageEdit.SizeOf(page, i < index ? i : i - 1, i < index ? i + 1 : i);
            if (before + next > TreePage.Capacity || before >= half)
            {
                return Math.Clamp(i, 1, count);
            }

            before += next;
        }

        return count;
    }
}
