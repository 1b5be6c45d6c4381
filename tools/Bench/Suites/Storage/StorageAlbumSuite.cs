using System.Diagnostics;
using Raven.Storage.Options;
using Raven.Storage.Transactions;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// Albums as FreeDB has them: four structures, batches of 100 and 1,000; a crash, the time to open, look-ups.
/// </summary>
internal class StorageAlbumSuite : IBenchSuite
{
    private const double SeedBytes = 7e9 / 3_300_000;

    /// <summary>The last albums before a crash are in the journal only: a reader holds them back.</summary>
    private const int HeldAlbums = 60_000;

    /// <summary>
    /// An album is 1 KB of journal in a large transaction and two to three in a small one: a load of either goes
    /// through just over five flushes.
    /// </summary>
    private const int FlushAfterBytesAnAlbum = 150;
    private const int FlushAfterBytesAnAlbumOfFew = 310;
    private const int FewAlbums = 100;

    private const int FlushesMin = 5;
    private const int Runs = 3;

    public virtual string Name => "storage";

    public bool IsOnDisk => true;

    private protected virtual int Albums => 60_000;

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        var stores = new StoreSet(context);
        foreach (int batch in (int[])[100, 1_000])
        {
            var run = new SharedRuns(() => Load(stores, batch));
            string name = $"albums, {batch:N0} a transaction";
            yield return Row(
                $"{name}, until the data file is synced", "albums/s", run.Metric(1), BenchTarget.AtLeast(2_311));
            yield return Row($"{name}, until the last commit", "albums/s", run.Metric(0), BenchTarget.None);
            yield return Row(
                $"{name}: entries, until the data file is synced", "entries/s", run.Metric(2),
                BenchTarget.AtLeast(9_237));
            yield return Row($"{name}: bytes an album", "B", run.Metric(3), BenchTarget.AtMost(SeedBytes));
            yield return Row(
                $"{name}: flushes before the last commit",
                "flushes",
                run.Metric(4),
                BenchTarget.AtLeast(FlushesMin));
        }

        var crash = new SharedRuns(() => Crash(stores));
        yield return Row(
            "albums: the process killed, then the open", "s/GB of journal", crash.Metric(0), BenchTarget.AtMost(5));
        yield return Row("albums: look-up by id, artist and title", "us", crash.Metric(1), BenchTarget.None);
    }

    private static BenchRow Row(string name, string unit, Func<double> ours, BenchTarget target) =>
        new() { Name = name, Unit = unit, Ours = ours, Target = target, WarmUpRuns = 0, Runs = Runs };

    private double[] Load(StoreSet stores, int batch)
    {
        using StoreFolder folder = stores.NewFolder();
        StorageOptions options = folder.Options;
        long bytesAnAlbum = batch > FewAlbums ? FlushAfterBytesAnAlbum : FlushAfterBytesAnAlbumOfFew;
        long flushAfter = Math.Min(options.FlushAfterBytes, Albums * bytesAnAlbum);
        using StorageEnvironment environment =
            StorageEnvironment.Open(options with { FlushAfterBytes = flushAfter });
        return new AlbumLoad().Run(environment, Albums, batch);
    }

    /// <returns>Seconds to open for each GB of journal that was read, and microseconds a look-up.</returns>
    private double[] Crash(StoreSet stores)
    {
        const int LookUps = 500;
        using StoreFolder folder = stores.NewFolder();
        AlbumLoader.LoadAndKill(folder.Path, Albums, HeldAlbums);
        using StorageEnvironment again = StorageEnvironment.Open(folder.Options);
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
