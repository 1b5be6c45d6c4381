using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Checks;

/// <summary>
/// What two mistakes leave that took the makers of other engines weeks to find, made by hand here: the audit of each
/// commit finds it by itself, and names the page. The mistakes themselves are among the mutants of the slow tests.
/// </summary>
[Trait(Proof.Row, Proof.Audits)]
public sealed class PageOwnerTests
{
    private const int RunBytes = 10_000;

    [Fact]
    [Trait("Invariant", "AUDIT-1")]
    public void A_run_freed_twice_in_a_transaction_that_used_it_again_between_is_found_by_its_commit()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        Put(environment, "left", RunBytes);
        using WriteTransaction transaction = environment.BeginWrite();
        Put(transaction, "left", RunBytes + 1);
        environment.FreeSpace.Give(
            transaction, CommitMistakes.RunOf(transaction, "left"), PageHeader.PagesForRun(RunBytes + 1));
        var failure = Assert.Throws<StorageAuditException>(transaction.Commit);
        Assert.Matches(@"^Audit of transaction 2: page \d+ belongs to left and is free", failure.Message);
    }

    [Fact]
    [Trait("Invariant", "LEDGER-3")]
    public void Scratch_memory_of_a_page_that_is_given_out_again_as_part_of_a_run_is_found()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        Put(environment, "left", 10);
        Put(environment, "right", RunBytes);
        using (WriteTransaction transaction = environment.BeginWrite())
        {
            // The bytes of a run that the memory of this page was given to as well.
            NativeSlice page = transaction.GetPage(transaction.TryOpenTree("left")!.Root.RootPage);
            page.WritableSpan[(page.Length / 2)..].Fill(RunBytes & 0xFF);
        }

        var failure = Assert.Throws<StorageAuditException>(() =>
        {
            for (int i = 1; i < 50; i++)
            {
                Put(environment, "right", RunBytes + i);
            }
        });
        Assert.Matches(
            @": page \d+ of \w+ has changed since transaction \d, and no transaction has changed it", failure.Message);
    }

    private static StorageEnvironment Open(SimulatedFileSystem disk) =>
        StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk,
            Scheduler = new ManualScheduler(),
            AuditsCommits = true,
        });

    private static void Put(StorageEnvironment environment, string tree, int length)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        Put(transaction, tree, length);
        transaction.Commit();
    }

    private static void Put(WriteTransaction transaction, string tree, int length)
    {
        byte[] value = new byte[length];
        value.AsSpan().Fill((byte)length);
        transaction.OpenOrCreateTree(tree).Put("key"u8, value);
    }
}
