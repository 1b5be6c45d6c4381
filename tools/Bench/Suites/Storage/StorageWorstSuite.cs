using System.Collections.Concurrent;
using System.Diagnostics;
using Microsoft.Win32.SafeHandles;
using Raven.Storage.GroupCommit;
using Raven.Storage.Options;
using Raven.Storage.Transactions;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// The worst case: a slow disk, constant flushes, every request new work; once with nothing in the tree, once with a
/// tree of 200 MB of which nothing is in the system's cache, so that each write reads its leaf from the disk first.
/// </summary>
internal sealed class StorageWorstSuite : IBenchSuite
{
    private const int Writers = 16;
    private const int Writes = 2_000;
    private const int Loaded = 200_000;
    private const int LoadedPerTransaction = 10_000;
    private const int Runs = 3;
    private const int DelaysMax = 20;

    /// <summary>Writers share commits on the slow disk too: so many writes in the time of one of its delays.</summary>
    private const int SharedCommitsMin = 3;
    private const long FlushAfterBytes = 256L << 10;

    private static readonly TimeSpan Delay = TimeSpan.FromMilliseconds(5);

    public string Name => "storage";

    public bool IsOnDisk => true;

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        var stores = new StoreSet(context);
        foreach (bool isCold in (bool[])[false, true])
        {
            string name = isCold ? "worst case, cold cache" : "worst case";
            var runs = new SharedRuns(() => Run(stores, isCold));
            yield return Row(
                $"{name}: 16 writers, disk slowed by 5 ms", "writes/s", runs.Metric(0),
                BenchTarget.AtLeast(SharedCommitsMin / Delay.TotalSeconds));
            yield return Row($"{name}: p50 of a write", "ms", runs.Metric(1), BenchTarget.None);
            yield return Row($"{name}: p99 of a write", "ms", runs.Metric(2), SlowestAtMost);
            yield return Row($"{name}: slowest write", "ms", runs.Metric(3), SlowestAtMost);
            yield return StorageSuite.Flushes(name, runs.Metric(4));
        }
    }

    /// <summary>What "nothing collapses" means of a write: so many of the disk's delays, and no more.</summary>
    private static BenchTarget SlowestAtMost => BenchTarget.AtMost(DelaysMax * Delay.TotalMilliseconds);

    private static BenchRow Row(string name, string unit, Func<double> ours, BenchTarget target) =>
        new() { Name = name, Unit = unit, Ours = ours, Target = target, WarmUpRuns = 0, Runs = Runs };

    private static double[] Run(StoreSet stores, bool isCold)
    {
        using StoreFolder folder = stores.NewFolder();
        if (isCold)
        {
            Load(folder);
            DropCache(folder.Path);
        }

        StorageOptions options = folder.SlowOptions(Delay) with { FlushAfterBytes = FlushAfterBytes };
        using StorageEnvironment environment = StorageEnvironment.Open(options);
        using var merger = new TransactionMerger(environment);
        var milliseconds = new ConcurrentBag<double>();
        Thread[] threads = [.. Enumerable.Range(0, Writers).Select(number => new Thread(() =>
        {
            var command = new RandomPut(number);
            for (int i = 0; i < Writes / Writers; i++)
            {
                long start = Stopwatch.GetTimestamp();
                merger.Execute(command);
                milliseconds.Add(Stopwatch.GetElapsedTime(start).TotalMilliseconds);
            }
        }))];
        double seconds = Measure.WallSeconds(() =>
        {
            Array.ForEach(threads, thread => thread.Start());
            Array.ForEach(threads, thread => thread.Join());
        });
        long flushes = environment.GetStatistics().Flushes;
        double[] sorted = [.. milliseconds.Order()];
        return
        [
            sorted.Length / seconds, sorted[sorted.Length / 2], sorted[sorted.Length * 99 / 100], sorted[^1], flushes,
        ];
    }

    private static void Load(StoreFolder folder)
    {
        using StorageEnvironment environment = StorageEnvironment.Open(folder.Options);
        var command = new RandomPut(Writers);
        for (int done = 0; done < Loaded; done += LoadedPerTransaction)
        {
            using WriteTransaction transaction = environment.BeginWrite();
            for (int i = 0; i < LoadedPerTransaction; i++)
            {
                command.Execute(transaction);
            }

            transaction.Commit();
        }
    }

    private static void DropCache(string folder)
    {
        const int NotNeeded = 4; // POSIX_FADV_DONTNEED
        foreach (string file in Directory.EnumerateFiles(folder))
        {
            using SafeFileHandle handle = File.OpenHandle(file);
            int error = NativeMethods.AdviseFile(handle, 0, 0, NotNeeded);
            if (error != 0)
            {
                throw new InvalidOperationException($"posix_fadvise of {file}: error {error}");
            }
        }
    }

    private sealed class RandomPut(int seed) : IWriteCommand
    {
        private readonly Random _random = new(seed);
        private readonly byte[] _key = new byte[16];
        private readonly byte[] _value = new ValueSet(1_000)[seed];

        public long SizeInBytes => _value.Length;

        public void Execute(WriteTransaction transaction)
        {
            _random.NextBytes(_key);
            transaction.OpenOrCreateTree("t"u8).Put(_key, _value);
        }
    }
}
