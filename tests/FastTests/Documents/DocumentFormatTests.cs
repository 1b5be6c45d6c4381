using System.Buffers.Binary;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Catalog;
using Raven.Documents.Commands;
using Raven.Documents.CompareExchange;
using Raven.Documents.Counters;
using Raven.Documents.Rows;
using Raven.Documents;
using Raven.Storage.Errors;
using Raven.Storage.Tables;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace FastTests.Documents;

/// <summary>
/// The bytes of docs/formats/documents.md. A failing test here means that older files could not be read anymore.
/// </summary>
public sealed class DocumentFormatTests
{
    [Fact]
    [Trait("Invariant", "ROW-1")]
    [Trait("Invariant", "ROW-2")]
    public void A_document_row_has_the_documented_bytes()
    {
        RowHeader header = new()
        {
            Etag = 0x0102030405060708,
            LastModifiedTicks = 0x1112131415161718,
            Flags = DocumentFlags.HasAttachments | DocumentFlags.HasRevisions,
            CollectionId = 0x21222324,
            Kind = RowKind.Document,
        };
        AssertRow(
            "0807060504030201" + "1817161514131211" + "09000000" + "24232221" + "0700" + "0300" + "01" + "00" + "0000"
            + "55736572732F31" + "413A31" + "AABBCC",
            in header,
            "Users/1"u8,
            "A:1"u8,
            [0xAA, 0xBB, 0xCC]);
    }

    [Fact]
    public void A_tombstone_row_has_the_documented_bytes()
    {
        RowHeader header = new()
        {
            Etag = 9,
            LastModifiedTicks = 0,
            Flags = DocumentFlags.None,
            CollectionId = 1,
            Kind = RowKind.LeftCollection,
            IsTombstone = true,
        };
        AssertRow(
            "0900000000000000" + "0000000000000000" + "00000000" + "01000000" + "0100" + "0300" + "02" + "01" + "0000"
            + "61" + "413A39" + "0700000000000000",
            in header,
            "a"u8,
            "A:9"u8,
            [7, 0, 0, 0, 0, 0, 0, 0]);
    }

    [Fact]
    public void The_keys_of_tombstones_have_the_documented_bytes()
    {
        byte[] key = new byte[TombstoneKey.SizeBytesMax];
        int length = TombstoneKey.Write(key, RowKind.Document, "users/1"u8);
        Assert.Equal("0175736572732F31", Convert.ToHexString(key.AsSpan(0, length)));
        length = TombstoneKey.WriteLeftCollection(key, "users/1"u8, 0x0A0B0C0D);
        Assert.Equal("75736572732F311E0D0C0B0A", Convert.ToHexString(key.AsSpan(0, length)));
    }

    [Fact]
    public void An_entry_of_the_catalog_has_the_documented_bytes()
    {
        byte[] bytes = new CatalogEntry("Db", "db~2", 5, "{}"u8.ToArray()).Write();
        Assert.Equal("0500000000000000" + "0200" + "0400" + "4462" + "64627E32" + "7B7D", Convert.ToHexString(bytes));
        CatalogEntry read = CatalogEntry.Read(bytes);
        Assert.Equal(("Db", "db~2", 5L), (read.Name, read.Folder, read.Etag));
        Assert.Equal("{}"u8, read.RecordJson);
        for (int length = 0; length < bytes.Length - 2; length++)
        {
            Assert.Throws<StorageCorruptedException>(() => CatalogEntry.Read(bytes.AsSpan(0, length)));
        }
    }

    [Fact]
    public void The_stored_numbers_of_row_kinds_and_flags_do_not_change()
    {
        Assert.Equal(
            "None=0 Document=1 LeftCollection=2 Revision=3 Attachment=4 Counters=5 TimeSeries=6",
            string.Join(' ', Enum.GetValues<RowKind>().Select(kind => $"{kind}={(int)kind}")));
        Assert.Equal(
            "None=0 HasAttachments=1 HasCounters=2 HasTimeSeries=4 HasRevisions=8 Revision=16 DeleteRevision=32",
            string.Join(' ', Enum.GetValues<DocumentFlags>().Select(flag => $"{flag}={(int)flag}")));
        Assert.Equal(1, DocumentSchema.FormatVersion);
    }

    [Fact]
    [Trait("Invariant", "SCH-1")]
    [Trait("Invariant", "SCH-2")]
    public void The_structures_of_documents_have_the_documented_names_keys_and_values()
    {
        using TestDatabase database = new();
        database.Put("Users/1", """{"@metadata":{"@collection":"Users"}}""");
        database.Put("seats|", """{"@metadata":{"@collection":"Seats"}}""");
        database.Delete("Users/1");
        using DocumentSnapshot snapshot = database.Database.BeginRead();
        ReadTransaction transaction = snapshot.Transaction;

        Assert.Equal("01000000", Value(transaction, "Database", "Version"));
        Assert.Equal(Convert.ToHexString(TestDatabase.Id.ToByteArray()), Value(transaction, "Database", "Id"));
        Assert.Equal("0300000000000000", Value(transaction, "Database", "LastEtag"));
        Assert.Equal("01000000" + "5573657273", Value(transaction, "Collections", "users"));
        Assert.Equal("02000000" + "5365617473", Value(transaction, "Collections", "seats"));
        Assert.Equal("0100000000000000", Value(transaction, "Identities", "seats|"));

        string seat = Value(transaction, "Documents.ById", "seats/1");
        Assert.Equal(seat, FixedValue(transaction, "Documents.ByEtag", 2));
        Assert.Equal(seat, FixedValue(transaction, "Collection.2.Documents", 2));
        Assert.Equal(1, transaction.TryOpenRowHeap("Documents"u8)!.Count);

        string tombstone = Value(transaction, "Tombstones.ByKey", "\u0001users/1");
        Assert.Equal(tombstone, FixedValue(transaction, "Tombstones.ByEtag", 3));
        Assert.Equal(tombstone, FixedValue(transaction, "Collection.1.Tombstones", 3));
        Assert.Equal(1, transaction.TryOpenRowHeap("Tombstones"u8)!.Count);
        Assert.Equal(0, transaction.TryOpenFixedTree("Collection.1.Documents"u8)!.Count);
    }

    [Fact]
    [Trait("Invariant", "CX-3")]
    public void A_removed_compare_exchange_value_leaves_its_key_and_its_index()
    {
        using TestDatabase database = new();
        database.StartBatch();
        OperationContext context = database.Batch.Context;
        Assert.True(context.Parser.TryParse(
            "{\"Object\":1}"u8.ToArray(), BlittableMode.ToDisk, out BlittableObject value, out _));
        CompareExchangeAction put = new(isPut: true, null, value.Memory, true, context.Arena);
        CompareExchangeAction remove = new(isPut: false, null, default, true, context.Arena);
        Assert.True(database.Batch.TryAddAction("Key"u8, put, ExpectedVersion.Any));
        Assert.True(database.Batch.TryAddAction("KEY"u8, remove, ExpectedVersion.Any));
        Assert.True(database.Submit(), database.Batch.Failure.Describe());
        using DocumentSnapshot snapshot = database.Database.BeginRead();
        Assert.Equal("0200000000000000", Value(snapshot.Transaction, "CompareExchange.Removed", "key"));
        Assert.Equal("6B6579", Value(snapshot.Transaction, "CompareExchange.RemovedAt", "\0\0\0\0\0\0\0\u0002"));
        Assert.Equal(0, snapshot.Transaction.TryOpenTree("CompareExchange.ByKey"u8)!.Count);
    }

    [Fact]
    [Trait("Invariant", "COUNT-1")]
    public void A_counter_is_in_its_two_trees_under_its_key_and_its_last_etag_until_it_is_deleted()
    {
        using TestDatabase database = new();
        database.Put("Users/1", "{}");
        Count(database, CounterOperationKind.Increment);
        Count(database, CounterOperationKind.Increment);
        using (DocumentSnapshot snapshot = database.Database.BeginRead())
        {
            (long etag, NativeSlice row) = Only(
                snapshot.Transaction, "Counters", "ByKey", "users/1\u001elikes", "ByEtag");
            Assert.Equal((etag, 10), (new StoredCounter(row).Etag, new StoredCounter(row).Value));
        }

        Count(database, CounterOperationKind.Delete);
        using DocumentSnapshot after = database.Database.BeginRead();
        AssertEmpty(after.Transaction, "Counters", "ByKey", "ByEtag");
    }

    [Fact]
    [Trait("Invariant", "CX-1")]
    public void A_compare_exchange_value_is_in_its_two_trees_under_its_key_and_its_last_index_until_it_is_removed()
    {
        using TestDatabase database = new();
        Exchange(database, isPut: true);
        Exchange(database, isPut: true);
        using (DocumentSnapshot snapshot = database.Database.BeginRead())
        {
            (long index, NativeSlice row) = Only(snapshot.Transaction, "CompareExchange", "ByKey", "key", "ByIndex");
            Assert.Equal((2, 2), (index, new CompareExchangeValue(row).Index));
        }

        Exchange(database, isPut: false);
        using DocumentSnapshot after = database.Database.BeginRead();
        AssertEmpty(after.Transaction, "CompareExchange", "ByKey", "ByIndex");
    }

    [Fact]
    [Trait("Invariant", "OPN-1")]
    public void The_first_change_of_an_opening_writes_its_entry_under_the_last_etag_before_it()
    {
        using TestDatabase database = new();
        Assert.Empty(Openings(database));
        database.Put("a", "{}");
        database.Put("b", "{}");
        Assert.Equal([0L], Openings(database));
        database.Restart();
        Assert.Equal([0L], Openings(database));
        database.Put("c", "{}");
        database.Put("d", "{}");
        Assert.Equal([0L, 2L], Openings(database));
    }

    [Fact]
    public void A_database_of_a_newer_format_is_refused_with_its_name_and_format()
    {
        using TestDatabase database = new();
        database.Put("a", "{}");
        database.Database.TryClose();
        using (StorageEnvironment environment = database.OpenEnvironment())
        using (WriteTransaction transaction = environment.BeginWrite())
        {
            transaction.OpenOrCreateTree("Database"u8).Put("Version"u8, [3, 0, 0, 0]);
            transaction.Commit();
        }

        DatabaseFormatException refused =
            Assert.Throws<DatabaseFormatException>(() => database.Database.BeginRead());
        Assert.Contains("'test' has document format 3", refused.Message);
    }

    private static void AssertRow(
        string expected,
        in RowHeader header,
        ReadOnlySpan<byte> id,
        ReadOnlySpan<byte> changeVector,
        ReadOnlySpan<byte> body)
    {
        using Arena arena = new();
        NativeSlice row = arena.Allocate(RowLayout.SizeOf(id.Length, changeVector.Length, body.Length));
        row.WritableSpan.Fill(0xFF);
        body.CopyTo(RowLayout.Write(row.WritableSpan, in header, id, changeVector));
        Assert.Equal(expected, Convert.ToHexString(row.Span));

        Assert.Equal(header, RowLayout.ReadHeader(row.Span));
        Assert.True(RowLayout.Id(row).Span.SequenceEqual(id));
        Assert.True(RowLayout.ChangeVector(row).Span.SequenceEqual(changeVector));
        Assert.True(RowLayout.Body(row).Span.SequenceEqual(body));
    }

    /// <summary>Increments the counter <c>Likes</c> of <c>Users/1</c> by 5, or deletes it.</summary>
    private static void Count(TestDatabase database, CounterOperationKind kind)
    {
        database.StartBatch();
        Arena arena = database.Batch.Context.Arena;
        NativeSlice name = arena.Allocate("Likes"u8.Length);
        "Likes"u8.CopyTo(name.WritableSpan);
        CountersAction part = new(arena);
        Assert.True(part.TryAdd("users/1"u8, new CounterOperation { Kind = kind, Name = name, Delta = 5 }, out _));
        Assert.True(database.Batch.TryAddAction("Users/1"u8, part, ExpectedVersion.Any));
        Assert.True(database.Submit(), database.Batch.Failure.Describe());
    }

    /// <summary>Writes the value of <c>Key</c>, or removes it.</summary>
    private static void Exchange(TestDatabase database, bool isPut)
    {
        database.StartBatch();
        OperationContext context = database.Batch.Context;
        Assert.True(context.Parser.TryParse(
            "{\"Object\":1}"u8.ToArray(), BlittableMode.ToDisk, out BlittableObject value, out _));
        CompareExchangeAction part = new(isPut, null, isPut ? value.Memory : default, true, context.Arena);
        Assert.True(database.Batch.TryAddAction("Key"u8, part, ExpectedVersion.Any));
        Assert.True(database.Submit(), database.Batch.Failure.Describe());
    }

    /// <summary>The only row of a heap, which both of its trees name, and its number in the second one.</summary>
    private static (long Number, NativeSlice Row) Only(
        ReadTransaction transaction, string rows, string byKey, string key, string byNumber)
    {
        Assert.Equal(1, transaction.TryOpenTree($"{rows}.{byKey}")!.Count);
        FixedTree numbers = transaction.TryOpenFixedTree(Encoding.UTF8.GetBytes($"{rows}.{byNumber}"))!;
        Assert.Equal(1, numbers.Count);
        Assert.True(numbers.TryGetFirst(out long number));
        Assert.True(numbers.TryGet(number, out long rowId));
        Assert.Equal(FixedValue(transaction, $"{rows}.{byNumber}", number), Value(transaction, $"{rows}.{byKey}", key));
        RowHeap heap = transaction.TryOpenRowHeap(Encoding.UTF8.GetBytes(rows))!;
        Assert.Equal(1, heap.Count);
        return (number, heap.Read(rowId));
    }

    private static void AssertEmpty(ReadTransaction transaction, string rows, string byKey, string byNumber)
    {
        Assert.Equal(0, transaction.TryOpenTree($"{rows}.{byKey}")!.Count);
        Assert.Equal(0, transaction.TryOpenFixedTree(Encoding.UTF8.GetBytes($"{rows}.{byNumber}"))!.Count);
        Assert.Equal(0, transaction.TryOpenRowHeap(Encoding.UTF8.GetBytes(rows))!.Count);
    }

    private static List<long> Openings(TestDatabase database)
    {
        using DocumentSnapshot snapshot = database.Database.BeginRead();
        List<long> keys = [];
        if (snapshot.Transaction.TryOpenFixedTree(OpeningHistory.Name) is { } openings)
        {
            FixedTreeCursor cursor = openings.GetCursor();
            for (bool isMore = cursor.SeekFirst(); isMore; isMore = cursor.MoveNext())
            {
                keys.Add(cursor.Key);
            }
        }

        return keys;
    }

    private static string Value(ReadTransaction transaction, string tree, string key)
    {
        Tree? opened = transaction.TryOpenTree(tree);
        Assert.NotNull(opened);
        Assert.True(opened.TryGet(Encoding.UTF8.GetBytes(key), out NativeSlice value), $"{tree}: {key}");
        return Convert.ToHexString(value.Span);
    }

    private static string FixedValue(ReadTransaction transaction, string tree, long key)
    {
        FixedTree? opened = transaction.TryOpenFixedTree(Encoding.UTF8.GetBytes(tree));
        Assert.NotNull(opened);
        Assert.True(opened.TryGet(key, out long rowId), $"{tree}: {key}");
        byte[] bytes = new byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, rowId);
        return Convert.ToHexString(bytes);
    }
}
