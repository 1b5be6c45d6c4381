using FastTests.Support;
using Raven.Storage.Checks;
using Raven.Storage.Structures;
using Raven.Storage.Trees;

namespace FastTests.Storage.Trees;

public sealed class MultiTreeTests
{
    [Theory]
    [Trait(Proof.Row, Proof.Models)]
    [InlineData(8)]
    [InlineData(300)]
    [InlineData(MultiTree.ValueSizeBytesMax)]
    public void A_multi_tree_equals_a_dictionary_of_sorted_sets(int valueSizeMax)
    {
        for (int seed = 1; seed <= 8; seed++)
        {
            Run(seed, valueSizeMax);
        }
    }

    [Fact]
    public void A_set_becomes_a_tree_when_it_grows_and_one_entry_again_when_it_shrinks()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        var tree = new MultiTree();
        tree.AttachNew(writer);
        byte[] value = new byte[4];
        for (int i = 0; i < 50_000; i++)
        {
            BitConverter.TryWriteBytes(value, i);
            Assert.True(tree.Add("key"u8, value));
        }

        Assert.Equal(50_000, tree.CountOf("key"u8));
        Assert.Equal(1, tree.KeyCount);
        Assert.InRange(writer.Written, 50, 500);
        for (int i = 0; i < 49_990; i++)
        {
            BitConverter.TryWriteBytes(value, i);
            Assert.True(tree.Remove("key"u8, value));
        }

        Assert.Equal(10, tree.CountOf("key"u8));
        Assert.Equal(1, writer.Written);
        Assert.Equal(10, tree.RemoveAll("key"u8));
        Assert.Equal(0, tree.Count);
    }

    [Fact]
    public void A_fifth_cursor_ends_the_first()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        var tree = new MultiTree();
        tree.AttachNew(writer);
        for (int i = 0; i < 1_000; i++)
        {
            tree.Add("key"u8, TreeModelTests.Key(i));
        }

        MultiTreeCursor first = tree.GetValues("key"u8);
        for (int i = 0; i < MultiTree.CursorsMax - 1; i++)
        {
            Assert.True(tree.GetValues("key"u8).MoveNext());
        }

        Assert.True(first.MoveNext());
        tree.GetValues("key"u8);
        bool thrown = false;
        try
        {
            first.MoveNext();
        }
        catch (InvalidOperationException)
        {
            thrown = true;
        }

        Assert.True(thrown);
    }

    private static void Run(int seed, int valueSizeMax)
    {
        var random = new Random(seed);
        var model = new SortedDictionary<byte[], SortedSet<byte[]>>(ByteOrder.Instance);
        using var store = new MemoryPageStore();
        var catalog = new Catalog();
        byte[] record = new byte[Catalog.RecordSizeInBytes];
        for (int transaction = 0; transaction < 6; transaction++)
        {
            using MemoryPageStore.Writer writer = store.BeginWrite();
            catalog.Begin(writer, record);
            MultiTree tree = catalog.OpenOrCreateMultiTree("sets");
            for (int i = 0; i < 300; i++)
            {
                Step(tree, model, random, valueSizeMax, transaction < 4 ? 70 : 30);
            }

            Compare(tree, model, $"seed {seed}, values up to {valueSizeMax}, transaction {transaction}");
            catalog.Save(record);
            CheckReport report = StructureCheck.Run(writer, record);
            writer.Commit();
            StructureCheck.CheckOwners(report, 1, store.NextPage, store.FreePages);
            Assert.Empty(report.Findings);
        }

        using MemoryPageStore.Writer last = store.BeginWrite();
        catalog.Begin(last, record);
        Assert.True(catalog.Delete("sets"));
        catalog.Save(record);
        last.Commit();
        Assert.Empty(store.Committed);
    }

    private static void Step(
        MultiTree tree,
        SortedDictionary<byte[], SortedSet<byte[]>> model,
        Random random,
        int valueSizeMax,
        int addPercent)
    {
        byte[] key = [(byte)random.Next(4)];
        byte[] value = new byte[random.Next(valueSizeMax + 1)];
        random.NextBytes(value.AsSpan(0, Math.Min(value.Length, 2)));
        SortedSet<byte[]>? set = model.GetValueOrDefault(key);
        if (random.Next(100) < addPercent)
        {
            model[key] = set ??= new SortedSet<byte[]>(ByteOrder.Instance);
            Assert.Equal(set.Add(value), tree.Add(key, value));
            return;
        }

        if (random.Next(60) == 0)
        {
            Assert.Equal(set?.Count ?? 0, tree.RemoveAll(key));
            model.Remove(key);
            return;
        }

        byte[] gone = set is { Count: > 0 } && random.Next(4) != 0 ? set.ElementAt(random.Next(set.Count)) : value;
        bool isThere = set?.Remove(gone) ?? false;
        Assert.Equal(isThere, tree.Contains(key, gone));
        Assert.Equal(isThere, tree.Remove(key, gone));
        if (set?.Count == 0)
        {
            model.Remove(key);
        }
    }

    private static void Compare(MultiTree tree, SortedDictionary<byte[], SortedSet<byte[]>> model, string what)
    {
        Assert.Equal(model.Count, tree.KeyCount);
        Assert.Equal(model.Values.Sum(set => (long)set.Count), tree.Count);
        foreach ((byte[] key, SortedSet<byte[]> set) in model)
        {
            Assert.Equal(set.Count, tree.CountOf(key));
            MultiTreeCursor cursor = tree.GetValues(key);
            foreach (byte[] value in set)
            {
                Assert.True(cursor.MoveNext() && cursor.Value.Span.SequenceEqual(value), what);
            }

            Assert.False(cursor.MoveNext());
            byte[] middle = set.ElementAt(set.Count / 2);
            cursor = tree.GetValues(key);
            Assert.True(cursor.Seek(middle) && cursor.Value.Span.SequenceEqual(middle), what);
        }
    }
}
