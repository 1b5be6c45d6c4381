using FastTests.Support;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Checks;

/// <summary>
/// Two mistakes that took the makers of other engines weeks to find, planted here: the audit of each commit finds them
/// by itself, and names the page.
/// </summary>
[Trait(Proof.Row, Proof.Audits)]
public sealed class PlantedOwnerTests
{
    private const int RunBytes = 10_000;

    [Fact]
    public void A_run_freed_twice_in_a_transaction_that_used_it_again_between_is_found_by_its_commit()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk, PlantedBug.FreedTwiceAndReissued);
        Put(environment, "left", RunBytes);
        var failure = Assert.Throws<StorageAuditException>(() => Put(environment, "left", RunBytes + 1));
        Assert.Matches(@"^Audit of transaction 2: page \d+ belongs to left and is free", failure.Message);
    }

    [Fact]
    public void Scratch_memory_of_a_page_that_is_given_out_again_as_part_of_a_run_is_found()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk, PlantedBug.ScratchRunBrokenUp);
        Put(environment, "left", 10);
        Put(environment, "right", RunBytes);
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

    private static StorageEnvironment Open(SimulatedFileSystem disk, PlantedBug bug) =>
        StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk,
            Scheduler = new ManualScheduler(),
            AuditsCommits = true,
            Hooks = new StorageHooks { Bug = bug },
        });

    private static void Put(StorageEnvironment environment, string tree, int length)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        byte[] value = new byte[length];
        value.AsSpan().Fill((byte)length);
        transaction.OpenOrCreateTree(tree).Put("key"u8, value);
        transaction.Commit();
    }
}
