using System.Text;
using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>How much of what a recovery changes it holds in memory, and what a crash in its midst leaves.</summary>
public sealed class RecoveryMemoryTests
{
    private const int Keys = 400;
    private const int Rounds = 3;
    private const int LengthBytes = 500;

    /// <summary>Several times what the pages of the tree take.</summary>
    private const long EnoughBytes = 8L * Keys * LengthBytes;

    [Fact]
    [Trait("Invariant", "REPLAY-1")]
    public void A_recovery_with_memory_for_all_changed_pages_writes_each_once()
    {
        using SimulatedFileSystem disk = KilledDisk();
        var hooks = new StorageHooks { RecoveryBytesMax = long.MaxValue };
        Recover(disk, hooks, new ScratchBudget(4 * EnoughBytes));
        Assert.Equal(0, hooks.CountOf(CoverageMark.PageReplayedTwice));
    }

    [Theory]
    [Trait("Invariant", "REPLAY-1")]
    [InlineData(0L, 4 * EnoughBytes, 64L << 10)]
    [InlineData(0L, 256L << 10, long.MaxValue)]
    [InlineData(2 * EnoughBytes, 4 * EnoughBytes, long.MaxValue)]
    public void A_page_that_a_recovery_wrote_for_want_of_memory_is_read_and_patched_again(
        long usedByOthers, long budgetBytes, long recoveryBytesMax)
    {
        using SimulatedFileSystem disk = KilledDisk();
        var budget = new ScratchBudget(budgetBytes);
        budget.Add(usedByOthers);
        var hooks = new StorageHooks { RecoveryBytesMax = recoveryBytesMax };
        Recover(disk, hooks, budget);
        Assert.True(hooks.CountOf(CoverageMark.PageReplayedTwice) > 10);
        Assert.Equal(usedByOthers, budget.UsedBytes);
    }

    [Theory]
    [Trait("Invariant", "REPLAY-1")]
    [Trait("Invariant", "RECOVERY-2")]
    [Trait(Proof.Row, Proof.CrashesUponCrashes)]
    [InlineData(64L << 10)]
    [InlineData(long.MaxValue)]
    public void A_recovery_that_fails_at_any_call_is_completed_by_the_next_one(long recoveryBytesMax)
    {
        using SimulatedFileSystem killed = KilledDisk();
        var budget = new ScratchBudget(4 * EnoughBytes);
        int calls = 0;
        bool ended = false;
        while (!ended)
        {
            using var disk = new SimulatedFileSystem(killed.CurrentImage())
            {
                Fault = new DiskFault(DiskFaultKind.InputOutputError, calls++, IsSticky: true),
            };
            var hooks = new StorageHooks { RecoveryBytesMax = recoveryBytesMax };
            ended = Record.Exception(() => Recover(disk, hooks, budget)) is null;
            using var again = new SimulatedFileSystem(disk.CurrentImage());
            Recover(again, hooks, budget);
        }

        Assert.True(calls > 3, $"{calls} calls");
    }

    /// <summary>What a process leaves that is killed with all rounds in the journal only.</summary>
    private static SimulatedFileSystem KilledDisk()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk, new StorageHooks(), ScratchBudget.Shared);
        for (int round = 0; round < Rounds; round++)
        {
            for (int i = 0; i < Keys; i += 8)
            {
                using WriteTransaction transaction = environment.BeginWrite();
                Tree tree = transaction.OpenOrCreateTree("t"u8);
                for (int key = i; key < i + 8; key++)
                {
                    tree.Put(Key(key), Value(key, round));
                }

                transaction.Commit();
            }
        }

        return new SimulatedFileSystem(disk.CurrentImage());
    }

    private static void Recover(SimulatedFileSystem disk, StorageHooks hooks, ScratchBudget budget)
    {
        using StorageEnvironment environment = Open(disk, hooks, budget);
        using ReadTransaction reader = environment.BeginRead();
        Tree tree = reader.TryOpenTree("t"u8)!;
        for (int key = 0; key < Keys; key++)
        {
            Assert.True(tree.TryGet(Key(key), out NativeSlice value));
            Assert.True(value.Span.SequenceEqual(Value(key, Rounds - 1)));
        }

        Assert.Empty(environment.Audit().Findings);
    }

    private static StorageEnvironment Open(SimulatedFileSystem disk, StorageHooks hooks, ScratchBudget budget) =>
        StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk,
            Scheduler = new ManualScheduler(),
            Hooks = hooks,
            ScratchBudget = budget,
            AuditsCommits = false,
        });

    private static byte[] Key(int key) => Encoding.ASCII.GetBytes($"k{key:d4}");

    private static byte[] Value(int key, int round)
    {
        byte[] value = new byte[LengthBytes];
        new Random((key * Rounds) + round).NextBytes(value);
        return value;
    }
}
