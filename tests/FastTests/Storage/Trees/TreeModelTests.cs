using System.Globalization;
using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Storage.Trees;

namespace FastTests.Storage.Trees;

/// <summary>A tree does what a sorted dictionary does, whatever the keys, the order and the snapshots.</summary>
public sealed class TreeModelTests
{
    public static TheoryData<string> KeyShapes => ["random", "decimal", "long", "short", "composite"];

    [Theory]
    [Trait("Invariant", "PAGE-1")]
    [Trait("Invariant", "PAGE-2")]
    [Trait("Invariant", "PAGE-3")]
    [Trait("Invariant", "PAGE-4")]
    [Trait(Proof.Row, Proof.Models)]
    [MemberData(nameof(KeyShapes))]
    public void A_tree_equals_a_sorted_dictionary(string shape)
    {
        for (int seed = 1; seed <= 12; seed++)
        {
            new TreeModel(seed, shape).Run(transactions: 8, operationsMax: 400);
        }
    }

    [Theory]
    [InlineData(20_000)]
    public void Ascending_keys_fill_their_leaves(int count)
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        var tree = new Tree();
        tree.Attach(writer, StructureRoot.Empty(StructureKind.Tree));
        Span<byte> value = stackalloc byte[128];
        for (int i = 0; i < count; i++)
        {
            tree.Put(Key(i), value);
        }

        TreeStatistics statistics = tree.GetStatistics();
        long bytes = count * (16 + 128 + 2 + 8);
        Assert.Equal(count, tree.Count);
        Assert.InRange((double)bytes / (statistics.LeafPages * TreePage.Capacity), 0.97, 1.0);
        TreeChecker.Check(writer, tree);
    }

    [Fact]
    public void Ascending_keys_in_several_places_fill_their_leaves_too()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        var tree = new Tree();
        tree.Attach(writer, StructureRoot.Empty(StructureKind.Tree));
        byte[] key = new byte[16];
        for (int i = 0; i < 20_000; i++)
        {
            for (int place = 0; place < 4; place++)
            {
                key[0] = (byte)place;
                System.Buffers.Binary.BinaryPrimitives.WriteInt64BigEndian(key.AsSpan(8), i);
                tree.Put(key, key);
            }
        }

        TreeStatistics statistics = tree.GetStatistics();
        long bytes = 4 * 20_000 * (16 + 16 + 2 + 8);
        Assert.InRange((double)bytes / (statistics.LeafPages * TreePage.Capacity), 0.95, 1.0);
        TreeChecker.Check(writer, tree);
    }

    [Fact]
    public void Random_keys_leave_no_more_than_the_usual_third_free()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        var tree = new Tree();
        tree.Attach(writer, StructureRoot.Empty(StructureKind.Tree));
        var random = new Random(1);
        byte[] key = new byte[16];
        for (int i = 0; i < 30_000; i++)
        {
            random.NextBytes(key);
            tree.Put(key, key);
        }

        long bytes = tree.Count * (16 + 16 + 2 + 8);
        Assert.InRange((double)bytes / (tree.GetStatistics().LeafPages * TreePage.Capacity), 0.64, 0.75);
        TreeChecker.Check(writer, tree);
    }

    [Fact]
    public void A_tree_emptied_in_random_order_gives_all_pages_back()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        var tree = new Tree();
        tree.Attach(writer, StructureRoot.Empty(StructureKind.Tree));
        int[] order = [.. Enumerable.Range(0, 20_000)];
        new Random(7).Shuffle(order);
        foreach (int i in order)
        {
            tree.Put(Key(i), Key(i));
        }

        new Random(8).Shuffle(order);
        for (int i = 0; i < order.Length; i++)
        {
            Assert.True(tree.Delete(Key(order[i])));
            if (i % 1000 == 0)
            {
                TreeChecker.Check(writer, tree);
            }
        }

        Assert.Equal(0, tree.Count);
        Assert.Equal(0, tree.GetStatistics().LeafPages + tree.GetStatistics().BranchPages);
        writer.Commit();
        Assert.Empty(store.Committed);
    }

    [Fact]
    public void Half_of_the_keys_deleted_at_random_leaves_pages_that_are_not_too_empty()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        var tree = new Tree();
        tree.Attach(writer, StructureRoot.Empty(StructureKind.Tree));
        int[] order = [.. Enumerable.Range(0, 30_000)];
        new Random(7).Shuffle(order);
        foreach (int i in order)
        {
            tree.Put(Key(i), Key(i));
        }

        foreach (int i in order.AsSpan(0, 27_000))
        {
            Assert.True(tree.Delete(Key(i)));
        }

        long bytes = tree.Count * (16 + 16 + 2 + 8);
        Assert.InRange((double)bytes / (tree.GetStatistics().LeafPages * TreePage.Capacity), 0.35, 1);
        TreeChecker.Check(writer, tree);
    }

    [Fact]
    public void The_longest_keys_and_values_of_every_size_are_stored()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        var tree = new Tree();
        tree.Attach(writer, StructureRoot.Empty(StructureKind.Tree));
        var random = new Random(3);
        var model = new SortedDictionary<byte[], byte[]>(ByteOrder.Instance);
        for (int i = 0; i < 600; i++)
        {
            byte[] key = new byte[TreeLimits.KeySizeBytesMax - (i % 3)];
            random.NextBytes(key.AsSpan(0, i % 2 == 0 ? key.Length : 4));
            byte[] value = new byte[random.Next(0, 3) == 0 ? random.Next(0, 40_000) : random.Next(0, 4_100)];
            random.NextBytes(value);
            tree.Put(key, value);
            model[key] = value;
        }

        Assert.Throws<ArgumentOutOfRangeException>(() => tree.Put(new byte[TreeLimits.KeySizeBytesMax + 1], []));
        TreeModel.Compare(tree, model);
        TreeChecker.Check(writer, tree);
    }

    [Fact]
    public void Gets_puts_seeks_and_steps_allocate_nothing()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        var tree = new Tree();
        tree.Attach(writer, StructureRoot.Empty(StructureKind.Tree));
        for (int i = 0; i < 5_000; i++)
        {
            tree.Put(Key(i), Key(i));
        }

        Assert.Equal(0, Allocated.Least(() => Work(tree)));
    }

    [Fact]
    public void A_read_transaction_cannot_write()
    {
        using var store = new MemoryPageStore();
        var tree = new Tree();
        tree.Attach(store.BeginRead(), StructureRoot.Empty(StructureKind.Tree));
        Assert.Throws<InvalidOperationException>(() => tree.Put([1], [1]));
        Assert.Throws<InvalidOperationException>(() => tree.Delete([1]));
    }

    internal static byte[] Key(int i) =>
        System.Text.Encoding.ASCII.GetBytes(i.ToString("D16", CultureInfo.InvariantCulture));

    private static void Work(Tree tree)
    {
        Span<byte> key = stackalloc byte[16];
        for (int i = 0; i < 5_000; i += 7)
        {
            i.TryFormat(key, out _, "D16", CultureInfo.InvariantCulture);
            Assert.True(tree.TryGet(key, out NativeSlice value));
            tree.Reserve(key, value.Length).WritableSpan.Fill(1);
        }

        TreeCursor cursor = tree.GetCursor();
        Assert.True(cursor.Seek(key));
        int steps = 0;
        while (cursor.MovePrevious())
        {
            steps += cursor.Key.Length + cursor.Value.Length;
        }

        Assert.True(steps == 4998 * 32);
    }
}
