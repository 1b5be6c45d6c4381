using Raven.Blittable.Memory;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;

namespace FastTests.Storage.Transactions;

/// <summary>When the memory of pages that are in the data file may be given back.</summary>
public sealed class SnapshotPublisherTests
{
    private const long Page = 7;

    [Fact]
    [Trait("Invariant", "READERS-1")]
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

    [Fact]
    public void A_reader_that_stays_open_holds_its_own_page_table_and_none_of_the_later_ones()
    {
        var readers = new ReaderRegistry();
        ReaderSlot slot = readers.AddSlot();
        ReaderSlot pin = readers.AddSlot();
        using var scratch = new ScratchPool(new ScratchBudget(1 << 20));
        using var dirty = new DirtyPages();
        using var publisher = new SnapshotPublisher(readers, scratch, StorageHooks.Off);
        publisher.Publish(default);
        Commit(1);
        Snapshot held = publisher.Register(slot);

        // What a flush does: it holds a version, and reads the newest table, which no version has been published with.
        int last = 2;
        for (Change(last); publisher.Table == held.Table; Change(++last))
        {
            publisher.Publish(new CommitPoint { TransactionId = last });
        }

        PageTable pinned = publisher.Table;
        pin.TransactionId = last;
        pin.Table = pinned;
        Interlocked.Exchange(ref pin.Version, publisher.Current.Version);
        publisher.Publish(new CommitPoint { TransactionId = last });
        for (int transaction = last + 1; transaction < 20_000; transaction++)
        {
            Commit(transaction);
        }

        // Two versions of a page and one on the way for each of them: no table needs more room than the first has.
        Assert.NotSame(pinned, publisher.Table);
        Assert.InRange(publisher.TableBytes, publisher.Table.SizeInBytes, 4 * publisher.Table.SizeInBytes);
        Assert.InRange(publisher.Table.SizeInBytes, 1, 8 << 10);
        Assert.InRange(publisher.OlderCount, 1, 8);
        Assert.True(held.Table.TryGet(Page, 1, out NativeSlice found));
        Assert.Equal(1, found.Span[0]);
        Assert.True(pinned.TryGet(Page, last, out found));
        Assert.Equal((byte)last, found.Span[0]);

        Interlocked.Exchange(ref slot.Version, 0);
        Interlocked.Exchange(ref pin.Version, 0);
        publisher.ReclaimIfWaiting();
        Assert.Equal(publisher.Table.SizeInBytes, publisher.TableBytes);

        void Commit(int transaction)
        {
            Change(transaction);
            publisher.Publish(new CommitPoint { TransactionId = transaction });
        }

        void Change(int transaction) => AddVersion(publisher, scratch, dirty, transaction);
    }

    [Fact]
    public void The_last_reader_does_not_free_memory_that_the_close_has_freed()
    {
        var readers = new ReaderRegistry();
        ReaderSlot slot = readers.AddSlot();
        using var scratch = new ScratchPool(new ScratchBudget(1 << 20));
        var publisher = new SnapshotPublisher(readers, scratch, StorageHooks.Off);
        publisher.Table.Add(Page, 1, scratch.Allocate(1));
        publisher.Publish(new CommitPoint { TransactionId = 1 });
        _ = publisher.Register(slot);
        publisher.DropVersions(1);
        publisher.PublishAgain();
        Assert.Equal(PageHeader.PageSizeInBytes, scratch.UsedBytes);

        // The slot is free, the environment closes, and only then the reader looks for what it held back.
        Interlocked.Exchange(ref slot.Version, 0);
        publisher.Dispose();
        publisher.ReclaimIfWaiting();
        Assert.Equal(0, scratch.UsedBytes);
    }

    [Fact]
    [Trait("Invariant", "SUPERSEDED-1")]
    [Trait("Invariant", "SUPERSEDED-2")]
    [Trait("Invariant", "READERS-1")]
    public void A_reader_that_registers_while_superseded_versions_are_freed_keeps_its_version()
    {
        var readers = new ReaderRegistry();
        ReaderSlot slot = readers.AddSlot();
        using var scratch = new ScratchPool(new ScratchBudget(1 << 20));
        using var dirty = new DirtyPages();
        SnapshotPublisher publisher = null!;
        bool isArmed = false;
        var hooks = new StorageHooks
        {
            BetweenReclaimReads = () =>
            {
                if (isArmed)
                {
                    isArmed = false;
                    _ = publisher.Register(slot);
                    publisher.Publish(new CommitPoint { TransactionId = 2 });
                }
            },
        };
        using (publisher = new SnapshotPublisher(readers, scratch, hooks))
        {
            publisher.Publish(default);
            Change(1);
            publisher.Publish(new CommitPoint { TransactionId = 1 });
            Change(2);
            isArmed = true;
            Change(3);
            publisher.Publish(new CommitPoint { TransactionId = 3 });
            Change(4);
            publisher.Publish(new CommitPoint { TransactionId = 4 });
            Change(5);
            Assert.True(publisher.Table.TryGet(Page, 1, out NativeSlice held));
            Assert.Equal(1, held.Span[0]);

            // What the reader sees, the two states that it does not hold back, and none between.
            Assert.Equal(3 * PageHeader.PageSizeInBytes, scratch.UsedBytes);
            Interlocked.Exchange(ref slot.Version, 0);
            publisher.Publish(new CommitPoint { TransactionId = 5 });
            Change(6);
            Assert.Equal(2 * PageHeader.PageSizeInBytes, scratch.UsedBytes);
        }

        void Change(int transaction) => AddVersion(publisher, scratch, dirty, transaction);
    }

    /// <summary>The page as a transaction leaves it: its first byte is the transaction's.</summary>
    private static void AddVersion(
        SnapshotPublisher publisher, ScratchPool scratch, DirtyPages dirty, int transaction)
    {
        NativeSlice place = scratch.Allocate(1);
        place.WritableSpan[0] = (byte)transaction;
        dirty.Add(Page).Place = place;
        publisher.AddVersions(dirty, transaction);
        dirty.Clear();
    }
}
