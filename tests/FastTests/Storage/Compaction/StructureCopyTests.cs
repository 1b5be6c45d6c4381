using System.Runtime.InteropServices;
using System.Text;
using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Storage.Checks;
using Raven.Storage.Compaction;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Tables;
using Raven.Storage.Transactions;

namespace FastTests.Storage.Compaction;

public sealed class StructureCopyTests : IDisposable
{
    private static readonly TableSchema Schema = new(
        3, TableKeyPart.Bytes(0), TableIndex.Number(1), TableIndex.Multi(TableKeyPart.Bytes(2)));

    private readonly string _folder = Path.Combine(Path.GetTempPath(), $"raven-copy-{Guid.NewGuid():N}");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    [Trait(Proof.Row, Proof.Models)]
    public void A_copy_has_the_same_content_in_fewer_pages_and_refers_to_the_new_ids_of_its_rows()
    {
        using StorageEnvironment source = Open("source");
        Fill(source, 3_000);
        Thin(source, 3_000);
        using StorageEnvironment target = Open("target");
        using (ReadTransaction snapshot = source.BeginRead())
        {
            StructureCopy.Run(snapshot, target, Reference, CancellationToken.None);
        }

        using ReadTransaction before = source.BeginRead();
        using ReadTransaction after = target.BeginRead();
        CheckReport report = after.Check();
        Assert.Empty(report.Findings);
        CheckReport original = before.Check();
        Assert.Empty(original.Findings);
        Assert.Equal(before.Catalog.Names.Count, after.Catalog.Names.Count);
        Assert.True(Pages(report) * 3 < Pages(original) * 2, $"{Pages(original)} pages became {Pages(report)}");
        for (int i = 0; i < 3_000; i++)
        {
            Compare(before, after, i);
        }
    }

    [Fact]
    public void An_index_of_any_size_is_copied_in_transactions_of_bounded_size()
    {
        const int Rows = 50_000;
        const int KeyLength = 480;
        var schema = new TableSchema(2, TableKeyPart.Bytes(0), TableIndex.Multi(TableKeyPart.Bytes(1)));
        using StorageEnvironment source = Open("source");
        using (WriteTransaction transaction = source.BeginWrite())
        {
            Table table = transaction.OpenOrCreateTable("table"u8, schema);
            for (int i = 0; i < Rows; i++)
            {
                TableRow row = table.Insert(sizeof(int), KeyLength);
                MemoryMarshal.Write(row.Writable(0), i);
                row.Writable(1).Fill((byte)'x');
                MemoryMarshal.Write(row.Writable(1), i);
                Assert.True(table.TryComplete(row));
            }

            transaction.Commit();
        }

        using StorageEnvironment target = Open("target", transactionBytesMax: 22 << 20);
        using (ReadTransaction snapshot = source.BeginRead())
        {
            StructureCopy.Run(snapshot, target, Reference, CancellationToken.None);
        }

        using ReadTransaction after = target.BeginRead();
        Assert.Empty(after.Check().Findings);
        byte[] last = new byte[KeyLength];
        Array.Fill(last, (byte)'x');
        MemoryMarshal.Write(last, Rows - 1);
        Assert.True(after.TryOpenTable("table"u8, schema)!.TryGet(BitConverter.GetBytes(Rows - 1), out TableRow copy));
        Assert.Equal(last, copy[1].Span.ToArray());
    }

    [Fact]
    public void A_cancelled_copy_ends_and_its_target_takes_the_next_transaction()
    {
        using StorageEnvironment source = Open("source");
        Fill(source, 100);
        using StorageEnvironment target = Open("target");
        using ReadTransaction snapshot = source.BeginRead();
        Assert.Throws<OperationCanceledException>(
            () => StructureCopy.Run(snapshot, target, Reference, new CancellationToken(canceled: true)));
        using WriteTransaction next = target.BeginWrite();
        next.Commit();
    }

    private static int Pages(CheckReport report) =>
        report.Owners.Values.Count(owner => !owner.StartsWith("free", StringComparison.Ordinal));

    private static void Reference(ReadOnlySpan<byte> tree, out ReadOnlySpan<byte> heap) =>
        heap = tree.StartsWith("rows by"u8) ? "rows"u8 : default;

    private static byte[] Key(int i) => Encoding.ASCII.GetBytes($"key {i * 7919 % 100_003:D6}");

    private static void Compare(ReadTransaction before, ReadTransaction after, int i)
    {
        bool isThere = before.TryOpenTree("rows by key"u8)!.TryGet(Key(i), out NativeSlice oldId);
        Assert.Equal(isThere, after.TryOpenTree("rows by key"u8)!.TryGet(Key(i), out NativeSlice newId));
        Assert.Equal(
            before.TryOpenMultiTree("sets"u8)!.CountOf([(byte)(i % 3)]),
            after.TryOpenMultiTree("sets"u8)!.CountOf([(byte)(i % 3)]));
        Assert.Equal(isThere, after.TryOpenTable("table"u8, Schema)!.TryGet(Key(i), out TableRow row));
        if (!isThere)
        {
            return;
        }

        Assert.True(after.TryOpenFixedTree("rows by number"u8)!.TryGet(i, out long byNumber));
        Assert.Equal(byNumber, MemoryMarshal.Read<long>(newId.Span));
        Assert.True(before.TryOpenRowHeap("rows"u8)!.Read(MemoryMarshal.Read<long>(oldId.Span)).Span.SequenceEqual(
            after.TryOpenRowHeap("rows"u8)!.Read(byNumber).Span));
        Assert.Equal(i, row.Int64(1));
        Assert.True(after.TryOpenTable("table"u8, Schema)!.TryGet(1, i, out TableRow same) && same.Id == row.Id);
        byte[] bytes = new byte[100];
        Assert.Equal(100, after.TryOpenStreams("streams"u8)!.Read([1], i * 10, bytes));
        Assert.Equal((byte)(i * 10 % 251), bytes[0]);
    }

    private static void Fill(StorageEnvironment environment, int count)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        RowHeap heap = transaction.OpenOrCreateRowHeap("rows"u8);
        Table table = transaction.OpenOrCreateTable("table"u8, Schema);
        for (int i = 0; i < count; i++)
        {
            byte[] key = Key(i);
            long id = heap.Insert(Enumerable.Repeat((byte)i, 200 + (i % 500)).ToArray());
            transaction.OpenOrCreateTree("rows by key"u8).Put(key, BitConverter.GetBytes(id));
            transaction.OpenOrCreateFixedTree("rows by number"u8, sizeof(long)).Put(i, id);
            transaction.OpenOrCreateMultiTree("sets"u8).Add([(byte)(i % 3)], key);
            TableRow row = table.Insert(key.Length, sizeof(long), 1);
            key.CopyTo(row.Writable(0));
            row.SetInt64(1, i);
            row.Writable(2)[0] = (byte)(i % 5);
            Assert.True(table.TryComplete(row));
        }

        byte[] stream = [.. Enumerable.Range(0, 40_000).Select(i => (byte)(i % 251))];
        transaction.OpenOrCreateStreams("streams"u8).Append([1], stream.AsSpan(0, 25_000));
        transaction.OpenOrCreateStreams("streams"u8).Append([1], stream.AsSpan(25_000));
        transaction.Commit();
    }

    /// <summary>Two of three entries go, in an order that leaves pages half empty.</summary>
    private static void Thin(StorageEnvironment environment, int count)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        RowHeap heap = transaction.OpenOrCreateRowHeap("rows"u8);
        Table table = transaction.OpenOrCreateTable("table"u8, Schema);
        for (int i = 0; i < count; i++)
        {
            if (i % 3 == 0)
            {
                continue;
            }

            Assert.True(transaction.TryOpenTree("rows by key"u8)!.TryGet(Key(i), out NativeSlice id));
            heap.Delete(MemoryMarshal.Read<long>(id.Span));
            Assert.True(transaction.OpenOrCreateTree("rows by key"u8).Delete(Key(i)));
            Assert.True(transaction.OpenOrCreateFixedTree("rows by number"u8, sizeof(long)).Delete(i));
            Assert.True(transaction.OpenOrCreateMultiTree("sets"u8).Remove([(byte)(i % 3)], Key(i)));
            Assert.True(table.TryGet(Key(i), out TableRow row));
            table.Delete(row.Id);
        }

        transaction.Commit();
    }

    private StorageEnvironment Open(string name, long transactionBytesMax = 0) =>
        StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = new RealFileSystem(Path.Combine(_folder, name)),
            Durability = StorageDurability.Lazy,
            TransactionBytesMax = transactionBytesMax,
        });
}
