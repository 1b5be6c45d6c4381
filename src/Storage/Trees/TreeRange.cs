using System.Runtime.CompilerServices;
using Raven.Blittable.Memory;
using Raven.Storage.Paging;

namespace Raven.Storage.Trees;

/// <summary>Removes a range of keys leaf by leaf: one descent and one change for all entries of a leaf.</summary>
internal static class TreeRange
{
    [SkipLocalsInit]
    internal static long Delete(Tree tree, ReadOnlySpan<byte> from, ReadOnlySpan<byte> to, bool isOpen)
    {
        IPageWriter writer = tree.Writer;
        tree.NoteChange();
        tree.ForgetRecentLeaves();
        if (!isOpen && KeyOrder.Compare(from, to) >= 0)
        {
            return 0;
        }

        Span<byte> next = stackalloc byte[TreeLimits.KeySizeBytesMax];
        scoped ReadOnlySpan<byte> first = from;
        long deleted = 0;
        while (tree.Root.RootPage != 0)
        {
            Unsafe.SkipInit(out TreePath path);
            tree.Descend(first, ref path);
            NativeSlice memory = writer.GetPage(path.Leaf);
            TreePage leaf = TreePage.Open(memory, path.Leaf, PageKind.TreeLeaf);
            int count = leaf.Count;
            int start = LowerBound(tree, leaf, first);
            int end = isOpen ? count : LowerBound(tree, leaf, to);
            if (start < end)
            {
                leaf = TreePage.Open(writer.ModifyPage(path.Leaf), path.Leaf, PageKind.TreeLeaf);
                RemoveEntries(tree, leaf, start, end);
                deleted += end - start;
                TreeMerge.AfterShrink(tree, ref path);
            }

            if (end < count)
            {
                break;
            }

            if (start == count)
            {
                int length = NextLeaf(writer, ref path, first, next);
                if (length < 0 || (!isOpen && KeyOrder.Compare(next[..length], to) >= 0))
                {
                    break;
                }

                first = next[..length];
            }
        }

        return deleted;
    }

    /// <summary>Frees all pages of a tree.</summary>
    internal static void Clear(Tree tree)
    {
        tree.NoteChange();
        tree.ForgetRecentLeaves();
        ref StructureRoot root = ref tree.Root;
        if (root.RootPage != 0)
        {
            ClearPage(tree, root.RootPage, root.Depth - 1);
        }

        root = StructureRoot.Empty(root.Kind, root.ValueSize);
    }

    private static void ClearPage(Tree tree, long number, int levelsBelow)
    {
        PageKind kind = levelsBelow == 0 ? PageKind.TreeLeaf : PageKind.TreeBranch;
        TreePage page = TreePage.Open(tree.Pages.GetPage(number), number, kind);
        for (int i = 0; i <= page.Count; i++)
        {
            if (levelsBelow != 0)
            {
                ClearPage(tree, page.Child(i), levelsBelow - 1);
            }
            else if (i < page.Count)
            {
                tree.FreeOverflow(page, i);
            }
        }

        tree.Writer.FreePage(number);
    }

    private static int LowerBound(Tree tree, TreePage leaf, ReadOnlySpan<byte> key)
    {
        int index = leaf.Find(key, ref tree.Counters.Compares);
        return index >= 0 ? index : ~index;
    }

    private static void RemoveEntries(Tree tree, TreePage leaf, int start, int end)
    {
        for (int i = start; i < end; i++)
        {
            tree.FreeOverflow(leaf, i);
        }

        TreePageEdit.Remove(leaf, start, end, ref tree.Counters.BytesMoved);
        tree.Root.Count -= end - start;
    }

    /// <summary>Copies the separator at which the next leaf starts.</summary>
    /// <returns>Its length, or -1 if there is no next leaf.</returns>
    private static int NextLeaf(
        IPageReader pages, ref TreePath path, ReadOnlySpan<byte> searched, Span<byte> separator)
    {
        for (int level = path.Branches - 1; level >= 0; level--)
        {
            long number = path.Page(level);
            TreePage page = TreePage.Open(pages.GetPage(number), number, PageKind.TreeBranch);
            int child = path.ChildIndex(level);
            if (child < page.Count)
            {
                ReadOnlySpan<byte> key = page.Key(child);
                if (key.Length > separator.Length || KeyOrder.Compare(key, searched) <= 0)
                {
                    // Separators in the wrong order would make an endless loop.
                    Damage.Throw(number, "has a separator that is too long or in the wrong place");
                }

                key.CopyTo(separator);
                return key.Length;
            }
        }

        return -1;
    }
}
