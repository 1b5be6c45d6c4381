using Raven.Server.Catalog;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Documents;

/// <summary>The catalog's storage if it is behind with its work.</summary>
public sealed class CatalogStoreTests
{
    [Fact]
    public void A_move_that_is_refused_before_anything_is_written_has_not_begun_and_may_be_tried_again()
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
