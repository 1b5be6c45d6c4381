using System.Text;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>Objects of readers are reused: a holder has one alone, until it disposes it.</summary>
public sealed class ReaderReuseTests
{
    [Fact]
    [Trait("Invariant", "READER-1")]
    public void A_reader_that_was_ended_belongs_to_its_owner_until_it_is_disposed()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        Put(environment, 0);
        ReadTransaction ended = BeginAndExpire(environment);
        using ReadTransaction second = environment.BeginRead();
        Assert.NotSame(ended, second);
        ended.Dispose();
        Put(environment, 2);
        Assert.Equal(2, second.TryOpenTree("t"u8)!.Count);
        using ReadTransaction third = environment.BeginRead();
        Assert.NotSame(second, third);
        Assert.Equal(2, second.TryOpenTree("t"u8)!.Count);
        Assert.Equal(3, third.TryOpenTree("t"u8)!.Count);
        Assert.Equal(2, environment.GetStatistics().Readers);
    }

    [Fact]
    [Trait("Invariant", "READER-1")]
    public void A_reader_that_was_ended_holds_no_snapshot_and_is_used_again_once_it_is_disposed()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        Put(environment, 0);
        ReadTransaction ended = BeginAndExpire(environment);
        Assert.Equal(0, environment.GetStatistics().Readers);
        Assert.True(environment.Flush());
        ended.Dispose();
        using ReadTransaction next = environment.BeginRead();
        Assert.Same(ended, next);
        Assert.Equal("", next.Purpose);
        Assert.Equal(2, Count(next));
    }

    [Fact]
    public void Ending_a_reader_does_not_end_the_next_one_that_uses_its_object()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        Put(environment, 0);
        ReadTransaction first = environment.BeginRead();
        environment.Readers.CancelAll();
        first.Dispose();
        using ReadTransaction second = environment.BeginRead();
        Assert.Same(first, second);
        Assert.Equal(1, Count(second));
    }

    private static ReadTransaction BeginAndExpire(StorageEnvironment environment)
    {
        ReadTransaction reader = environment.BeginRead();
        reader.Purpose = "a slow export";
        Assert.Equal(1, Count(reader));
        Put(environment, 1);
        environment.Readers.CancelAll();
        SnapshotExpiredException expired = Assert.Throws<SnapshotExpiredException>(() => Count(reader));
        Assert.Contains("a slow export", expired.Message, StringComparison.Ordinal);
        return reader;
    }

    private static long Count(ReadTransaction reader)
    {
        long count = 0;
        Raven.Storage.Trees.TreeCursor cursor = reader.TryOpenTree("t"u8)!.GetCursor();
        for (bool found = cursor.SeekFirst(); found; found = cursor.MoveNext())
        {
            count++;
        }

        return count;
    }

    private static StorageEnvironment Open(SimulatedFileSystem disk) => StorageEnvironment.Open(
        new StorageOptions { FileSystem = disk, Scheduler = new ManualScheduler() });

    private static void Put(StorageEnvironment environment, int key)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        transaction.OpenOrCreateTree("t"u8).Put(Encoding.ASCII.GetBytes($"k{key}"), new byte[500]);
        transaction.Commit();
    }
}
