using System.Text;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>A transaction that changes more than one may fails, with all that it did, and nothing else does.</summary>
public sealed class TransactionSizeTests
{
    private const long BytesMax = 1 << 20;

    [Fact]
    [Trait("Invariant", "WRITE-4")]
    public void A_transaction_that_was_refused_a_page_cannot_be_committed()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        long used = environment.Scratch.UsedBytes;
        using (WriteTransaction transaction = environment.BeginWrite())
        {
            TransactionTooLargeException refusal =
                Assert.Throws<TransactionTooLargeException>(() => Put(transaction, 1_000, 5_000));
            Assert.Equal(BytesMax, refusal.BytesMax);
            Assert.Contains("TransactionBytesMax", refusal.Message, StringComparison.Ordinal);
            Assert.Contains($"{BytesMax}", refusal.Message, StringComparison.Ordinal);
            Assert.InRange(environment.Scratch.UsedBytes, used + BytesMax - (64 << 10), used + BytesMax);

            // A page may be half changed by now.
            Assert.Throws<TransactionTooLargeException>(transaction.Commit);
        }

        AssertUnharmed(environment, used);
    }

    [Theory]
    [InlineData((int)BytesMax)]
    [InlineData(100 << 20)]
    public void A_value_over_the_limit_is_refused_before_memory_is_allocated_for_it(int length)
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        long used = environment.Scratch.UsedBytes;
        using (WriteTransaction transaction = environment.BeginWrite())
        {
            Assert.Throws<TransactionTooLargeException>(
                () => { transaction.OpenOrCreateTree("t"u8).Reserve("large"u8, length); });
            Assert.InRange(environment.Scratch.UsedBytes, used, used + (64 << 10));
        }

        AssertUnharmed(environment, used);
    }

    [Fact]
    public void A_limit_below_one_page_refuses_the_first_write_and_harms_nothing()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = StorageEnvironment.Open(Options(disk) with { TransactionBytesMax = 1 });
        for (int i = 0; i < 3; i++)
        {
            using WriteTransaction transaction = environment.BeginWrite();
            Assert.Throws<TransactionTooLargeException>(() => Put(transaction, 1, 10));
        }

        Assert.Null(environment.Fault);
        Assert.Empty(environment.Audit().Findings);
        Assert.Equal(0, environment.GetStatistics().FreePages);
    }

    [Fact]
    public void Pages_that_a_transaction_frees_no_longer_count_towards_its_limit()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        using WriteTransaction transaction = environment.BeginWrite();
        Tree tree = transaction.OpenOrCreateTree("t"u8);
        for (int i = 0; i < 100; i++)
        {
            tree.Put("large"u8, new byte[200_000 + (i * 1_000)]);
        }

        transaction.Commit();
        Assert.Equal(2, Count(environment));
    }

    /// <summary>
    /// All of a process share the bound, and those that began before it was reached stay below the ceiling.
    /// </summary>
    [Fact]
    [Trait("Invariant", "WRITE-4")]
    public void Two_environments_with_open_transactions_never_pass_the_ceiling_of_scratch_memory()
    {
        const int Slack = 2 << 20;
        using var firstDisk = new SimulatedFileSystem();
        using var secondDisk = new SimulatedFileSystem();
        var budget = new ScratchBudget(8 << 20) { LargestTransactionBytes = 4 << 20 };
        StorageOptions options = Options(firstDisk) with { TransactionBytesMax = 100 << 20, ScratchBudget = budget };
        using StorageEnvironment first = StorageEnvironment.Open(options);
        using StorageEnvironment second = StorageEnvironment.Open(options with { FileSystem = secondDisk });
        using (WriteTransaction held = first.BeginWrite())
        using (WriteTransaction refused = second.BeginWrite())
        {
            Put(held, 600, 6_000);
            Assert.True(budget.UsedBytes < budget.SizeBytesMax);
            StorageBusyException refusal =
                Assert.Throws<StorageBusyException>(() => Put(refused, 10_000, 6_000));
            Assert.Contains($"{budget.CeilingBytes}", refusal.Message, StringComparison.Ordinal);
            Assert.InRange(budget.UsedBytes, budget.CeilingBytes - Slack, budget.CeilingBytes + Slack);

            // A page may be half changed by now, and others that give memory back change nothing of that.
            Assert.Throws<StorageBusyException>(refused.Commit);
            Assert.Throws<StorageBusyException>(() => Put(held, 10_000, 6_000));
        }

        Assert.True(budget.UsedBytes < budget.SizeBytesMax);
        PutOne(first);
        PutOne(second);
        Assert.Equal(1, Count(first));
        Assert.Equal(1, Count(second));
        Assert.Empty(second.Audit().Findings);
    }

    /// <summary>Each keeps the memory of its first pages, and none has anything to flush.</summary>
    [Fact]
    public void Many_idle_environments_keep_no_other_from_writing()
    {
        var budget = new ScratchBudget(2 << 20) { LargestTransactionBytes = 1 << 20 };
        var disks = new List<SimulatedFileSystem>();
        var environments = new List<StorageEnvironment>();
        for (int i = 0; i < 12; i++)
        {
            disks.Add(new SimulatedFileSystem());
            environments.Add(StorageEnvironment.Open(Options(disks[i]) with { ScratchBudget = budget }));
            PutOne(environments[i]);
            Assert.True(environments[i].Flush());
        }

        Assert.True(budget.UsedBytes > budget.CeilingBytes);
        foreach (StorageEnvironment environment in environments)
        {
            PutOne(environment);
            Assert.Equal(1, Count(environment));
        }

        environments.ForEach(environment => environment.Dispose());
        disks.ForEach(disk => disk.Dispose());
    }

    [Fact]
    public void A_transaction_too_large_for_a_journal_record_is_refused_and_harms_no_other()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = StorageEnvironment.Open(Options(disk) with
        {
            TransactionBytesMax = 100 * BytesMax,
            Hooks = new StorageHooks { RecordBytesMax = (int)BytesMax },
        });
        PutOne(environment);
        long used = environment.Scratch.UsedBytes;
        using (WriteTransaction transaction = environment.BeginWrite())
        {
            Put(transaction, 1_000, 5_000);
            TransactionTooLargeException refusal = Assert.Throws<TransactionTooLargeException>(transaction.Commit);
            Assert.Equal(BytesMax, refusal.BytesMax);
            Assert.Contains("journal", refusal.Message, StringComparison.Ordinal);
        }

        AssertUnharmed(environment, used);
    }

    [Fact]
    public void The_default_limit_of_a_transaction_is_that_of_all_scratch_memory()
    {
        using var disk = new SimulatedFileSystem();
        StorageOptions options = new() { FileSystem = disk, ScratchBudget = new ScratchBudget(1L << 40) };
        Assert.Equal(1L << 40, options.TransactionBytesMax);
        Assert.Equal(128L << 20, (options with { ScratchBudget = new ScratchBudget(16 << 20) }).TransactionBytesMax);
        Assert.Equal(BytesMax, (options with { TransactionBytesMax = BytesMax }).TransactionBytesMax);
    }

    private static void AssertUnharmed(StorageEnvironment environment, long used)
    {
        Assert.Null(environment.Fault);
        Assert.Equal(used, environment.Scratch.UsedBytes);
        Assert.Equal(1, Count(environment));
        using (WriteTransaction transaction = environment.BeginWrite())
        {
            Put(transaction, 50, 5_000);
            transaction.Commit();
        }

        Assert.Equal(51, Count(environment));
        Assert.Empty(environment.Audit().Findings);
        Assert.True(environment.Flush());
    }

    private static long Count(StorageEnvironment environment)
    {
        using ReadTransaction reader = environment.BeginRead();
        return reader.TryOpenTree("t"u8)!.Count;
    }

    private static StorageOptions Options(SimulatedFileSystem disk) => new()
    {
        FileSystem = disk,
        Scheduler = new ManualScheduler(),
        TransactionBytesMax = BytesMax,
    };

    private static StorageEnvironment Open(SimulatedFileSystem disk)
    {
        StorageEnvironment environment = StorageEnvironment.Open(Options(disk));
        PutOne(environment);
        return environment;
    }

    private static void PutOne(StorageEnvironment environment)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        transaction.OpenOrCreateTree("t"u8).Put("one"u8, "one"u8);
        transaction.Commit();
    }

    private static void Put(WriteTransaction transaction, int count, int length)
    {
        Tree tree = transaction.OpenOrCreateTree("t"u8);

        // A record has no zeros.
        byte[] value = new byte[length];
        value.AsSpan().Fill(1);
        for (int i = 0; i < count; i++)
        {
            tree.Put(Encoding.ASCII.GetBytes($"k{i}"), value);
        }
    }
}
