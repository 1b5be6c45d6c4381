using System.Globalization;
using System.Text;
using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Storage.Paging;
using Raven.Storage.Trees;

namespace FastTests.Storage.Trees;

/// <summary>What a tree remembers of the leaves it searched last stays right when they are copied.</summary>
public sealed class RecentLeavesTests
{
    private const int Keys = 4_000;

    [Fact]
    public void A_leaf_copied_by_a_put_before_its_first_key_is_not_searched_at_its_old_memory()
    {
        using var store = new MemoryPageStore();
        var tree = new Tree();
        StructureRoot root;
        using (MemoryPageStore.Writer first = store.BeginWrite())
        {
            tree.Attach(first, StructureRoot.Empty(StructureKind.Tree));
            for (int i = 0; i < Keys; i++)
            {
                tree.Put(Key(i), new byte[100]);
            }

            root = tree.Root;
            first.Commit();
        }

        using MemoryPageStore.Writer writer = store.BeginWrite();
        tree.Attach(writer, root);
        int start = FirstOfALeaf(tree, writer);

        // Found twice in a row, the leaf is remembered; then four other leaves push it out of those seen last.
        Assert.True(tree.Contains(Key(start + 1)));
        Assert.True(tree.Contains(Key(start + 1)));
        for (int i = 1; i <= 4; i++)
        {
            Assert.True(tree.Contains(Key(start + (i * 300))));
        }

        // In the range of the leaf, but before its first key: found by descent, and the leaf is copied.
        byte[] before = Key(start)[..^1];
        tree.Put(before, "new"u8);
        Assert.True(tree.Delete(Key(start + 2)));
        Assert.False(tree.Contains(Key(start + 2)));
        Assert.True(tree.Contains(Key(start + 1)));
        Assert.True(tree.Contains(Key(start + 3)));
        Assert.True(tree.TryGet(before, out NativeSlice value));
        Assert.True(value.Span.SequenceEqual("new"u8));
    }

    /// <summary>A key that starts a leaf whose range begins before it.</summary>
    private static int FirstOfALeaf(Tree tree, MemoryPageStore.Writer pages)
    {
        for (int i = Keys / 4; ; i += 10)
        {
            TreePath here = default;
            tree.Descend(Key(i).AsSpan()[..^1], ref here);
            TreePage leaf = TreePage.Open(pages.GetPage(here.Leaf), here.Leaf, PageKind.TreeLeaf);
            if (leaf.Key(0).SequenceEqual(Key(i)))
            {
                return i;
            }
        }
    }

    private static byte[] Key(int number) =>
        Encoding.ASCII.GetBytes("key" + number.ToString("D6", CultureInfo.InvariantCulture));
}
