using System.Diagnostics;
using Raven.Tools.Bench.Suites.Documents;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>Makes the stores of a suite, each in a folder of its own, and loads them.</summary>
internal sealed class StoreSet
{
    /// <summary>Each load of ours goes through so many flushes at least.</summary>
    internal const int FlushesMin = 5;

    private const long FlushAfterBytesMin = 8L << 20;

    /// <summary>No load takes longer that does not ask for it: a run that is slower counts what it did.</summary>
    private static readonly TimeSpan LoadTimeMax = TimeSpan.FromSeconds(5);

    private static readonly Lazy<string> Installed = new(Install);

    private static int s_folder;

    private readonly BenchContext _context;

    internal StoreSet(BenchContext context)
    {
        _context = context;
        Missing = Installed.Value;
        bool hasLmdb = LmdbStore.IsInstalled(out _);
        bool hasRocks = RocksStore.IsInstalled(out _);
        bool hasSqlite = SqliteStore.IsInstalled(out _);
        Lmdb = hasLmdb ? () => new LmdbStore(NewFolder()) : null;
        LmdbAppending = hasLmdb ? () => new LmdbStore(NewFolder(), appends: true) : null;
        Rocks = hasRocks ? () => new RocksStore(NewFolder()) : null;
        Sqlite = hasSqlite ? () => new SqliteStore(NewFolder()) : null;
    }

    /// <summary>Which peers are not installed and could not be; empty if all are.</summary>
    internal string Missing { get; }

    internal Func<Store> Ours => () => new OurStore(NewFolder());

    /// <summary>Ours with a flush after so much journal: a short load goes through several of them too.</summary>
    internal Func<Store> OursFlushingAfter(long bytes)
    {
        return () =>
        {
            StoreFolder folder = NewFolder();
            return new OurStore(folder, folder.Options with { FlushAfterBytes = bytes });
        };
    }

    internal Func<Store>? Lmdb { get; }

    internal Func<Store>? LmdbAppending { get; }

    internal Func<Store>? Rocks { get; }

    internal Func<Store>? Sqlite { get; }

    internal StoreFolder NewFolder() =>
        new(Path.Combine(_context.ScratchDirectory, $"storage-{Interlocked.Increment(ref s_folder)}"));

    /// <summary>
    /// A load into a new store: entries a second until the last commit, and until everything is in its final place and
    /// synced; the flushes that ended before the last commit; and the writing thread's microseconds of CPU an entry.
    /// </summary>
    internal static double[] LoadRates(
        Func<Store> make, KeySet keys, int batch, ValueSet values, TimeSpan? timeMax = null)
    {
        using Store store = make();
        long start = Stopwatch.GetTimestamp();
        int done = 0;
        double cpu = Measure.CpuSeconds(() => done = Put(store, keys, batch, values, timeMax ?? LoadTimeMax));
        double committed = Stopwatch.GetElapsedTime(start).TotalSeconds;
        long flushes = store.Flushes;
        store.Settle();
        double settled = Stopwatch.GetElapsedTime(start).TotalSeconds;
        return [done / committed, done / settled, flushes, cpu * 1e6 / done];
    }

    /// <summary>
    /// The journal after which ours flushes so that a load goes through five flushes: as much as it has by itself, or
    /// three quarters of that, as often as it takes.
    /// </summary>
    internal long FlushAfterBytes(KeySet keys, int batch, ValueSet values, TimeSpan? timeMax)
    {
        using StoreFolder folder = NewFolder();
        long bytes = folder.Options.FlushAfterBytes;
        while (bytes > FlushAfterBytesMin
            && LoadRates(OursFlushingAfter(bytes), keys, batch, values, timeMax)[2] < FlushesMin)
        {
            bytes = bytes / 4 * 3;
        }

        return bytes;
    }

    /// <summary>A store with all keys, settled.</summary>
    internal static Store Loaded(Func<Store> make, KeySet keys, ValueSet values, int batch = 10_000)
    {
        Store store = make();
        Put(store, keys, batch, values, TimeSpan.MaxValue);
        store.Settle();
        return store;
    }

    /// <summary>Installs the peers that are not there, once in a process.</summary>
    private static string Install()
    {
        string missing = FindMissing();
        if (missing.Length == 0)
        {
            return "";
        }

        (int exitCode, _, string error) = PeerScript.Run("storage.sh");
        return exitCode == 0 ? FindMissing() : $"{missing} ({error.Trim()})";
    }

    private static string FindMissing()
    {
        _ = LmdbStore.IsInstalled(out string noLmdb);
        _ = RocksStore.IsInstalled(out string noRocks);
        _ = SqliteStore.IsInstalled(out string noSqlite);
        return $"{noLmdb} {noRocks} {noSqlite}".Trim();
    }

    private static int Put(Store store, KeySet keys, int batch, ValueSet values, TimeSpan timeMax)
    {
        long start = Stopwatch.GetTimestamp();
        int done = 0;
        while (done < keys.Count && Stopwatch.GetElapsedTime(start) < timeMax)
        {
            int count = Math.Min(batch, keys.Count - done);
            store.PutBatch(keys, done, count, values);
            done += count;
        }

        return done;
    }
}
