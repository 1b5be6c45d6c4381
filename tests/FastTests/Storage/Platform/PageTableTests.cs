using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Storage.Platform;

namespace FastTests.Storage.Platform;

/// <summary>The page table beside a dictionary of versions. The memory of a version is as long as its transaction's
/// number, which shows whose it is.</summary>
public sealed class PageTableTests
{
    private const int Transactions = 400;

    [Theory]
    [Trait("Invariant", "MAP-1")]
    [Trait("Invariant", "MAP-2")]
    [Trait("Invariant", "MAP-4")]
    [InlineData(1)]
    [InlineData(2)]
    public void A_snapshot_finds_the_newest_version_of_a_page_that_it_sees(int seed)
    {
        var random = new Random(seed);
        using var memory = new NativeBuffer(Transactions);
        using var table = new PageTable(slotsLog2: 8, nodesMax: 1 + (4 * Transactions));
        var model = new Dictionary<long, List<(int Transaction, bool HasMemory)>>();

        // Neighbours and pages far apart: some have their slots in common, and are found behind those of others.
        long[] pages = [.. Enumerable.Range(1, 60).Select(i => i % 2 == 0 ? i : random.NextInt64(1, 1L << 40))];
        for (int transaction = 1; transaction <= Transactions; transaction++)
        {
            for (int i = random.Next(4); i >= 0; i--)
            {
                long page = pages[random.Next(pages.Length)];
                List<(int Transaction, bool HasMemory)> versions =
                    model.TryGetValue(page, out var known) ? known : (model[page] = []);
                (int before, bool hadMemory) = versions.LastOrDefault();
                if (before == transaction)
                {
                    continue;
                }

                bool hasMemory = random.Next(5) != 0;
                NativeSlice place = hasMemory ? memory.Slice(transaction) : default;
                Assert.Equal(hadMemory ? before : 0, table.Add(page, transaction, place));
                versions.Add((transaction, hasMemory));
            }
        }

        Compare(table, pages, model, boundary: 0);
        List<NativeSlice> dropped = [];
        using PageTable copy = table.CopyNewerThan(boundary: 150, pages: 10, dropped);
        Compare(copy, pages, model, boundary: 150);
        Assert.Equal(
            model.Values.SelectMany(versions => versions)
                .Where(version => version.HasMemory && version.Transaction <= 150)
                .Select(version => version.Transaction).Order(),
            dropped.Select(place => place.Length).Order());
    }

    [Fact]
    [Trait("Invariant", "MAP-5")]
    public void A_version_that_is_taken_out_is_found_no_more_and_those_behind_it_are()
    {
        const long Page = 7;
        using var memory = new NativeBuffer(10);
        using var table = new PageTable(slotsLog2: 6, nodesMax: 32);
        for (int transaction = 1; transaction <= 5; transaction++)
        {
            table.Add(Page, transaction, memory.Slice(transaction));
        }

        Assert.Equal(3, table.Take(Page, 3).Length);
        Assert.True(table.Take(Page, 3).IsEmpty, "Its memory is given back once.");
        Assert.True(table.Take(Page, 5).IsEmpty, "The newest version stays.");
        Assert.True(table.Take(Page + 1, 2).IsEmpty);
        Assert.Equal([1, 2, 2, 4, 5], Enumerable.Range(1, 5).Select(snapshot => Find(table, Page, snapshot)));
        Assert.Equal(1, table.Take(Page, 1).Length);
        Assert.Equal([0, 2, 2, 4, 5], Enumerable.Range(1, 5).Select(snapshot => Find(table, Page, snapshot)));
    }

    [Fact]
    [Trait("Invariant", "MAP-3")]
    [Trait("Invariant", "MAP-5")]
    public async Task A_reader_beside_the_writer_finds_whole_versions_of_pages_old_and_new()
    {
        const int Last = 20_000;
        const long Page = 1L << 41;
        using var memory = new NativeBuffer(Last);
        using var table = new PageTable(slotsLog2: 16, nodesMax: 1 + (2 * Last));
        using var isReading = new ManualResetEventSlim();
        table.Add(Page, 1, memory.Slice(1));
        int published = 1;
        Task reader = Task.Factory.StartNew(
            () =>
            {
                for (int snapshot = 1; snapshot < Last; snapshot = Volatile.Read(ref published))
                {
                    isReading.Set();
                    Assert.Equal(1, Find(table, Page, 1));
                    Assert.Equal(snapshot == 1 ? 0 : snapshot, Find(table, snapshot, snapshot));
                    Assert.Contains(Find(table, snapshot + 1, snapshot + 1), (int[])[0, snapshot + 1]);
                }
            },
            TaskCreationOptions.LongRunning);
        isReading.Wait();
        for (int transaction = 2; transaction <= Last; transaction++)
        {
            // A page changed by each transaction, whose older versions only the first snapshot holds back, and a new
            // page.
            table.Add(Page, transaction, memory.Slice(transaction));
            table.Add(transaction, transaction, memory.Slice(transaction));
            Volatile.Write(ref published, transaction);
            Assert.Equal(transaction == 2 ? 0 : transaction - 1, TakeBefore(table, Page, transaction));
        }

        await reader.WaitAsync(Deadline.Hang);
    }

    private static int TakeBefore(PageTable table, long page, int transaction) =>
        transaction == 2 ? 0 : table.Take(page, transaction - 1).Length;

    /// <summary>The transaction whose version a snapshot finds; 0 if it finds none in memory.</summary>
    private static int Find(PageTable table, long page, long snapshot) =>
        table.TryGet(page, snapshot, out NativeSlice place) ? place.Length : 0;

    private static void Compare(
        PageTable table, long[] pages, Dictionary<long, List<(int Transaction, bool HasMemory)>> model, int boundary)
    {
        foreach (long page in pages)
        {
            List<(int Transaction, bool HasMemory)> versions =
                [.. model.GetValueOrDefault(page, []).Where(version => version.Transaction > boundary)];
            Assert.Equal(versions.LastOrDefault().Transaction, table.NewestTransaction(page));
            for (int snapshot = boundary + 1; snapshot <= Transactions; snapshot++)
            {
                (int transaction, bool hasMemory) = versions.LastOrDefault(version => version.Transaction <= snapshot);
                Assert.Equal(hasMemory ? transaction : 0, Find(table, page, snapshot));
            }
        }
    }
}
