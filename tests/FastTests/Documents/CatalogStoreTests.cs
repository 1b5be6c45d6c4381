using Raven.Documents.Catalog;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Documents;

/// <summary>The catalog's storage if it is behind with its work.</summary>
public sealed class CatalogStoreTests
{
    [Fact]
    public void A_move_of_a_database_that_is_refused_before_its_first_write_changes_nothing_and_succeeds_when_repeated()
    {
        using var disk = new SimulatedFileSystem();
        var scheduler = new ManualScheduler();
        using var store = new CatalogStore(new StorageOptions
        {
            FileSystem = disk,
            Scheduler = scheduler,
            FlushAfterBytes = 1,
            BacklogBytesMax = 1,
            WriterWaitMax = TimeSpan.Zero,
        });
        CatalogEntry entry = store.Write("a", "a", "{}"u8);
        bool hasBegun = false;
        Assert.Throws<StorageBusyException>(() => store.Move(entry, "a~2", () => hasBegun = true));
        Assert.False(hasBegun);
        Assert.Equal("a", store.TryRead("a")!.Folder);
        scheduler.RunAll();
        store.Move(entry, "a~2", () => hasBegun = true);
        Assert.True(hasBegun);
        Assert.Equal("a~2", store.TryRead("a")!.Folder);
    }
}
