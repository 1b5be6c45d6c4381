using System.IO.Hashing;
using System.Runtime.InteropServices;
using Raven.Storage.Errors;
using Raven.Storage.Log;
using Raven.Storage.Options;
using Raven.Storage.Replication;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Replication;

/// <summary>A node that takes over the commits of another one has its pages.</summary>
public sealed class LogApplierTests
{
    /// <summary>Trees, fixed trees, tables, streams, with values up to direct runs (seeds 4, 8), archives that forbid
    /// these (3), flushes and opens on both sides.</summary>
    [Theory]
    [Trait("Invariant", "APPLY-1")]
    [Trait("Invariant", "LOG-1")]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(8)]
    [InlineData(9)]
    public void A_follower_has_the_pages_of_the_primary_after_each_commit_of_a_random_history(int seed)
    {
        using var follower = new Follower(seed);
        StorageEnvironment? primary = null;
        RecordingGate gate = Following(follower, transactionId =>
        {
            Assert.True(follower.Publish(transactionId));
            if (transactionId % 5 == 0)
            {
                Assert.Null(StatePages.Difference(primary!, follower.Environment));
            }

            follower.DoBeside();
        });
        using CrashWorkload workload = NewWorkload(seed, environment => gate.Attach(primary = environment));
        workload.Run(70);
        Assert.True(gate.Records.Count > 20, $"{gate.Records.Count} records");
        Assert.Null(StatePages.Difference(primary!, follower.Environment));
        Assert.Empty(follower.Environment.Audit().Findings);
    }

    /// <summary>What memory knows of free and of clean pages is right in a node that only followed before.</summary>
    [Theory]
    [Trait("Invariant", "APPLY-2")]
    [InlineData(4)]
    [InlineData(7)]
    [InlineData(12)]
    public void A_follower_goes_on_as_the_primary_and_the_primary_follows_it(int seed)
    {
        using var follower = new Follower(seed);
        RecordingGate gate = Following(follower, id => follower.Publish(id));
        StorageEnvironment? first = null;
        using (CrashWorkload workload = NewWorkload(seed, environment => gate.Attach(first = environment)))
        {
            workload.Run(40);
            using var back = new LogApplier(first!);
            var second = new RecordingGate
            {
                Epoch = 2,
                Ships = record => back.Apply(record),
                Settled = id => back.Publish(id),
            };
            second.Attach(follower.Environment);
            var random = new Random(seed);
            for (int i = 0; i < 40; i++)
            {
                using WriteTransaction transaction = follower.Environment.BeginWrite();
                for (int change = random.Next(1, 4); change > 0; change--)
                {
                    byte[] value = new byte[random.Next(6) == 0 ? random.Next(66_000, 140_000) : random.Next(3_000)];
                    random.NextBytes(value.AsSpan(0, Math.Min(value.Length, 64)));
                    transaction.OpenOrCreateTree("more"u8).Put([(byte)random.Next(12)], value);
                }

                transaction.Commit();
                if (i % 6 == 0)
                {
                    follower.Environment.Flush();
                }
            }

            Assert.Null(StatePages.Difference(follower.Environment, first!));
            Assert.Equal(2, first!.Log.Epoch);
            Assert.Empty(first.Audit().Findings);
        }
    }

    [Fact]
    [Trait("Invariant", "APPLY-3")]
    public void What_was_applied_is_durable_and_seen_by_nobody_before_it_is_published()
    {
        using var follower = new Follower(1);
        List<(LogPosition Position, byte[] Bytes)> records = Records(seed: 2, steps: 20);
        follower.Apply(records[0].Bytes);
        Assert.Equal(0, follower.Environment.LastTransactionId);
        Assert.Equal(records[0].Position, follower.Environment.LogDurable);
        Assert.False(follower.Environment.Flusher.TryApply(1));
        Assert.Throws<InvalidOperationException>(() => follower.Apply(records[1].Bytes));
        Assert.False(follower.Publish(2));
        Assert.True(follower.Publish(1));
        Assert.False(follower.Publish(1));
        Assert.Equal(records[0].Position, follower.Environment.Log);

        // In the journal, and in doubt: an open keeps it, or gives it up if it is told so.
        follower.Apply(records[1].Bytes);
        follower.Reopen(upTo: 1);
        Assert.Equal(records[0].Position, follower.Environment.Log);
        follower.Apply(records[1].Bytes);
        follower.Reopen();
        Assert.Equal(records[1].Position, follower.Environment.Log);
        follower.Apply(records[2].Bytes);
        Assert.True(follower.Publish(3));
    }

    [Theory]
    [Trait("Invariant", "APPLY-2")]
    [InlineData(3)]
    [InlineData(4)]
    public void A_record_with_any_byte_changed_or_cut_off_is_refused_and_changes_nothing(int seed)
    {
        List<(LogPosition Position, byte[] Bytes)> records = Records(seed, steps: 30);
        using var follower = new Follower(seed);
        var random = new Random(seed);
        foreach ((LogPosition position, byte[] bytes) in records)
        {
            for (int i = 0; i < 6; i++)
            {
                byte[] changed = bytes[..(i == 0 ? random.Next(bytes.Length) : bytes.Length)];
                if (i > 0)
                {
                    int at = random.Next(i < 4 ? LogRecord.HeadSizeInBytes : changed.Length);
                    changed[at] ^= (byte)(1 << random.Next(8));
                }

                RequireRefused(follower, changed, refusal: null);
            }

            follower.Apply(bytes);
            Assert.True(follower.Publish(position.TransactionId));
        }
    }

    /// <summary>Whole by their hashes: a node that makes such records is mistaken itself.</summary>
    [Fact]
    [Trait("Invariant", "APPLY-2")]
    public void A_record_that_does_not_continue_the_own_log_is_refused_by_what_is_wrong_with_it()
    {
        List<(LogPosition Position, byte[] Bytes)> records = Records(seed: 6, steps: 20);
        using var follower = new Follower(6);
        RequireRefused(follower, records[1].Bytes, LogRefusal.NotNext);
        RequireRefused(follower, [1, 2, 3], LogRefusal.NotARecord);
        byte[] first = records[0].Bytes;
        RequireRefused(follower, first[..^1], LogRefusal.Damaged);
        RequireRefused(follower, With(first, 16, 99), LogRefusal.NewerFormat);
        RequireRefused(follower, With(first, 24, 7), LogRefusal.OtherEnvironment);
        RequireRefused(follower, With(first, 48, 7), LogRefusal.OtherHistory);
        RequireRefused(follower, With(first, 40, 7), LogRefusal.OtherHistory);
        RequireRefused(follower, With(first, 72, 2, chains: true), LogRefusal.Impossible);
        RequireRefused(follower, With(first, 88, 0x7FFF_FFFF, chains: true), LogRefusal.Impossible);
        RequireRefused(follower, With(first, LogRecord.HeadSizeInBytes, 1, chains: true), LogRefusal.Impossible);
        follower.Apply(first);
        follower.Publish(1);
        RequireRefused(follower, first, LogRefusal.NotNext);
        List<(LogPosition Position, byte[] Bytes)> others = Records(seed: 2, steps: 20);
        RequireRefused(follower, others[1].Bytes, LogRefusal.OtherHistory);
    }

    /// <summary>What a follower acknowledged is there after any power cut, and is the primary's state.</summary>
    [Theory]
    [Trait("Invariant", "APPLY-3")]
    [Trait("Invariant", "LOG-1")]
    [InlineData(2)]
    [InlineData(4)]
    public void Each_cut_of_a_follower_leaves_what_it_acknowledged(int seed)
    {
        using var follower = new Follower(seed);
        var acknowledged = new List<(int Cut, LogPosition Position)>();
        StorageEnvironment? primary = null;
        RecordingGate? gate = null;
        gate = Following(follower, id =>
        {
            acknowledged.Add((follower.Disk.Log.Count, gate!.Records[^1].Position));
            follower.Publish(id);
            follower.DoBeside();
        });
        using CrashWorkload workload = NewWorkload(seed, environment => gate.Attach(primary = environment));
        workload.Run(40);
        var random = new Random(seed);
        using var maker = new CrashImages(follower.Disk.Log) { IsOneAtATime = true };
        foreach (int cut in Enumerable.Range(0, 60).Select(_ => random.Next(follower.Disk.Log.Count + 1)).Order())
        {
            maker.AdvanceTo(cut);
            DiskImage image = maker.Make(random);
            RequireRecovered(workload, follower, image, cut, acknowledged);
            maker.Recycle(image);
        }
    }

    private static void RequireRecovered(
        CrashWorkload workload, Follower follower, DiskImage image, int cut,
        List<(int Cut, LogPosition Position)> acknowledged)
    {
        using var disk = new SimulatedFileSystem(image, borrows: true);
        LogPosition least = acknowledged.LastOrDefault(each => each.Cut < cut).Position;
        LogPosition? scanned = LogScan.Run(follower.Options(disk))?.Last;
        using StorageEnvironment environment = StorageEnvironment.Open(follower.Options(disk));
        long recovered = environment.LastTransactionId;
        Assert.InRange(recovered, least.TransactionId, least.TransactionId + 1);
        Assert.Equal(scanned ?? default, environment.Log);
        if (recovered > 0)
        {
            Assert.Equal(
                acknowledged.Single(each => each.Position.TransactionId == recovered).Position, environment.Log);
            using ReadTransaction reader = environment.BeginRead();
            Assert.Contains(
                workload.Attempts.Where(attempt => attempt.TransactionId == recovered),
                attempt => CrashWorkload.Difference(reader, attempt.State) is null);
        }
    }

    private static void RequireRefused(Follower follower, byte[] record, LogRefusal? refusal)
    {
        StorageEnvironment environment = follower.Environment;
        (LogPosition, LogPosition, long, int) before = Look();
        LogRecordException thrown = Assert.Throws<LogRecordException>(() => follower.Apply(record));
        Assert.Equal(refusal ?? thrown.Refusal, thrown.Refusal);
        Assert.Equal(before, Look());
        Assert.Null(environment.Fault);

        (LogPosition, LogPosition, long, int) Look() =>
            (environment.Log, environment.LogDurable, environment.FreeSpace.FreePages, follower.Disk.Log.Count);
    }

    /// <summary>A record with a number changed, whose hashes fit again.</summary>
    private static byte[] With(byte[] record, int offset, int value, bool chains = false)
    {
        byte[] changed = [.. record];
        MemoryMarshal.Write(changed.AsSpan(offset), in value);
        LogRecordHeader header = MemoryMarshal.Read<LogRecordHeader>(changed);
        if (chains)
        {
            header.EntriesHash = LogChain.HashOfEntries(
                changed.AsSpan(LogRecordHeader.SizeInBytes, Math.Max(0, header.StoredBytes)));
            header.LogHash = LogChain.Next(
                header.PreviousLogHash, header.TransactionId, header.Epoch, header.NextPageNumber,
                header.CatalogRecord, header.EntriesHash);
            MemoryMarshal.Write(changed, in header);
        }

        ulong hash = XxHash3.HashToUInt64(changed.AsSpan(sizeof(ulong)), (long)header.EnvironmentId);
        MemoryMarshal.Write(changed, in hash);
        return changed;
    }

    private static List<(LogPosition Position, byte[] Bytes)> Records(int seed, int steps)
    {
        var gate = new RecordingGate();
        using CrashWorkload workload = NewWorkload(seed, environment => gate.Attach(environment));
        workload.Run(steps);
        Assert.True(gate.Records.Count > 3);
        return gate.Records;
    }

    private static RecordingGate Following(Follower follower, Action<long> settled) =>
        new() { Ships = follower.Apply, Settled = settled };

    private static CrashWorkload NewWorkload(int seed, Action<StorageEnvironment> opened) =>
        new(seed, StorageHooks.Off) { Opened = opened };
}
