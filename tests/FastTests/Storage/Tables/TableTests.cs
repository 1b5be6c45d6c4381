using System.Text;
using FastTests.Support;
using Raven.Storage.Checks;
using Raven.Storage.Structures;
using Raven.Storage.Tables;
using Raven.Storage.Trees;
using static FastTests.Storage.Tables.SampleTable;

namespace FastTests.Storage.Tables;

public sealed class TableTests
{
    [Fact]
    [Trait(Proof.Row, Proof.Models)]
    public void A_table_equals_a_dictionary_in_all_its_indexes()
    {
        for (int seed = 1; seed <= 10; seed++)
        {
            RunModel(seed);
        }
    }

    [Fact]
    public void A_row_whose_key_is_taken_is_refused_and_leaves_nothing_behind()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        Table table = NewTable(writer);
        Assert.True(Insert(table, "a", 1, "c", new byte[10]));
        Assert.False(Insert(table, "a", 2, "c", new byte[10]));
        Assert.False(Insert(table, "b", 1, "c", new byte[10]));
        Assert.Equal(1, table.Count);
        Assert.True(table.TryGet("a"u8, out TableRow row));
        Assert.Equal(1, row.Int64(Etag));
        Assert.True(Insert(table, "b", 2, "c", new byte[10]));
        Assert.True(table.TryGet("b"u8, out row));
        long id = row.Id;
        row = table.Update(id, 1, 8, 1, 10);
        Fill(row, "a", 3, "c", new byte[10]);
        Assert.Throws<InvalidOperationException>(() => table.TryComplete(row));
    }

    [Fact]
    public void A_row_that_is_not_complete_blocks_its_table()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        Table table = NewTable(writer);
        TableRow row = table.Insert(1, 8, 1, 0);
        Assert.Throws<InvalidOperationException>(() => table.Insert(1, 8, 1, 0));
        Assert.Throws<InvalidOperationException>(() => table.Delete(row.Id));
        Fill(row, "a", 1, "c", []);
        Assert.True(table.TryComplete(row));
        Assert.Throws<InvalidOperationException>(() => table.TryComplete(row));
        Assert.Throws<ArgumentOutOfRangeException>(() => table.Insert(1, 8, 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => table.Insert(1, 8, 1, -1));
    }

    [Theory]
    [InlineData("a", "b")]
    [InlineData("a", "a\0")]
    [InlineData("a\0", "a\u0001")]
    [InlineData("a\0\0", "a\0\u0001")]
    [InlineData("", "\0")]
    public void Composite_keys_order_as_their_parts(string smaller, string larger)
    {
        byte[] left = CompositeKey(smaller, long.MaxValue);
        byte[] right = CompositeKey(larger, long.MinValue);
        Assert.True(ByteOrder.Instance.Compare(left, right) < 0);
        Assert.True(ByteOrder.Instance.Compare(CompositeKey(smaller, -1), CompositeKey(smaller, 1)) < 0);
    }

    private static byte[] CompositeKey(string text, long number)
    {
        byte[] key = new byte[100];
        int length = TableKeys.WriteBytes(Encoding.UTF8.GetBytes(text), isLast: false, key);
        length += TableKeys.WriteInt64(number, key.AsSpan(length));
        return key[..length];
    }

    private static Table NewTable(MemoryPageStore.Writer writer)
    {
        var table = new Table(Schema);
        table.AttachNew(writer);
        return table;
    }

    private static void RunModel(int seed)
    {
        var random = new Random(seed);
        var model = new SortedDictionary<string, (long Etag, string Collection, byte[] Body)>(StringComparer.Ordinal);
        using var store = new MemoryPageStore();
        var catalog = new Catalog();
        byte[] record = new byte[Catalog.RecordSizeInBytes];
        long etag = 0;
        for (int transaction = 0; transaction < 5; transaction++)
        {
            using MemoryPageStore.Writer writer = store.BeginWrite();
            catalog.Begin(writer, record);
            Table table = catalog.OpenOrCreateTable("docs"u8, Schema);
            for (int i = 0; i < 150; i++)
            {
                Step(table, model, random, ref etag);
            }

            Compare(table, model, seed);
            catalog.Save(record);
            CheckReport report = StructureCheck.Run(writer, record);
            writer.Commit();
            StructureCheck.CheckOwners(report, 1, store.NextPage, store.FreePages);
            Assert.Empty(report.Findings);
        }

        using MemoryPageStore.Writer last = store.BeginWrite();
        catalog = new Catalog();
        catalog.Begin(last, record);
        Assert.True(catalog.Delete("docs"));
        catalog.Save(record);
        last.Commit();
        Assert.Empty(store.Committed);
    }

    private static void Step(
        Table table,
        SortedDictionary<string, (long Etag, string Collection, byte[] Body)> model,
        Random random,
        ref long etag)
    {
        string id = $"docs/{random.Next(120)}";
        bool exists = table.TryGet(Encoding.ASCII.GetBytes(id), out TableRow row);
        Assert.Equal(model.ContainsKey(id), exists);
        if (exists && random.Next(3) == 0)
        {
            table.Delete(row.Id);
            model.Remove(id);
            return;
        }

        // Now and then nothing but the body changes: keys that stay are left alone.
        bool keepsKeys = exists && random.Next(3) == 0;
        long newEtag = keepsKeys ? model[id].Etag : ++etag;
        string collection = keepsKeys ? model[id].Collection : new string((char)('a' + random.Next(3)), random.Next(4));
        byte[] body = new byte[random.Next(12) == 0 ? random.Next(20_000) : random.Next(900)];
        random.NextBytes(body);
        row = exists
            ? table.Update(row.Id, id.Length, sizeof(long), collection.Length, body.Length)
            : table.Insert(id.Length, sizeof(long), collection.Length, body.Length);
        Fill(row, id, newEtag, collection, body);
        Assert.True(table.TryComplete(row));
        model[id] = (newEtag, collection, body);
    }

    private static void Compare(
        Table table, SortedDictionary<string, (long Etag, string Collection, byte[] Body)> model, int seed)
    {
        Assert.Equal(model.Count, table.Count);
        foreach ((string id, (long etag, string collection, byte[] body)) in model)
        {
            Assert.True(table.TryGet(Encoding.ASCII.GetBytes(id), out TableRow row), $"seed {seed}");
            Assert.True(row[Body].Span.SequenceEqual(body), $"seed {seed}");
            Assert.True(table.TryGet(ByEtag, etag, out row) && row[Id].Span.SequenceEqual(Encoding.ASCII.GetBytes(id)));
            Assert.True(table.TryGet(ByCollectionAndEtag, CompositeKey(collection, etag), out row));
            Assert.Equal(etag, row.Int64(Etag));
        }

        string[] byEtag = [.. model.OrderBy(pair => pair.Value.Etag).Select(pair => pair.Key)];
        var found = new List<string>();
        FixedTreeCursor numbers = table.GetNumbers(ByEtag);
        for (bool any = numbers.SeekFirst(); any; any = numbers.MoveNext())
        {
            found.Add(Encoding.ASCII.GetString(table.Read(numbers.Int64Value)[Id].Span));
        }

        Assert.Equal(byEtag, found);
        CompareCollections(table, model);
    }

    private static void CompareCollections(
        Table table, SortedDictionary<string, (long Etag, string Collection, byte[] Body)> model)
    {
        foreach (var collection in model.GroupBy(pair => pair.Value.Collection))
        {
            byte[] prefix = CompositeKey(collection.Key, 0)[..^sizeof(long)];
            var etags = new List<long>();
            TableCursor cursor = table.GetCursor(ByCollectionAndEtag);
            for (bool any = cursor.SeekPrefix(prefix); any; any = cursor.MoveNext())
            {
                etags.Add(cursor.Row.Int64(Etag));
            }

            Assert.Equal(collection.Select(pair => pair.Value.Etag).Order(), etags);
        }

        int count = 0;
        TableCursor multi = table.GetCursor(ByCollection);
        for (bool any = multi.SeekLast(); any; any = multi.MovePrevious())
        {
            Assert.NotEqual(0, multi.RowId);
            Assert.True(multi.Row[Collection].Length < 4);
            count++;
        }

        Assert.Equal(model.Count, count);
    }
}
