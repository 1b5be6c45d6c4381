using System.Buffers.Binary;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Server.Catalog;
using Raven.Server.Documents;
using Raven.Server.Documents.Commands;
using Raven.Server.Documents.CompareExchange;
using Raven.Server.Documents.Rows;
using Raven.Storage.Errors;
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
    public void A_document_row_has_these_bytes()
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
    public void A_tombstone_row_has_these_bytes()
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
    public void Keys_of_tombstones_have_these_bytes()
    {
        byte[] key = new byte[TombstoneKey.SizeBytesMax];
        int length = TombstoneKey.Write(key, RowKind.Document, "users/1"u8);
        Assert.Equal("0175736572732F31", Convert.ToHexString(key.AsSpan(0, length)));
        length = TombstoneKey.WriteLeftCollection(key, "users/1"u8, 0x0A0B0C0D);
        Assert.Equal("75736572732F311E0D0C0B0A", Convert.ToHexString(key.AsSpan(0, length)));
    }

    [Fact]
    public void An_entry_of_the_catalog_has_these_bytes()
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
    public void Persisted_numbers_keep_their_meaning()
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
    public void The_structures_have_these_names_keys_and_values()
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
        CompareExchangePart put = new(isPut: true, null, value.Memory, true, context.Arena);
        CompareExchangePart remove = new(isPut: false, null, default, true, context.Arena);
        Assert.True(database.Batch.TryAddPart("Key"u8, put, ExpectedVersion.Any));
        Assert.True(database.Batch.TryAddPart("KEY"u8, remove, ExpectedVersion.Any));
        Assert.True(database.Submit(), database.Batch.Failure.Describe());
        using DocumentSnapshot snapshot = database.Database.BeginRead();
        Assert.Equal("0200000000000000", Value(snapshot.Transaction, "CompareExchange.Removed", "key"));
        Assert.Equal("6B6579", Value(snapshot.Transaction, "CompareExchange.RemovedAt", "\0\0\0\0\0\0\0\u0002"));
        Assert.Equal(0, snapshot.Transaction.TryOpenTree("CompareExchange.ByKey"u8)!.Count);
    }

    [Fact]
    public void A_database_of_a_newer_format_is_refused_by_name()
    {
        using TestDatabase database = new();
        database.Put("a", "{}");
        database.Database.TryClose();
        using (StorageEnvironment environment = database.OpenEnvironment())
        using (WriteTransaction transaction = environment.BeginWrite())
        {
            transaction.OpenOrCreateTree("Database"u8).Put("Version"u8, [2, 0, 0, 0]);
            transaction.Commit();
        }

        DatabaseFormatException refused =
            Assert.Throws<DatabaseFormatException>(() => database.Database.BeginRead());
        Assert.Contains("'test' has document format 2", refused.Message);
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
