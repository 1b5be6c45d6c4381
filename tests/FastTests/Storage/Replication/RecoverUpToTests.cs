using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Journal;
using Raven.Storage.Options;
using Raven.Storage.Replication;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Replication;

/// <summary>An open that ends with the transaction that nodes have agreed on, and what a scan says before.</summary>
public sealed class RecoverUpToTests
{
    /// <summary>Also over switches of the journal, and twice: what was given up stays given up.</summary>
    [Theory]
    [Trait("Invariant", "RECOVERY-4")]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(6)]
    public void Each_transaction_of_a_journal_may_be_the_last_one(int seed)
    {
        var gate = new RecordingGate();
        using CrashWorkload workload = NewWorkload(seed, gate);
        workload.Run(60);
        using DiskImage image = workload.Disk.CurrentImage();
        LogScan scan = Scan(workload, image);
        Assert.Equal(workload.Environment!.Log, scan.Last);
        Assert.Equal(
            scan.Records,
            gate.Records.Select(record => record.Position)
                .Where(each => each.TransactionId > scan.Applied.TransactionId));
        long first = scan.Applied.TransactionId;
        long last = scan.Last.TransactionId;
        Assert.True(last > first, "The journal is empty.");
        for (long upTo = Math.Max(first, last - 12); upTo <= last; upTo++)
        {
            using var disk = new SimulatedFileSystem(image);
            Open(workload, disk, upTo, gate);
            Open(workload, disk, upTo, gate);
            using StorageEnvironment environment = workload.Open(disk);
            Assert.Equal(upTo, environment.LastTransactionId);
            using (WriteTransaction transaction = environment.BeginWrite())
            {
                transaction.OpenOrCreateTree("after"u8).Put("cut"u8, new byte[9]);
                transaction.Commit();
            }

            // What was given up is whole on the disk still, at the same number: it is not read again.
            using DiskImage crashed = disk.CurrentImage();
            using var again = new SimulatedFileSystem(crashed);
            using StorageEnvironment recovered = workload.Open(again);
            Assert.Equal(upTo + 1, recovered.LastTransactionId);
            Assert.Equal(environment.Log, recovered.Log);
            using ReadTransaction reader = recovered.BeginRead();
            Assert.True(reader.TryOpenTree("after"u8)!.TryGet("cut"u8, out _));
        }

        RequireOutOfReach(workload, image, first - 1, last + 1, (first, last));
    }

    [Fact]
    [Trait("Invariant", "RECOVERY-4")]
    public void A_folder_that_was_closed_has_only_its_last_transaction()
    {
        using CrashWorkload workload = NewWorkload(2, new RecordingGate());
        workload.Run(20);
        long last = workload.Environment!.LastTransactionId;
        using DiskImage crashed = workload.Disk.CurrentImage();
        using var closed = new SimulatedFileSystem(crashed);
        workload.Open(closed).Dispose();
        using DiskImage image = closed.CurrentImage();
        LogScan scan = Scan(workload, image);
        Assert.Empty(scan.Records);
        Assert.Equal(last, scan.Last.TransactionId);
        RequireOutOfReach(workload, image, last - 1, last + 1, (last, last));
        using var disk = new SimulatedFileSystem(image);
        using StorageEnvironment environment = StorageEnvironment.Open(
            workload.Options(disk) with { RecoverUpTo = last });
        Assert.Equal(last, environment.LastTransactionId);
    }

    [Fact]
    public void A_scan_of_no_environment_is_null_and_of_one_in_use_is_refused()
    {
        using CrashWorkload workload = NewWorkload(2, new RecordingGate());
        using var empty = new SimulatedFileSystem();
        Assert.Null(LogScan.Run(workload.Options(empty)));
        Assert.Empty(empty.List());
    }

    /// <summary>The hash of the log, or what it is made of, is changed in a record whose own hash fits.</summary>
    [Theory]
    [Trait("Invariant", "LOG-1")]
    [InlineData(104, "does not follow")]
    [InlineData(112, "does not follow")]
    [InlineData(120, "does not follow")]
    [InlineData(84, "not in the log")]
    public void Recovery_stops_at_a_record_that_does_not_continue_the_log(int offset, string message)
    {
        using CrashWorkload workload = NewWorkload(2, new RecordingGate());
        workload.Run(12);
        using DiskImage image = workload.Disk.CurrentImage();
        using var disk = new SimulatedFileSystem(image);
        (string name, long at, byte[] record) = LastRecord(disk, workload.Environment!.EnvironmentId);
        record[offset] ^= (byte)(offset == 84
            ? JournalRecordHeader.LogFlag | JournalRecordHeader.OwnEntriesFlag
            : 1);
        ulong hash = System.IO.Hashing.XxHash3.HashToUInt64(
            record.AsSpan(sizeof(ulong)), (long)workload.Environment.EnvironmentId);
        System.Runtime.InteropServices.MemoryMarshal.Write(record, in hash);
        using (IFile file = disk.Open(name, FileOpenMode.Existing))
        {
            file.WriteAt(at, record);
        }

        StorageCorruptedException thrown = Assert.Throws<StorageCorruptedException>(() => workload.Open(disk));
        Assert.Contains(message, thrown.Message, StringComparison.Ordinal);
        Assert.Equal(workload.Environment.LastTransactionId - 1, Scan(workload, disk).Last.TransactionId);
    }

    private static (string Name, long Offset, byte[] Record) LastRecord(SimulatedFileSystem disk, ulong environmentId)
    {
        (string Name, long Offset, byte[] Record) found = ("", 0, []);
        long last = 0;
        foreach (string name in disk.List().Where(name => JournalName.TryParse(name, out _)))
        {
            using var reader = new Raven.Storage.Recovery.JournalReader(
                disk.Open(name, FileOpenMode.Existing), environmentId);
            for (long at = 0; reader.TryRead(at, out JournalRecordHeader header, out ReadOnlySpan<byte> record);
                at += record.Length)
            {
                if (header.Kind == JournalRecordKind.Transaction && header.TransactionId > last)
                {
                    last = header.TransactionId;
                    found = (name, at, record[..(JournalRecordHeader.SizeInBytes + header.StoredBytes)].ToArray());
                }
            }
        }

        return found;
    }

    private static void Open(CrashWorkload workload, SimulatedFileSystem disk, long upTo, RecordingGate gate)
    {
        using StorageEnvironment environment = StorageEnvironment.Open(
            workload.Options(disk) with { RecoverUpTo = upTo });
        Assert.Equal(upTo, environment.LastTransactionId);
        Assert.Equal(
            gate.Records.Select(record => record.Position).LastOrDefault(each => each.TransactionId == upTo),
            environment.Log);
        using ReadTransaction reader = environment.BeginRead();
        Assert.True(upTo == 0 || workload.Attempts.Any(
            attempt => attempt.TransactionId == upTo && CrashWorkload.Difference(reader, attempt.State) is null));
        Assert.Empty(environment.Audit().Findings);
    }

    private static void RequireOutOfReach(
        CrashWorkload workload, DiskImage image, long below, long above, (long First, long Last) has)
    {
        using var disk = new SimulatedFileSystem(image);
        foreach ((long wanted, long found) in new[] { (below, has.First), (above, has.Last) })
        {
            RecoverUpToException thrown = Assert.Throws<RecoverUpToException>(
                () => StorageEnvironment.Open(workload.Options(disk) with { RecoverUpTo = wanted }));
            Assert.Equal((wanted, found), (thrown.Wanted, thrown.Found));
        }

        using StorageEnvironment environment = workload.Open(disk);
        Assert.Equal(has.Last, environment.LastTransactionId);
    }

    private static LogScan Scan(CrashWorkload workload, DiskImage image)
    {
        using var disk = new SimulatedFileSystem(image);
        return Scan(workload, disk);
    }

    private static LogScan Scan(CrashWorkload workload, SimulatedFileSystem disk)
    {
        LogScan? scan = LogScan.Run(workload.Options(disk));
        Assert.NotNull(scan);
        Assert.Equal(0x5EEDUL, scan.EnvironmentId);
        return scan;
    }

    private static CrashWorkload NewWorkload(int seed, RecordingGate gate) =>
        new(seed, StorageHooks.Off) { Opened = environment => gate.Attach(environment) };
}
