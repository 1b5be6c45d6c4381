using System.Collections.Concurrent;
using Raven.Blittable.Memory;
using Raven.Storage.Platform;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// How a reader finds the version of a page that its snapshot sees, beside a dictionary of the framework.
/// </summary>
internal sealed class StoragePageTableSuite : IBenchSuite
{
    private const int Pages = 9_500;
    private const int SlotsLog2 = 15;
    private const int Gets = 2_000_000;
    private const long Snapshot = 3;

    public string Name => "storage";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        long[] probes = [.. Enumerable.Range(0, Pages).Select(page => page * 3L + 1)];
        new Random(5).Shuffle(probes);
        var table = new Lazy<PageTable>(() => Fill(probes));
        var dictionary = new Lazy<ConcurrentDictionary<long, long>>(
            () => new(probes.Select(page => KeyValuePair.Create(page, page))));
        yield return new BenchRow
        {
            Name = "page table: the version of one of 9,500 changed pages",
            Unit = "ns",
            PeerName = "ConcurrentDictionary",
            Ours = () => Nanoseconds(probes, page => table.Value.TryGet(page, Snapshot, out NativeSlice _)),
            Peer = () => Nanoseconds(probes, page => dictionary.Value.TryGetValue(page, out _)),
        };
        yield return new BenchRow
        {
            Name = "page table: managed bytes of a get",
            Unit = "B/op",
            Target = BenchTarget.AtMost(0),
            Ours = () => Measure.AllocatedBytesPerOperation(
                Gets, () => Run(probes, page => table.Value.TryGet(page, Snapshot, out NativeSlice _))),
        };
    }

    private static double Nanoseconds(long[] probes, Func<long, bool> get) =>
        Measure.WallSeconds(() => Run(probes, get)) * 1e9 / Gets;

    private static void Run(long[] probes, Func<long, bool> get)
    {
        int found = 0;
        for (int i = 0, next = 0; i < Gets; i++, next = next + 1 == probes.Length ? 0 : next + 1)
        {
            found += get(probes[next]) ? 1 : 0;
        }

        if (found != Gets)
        {
            throw new InvalidOperationException($"Only {found} of {Gets} pages were found.");
        }
    }

    /// <summary>Three versions of each page, of which the last is seen.</summary>
    private static unsafe PageTable Fill(long[] pages)
    {
        var table = new PageTable(SlotsLog2, pages.Length * 4);
        byte* memory = (byte*)System.Runtime.InteropServices.NativeMemory.Alloc(1);
        for (long transaction = 1; transaction <= Snapshot; transaction++)
        {
            foreach (long page in pages)
            {
                _ = table.Add(page, transaction, new NativeSlice(memory, 1));
            }
        }

        return table;
    }
}
