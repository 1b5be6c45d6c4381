using System.Text;
using FastTests.Support;
using Raven.Storage;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>A copy that is made while transactions go on is the state of one moment.</summary>
public sealed class StorageBackupTests
{
    private const string LockName = "voron.lock";

    [Fact]
    [Trait(Proof.Row, Proof.Models)]
    public void A_copy_made_beside_a_writer_is_the_state_of_one_transaction()
    {
        string folder = Path.Combine(Path.GetTempPath(), "raven-backup-" + Guid.NewGuid().ToString("N")[..12]);
        try
        {
            using StorageEnvironment source = Open(new RealFileSystem(folder));
            PutMany(source, 0, 500);
            using var stop = new ManualResetEventSlim();
            var writer = new Thread(() =>
            {
                for (int i = 500; !stop.IsSet; i++)
                {
                    PutMany(source, i, 1);
                }
            });
            writer.Start();
            using var target = new SimulatedFileSystem();
            long copied = StorageBackup.Copy(source, target);
            stop.Set();
            writer.Join();

            using StorageEnvironment copy = Open(target);
            Assert.Equal(copied, copy.LastTransactionId);
            Assert.Empty(copy.Audit().Findings);
            using (ReadTransaction reader = copy.BeginRead())
            {
                // The first transaction wrote 500 keys, each later one the next key.
                Tree tree = reader.TryOpenTree("t"u8)!;
                Assert.Equal(499 + copied, tree.Count);
                Assert.True(tree.Contains(KeyOf((int)tree.Count - 1)));
            }

            PutMany(copy, 1_000_000, 10);
            Assert.Throws<StorageInUseException>(() => StorageBackup.Copy(source, target));
            copy.Dispose();
            Assert.Throws<InvalidOperationException>(() => StorageBackup.Copy(source, target));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    [Trait("Invariant", "DATA-3")]
    [Trait(Proof.Row, Proof.Damage)]
    public void A_page_that_rotted_since_it_was_read_is_not_copied_with_a_new_checksum()
    {
        string folder = Path.Combine(Path.GetTempPath(), "raven-backup-" + Guid.NewGuid().ToString("N")[..12]);
        try
        {
            using StorageEnvironment source = Open(new RealFileSystem(folder));
            PutMany(source, 0, 500);
            source.Flush();
            Assert.Empty(source.Audit().Findings);
            using (FileStream file = new(
                Path.Combine(folder, "data.voron"), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite))
            {
                // In the middle of a page that the audit has read.
                file.Position = (20 * 8192) + 5000;
                int value = file.ReadByte();
                file.Position--;
                file.WriteByte((byte)(value ^ 1));
            }

            using var target = new SimulatedFileSystem();
            StorageCorruptedException damage =
                Assert.Throws<StorageCorruptedException>(() => StorageBackup.Copy(source, target));
            Assert.Contains("page ", damage.Message, StringComparison.Ordinal);
            Assert.Equal([LockName], target.List());
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    [Trait(Proof.Row, Proof.DiskErrors)]
    public void A_copy_that_fails_leaves_nothing_in_the_target()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment source = Open(disk);
        PutMany(source, 0, 10);
        using var inner = new SimulatedFileSystem();
        var target = new FailingFileSystem(inner) { Fails = true };
        Assert.Throws<StorageIOException>(() => StorageBackup.Copy(source, target));
        Assert.Equal([LockName], target.List());
        target.Fails = false;
        target.FailsFolders = true;
        Assert.Throws<StorageIOException>(() => StorageBackup.Copy(source, target));
        Assert.Equal([LockName], target.List());
        target.FailsFolders = false;
        Assert.Equal(1, StorageBackup.Copy(source, target));
    }

    [Fact]
    public async Task A_second_copy_into_one_folder_is_refused_and_does_not_harm_the_first()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment source = Open(disk);
        PutMany(source, 0, 10);
        using var inner = new SimulatedFileSystem();
        using var target = new GatedFileSystem(inner) { GatesJournals = true };
        target.Gate.Reset();
        Task<long> first = Task.Run(() => StorageBackup.Copy(source, target));
        target.IsWaiting.Wait();
        Exception? refused = Record.Exception(() => StorageBackup.Copy(source, inner));
        Exception? opened = Record.Exception(() => Open(inner).Dispose());
        target.Gate.Set();
        Assert.Equal(1, await first);
        Assert.IsType<StorageInUseException>(refused);
        Assert.IsType<StorageInUseException>(opened);
        using StorageEnvironment copy = Open(inner);
        Assert.Equal(1, copy.LastTransactionId);
        Assert.Empty(copy.Audit().Findings);
    }

    private static StorageEnvironment Open(IFileSystem files) => StorageEnvironment.Open(
        new StorageOptions { FileSystem = files, FlushAfterBytes = 512 << 10 });

    private static byte[] KeyOf(int number) => Encoding.ASCII.GetBytes($"k{number:D8}");

    private static void PutMany(StorageEnvironment environment, int from, int count)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        Tree tree = transaction.OpenOrCreateTree("t"u8);
        for (int i = from; i < from + count; i++)
        {
            tree.Put(KeyOf(i), new byte[300 + (i % 50 == 0 ? 20_000 : 0)]);
        }

        transaction.Commit();
    }
}
