using System.Globalization;
using System.IO.Hashing;
using System.Text;
using FastTests.Compression;
using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Storage.Checks;
using Raven.Storage.Errors;
using Raven.Storage.Streams;
using Raven.Storage.Structures;
using Raven.Storage.Tables;
using Raven.Storage.Trees;

namespace FastTests.Storage.Trees;

/// <summary>Damages one page of a small environment at a time, and reads and writes all of it.</summary>
internal sealed class DamageRun(int seed)
{
    private const int Keys = 400;

    private readonly byte[] _record = new byte[Catalog.RecordSizeInBytes];
    private readonly List<long> _rows = [];

    internal void Run(int iterations)
    {
        if (!GuardedBuffer.IsSupported)
        {
            return;
        }

        using MemoryPageStore store = Build();
        long[] numbers = [.. store.Committed.Keys.Order()];
        using var pages = new DamagedPages(store.Committed);
        var random = new Random(seed);
        int caught = 0;
        var failures = new Dictionary<string, string>();
        for (int i = 0; i < iterations; i++)
        {
            long victim = numbers[random.Next(numbers.Length)];
            pages.Damage(victim, random);
            try
            {
                caught += Work(pages, random) ? 1 : 0;
            }
            catch (Exception failure)
            {
                string place = failure.StackTrace!.Split('\n').First(line => line.Contains(" Raven.Storage."));
                failures.TryAdd(
                    $"{failure.GetType().Name}{place}",
                    $"new DamageRun({seed}).Run({i + 1}), page {victim}: {failure.Message}\n{failure.StackTrace}");
            }
        }

        Assert.True(failures.Count == 0, string.Join("\n\n", failures.Values));

        // Damage of the heaps, keys and counts; the rest fell on values and garbage.
        Assert.InRange(caught, iterations / 2, iterations);
    }

    private static bool Survives(Action work)
    {
        try
        {
            work();
            return true;
        }
        catch (StorageCorruptedException)
        {
            return false;
        }
    }

    private static byte[] Key(int i) =>
        i % 3 == 0
            ? Encoding.ASCII.GetBytes(i.ToString("D900", CultureInfo.InvariantCulture))
            : Encoding.ASCII.GetBytes("key/" + i.ToString("D6", CultureInfo.InvariantCulture));

    private MemoryPageStore Build()
    {
        var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        var catalog = new Catalog();
        catalog.Begin(writer, _record);
        Tree tree = catalog.OpenOrCreateTree("tree");
        FixedTree numbers = catalog.OpenOrCreateFixedTree("numbers", 200);
        MultiTree sets = catalog.OpenOrCreateMultiTree("sets");
        RowHeap heap = catalog.OpenOrCreateRowHeap("rows");
        StreamStore streams = catalog.OpenOrCreateStreams("streams");
        for (int i = 0; i < Keys; i++)
        {
            tree.Put(Key(i), new byte[i % 40 == 0 ? 9_000 : i]);
            numbers.Put(i * 3L, new byte[200]);
            sets.Add([(byte)(i % 5)], Key(i + (i % 3 == 0 ? 1 : 0)));
            _rows.Add(heap.Insert(new byte[i * 7]));
            if (i % 9 == 0)
            {
                heap.Delete(_rows[^1]);
                _rows.RemoveAt(_rows.Count - 1);
            }

            streams.Append([(byte)(i % 4)], new byte[1 + (i * 3)]);
        }

        catalog.Save(_record);
        writer.Commit();
        return store;
    }

    /// <summary>Returns whether anything noticed.</summary>
    private bool Work(DamagedPages pages, Random random)
    {
        CheckReport report = StructureCheck.Run(pages, _record);
        bool survived = Survives(() => Scan(pages));
        for (int i = 0; i < 4; i++)
        {
            int start = random.Next(Keys);
            int part = random.Next(5);
            survived &= Survives(() => Change(pages, start, part));
        }

        return report.Findings.Count != 0 || !survived;
    }

    private void Scan(DamagedPages pages)
    {
        var catalog = new Catalog();
        catalog.Begin(pages, _record);
        Tree? tree = catalog.TryOpenTree("tree");
        if (tree is not null)
        {
            ScanTree(tree);
        }

        FixedTree? fixedTree = catalog.TryOpenFixedTree("numbers");
        FixedTreeCursor numbers = fixedTree is null ? default : fixedTree.GetCursor();
        long sum = 0;
        for (bool found = fixedTree is not null && numbers.SeekLast(); found; found = numbers.MovePrevious())
        {
            sum += numbers.Key + numbers.Value.Span[^1];
        }

        if (catalog.TryOpenRowHeap("rows") is { } heap)
        {
            RowHeapCursor rows = heap.GetCursor();
            while (rows.MoveNext())
            {
                sum += Sum(rows.Row);
            }

            foreach (long id in _rows)
            {
                sum += Sum(heap.Read(id));
            }
        }

        ScanSetsAndStreams(catalog);
    }

    private static void ScanTree(Tree tree)
    {
        long sum = 0;
        TreeCursor cursor = tree.GetCursor();
        for (bool found = cursor.SeekFirst(); found; found = cursor.MoveNext())
        {
            sum += cursor.Key.Length + Sum(cursor.Value);
        }

        for (int i = 0; i < Keys; i += 7)
        {
            sum += tree.TryGet(Key(i), out NativeSlice value) ? Sum(value) : 0;
        }
    }

    private static void ScanSetsAndStreams(Catalog catalog)
    {
        MultiTree? sets = catalog.TryOpenMultiTree("sets");
        StreamStore? streams = catalog.TryOpenStreams("streams");
        byte[] bytes = new byte[5_000];
        for (byte i = 0; i < 5; i++)
        {
            MultiTreeCursor values = sets is null ? default : sets.GetValues([i]);
            while (values.MoveNext())
            {
                Sum(values.Value);
            }

            streams?.Read([i], 777, bytes);
        }
    }

    /// <summary>Touches every byte.</summary>
    private static long Sum(NativeSlice bytes) => (long)XxHash3.HashToUInt64(bytes.Span);

    private void Change(DamagedPages pages, int start, int part)
    {
        var catalog = new Catalog();
        catalog.Begin(pages, _record);
        Tree tree = catalog.OpenOrCreateTree("tree");
        FixedTree numbers = catalog.OpenOrCreateFixedTree("numbers", 200);
        for (int i = start; i < start + 40; i++)
        {
            switch (part)
            {
                case 0:
                    tree.Put(Key(i), new byte[(i * 31) % 3_000]);
                    tree.Put([.. Key(i), 7], [1]);
                    numbers.Put((i * 3L) + 1, new byte[200]);
                    break;
                case 1:
                    tree.Delete(Key(i));
                    numbers.Delete(i * 3L);
                    break;
                case 2:
                    catalog.OpenOrCreateMultiTree("sets").Add([(byte)(i % 6)], Key(i + 1));
                    catalog.OpenOrCreateMultiTree("sets").Remove([(byte)(i % 5)], Key(i));
                    catalog.OpenOrCreateStreams("streams").Append([(byte)(i % 4)], new byte[i]);
                    break;
                case 3:
                    RowHeap heap = catalog.OpenOrCreateRowHeap("rows");
                    heap.Update(_rows[i % _rows.Count], i * 13, out _);
                    heap.Insert(i * 11, out _);
                    break;
                default:
                    tree.DeleteRange(Key(start), Key(start + 40));
                    numbers.DeleteRange(start, start + 200);
                    return;
            }
        }
    }
}
