using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Tables;

namespace FastTests.Storage.Tables;

public sealed class RowHeapTests
{
    [Theory]
    [Trait("Invariant", "SECTION-1")]
    [Trait("Invariant", "SECTION-2")]
    [Trait("Invariant", "SECTION-3")]
    [Trait(Proof.Row, Proof.Models)]
    [InlineData(40)]
    [InlineData(1_200)]
    [InlineData(5_000)]
    public void A_heap_equals_a_dictionary(int rowSizeMax)
    {
        for (int seed = 1; seed <= 10; seed++)
        {
            new RowHeapModel(seed, rowSizeMax).Run(transactions: 8, operationsMax: 250);
        }
    }

    [Fact]
    public void Documents_of_1_KB_share_pages()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        RowHeap heap = NewHeap(writer);
        var random = new Random(1);
        for (int i = 0; i < 20_000; i++)
        {
            heap.Insert(random.Next(900, 1_150), out _);
        }

        long pages = heap.GetStatistics().LeafPages
            + heap.PageList.GetStatistics().LeafPages + heap.PageList.GetStatistics().BranchPages
            + heap.FreeSpace.GetStatistics().LeafPages;
        Assert.InRange(pages * 8192 / (double)heap.PayloadBytes, 1.0, 1.10);
    }

    [Fact]
    public void Room_that_deleted_rows_left_is_used_again()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        RowHeap heap = NewHeap(writer);
        var random = new Random(1);
        var ids = new List<long>();
        for (int i = 0; i < 50_000; i++)
        {
            if (ids.Count >= 2_000)
            {
                int index = random.Next(ids.Count);
                heap.Delete(ids[index]);
                ids[index] = ids[^1];
                ids.RemoveAt(ids.Count - 1);
            }

            ids.Add(heap.Insert(random.Next(200, 2_000), out _));
        }

        Assert.InRange(heap.GetStatistics().LeafPages * 8192 / (double)heap.PayloadBytes, 1.0, 1.35);
    }

    [Fact]
    public void Reading_or_deleting_a_row_that_does_not_exist_is_reported_as_damage()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        RowHeap heap = NewHeap(writer);
        long first = heap.Insert([1, 2, 3]);
        long second = heap.Insert([4]);
        heap.Delete(first);
        Assert.Throws<StorageCorruptedException>(() => heap.Read(first));
        Assert.Throws<StorageCorruptedException>(() => heap.Delete(first));
        Assert.Throws<StorageCorruptedException>(() => heap.Read(second + 1));
        Assert.Throws<StorageCorruptedException>(() => heap.Read(long.MaxValue));
        Assert.Equal([4], heap.Read(second).Span.ToArray());
    }

    [Fact]
    public void Rows_are_written_read_and_deleted_without_allocation()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        RowHeap heap = NewHeap(writer);
        long id = heap.Insert(new byte[100]);
        Assert.Equal(0, Allocated.Least(() => Work(heap, id)));
    }

    private static void Work(RowHeap heap, long id)
    {
        for (int i = 0; i < 5; i++)
        {
            long added = heap.Insert(500, out NativeSlice row);
            row.WritableSpan.Fill(7);
            added = heap.Update(added, 700, out row);
            row.WritableSpan.Fill(8);
            heap.Delete(added);
            Assert.True(heap.Read(id).Length == 100);
        }
    }

    private static RowHeap NewHeap(MemoryPageStore.Writer writer)
    {
        var heap = new RowHeap();
        heap.AttachNew(writer);
        return heap;
    }
}
