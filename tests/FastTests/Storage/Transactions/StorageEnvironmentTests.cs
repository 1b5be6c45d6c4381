using System.Text;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace FastTests.Storage.Transactions;

/// <summary>An environment on a real folder: what a commit, a rollback, a reader and a reopen promise.</summary>
public sealed class StorageEnvironmentTests : IDisposable
{
    private readonly string _folder =
        Path.Combine(Path.GetTempPath(), "raven-storage-" + Guid.NewGuid().ToString("N")[..12]);

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Committed_entries_are_there_after_a_clean_close()
    {
        using (StorageEnvironment environment = Open(_folder))
        {
            PutMany(environment, 0, 2000);
        }

        using StorageEnvironment again = Open(_folder);
        Assert.Equal(0, again.Recovery.Transactions);
        AssertHas(again, 2000);
    }

    [Fact]
    public void Committed_entries_are_there_after_a_crash()
    {
        string copy = _folder + "/copy";
        using (StorageEnvironment environment = Open(_folder))
        {
            for (int i = 0; i < 40; i++)
            {
                PutMany(environment, i * 50, 50);
            }

            CopyFiles(copy);
        }

        using StorageEnvironment again = Open(copy);
        Assert.True(again.Recovery.Transactions > 0);
        AssertHas(again, 2000);
    }

    [Fact]
    [Trait("Invariant", "WRITE-1")]
    public void A_reader_sees_the_snapshot_that_it_began_with_until_it_ends()
    {
        using StorageEnvironment environment = Open(_folder);
        PutMany(environment, 0, 100);
        using ReadTransaction reader = environment.BeginRead();
        for (int i = 1; i < 20; i++)
        {
            PutMany(environment, 100 * i, 100);
            environment.Flush();
            Assert.Equal(100, reader.TryOpenTree("t")!.Count);
            Assert.Equal(100, CountByCursor(reader));
        }

        using ReadTransaction newer = environment.BeginRead();
        Assert.Equal(2000, newer.TryOpenTree("t")!.Count);
    }

    [Fact]
    public void A_transaction_that_is_not_committed_leaves_nothing_behind()
    {
        using StorageEnvironment environment = Open(_folder);
        PutMany(environment, 0, 100);
        long used = environment.Scratch.UsedBytes;
        long free = environment.FreeSpace.FreePages;
        using (WriteTransaction transaction = environment.BeginWrite())
        {
            Tree tree = transaction.OpenOrCreateTree("t");
            tree.Put("k000050"u8, new byte[100_000]);
            tree.Delete("k000001"u8);
        }

        Assert.Equal(used, environment.Scratch.UsedBytes);
        Assert.Equal(free, environment.FreeSpace.FreePages);
        AssertHas(environment, 100);
    }

    [Fact]
    [Trait("Invariant", "WRITER-1")]
    public void Disposing_a_committed_transaction_does_not_affect_the_next_writer()
    {
        using StorageEnvironment environment = Open(_folder);
        WriteTransaction first = environment.BeginWrite();
        first.OpenOrCreateTree("t").Put("first"u8, "1"u8);
        first.Commit();
        using (WriteTransaction second = environment.BeginWrite())
        {
            Assert.Equal(first.Id + 1, second.Id);
            Tree tree = second.OpenOrCreateTree("t");
            tree.Put("second"u8, "2"u8);
            first.Dispose();
            first.Dispose();
            tree.Put("third"u8, "3"u8);
            second.Commit();
        }

        using WriteTransaction third = environment.BeginWrite();
        Assert.Equal(3, third.TryOpenTree("t")!.Count);
        Assert.True(third.DeleteStructure("t"u8));
        third.Commit();
        Assert.Empty(environment.Audit().Findings);
    }

    [Fact]
    public async Task Writers_on_many_threads_commit_beside_each_other()
    {
        const int Writers = 6;
        const int Each = 60;
        using StorageEnvironment environment = Open(_folder);
        await Task.WhenAll(Enumerable.Range(0, Writers).Select(writer => Task.Run(() =>
        {
            for (int i = 0; i < Each; i++)
            {
                using WriteTransaction transaction = environment.BeginWrite();
                transaction.OpenOrCreateTree("t").Put(Encoding.UTF8.GetBytes($"{writer} {i}"), new byte[50]);
                if (i % 5 != 4)
                {
                    transaction.Commit();
                }
            }
        })));
        using ReadTransaction reader = environment.BeginRead();
        Assert.Equal(Writers * Each * 4 / 5, reader.TryOpenTree("t")!.Count);
        Assert.Empty(environment.Audit().Findings);
    }

    [Fact]
    public void A_second_environment_on_the_same_folder_is_refused()
    {
        using StorageEnvironment environment = Open(_folder);
        StorageInUseException refusal = Assert.Throws<StorageInUseException>(() => Open(_folder));
        Assert.Contains("in use", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_pages_of_a_value_are_used_again_after_it_was_replaced()
    {
        using StorageEnvironment environment = Open(_folder);
        long afterFirst = 0;
        for (int round = 0; round < 30; round++)
        {
            using WriteTransaction transaction = environment.BeginWrite();
            transaction.OpenOrCreateTree("t").Put("big"u8, new byte[50_000 + round]);
            transaction.Commit();
            afterFirst = round == 1 ? environment.CommitState.Last.NextPageNumber : afterFirst;
        }

        Assert.Equal(afterFirst, environment.CommitState.Last.NextPageNumber);
    }

    [Fact]
    public void The_longest_value_gets_its_pages_and_a_longer_one_is_refused()
    {
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = new RealFileSystem(_folder),
            ScratchBudget = new ScratchBudget(1L << 40),
        });
        using WriteTransaction transaction = environment.BeginWrite();
        Tree tree = transaction.OpenOrCreateTree("t");
        Assert.Equal(
            TreeLimits.ValueSizeBytesMax, tree.Reserve("longest"u8, TreeLimits.ValueSizeBytesMax).Length);
        Assert.Throws<ArgumentOutOfRangeException>(() => tree.Reserve("longer"u8, TreeLimits.ValueSizeBytesMax + 1));
        Assert.Equal(1, tree.Count);
    }

    [Fact]
    public void An_idle_environment_is_small_on_disk()
    {
        using StorageEnvironment environment = Open(_folder);
        PutMany(environment, 0, 10);
        Assert.True(Directory.EnumerateFiles(_folder).Sum(path => new FileInfo(path).Length) <= 256 << 10);
    }

    private static StorageEnvironment Open(string folder) => StorageEnvironment.Open(
        new StorageOptions { FileSystem = new RealFileSystem(folder), FlushAfterBytes = 256 << 10 });

    private static void PutMany(StorageEnvironment environment, int from, int count)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        Tree tree = transaction.OpenOrCreateTree("t");
        for (int i = from; i < from + count; i++)
        {
            tree.Put(Encoding.ASCII.GetBytes($"k{i:D6}"), Encoding.ASCII.GetBytes($"value {i}"));
        }

        transaction.Commit();
    }

    private static void AssertHas(StorageEnvironment environment, int count)
    {
        using ReadTransaction reader = environment.BeginRead();
        Assert.Equal(count, CountByCursor(reader));
        Tree tree = reader.TryOpenTree("t")!;
        for (int i = 0; i < count; i++)
        {
            Assert.True(tree.TryGet(Encoding.ASCII.GetBytes($"k{i:D6}"), out var value));
            Assert.Equal($"value {i}", Encoding.ASCII.GetString(value.Span));
        }
    }

    private static int CountByCursor(ReadTransaction reader)
    {
        int count = 0;
        TreeCursor cursor = reader.TryOpenTree("t")!.GetCursor();
        for (bool found = cursor.SeekFirst(); found; found = cursor.MoveNext())
        {
            count++;
        }

        return count;
    }

    private void CopyFiles(string target)
    {
        Directory.CreateDirectory(target);
        string[] files = Directory.GetFiles(_folder);
        foreach (string path in files.Where(path => !path.EndsWith(".lock", StringComparison.Ordinal)))
        {
            File.Copy(path, Path.Combine(target, Path.GetFileName(path)));
        }
    }
}
