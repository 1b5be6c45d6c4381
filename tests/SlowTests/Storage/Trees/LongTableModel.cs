using System.Collections.Immutable;
using System.Globalization;
using System.Text;
using Raven.Storage.Tables;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;
using static FastTests.Storage.Tables.SampleTable;
using Rows = System.Collections.Immutable.ImmutableSortedDictionary<
    string, SlowTests.Storage.Trees.LongTableModel.Row>;

namespace SlowTests.Storage.Trees;

/// <summary>A table with an index of each kind beside a dictionary.</summary>
internal sealed class LongTableModel(int seed)
    : LongModel<Rows>(seed, ImmutableSortedDictionary.Create<string, LongTableModel.Row>(StringComparer.Ordinal))
{
    private const int Ids = 3_000;
    private const int Collections = 6;

    private long _etag;

    /// <summary>What a row holds beside its id.</summary>
    internal sealed record Row(long Etag, string Collection, byte[] Body);

    private protected override void Step(WriteTransaction transaction)
    {
        Table table = transaction.OpenOrCreateTable("rows"u8, Schema);
        string id = $"rows/{Random.Next(Ids)}";
        bool exists = table.TryGet(Encoding.ASCII.GetBytes(id), out TableRow row);
        Row? known = State.GetValueOrDefault(id);
        Assert.Equal(known is not null, exists);
        int choice = Random.Next(10);
        if (exists && choice < 4)
        {
            table.Delete(row.Id);
            State = State.Remove(id);
            return;
        }

        byte[] body = new byte[Random.Next(100) == 0 ? Random.Next(20_000) : Random.Next(400)];
        Random.NextBytes(body);
        if (exists && choice == 9)
        {
            // A key that is taken: the row is refused, and leaves nothing behind.
            Assert.False(Insert(table, id, ++_etag, "", body));
            return;
        }

        // Now and then nothing but the body changes: keys that stay are left alone.
        Row next = exists && choice < 7
            ? known! with { Body = body }
            : new Row(++_etag, Random.Next(Collections).ToString(CultureInfo.InvariantCulture), body);
        row = exists
            ? table.Update(row.Id, id.Length, sizeof(long), next.Collection.Length, body.Length)
            : table.Insert(id.Length, sizeof(long), next.Collection.Length, body.Length);
        Fill(row, id, next.Etag, next.Collection, next.Body);
        Assert.True(table.TryComplete(row));
        State = State.SetItem(id, next);
    }

    private protected override void Compare(Rows state, ReadTransaction reader)
    {
        Table? table = reader.TryOpenTable("rows"u8, Schema);
        Assert.Equal(state.Count, table?.Count ?? 0);
        if (table is null)
        {
            return;
        }

        foreach ((string id, Row expected) in state)
        {
            byte[] key = Encoding.ASCII.GetBytes(id);
            Assert.True(table.TryGet(key, out TableRow row) && row[Body].Span.SequenceEqual(expected.Body));
            Assert.True(table.TryGet(ByEtag, expected.Etag, out row) && row[Id].Span.SequenceEqual(key));
        }

        var etags = new List<long>();
        FixedTreeCursor numbers = table.GetNumbers(ByEtag);
        for (bool found = numbers.SeekFirst(); found; found = numbers.MoveNext())
        {
            etags.Add(numbers.Key);
        }

        Assert.Equal(state.Values.Select(row => row.Etag).Order(), etags);
        CompareCollections(state, table);
    }

    private static void CompareCollections(Rows state, Table table)
    {
        // The key of collection and etag orders by both.
        var found = new List<(string, long)>();
        TableCursor unique = table.GetCursor(ByCollectionAndEtag);
        for (bool any = unique.SeekFirst(); any; any = unique.MoveNext())
        {
            found.Add((Encoding.ASCII.GetString(unique.Row[Collection].Span), unique.Row.Int64(Etag)));
        }

        Assert.Equal(state.Values.Select(row => (row.Collection, row.Etag)).Order(), found);
        var collections = new List<string>();
        TableCursor multi = table.GetCursor(ByCollection);
        for (bool any = multi.SeekLast(); any; any = multi.MovePrevious())
        {
            collections.Add(Encoding.ASCII.GetString(multi.Row[Collection].Span));
        }

        Assert.Equal(state.Values.Select(row => row.Collection).OrderDescending(StringComparer.Ordinal), collections);
    }
}
