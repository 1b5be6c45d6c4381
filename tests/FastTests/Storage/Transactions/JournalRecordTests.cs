using System.IO.Hashing;
using System.Runtime.InteropServices;
using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Journal;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>What stands in the journal, write by write, over several files that are used again and again.</summary>
public sealed class JournalRecordTests
{
    private const ulong EnvironmentId = 0x0123456789ABCDEF;
    private const int Rounds = 6;
    private const int CommitsOfRound = 8;
    private const string FirstJournal = "journal-000001.voron";

    private static readonly Lazy<(IReadOnlyList<Written> Records, DiskImage Image)> Journal = new(WriteJournal);

    private static IReadOnlyList<Written> Records => Journal.Value.Records;

    [Fact]
    [Trait("Invariant", "JOURNAL-1")]
    public void A_record_starts_at_a_multiple_of_4096_and_zeros_fill_its_last_block()
    {
        Assert.All(Records, record =>
        {
            JournalRecordHeader header = record.Header;
            int end = JournalRecordHeader.SizeInBytes + header.StoredBytes;
            Assert.Equal(0, record.Offset % 4096);
            Assert.Equal(record.Offset, header.FileOffset);
            Assert.Equal((end + 4095) / 4096 * 4096, record.Bytes.Length);
            Assert.Equal(-1, record.Bytes.AsSpan(end).IndexOfAnyExcept((byte)0));
        });
    }

    [Fact]
    [Trait("Invariant", "JOURNAL-2")]
    public void The_hash_of_a_record_is_that_of_all_bytes_behind_it_by_the_id_of_the_environment()
    {
        Assert.All(Records, record => Assert.Equal(
            XxHash3.HashToUInt64(
                record.Bytes.AsSpan(8, JournalRecordHeader.SizeInBytes - 8 + record.Header.StoredBytes),
                (long)EnvironmentId),
            record.Header.Hash));
    }

    [Fact]
    [Trait("Invariant", "JOURNAL-3")]
    public void Each_record_names_the_hash_of_the_one_before_over_file_switches_too()
    {
        ulong previous = 0;
        foreach (Written record in Records)
        {
            Assert.Equal(previous, record.Header.PreviousHash);
            previous = record.Header.Hash;
        }

        Assert.True(Records.Count(record => record.Header.Kind == JournalRecordKind.Switch) > Rounds);
    }

    [Fact]
    [Trait("Invariant", "JOURNAL-4")]
    public void Each_use_of_a_journal_file_has_a_higher_incarnation_and_what_an_earlier_one_left_is_not_read()
    {
        long current = 0;
        foreach (Written record in Records)
        {
            if (record.Offset == 0)
            {
                Assert.True(record.Header.Incarnation > current);
                current = record.Header.Incarnation;
            }

            Assert.Equal(current, record.Header.Incarnation);
        }

        Assert.Contains(
            Records.Where(record => record.Offset == 0).GroupBy(record => record.File), uses => uses.Count() > 1);
        using var disk = new SimulatedFileSystem(Journal.Value.Image);
        using StorageEnvironment environment = Open(disk);
        Assert.Equal(Rounds * CommitsOfRound, environment.LastTransactionId);
        using ReadTransaction reader = environment.BeginRead();
        for (int i = 0; i < CommitsOfRound; i++)
        {
            Assert.True(reader.TryOpenTree("t"u8)!.TryGet([(byte)i], out NativeSlice value));
            Assert.Equal(Value(Rounds - 1, i), value.Span.ToArray());
        }
    }

    [Fact]
    [Trait("Invariant", "FLUSH-1")]
    public void A_page_goes_whole_into_the_journal_before_it_is_patched_behind_each_flush()
    {
        using var plain = new NativeBuffer(JournalRecordHeader.AlignmentBytes);
        HashSet<(long Round, long Page)> whole = [];
        int patches = 0;
        foreach (Written record in Records.Where(record => record.Header.Kind == JournalRecordKind.Transaction))
        {
            long round = (record.Header.TransactionId - 1) / CommitsOfRound;
            ReadOnlySpan<byte> payload = JournalPayload.Open(record.Header, record.Bytes, plain, "journal");
            for (int i = 0; i < record.Header.EntryCount; i++)
            {
                JournalEntryHeader entry = MemoryMarshal.Read<JournalEntryHeader>(payload);
                payload = payload[(JournalEntryHeader.SizeInBytes + entry.DataBytes)..];
                if (entry.Kind == JournalEntryKind.Patch)
                {
                    patches++;
                    Assert.Contains((round, entry.PageNumber), whole);
                }
                else
                {
                    Assert.Equal(JournalEntryKind.Whole, entry.Kind);
                    whole.Add((round, entry.PageNumber));
                }
            }
        }

        Assert.True(patches > Rounds, $"{patches} patches");
        Assert.Equal(Rounds, whole.Select(each => each.Round).Distinct().Count());
    }

    [Theory]
    [Trait("Invariant", "RECOVERY-3")]
    [InlineData(0, true)]
    [InlineData(2, true)]
    [InlineData(3, false)]
    public void A_damaged_record_ends_the_journal_only_if_none_that_proves_it_durable_is_behind_it(
        int damaged, bool isRefused)
    {
        const int Commits = 4;
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk, journalBytes: 64 << 10);
        for (int i = 0; i < Commits; i++)
        {
            Put(environment, round: 0, i);
        }

        DiskImage image = disk.CurrentImage().Copy();
        Written record = RecordsOf(disk)[damaged];
        image.Files[FirstJournal].Span[(int)record.Offset + JournalRecordHeader.SizeInBytes + 1] ^= 1;
        using var copy = new SimulatedFileSystem(image);
        if (isRefused)
        {
            StorageCorruptedException refusal = Assert.Throws<StorageCorruptedException>(() => Open(copy));
            Assert.Equal((FirstJournal, record.Offset), (refusal.File, refusal.Offset));
            return;
        }

        using StorageEnvironment again = Open(copy);
        Assert.Equal(Commits - 1, again.LastTransactionId);
    }

    [Fact]
    [Trait("Invariant", "COMMIT-2")]
    public void One_journal_write_is_in_flight_at_a_time_and_the_next_follows_it_in_the_chain()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk, journalBytes: 64 << 10);
        Put(environment, round: 0, 0);
        using var isWriting = new ManualResetEventSlim();
        using var gate = new ManualResetEventSlim();
        using var isPrepared = new ManualResetEventSlim();
        int begun = 0;
        disk.BeforeJournalWrite = _ =>
        {
            Interlocked.Increment(ref begun);
            isWriting.Set();
            gate.Wait();
        };
        var first = new Thread(() => Put(environment, round: 0, 1));
        first.Start();
        Assert.True(isWriting.Wait(Deadline.Hang));
        var second = new Thread(() => Put(environment, round: 0, 2, isPrepared.Set));
        second.Start();
        Assert.True(isPrepared.Wait(Deadline.Hang), "The next transaction waited for the write before its commit.");
        Deadline.LetGracePass();
        Assert.Equal(1, Volatile.Read(ref begun));
        gate.Set();
        first.Join();
        second.Join();
        Assert.True(begun > 1);
        Assert.Equal([1, 2, 3], RecordsOf(disk).Select(record => record.Header.TransactionId));
    }

    private static (IReadOnlyList<Written> Records, DiskImage Image) WriteJournal()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        for (int round = 0; round < Rounds; round++)
        {
            Assert.True(environment.Flush() || round == 0);
            for (int i = 0; i < CommitsOfRound; i++)
            {
                Put(environment, round, i);
            }
        }

        return (RecordsOf(disk), disk.CurrentImage());
    }

    /// <summary>The zeros that are written ahead of records are no records.</summary>
    private static List<Written> RecordsOf(SimulatedFileSystem disk)
    {
        List<Written> records = [];
        foreach (DiskOperation write in disk.Log.Where(each => each is { IsWriteThrough: true, Data: not null }))
        {
            if (JournalRecordHeader.TryReadHead(write.Data, EnvironmentId, out JournalRecordHeader header))
            {
                records.Add(new Written(write.File, write.Offset, write.Data!, header));
            }
        }

        return records;
    }

    private static byte[] Value(int round, int key)
    {
        byte[] value = new byte[200 + (700 * key)];
        new Random((round * CommitsOfRound) + key).NextBytes(value);
        return value;
    }

    private static void Put(StorageEnvironment environment, int round, int key, Action? beforeCommit = null)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        transaction.OpenOrCreateTree("t"u8).Put([(byte)key], Value(round, key));
        beforeCommit?.Invoke();
        transaction.Commit();
    }

    private static StorageEnvironment Open(SimulatedFileSystem disk, int journalBytes = 16 << 10) =>
        StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk,
            Scheduler = new ManualScheduler(),
            NewEnvironmentId = EnvironmentId,
            JournalSizeBytesMin = journalBytes,
            JournalSizeBytesMax = journalBytes,
        });

    /// <summary>A record and its place.</summary>
    private sealed class Written(int file, long offset, byte[] bytes, JournalRecordHeader header)
    {
        internal int File { get; } = file;

        internal long Offset { get; } = offset;

        internal byte[] Bytes { get; } = bytes;

        internal JournalRecordHeader Header { get; } = header;
    }
}
