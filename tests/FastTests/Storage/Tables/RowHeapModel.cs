using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Storage.Checks;
using Raven.Storage.Structures;
using Raven.Storage.Tables;

namespace FastTests.Storage.Tables;

/// <summary>Random transactions on a heap, through its catalog, and on a dictionary of rows.</summary>
internal sealed class RowHeapModel(int seed, int rowSizeMax)
{
    private readonly Random _random = new(seed);
    private readonly byte[] _record = new byte[Catalog.RecordSizeInBytes];
    private readonly Queue<(MemoryPageStore.Snapshot Pages, byte[] Record, Dictionary<long, byte[]> Model)>
        _snapshots = new();

    private Dictionary<long, byte[]> _model = [];

    internal void Run(int transactions, int operationsMax)
    {
        try
        {
            using var store = new MemoryPageStore();
            var catalog = new Catalog();
            for (int i = 0; i < transactions; i++)
            {
                RunTransaction(store, catalog, _random.Next(1, operationsMax));
                foreach (var snapshot in _snapshots)
                {
                    catalog.Begin(snapshot.Pages, snapshot.Record);
                    Compare(catalog.TryOpenRowHeap("rows"), snapshot.Model);
                }
            }
        }
        catch (Exception failure)
        {
            throw new InvalidOperationException(
                $"new RowHeapModel({seed}, {rowSizeMax}).Run({transactions}, {operationsMax}) fails", failure);
        }
    }

    private static void Compare(RowHeap? heap, Dictionary<long, byte[]> model)
    {
        Assert.Equal(model.Count, heap?.Count ?? 0);
        if (heap is null)
        {
            return;
        }

        foreach ((long id, byte[] row) in model)
        {
            Assert.True(heap.Read(id).Span.SequenceEqual(row));
        }

        int rows = 0;
        RowHeapCursor cursor = heap.GetCursor();
        while (cursor.MoveNext())
        {
            Assert.True(cursor.Row.Span.SequenceEqual(model[cursor.RowId]));
            rows++;
        }

        Assert.Equal(model.Count, rows);
    }

    private void RunTransaction(MemoryPageStore store, Catalog catalog, int operations)
    {
        var before = new Dictionary<long, byte[]>(_model);
        using MemoryPageStore.Writer writer = store.BeginWrite();
        catalog.Begin(writer, _record);
        RowHeap heap = catalog.OpenOrCreateRowHeap("rows");
        int churn = _random.Next(3);
        for (int i = 0; i < operations; i++)
        {
            Step(heap, churn);
        }

        Assert.Equal(_model.Values.Sum(row => (long)row.Length), heap.PayloadBytes);
        if (_random.Next(5) == 0)
        {
            _model = before;
            return;
        }

        catalog.Save(_record);
        CheckReport report = StructureCheck.Run(writer, _record);
        writer.Commit();
        StructureCheck.CheckOwners(report, 1, store.NextPage, store.FreePages);
        Assert.Empty(report.Findings);
        _snapshots.Enqueue((store.BeginRead(), [.. _record], new Dictionary<long, byte[]>(_model)));
        if (_snapshots.Count > 3)
        {
            _snapshots.Dequeue();
        }
    }

    private void Step(RowHeap heap, int churn)
    {
        int choice = _random.Next(100);
        if (_model.Count == 0 || choice < 30 + (churn * 15))
        {
            byte[] row = NewRow();
            long id = heap.Insert(row);
            Assert.True(_model.TryAdd(id, row), "a row id in use was given again");
            return;
        }

        long known = _model.Keys.ElementAt(_random.Next(_model.Count));
        if (choice < 75)
        {
            byte[] row = NewRow();
            long id = heap.Update(known, row.Length, out NativeSlice memory);
            row.CopyTo(memory.WritableSpan);
            _model.Remove(known);
            Assert.True(_model.TryAdd(id, row), "a row id in use was given again");
        }
        else
        {
            heap.Delete(known);
            _model.Remove(known);
        }
    }

    private byte[] NewRow()
    {
        int length = _random.Next(30) switch
        {
            0 => _random.Next(30_000),
            1 => SectionPage.RowSizeMax + _random.Next(-1, 2),
            2 => 0,
            _ => _random.Next(rowSizeMax),
        };
        byte[] row = new byte[length];
        _random.NextBytes(row);
        return row;
    }
}
