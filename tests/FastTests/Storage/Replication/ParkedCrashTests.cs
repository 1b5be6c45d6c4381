using Raven.Storage.Log;
using Raven.Storage.Options;
using Raven.Storage.Replication;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Replication;

/// <summary>
/// Power cuts of a primary whose last commit waits for other nodes, while what is committed is flushed.
/// </summary>
public sealed class ParkedCrashTests
{
    [Theory]
    [Trait("Invariant", "PARK-1")]
    [Trait("Invariant", "PARK-3")]
    [InlineData(2)]
    [InlineData(4)]
    [InlineData(5)]
    public void A_parked_commit_is_whole_after_each_cut_and_can_be_kept_or_dropped(int seed)
    {
        var parked = new List<(int From, int To, LogPosition Before, LogPosition Position)>();
        StorageEnvironment? primary = null;
        CrashWorkload? run = null;
        RecordingGate gate = null!;
        gate = new RecordingGate
        {
            Ships = _ =>
            {
                int from = run!.Disk.Log.Count;
                primary!.Flush();
                Assert.True(primary.LogDurable.TransactionId == primary.Log.TransactionId + 1);
                parked.Add((from, run.Disk.Log.Count, primary.Log, gate.Records[^1].Position));
            },
        };
        using var workload = new CrashWorkload(seed, StorageHooks.Off)
        {
            Opened = environment => gate.Attach(primary = environment),
        };
        run = workload;
        workload.Run(50);
        Assert.Contains(parked, each => each.To > each.From);
        var random = new Random(seed);
        using var maker = new CrashImages(workload.Disk.Log) { IsOneAtATime = true };
        foreach ((int from, int to, LogPosition before, LogPosition position) in parked)
        {
            int cut = random.Next(from, to + 1);
            maker.AdvanceTo(cut);
            foreach (long upTo in new[] { before.TransactionId, position.TransactionId })
            {
                DiskImage image = maker.Make(random);
                RequireRecovered(workload, image, upTo, cut == from, before, position);
                maker.Recycle(image);
            }
        }
    }

    private static void RequireRecovered(
        CrashWorkload workload, DiskImage image, long upTo, bool isBeingWritten, LogPosition before,
        LogPosition position)
    {
        using var disk = new SimulatedFileSystem(image, borrows: true);
        LogPosition last = LogScan.Run(workload.Options(disk))?.Last ?? default;
        Assert.True(last == position || (isBeingWritten && last == before), $"{last}: {before}, then {position}");
        if (upTo <= last.TransactionId)
        {
            using StorageEnvironment environment =
                StorageEnvironment.Open(workload.Options(disk) with { RecoverUpTo = upTo });
            Assert.Equal(upTo == position.TransactionId ? position : before, environment.Log);
        }
    }
}
