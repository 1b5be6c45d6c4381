using System.Diagnostics;
using Raven.Storage;
using Raven.Storage.Transactions;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// The seeds' FreeDB load: four structures, batches of 100 and 1,000; a crash, the time to open, look-ups.
/// </summary>
internal class StorageAlbumSuite : IBenchSuite
{
    private const double SeedBytes = 7e9 / 3_300_000;

    /// <summary>The last albums before a crash are in the journal only: a reader holds them back.</summary>
    private const int HeldAlbums = 60_000;

    public virtual string Name => "storage";

    public bool IsOnDisk => true;

    private protected virtual int Albums => 60_000;

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        var stores = new StoreSet(context);
        foreach (int batch in (int[])[100, 1_000])
        {
            var run = new SharedRuns(() => Load(stores, batch));
            yield return Row(
                $"albums, {batch:N0} a transaction", "albums/s", run.Metric(0), BenchTarget.AtLeast(2_311));
            yield return Row(
                $"albums, {batch:N0} a transaction: entries", "entries/s", run.Metric(1), BenchTarget.AtLeast(9_237));
            yield return Row(
                $"albums, {batch:N0} a transaction: bytes an album", "B", run.Metric(2), BenchTarget.AtMost(SeedBytes));
        }

        var crash = new SharedRuns(() => Crash(stores));
        yield return Row("albums: a crash, then the open", "s/GB of journal", crash.Metric(0), BenchTarget.AtMost(5));
        yield return Row("albums: look-up by id, artist and title", "us", crash.Metric(1), BenchTarget.None);
    }

    private static BenchRow Row(string name, string unit, Func<double> ours, BenchTarget target) =>
        new() { Name = name, Unit = unit, Ours = ours, Target = target, WarmUpRuns = 0 };

    private double[] Load(StoreSet stores, int batch)
    {
        using StoreFolder folder = stores.NewFolder();
        using StorageEnvironment environment = StorageEnvironment.Open(folder.Options);
        return new AlbumLoad().Run(environment, Albums, batch);
    }

    /// <returns>Seconds to open for each GB of journal that was read, and microseconds a look-up.</returns>
    private double[] Crash(StoreSet stores)
    {
        const int LookUps = 500;
        using StoreFolder folder = stores.NewFolder();
        using StoreFolder copy = stores.NewFolder();
        using (StorageEnvironment environment = StorageEnvironment.Open(folder.Options))
        {
            var load = new AlbumLoad();
            WriteAll(0, Albums - HeldAlbums);
            using ReadTransaction holder = environment.BeginRead();
            WriteAll(Albums - HeldAlbums, Albums);
            void WriteAll(int from, int to)
            {
                for (int first = from; first < to; first += 500)
                {
                    load.Write(environment, first, 500);
                }
            }

            AlbumLoad.CopyFiles(folder.Path, copy.Path);
        }

        using StorageEnvironment again = StorageEnvironment.Open(copy.Options);
        using ReadTransaction reader = again.BeginRead();
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < LookUps; i++)
        {
            AlbumLoad.Find(reader, (int)((long)i * 7_919 % Albums));
        }

        double microseconds = Stopwatch.GetElapsedTime(start).TotalMicroseconds / LookUps;
        return [again.Recovery.Elapsed.TotalSeconds / (again.Recovery.JournalBytes / 1e9), microseconds];
    }
}
