using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;
using Shared.Storage;

namespace FastTests.Storage.Checks;

/// <summary>
/// The audit of each commit: mistakes made on purpose, in a store so small that all of it is looked at each time,
/// and in one that is large beside a transaction. The commit that makes a mistake fails with what is wrong.
/// </summary>
[Trait(Proof.Row, Proof.Audits)]
public sealed class CommitAuditTests
{
    private const int Small = CommitMistakes.Small;
    private const int Large = CommitMistakes.Large;


    public static TheoryData<string> Mistakes => [.. CommitMistakes.All.Keys];

    [Theory]
    [Trait("Invariant", "AUDIT-1")]
    [Trait("Invariant", "LEDGER-1")]
    [MemberData(nameof(Mistakes))]
    public void A_commit_fails_with_the_mistake_that_it_makes(string name)
    {
        RequireFound(name, Small);
        RequireFound(name, Large);
    }

    [Theory]
    [Trait("Invariant", "AUDIT-3")]
    [Trait("Invariant", "LEDGER-3")]
    [InlineData(Small)]
    [InlineData(Large)]
    public void A_page_that_changes_outside_of_any_transaction_is_found(int size)
    {
        using SimulatedFileSystem disk = CommitMistakes.Filled(size);
        using StorageEnvironment environment = Open(disk);
        Touch(environment);
        using (WriteTransaction transaction = environment.BeginWrite())
        {
            // A value; no key, no count, no owner changes by it.
            transaction.TryOpenTree("left")!.TryGet("key/000001"u8, out NativeSlice value);
            value.WritableSpan[^1] ^= 1;
        }

        var failure = Assert.Throws<StorageAuditException>(() =>
        {
            for (int i = 0; i < size; i++)
            {
                Touch(environment);
            }
        });
        Assert.Matches(@"page \d+ of left has changed since transaction \d+, and no transaction", failure.Message);
    }

    [Fact]
    [Trait("Invariant", "AUDIT-2")]
    [Trait("Invariant", "LEDGER-2")]
    public void An_audit_visits_only_the_pages_that_changed_and_those_above_them()
    {
        using SimulatedFileSystem disk = CommitMistakes.Filled(Large);
        using StorageEnvironment environment = Open(disk);
        Touch(environment);
        long pages = environment.GetStatistics().Pages;
        long before = environment.Audits!.VisitedPages;
        Assert.InRange(pages, 400, 4_000);
        for (int i = 0; i < 10; i++)
        {
            Touch(environment);
        }

        // A leaf, what is above it, and the catalog, for one key in a tree.
        Assert.InRange(environment.Audits.VisitedPages - before, 10, 60);
    }

    [Fact]
    [Trait("Invariant", "LEDGER-2")]
    public void Changes_that_were_rolled_back_give_later_audits_no_finding()
    {
        using SimulatedFileSystem disk = CommitMistakes.Filled(Large);
        using StorageEnvironment environment = Open(disk);
        for (int i = 0; i < 20; i++)
        {
            using (WriteTransaction transaction = environment.BeginWrite())
            {
                transaction.DeleteStructure("left"u8);
                transaction.OpenOrCreateTree("other").Put("key"u8, new byte[30_000]);
            }

            Touch(environment);
        }
    }

    [Fact]
    [Trait("Invariant", "LEDGER-1")]
    public void Pages_of_runs_that_were_freed_may_lie_in_the_run_of_another_owner()
    {
        using SimulatedFileSystem disk = CommitMistakes.Filled(Large);
        using StorageEnvironment environment = Open(disk);
        Change(environment, (tree, i) => tree.Put([(byte)i], new byte[i == 0 ? 1 : 9_000]), "odd", "even");
        Change(environment, (tree, i) => Assert.True(i == 0 || tree.Delete([(byte)i])), "odd", "even");
        for (int i = 0; i < 20; i++)
        {
            // Three pages, over two of one tree and one of the other, of which neither changes anymore.
            using WriteTransaction transaction = environment.BeginWrite();
            transaction.OpenOrCreateTree("other").Put([(byte)i], new byte[17_000]);
            transaction.Commit();
        }
    }

    [Fact]
    public void Audits_allocate_nothing_once_they_know_the_structures()
    {
        using SimulatedFileSystem disk = CommitMistakes.Filled(Large);
        using StorageEnvironment environment = Open(disk);
        Touch(environment);
        Touch(environment);
        using WriteTransaction transaction = environment.BeginWrite();
        transaction.OpenOrCreateTree("left").Put("key/000100"u8, "changed"u8);
        transaction.SaveCatalog();
        long freePages = environment.FreeSpace.FreePages;
        Assert.Equal(0, Allocated.Least(() => environment.Audits!.Run(
            transaction, transaction.Point, transaction.Dirty, freePages)));
    }

    [Fact]
    public void Without_the_option_no_commit_is_audited()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = StorageEnvironment.Open(
            Options(disk) with { AuditsCommits = false });
        Assert.Null(environment.Audits);
        using WriteTransaction transaction = environment.BeginWrite();
        transaction.AllocatePage(PageKind.Overflow, 100, out _);
        transaction.Commit();
        Assert.NotEmpty(environment.Audit().Findings);
    }

    private static void RequireFound(string name, int size)
    {
        (Action<WriteTransaction> make, string finding) = CommitMistakes.All[name];
        using SimulatedFileSystem disk = CommitMistakes.Filled(size);
        using StorageEnvironment environment = Open(disk);
        Touch(environment);
        long committed = environment.LastTransactionId;
        using (WriteTransaction transaction = environment.BeginWrite())
        {
            make(transaction);
            var failure = Assert.Throws<StorageAuditException>(transaction.Commit);
            Assert.Matches(finding, failure.Message);
            Assert.Contains($"Audit of transaction {committed + 1}", failure.Message, StringComparison.Ordinal);
        }

        // Nothing was written, no reader sees it, and no writer builds on it.
        Assert.Equal(committed, environment.LastTransactionId);
        Assert.Empty(environment.Audit().Findings);
        var refused = Assert.Throws<StoragePoisonedException>(() => environment.BeginWrite());
        Assert.Matches(finding, refused.Message);
        environment.Dispose();
        using StorageEnvironment again = Open(disk);
        Assert.Equal(committed, again.LastTransactionId);
        Touch(again);
    }

    private static void Change(StorageEnvironment environment, Action<Tree, int> change, params string[] trees)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        for (int i = 0; i < 20; i++)
        {
            foreach (string tree in trees)
            {
                change(transaction.OpenOrCreateTree(tree), i);
            }
        }

        transaction.Commit();
    }

    private static void Touch(StorageEnvironment environment)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        transaction.OpenOrCreateTree("right").Put("key/000010"u8, BitConverter.GetBytes(transaction.Id));
        transaction.Commit();
    }

    private static StorageOptions Options(SimulatedFileSystem disk) => new()
    {
        FileSystem = disk,
        Scheduler = new ManualScheduler(),
        AuditsCommits = true,
    };

    private static StorageEnvironment Open(SimulatedFileSystem disk) => StorageEnvironment.Open(Options(disk));
}
