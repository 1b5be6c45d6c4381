using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>A commit that is durable, but cannot be shown to readers.</summary>
public sealed class PublishFailureTests
{
    [Fact]
    [Trait("Invariant", "COMMIT-3")]
    public void A_durable_commit_that_cannot_be_published_stops_writers_and_is_there_after_a_reopening()
    {
        using var disk = new SimulatedFileSystem();
        bool fails = false;
        StorageOptions options = new()
        {
            FileSystem = disk,
            Scheduler = new ManualScheduler(),
            Hooks = new StorageHooks
            {
                BeforePublish = () =>
                {
                    if (fails)
                    {
                        throw new InsufficientMemoryException("planted");
                    }
                },
            },
        };
        using (StorageEnvironment environment = StorageEnvironment.Open(options))
        {
            Put(environment, "k1"u8);
            fails = true;
            StoragePoisonedException told =
                Assert.Throws<StoragePoisonedException>(() => Put(environment, "k2"u8));
            fails = false;
            Assert.IsType<InsufficientMemoryException>(told.InnerException);
            Assert.Same(told.InnerException, environment.Fault);
            Assert.Throws<StoragePoisonedException>(() => environment.BeginWrite());
            Assert.Equal(1, environment.LastTransactionId);
            Assert.False(Has(environment, "k2"u8));
            Assert.True(Has(environment, "k1"u8));
        }

        using StorageEnvironment reopened = StorageEnvironment.Open(options);
        Assert.Equal(2, reopened.LastTransactionId);
        Assert.True(Has(reopened, "k2"u8));
        Put(reopened, "k3"u8);
        Assert.Empty(reopened.Audit().Findings);
    }

    /// <summary>
    /// The memory of what is applied is given back by the next flush, although it has nothing to apply: writers wait
    /// for that memory, and so there is no commit that it could begin with.
    /// </summary>
    [Fact]
    public void The_next_flush_frees_applied_pages_whose_memory_could_not_be_freed_before()
    {
        using var disk = new SimulatedFileSystem();
        var scheduler = new ManualScheduler();
        bool fails = false;
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk,
            Scheduler = scheduler,
            ScratchBudget = new ScratchBudget(6 << 20),
            WriterWaitMax = TimeSpan.FromMilliseconds(100),
            Hooks = new StorageHooks
            {
                BeforePublish = () => _ = fails ? throw new InsufficientMemoryException("planted") : 0,
            },
        });
        using (WriteTransaction large = environment.BeginWrite())
        {
            Raven.Storage.Trees.Tree tree = large.OpenOrCreateTree("t"u8);
            for (int i = 0; i < 1_500; i++)
            {
                tree.Put(BitConverter.GetBytes(i), new byte[5_000]);
            }

            large.Commit();
        }

        fails = true;
        scheduler.RunAll();
        fails = false;
        Assert.Equal(1, environment.GetStatistics().AppliedTransactionId);
        Assert.True(environment.Options.ScratchBudget.IsUsedUp);
        Assert.Throws<StorageBusyException>(() => Put(environment, "k"u8));
        scheduler.RunAll();
        Put(environment, "k"u8);
        Assert.InRange(environment.Scratch.UsedBytes, 0, 1 << 20);
        Assert.Empty(environment.Audit().Findings);
    }

    private static bool Has(StorageEnvironment environment, ReadOnlySpan<byte> key)
    {
        using ReadTransaction reader = environment.BeginRead();
        return reader.TryOpenTree("t"u8)!.Contains(key);
    }

    private static void Put(StorageEnvironment environment, ReadOnlySpan<byte> key)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        transaction.OpenOrCreateTree("t"u8).Put(key, "value"u8);
        transaction.Commit();
    }
}
