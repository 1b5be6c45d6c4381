using FastTests.Support;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Crash;

/// <summary>
/// A process that is killed leaves what it wrote, synced or not: the next one sees it, and a power cut may still take
/// it away. What the next one builds on has to be synced first. And what an open or a commit that fails leaves.
/// </summary>
public sealed class UnsyncedWritesTests
{
    private const string Journal = "journal-000001.voron";

    [Fact]
    [Trait(Proof.Row, Proof.CrashesUponCrashes)]
    public void The_name_of_a_journal_file_is_durable_before_a_record_is_written_to_it()
    {
        int sync;
        using (var whole = new SimulatedFileSystem())
        {
            Run(whole);
            sync = whole.Log.FindIndex(
                whole.Log.FindIndex(done => done is { Kind: DiskOperationKind.Create, Name: Journal }),
                done => done.Kind == DiskOperationKind.SyncDirectory);
        }

        using var disk = new SimulatedFileSystem();
        disk.Fault = new DiskFault(DiskFaultKind.InputOutputError, sync, IsSticky: true);
        Assert.Throws<StorageIOException>(() => Run(disk));
        Assert.True(disk.Exists(Journal));
        List<DiskOperation> since = RunAgain(disk);
        int named = since.FindIndex(done => done.Kind == DiskOperationKind.SyncDirectory);
        Assert.InRange(named, 0, since.FindIndex(done => done.IsWriteThrough));
    }

    [Fact]
    [Trait("Invariant", "RECOVERY-2")]
    [Trait("Invariant", "FLUSH-3")]
    [Trait(Proof.Row, Proof.CrashesUponCrashes)]
    public void A_header_is_durable_before_journals_that_it_does_not_need_are_reused_or_deleted()
    {
        int sync;
        using (var whole = new SimulatedFileSystem())
        {
            Run(whole);
            sync = whole.Log.FindLastIndex(done => done.Kind == DiskOperationKind.Sync);
        }

        using var disk = new SimulatedFileSystem();
        disk.Fault = new DiskFault(DiskFaultKind.InputOutputError, sync, IsSticky: true);
        Run(disk);
        Assert.True(disk.HasFailed);
        int data = disk.NumberOf("data.voron");
        List<DiskOperation> since = RunAgain(disk);
        int synced = since.FindIndex(done => done.Kind == DiskOperationKind.Sync && done.File == data);
        int used = since.FindIndex(done => done.Data is not null || done.Kind == DiskOperationKind.Delete);
        Assert.InRange(synced, 0, used);
    }

    [Fact]
    [Trait(Proof.Row, Proof.DiskErrors)]
    public void An_open_that_fails_leaves_no_file_open()
    {
        using var disk = new SimulatedFileSystem();
        Run(disk);
        DiskImage image = disk.CurrentImage().Copy();
        image.Files["data.voron"].Span[(2 * 8192) + 100] ^= 1;
        using var damaged = new SimulatedFileSystem(image);
        for (int i = 0; i < 3; i++)
        {
            Assert.Throws<StorageCorruptedException>(() => Open(damaged, StorageHooks.Off));
            Assert.Equal(0, damaged.OpenFiles);
        }
    }

    [Fact]
    public void A_commit_that_finds_no_memory_fails_and_the_next_one_is_refused()
    {
        using var disk = new SimulatedFileSystem();
        bool isArmed = false;
        var hooks = new StorageHooks
        {
            BetweenReclaimReads = () => _ = isArmed ? throw new InsufficientMemoryException() : 0,
        };
        using (StorageEnvironment environment = Open(disk, hooks))
        {
            Put(environment);
            Put(environment);
            isArmed = true;
            Assert.Throws<InsufficientMemoryException>(() => Put(environment));
            isArmed = false;
            Exception? refusal = null;
            var writer = new Thread(() => refusal = Record.Exception(() => Put(environment))) { IsBackground = true };
            writer.Start();
            Assert.True(writer.Join(Deadline.Hang), "the next writer waits for ever");
            Assert.IsType<StoragePoisonedException>(refusal);
            using ReadTransaction reader = environment.BeginRead();
            Assert.Equal(2, reader.Id);
        }

        using StorageEnvironment again = Open(disk, StorageHooks.Off);
        Assert.Equal(2, again.LastTransactionId);
        Assert.Empty(again.Audit().Findings);
    }

    [Fact]
    public void A_flush_that_finds_no_memory_is_given_up_and_writers_go_on()
    {
        using var disk = new SimulatedFileSystem();
        bool isArmed = false;
        var hooks = new StorageHooks
        {
            BetweenReclaimReads = () => _ = isArmed ? throw new InsufficientMemoryException() : 0,
        };
        using (StorageEnvironment environment = Open(disk, hooks))
        {
            Put(environment);
            isArmed = true;
            _ = Record.Exception(() => environment.Flush());
            isArmed = false;
            var writer = new Thread(() => Put(environment)) { IsBackground = true };
            writer.Start();
            Assert.True(writer.Join(Deadline.Hang), "the write lock was not let go");
            Assert.True(environment.Flush());
            Assert.Equal(0, environment.Scratch.UsedBytes);
        }

        using StorageEnvironment again = Open(disk, StorageHooks.Off);
        Assert.Equal(2, again.LastTransactionId);
        Assert.Empty(again.Audit().Findings);
    }

    private static void Run(SimulatedFileSystem disk)
    {
        using StorageEnvironment environment = Open(disk, StorageHooks.Off);
        Put(environment);
    }

    private static List<DiskOperation> RunAgain(SimulatedFileSystem disk)
    {
        disk.Fault = null;
        int before = disk.Log.Count;
        Run(disk);
        return disk.Log.Slice(before, disk.Log.Count - before);
    }

    private static StorageEnvironment Open(SimulatedFileSystem disk, StorageHooks hooks) =>
        StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk,
            Scheduler = new ManualScheduler(),
            NewEnvironmentId = 1,
            Hooks = hooks,
        });

    private static void Put(StorageEnvironment environment)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        transaction.OpenOrCreateTree("t"u8).Put("key"u8, BitConverter.GetBytes(transaction.Id));
        transaction.Commit();
    }
}
