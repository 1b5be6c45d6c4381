using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Text;
using Raven.Storage.Tables;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Shared.Storage.Structures;

/// <summary>A table with an index of each kind: the keys of the indexes are the first bytes of a value.</summary>
internal sealed class ModelTable : ModelStructure
{
    private const int Id = 0;
    private const int Etag = 1;
    private const int Collection = 2;
    private const int Body = 3;
    private const int ByEtag = 1;
    private const int ByCollectionAndEtag = 2;
    private const int ByCollection = 3;
    private const int IndexedBytes = sizeof(long) + 1;

    private static readonly TableSchema Schema = new(
        4,
        TableKeyPart.Bytes(Id),
        TableIndex.Number(Etag),
        TableIndex.Unique(TableKeyPart.Bytes(Collection), TableKeyPart.Int64(Etag)),
        TableIndex.Multi(TableKeyPart.Bytes(Collection)));

    internal override int LengthMin => IndexedBytes + 1;

    internal override int LengthMax => 20_000;

    internal override string KeyOf(int number) => $"r/{number:D4}";

    internal override bool Put(WriteTransaction transaction, string key, ref byte[] value)
    {
        Table table = Open(transaction);
        bool exists = table.TryGet(Bytes(key), out TableRow row);
        if (exists && value[IndexedBytes] % 3 == 0)
        {
            // Now and then nothing but the body changes: the keys of the indexes stay.
            value = [.. value];
            row[Body].Span[..IndexedBytes].CopyTo(value);
        }

        Require(TryStore(table, exists ? row.Id : null, key, value), $"{key}: its etag is taken.");
        return !exists;
    }

    internal override bool Delete(WriteTransaction transaction, string key)
    {
        Table table = Open(transaction);
        if (!table.TryGet(Bytes(key), out TableRow row))
        {
            return false;
        }

        table.Delete(row.Id);
        return true;
    }

    /// <summary>A row whose key, or whose etag, is another one's is refused and leaves nothing behind.</summary>
    internal override ImmutableSortedDictionary<string, byte[]> DoMore(
        WriteTransaction transaction, ImmutableSortedDictionary<string, byte[]> state, int number, int other)
    {
        Table table = Open(transaction);
        string key = KeyOf(number);
        if (state.TryGetValue(key, out byte[]? value))
        {
            string next = KeyOf(other);
            bool isTaken = state.ContainsKey(next);
            byte[] sameEtag = isTaken ? [.. Enumerable.Repeat((byte)0xEE, LengthMin)] : value;
            Require(!TryStore(table, null, next, sameEtag), $"{next} was stored beside {key}.");
        }

        return state;
    }

    internal override string? Difference(
        Transaction reader, ImmutableSortedDictionary<string, byte[]> expected, ref int count)
    {
        if (reader.TryOpenTable("rows"u8, Schema) is not { } table)
        {
            return null;
        }

        int before = count;
        TableCursor rows = table.GetCursor(0);
        for (bool found = rows.SeekFirst(); found; found = rows.MoveNext())
        {
            TableRow row = rows.Row;
            ReadOnlySpan<byte> body = row[Body].Span;
            string key = Encoding.ASCII.GetString(row[Id].Span);
            if (Compare(key, body, expected, ref count) is { } difference)
            {
                return difference;
            }

            if (row.Int64(Etag) != EtagOf(body) || !row[Collection].Span.SequenceEqual(CollectionOf(body)))
            {
                return $"{key}: its columns are not those of its body";
            }
        }

        return DifferenceOfIndexes(table, count - before);
    }

    private static string? DifferenceOfIndexes(Table table, int rows)
    {
        int numbered = 0;
        FixedTreeCursor numbers = table.GetNumbers(ByEtag);
        for (bool found = numbers.SeekFirst(); found; found = numbers.MoveNext())
        {
            numbered++;
            if (table.Read(numbers.Int64Value).Int64(Etag) != numbers.Key)
            {
                return $"etag {numbers.Key} leads to another row";
            }
        }

        int unique = 0;
        (string Collection, long Etag) last = ("", long.MinValue);
        TableCursor both = table.GetCursor(ByCollectionAndEtag);
        for (bool found = both.SeekFirst(); found; found = both.MoveNext())
        {
            unique++;
            var next = (Encoding.ASCII.GetString(both.Row[Collection].Span), both.Row.Int64(Etag));
            if (last.CompareTo(next) >= 0)
            {
                return $"{next} comes behind {last}";
            }

            last = next;
        }

        int multi = 0;
        string lastOne = "~";
        TableCursor collections = table.GetCursor(ByCollection);
        for (bool found = collections.SeekLast(); found; found = collections.MovePrevious())
        {
            multi++;
            string collection = Encoding.ASCII.GetString(collections.Row[Collection].Span);
            if (string.CompareOrdinal(collection, lastOne) > 0)
            {
                return $"{collection} comes, backwards, behind {lastOne}";
            }

            lastOne = collection;
        }

        return numbered == rows && unique == rows && multi == rows && table.Count == rows
            ? null
            : $"{rows} rows, of which the indexes have {numbered}, {unique} and {multi}, counted {table.Count}";
    }

    private static bool TryStore(Table table, long? rowId, string key, byte[] value)
    {
        TableRow row = rowId is { } id
            ? table.Update(id, key.Length, sizeof(long), 1, value.Length)
            : table.Insert(key.Length, sizeof(long), 1, value.Length);
        Bytes(key).CopyTo(row.Writable(Id));
        row.SetInt64(Etag, EtagOf(value));
        CollectionOf(value).CopyTo(row.Writable(Collection));
        value.CopyTo(row.Writable(Body));
        return table.TryComplete(row);
    }

    private static long EtagOf(ReadOnlySpan<byte> value) => BinaryPrimitives.ReadInt64LittleEndian(value);

    private static byte[] CollectionOf(ReadOnlySpan<byte> value) => [(byte)('a' + (value[sizeof(long)] % 4))];

    private static Table Open(WriteTransaction transaction) => transaction.OpenOrCreateTable("rows"u8, Schema);
}
