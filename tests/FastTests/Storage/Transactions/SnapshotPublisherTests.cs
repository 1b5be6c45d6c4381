using Raven.Blittable.Memory;
using Raven.Storage.Paging;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;

namespace FastTests.Storage.Transactions;

/// <summary>When the memory of pages that are in the data file may be given back.</summary>
public sealed class SnapshotPublisherTests
{
    private const long Page = 7;

    [Fact]
    public void A_reader_that_registers_while_memory_is_reclaimed_keeps_its_pages()
    {
        var readers = new ReaderRegistry();
        ReaderSlot slot = readers.AddSlot();
        using var scratch = new ScratchPool(new ScratchBudget(1 << 20));
        SnapshotPublisher publisher = null!;
        Snapshot? held = null;
        bool isArmed = false;
        var hooks = new StorageHooks
        {
            BetweenReclaimReads = () =>
            {
                if (isArmed)
                {
                    // The worst moment: it gets the old state, and the next one is published at once.
                    isArmed = false;
                    held = publisher.Register(slot);
                    publisher.PublishAgain();
                }
            },
        };
        using (publisher = new SnapshotPublisher(readers, scratch, hooks))
        {
            NativeSlice place = scratch.Allocate(1);
            publisher.Table.Add(Page, 1, place);
            publisher.Publish(new CommitPoint { TransactionId = 1 });
            publisher.DropVersions(1);
            isArmed = true;
            publisher.ReclaimIfWaiting();
            Assert.NotNull(held);
            Assert.Equal(PageHeader.PageSizeInBytes, scratch.UsedBytes);
            Assert.True(held.Table.TryGet(Page, 1, out NativeSlice found));
            Assert.Equal(place.Length, found.Length);

            Interlocked.Exchange(ref slot.Version, 0);
            publisher.ReclaimIfWaiting();
            Assert.Equal(0, scratch.UsedBytes);
        }
    }
}
