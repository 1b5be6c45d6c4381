using Raven.Storage.Log;
using Raven.Storage.Options;
using Raven.Storage.Replication;
using Shared.Storage;

namespace FastTests.Storage.Replication;

/// <summary>Records that a node ships of its own journal, which it has not opened, do what the primary's did.</summary>
public sealed class JournaledLogTests
{
    /// <summary>A follower flushes and opens at other times than the primary, so its journal has other patches; direct
    /// runs (seeds 4, 8), and freed pages that are used again at once.</summary>
    [Theory]
    [Trait("Invariant", "LOG-3")]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(8)]
    [InlineData(9)]
    public void A_node_that_takes_them_of_a_followers_journal_has_its_pages(int seed)
    {
        using var follower = new Follower(seed);
        using var third = new Follower(seed + 50);
        var random = new Random(seed);
        int remade = 0;
        RecordingGate gate = null!;
        gate = new RecordingGate
        {
            Ships = record => follower.Apply(record),
            Settled = transactionId =>
            {
                follower.Publish(transactionId);
                if (random.Next(3) == 0)
                {
                    remade += CatchUp(follower, third, gate);
                    Assert.Null(StatePages.Difference(follower.Environment, third.Environment));
                    third.DoBeside();
                }

                follower.DoBeside();
            },
        };
        using (var workload = new CrashWorkload(seed, new StorageHooks())
        {
            Opened = environment => gate.Attach(environment),
        })
        {
            workload.Run(70);
        }

        CatchUp(follower, third, gate);
        Assert.Null(StatePages.Difference(follower.Environment, third.Environment));
        Assert.Empty(third.Environment.Audit().Findings);
        Assert.True(remade > 8, $"{remade} records");
    }

    [Fact]
    [Trait("Invariant", "LOG-3")]
    public void A_scan_keeps_the_last_records_up_to_a_size_and_the_last_one_in_any_case()
    {
        using var follower = new Follower(2);
        var gate = new RecordingGate
        {
            Ships = record => follower.Apply(record),
            Settled = transactionId => follower.Publish(transactionId),
        };
        using var workload = new CrashWorkload(2, new StorageHooks())
        {
            Opened = environment => gate.Attach(environment),
        };
        workload.Run(30);
        LogScan all = Scan(follower, long.MaxValue);
        Assert.True(all.Kept.Count > 3, $"{all.Kept.Count} records");
        Assert.Equal(
            all.Records.Skip(all.Records.Count - all.Kept.Count),
            all.Kept.Select(record =>
            {
                Assert.True(LogRecord.TryReadPosition(record.Span, out LogPosition position, out _));
                return position;
            }));
        LogScan one = Scan(follower, 1);
        Assert.Equal(all.Kept[^1].ToArray(), Assert.Single(one.Kept).ToArray());
        LogScan two = Scan(follower, all.Kept[^1].Length + all.Kept[^2].Length);
        Assert.Equal(2, two.Kept.Count);
        Assert.Empty(Scan(follower, 0).Kept);
        Assert.Equal(all.Records, one.Records);
    }

    private static LogScan Scan(Follower node, long keptBytesMax)
    {
        using DiskImage image = node.Disk.CurrentImage();
        using var disk = new SimulatedFileSystem(image);
        return LogScan.Run(node.Options(disk), keptBytesMax)!;
    }

    /// <summary>Brings a node to the state of another one, by what that one's journal has.</summary>
    /// <returns>How many records that were.</returns>
    private static int CatchUp(Follower from, Follower to, RecordingGate gate)
    {
        LogScan scan = Scan(from, long.MaxValue);
        int unkept = scan.Records.Count - scan.Kept.Count;
        int remade = 0;
        foreach ((LogPosition position, byte[] bytes) in gate.Records)
        {
            if (position.TransactionId > to.Environment.LastTransactionId
                && position.TransactionId <= scan.Last.TransactionId)
            {
                int index = scan.Records.ToList().FindIndex(each => each == position) - unkept;
                to.Apply(index >= 0 ? scan.Kept[index].ToArray() : bytes);
                Assert.Equal(position, to.Environment.LogDurable);
                Assert.True(to.Publish(position.TransactionId));
                remade += index >= 0 ? 1 : 0;
            }
        }

        return remade;
    }
}
