using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Storage.Trees;

namespace FastTests.Storage.Trees;

public sealed class FixedTreeTests
{
    [Theory]
    [Trait("Invariant", "FIXED-1")]
    [Trait("Invariant", "FIXED-2")]
    [Trait(Proof.Row, Proof.Models)]
    [InlineData(8, 3_000)]
    [InlineData(0, 100_000)]
    [InlineData(256, 800)]
    [InlineData(5, long.MaxValue)]
    public void A_fixed_tree_equals_a_sorted_dictionary(int valueSize, long keyRange)
    {
        for (int seed = 1; seed <= 12; seed++)
        {
            new FixedTreeModel(seed, valueSize, keyRange).Run(transactions: 8, operationsMax: 300);
        }
    }

    [Fact]
    [Trait(Proof.Row, Proof.Models)]
    public void Deep_trees_split_and_merge_their_branches()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        FixedTree tree = NewTree(writer, FixedTree.ValueSizeBytesMax);
        byte[] value = new byte[FixedTree.ValueSizeBytesMax];
        int[] order = [.. Enumerable.Range(0, 60_000)];
        new Random(5).Shuffle(order);
        foreach (int i in order)
        {
            Assert.True(tree.Put(i, value));
        }

        Assert.Equal(3, tree.GetStatistics().Depth);
        Check(writer, tree);
        new Random(6).Shuffle(order);
        for (int i = 0; i < order.Length; i++)
        {
            Assert.True(tree.Delete(order[i]));
            if (i % 5_000 == 0)
            {
                Check(writer, tree);
            }
        }

        writer.Commit();
        Assert.Empty(store.Committed);
    }

    [Fact]
    public void Ascending_keys_fill_their_leaves()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        FixedTree tree = NewTree(writer, sizeof(long));
        for (long i = 0; i < 100_000; i++)
        {
            tree.Put(i, -i);
        }

        long pages = tree.GetStatistics().LeafPages + tree.GetStatistics().BranchPages;
        Assert.InRange(pages * 8192 / 100_000.0, 16, 16.3);
        Assert.True(tree.TryGet(77_777, out long value));
        Assert.Equal(-77_777, value);
        Check(writer, tree);
    }

    [Fact]
    public void Gets_puts_seeks_and_steps_allocate_nothing()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        FixedTree tree = NewTree(writer, sizeof(long));
        for (long i = 0; i < 5_000; i++)
        {
            tree.Put(i, i);
        }

        Assert.Equal(0, Allocated.Least(() => Work(tree)));
    }

    [Fact]
    public void A_value_of_another_size_than_that_of_its_tree_is_refused()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        FixedTree tree = NewTree(writer, 4);
        Assert.Throws<ArgumentOutOfRangeException>(() => tree.Put(1, 1L));
        Assert.Throws<ArgumentOutOfRangeException>(() => tree.Put(1, new byte[5]));
        Assert.Throws<ArgumentOutOfRangeException>(() => tree.Add(1));
    }

    private static FixedTree NewTree(MemoryPageStore.Writer writer, int valueSize)
    {
        var tree = new FixedTree();
        tree.Attach(writer, StructureRoot.Empty(StructureKind.FixedTree, valueSize));
        return tree;
    }

    private static void Work(FixedTree tree)
    {
        for (long i = 0; i < 5_000; i += 7)
        {
            Assert.True(tree.TryGet(i, out NativeSlice _));
            tree.Put(i, i);
        }

        FixedTreeCursor cursor = tree.GetCursor();
        Assert.True(cursor.Seek(3));
        long sum = 0;
        while (cursor.MoveNext())
        {
            sum += cursor.Key - cursor.Int64Value;
        }

        Assert.True(sum == 0);
    }

    private static void Check(MemoryPageStore.Writer writer, FixedTree tree)
    {
        var report = new Raven.Storage.Checks.CheckReport();
        Raven.Storage.Checks.FixedTreeCheck.Run(writer, tree.Root, "tree", report);
        Assert.Empty(report.Findings);
    }
}
