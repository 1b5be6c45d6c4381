using FastTests.Documents;
using Microsoft.Extensions.Logging.Abstractions;
using Raven.Cluster.Store;
using Raven.Documents.Catalog;
using Raven.Storage.Errors;
using Shared.Storage;

namespace FastTests.Cluster;

/// <summary>The local store over its records: restarts, and disks that refuse.</summary>
public sealed class LocalStoreTests
{
    [Fact]
    public async Task What_was_answered_is_there_after_a_restart_but_for_what_was_bound_to_leases()
    {
        var records = new MemoryRecords();
        long kept;
        await using (var store = LocalStore.Open(records))
        {
            long lease = (await store.GrantAsync(TimeSpan.FromSeconds(10))).Id;
            kept = (await store.TxnAsync(new StoreTxn(
                [], [new("a", new byte[] { 1 }), new("b", new byte[] { 2 }), new("alive/A", new byte[] { 3 }, lease)])))
                .Revision;
            await store.TxnAsync(StoreTxn.Delete("b", kept));
        }

        await using var again = LocalStore.Open(records);
        StoreRangeResult all = await again.RangeAsync("");
        StoreEntry entry = Assert.Single(all.Entries);
        Assert.Equal(("a", kept), (entry.Key, entry.ModRevision));

        // The deletion of what was bound is a change of its own, and revisions only rise.
        Assert.Equal(kept + 2, all.Revision);
        Assert.Equal(kept + 3, (await again.TxnAsync(StoreTxn.Put("b", 0, new byte[] { 4 }))).Revision);
        await using IAsyncEnumerator<StoreWatchBatch> watch = again.WatchAsync("", kept).GetAsyncEnumerator();
        Assert.True(await watch.MoveNextAsync());
        Assert.Equal(StoreWatchKind.Compacted, watch.Current.Kind);
    }

    [Fact]
    public async Task It_keeps_its_keys_in_the_records_of_a_server()
    {
        using var files = new TestFiles();
        string longest = new('k', StoreTxn.KeyBytesMax);
        for (int round = 0; round < 2; round++)
        {
            using DatabaseCatalog catalog = DatabaseCatalog.Open(new CatalogOptions
            {
                Folders = files,
                Clock = TimeProvider.System,
                Random = new Random(1),
                Loggers = NullLoggerFactory.Instance,
            });
            await using var store = LocalStore.Open(new CatalogRecords(catalog.Records));
            long before = (await store.GetAsync(longest)).Entry?.ModRevision ?? 0;
            Assert.Equal(round == 0, before == 0);
            Assert.True((await store.TxnAsync(StoreTxn.Put(longest, before, new byte[40_000]))).Succeeded);
        }
    }

    [Fact]
    public async Task A_full_disk_refuses_and_a_failing_one_leaves_the_outcome_open()
    {
        var records = new MemoryRecords();
        await using var store = LocalStore.Open(records);
        long first = (await store.TxnAsync(StoreTxn.Put("a", 0, new byte[] { 1 }))).Revision;
        records.Failure = new StorageIOException("x", "write", 28, "No space left on device");
        StoreTxnResult full = await store.TxnAsync(StoreTxn.Put("a", first, new byte[] { 2 }));
        Assert.Equal(StoreStatus.OutOfSpace, full.Status);

        records.Failure = null;
        long second = (await store.TxnAsync(StoreTxn.Put("a", first, new byte[] { 3 }))).Revision;
        records.Failure = new StorageIOException("x", "write", 5, "Input/output error");
        Assert.Equal(StoreStatus.Unknown, (await store.TxnAsync(StoreTxn.Put("a", second, new byte[] { 4 }))).Status);

        records.Failure = null;
        StoreTxnResult later = await store.TxnAsync(StoreTxn.Put("a", second, new byte[] { 5 }));
        Assert.Equal(StoreStatus.Unavailable, later.Status);
        Assert.Contains("Start the server again", later.Problem, StringComparison.Ordinal);
        Assert.Equal(second, (await store.GetAsync("a")).Entry!.ModRevision);
    }

    [Fact]
    public void A_record_that_is_no_key_is_damage_that_names_it()
    {
        var records = new MemoryRecords();
        records.Write([new("cluster/a", [9, 9])]);
        StorageCorruptedException damage =
            Assert.Throws<StorageCorruptedException>(() => LocalStore.Open(records));
        Assert.Contains("cluster/a", damage.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Only_so_many_changes_are_remembered()
    {
        await using var store = LocalStore.Open(new MemoryRecords(), new LocalStoreOptions { HistoryMax = 5 });
        long first = store.Revision;
        for (int i = 0; i < 20; i++)
        {
            await store.TxnAsync(new StoreTxn([], [new("a", new byte[] { (byte)i })]));
        }

        await using IAsyncEnumerator<StoreWatchBatch> late = store.WatchAsync("", first).GetAsyncEnumerator();
        Assert.True(await late.MoveNextAsync());
        Assert.Equal(StoreWatchKind.Compacted, late.Current.Kind);
        Assert.Equal(store.Revision - 4, late.Current.Revision);
        await using IAsyncEnumerator<StoreWatchBatch> near =
            store.WatchAsync("", late.Current.Revision - 1).GetAsyncEnumerator();
        Assert.True(await near.MoveNextAsync());
        Assert.Equal(5, near.Current.Events.Count);
    }

    [Fact]
    [Trait("Invariant", "STORE-5")]
    public async Task A_lease_is_kept_alive_until_it_is_disposed_of_or_the_store_is_gone()
    {
        var clock = new ManualClock();
        await using var store = LocalStore.Open(new MemoryRecords(), new LocalStoreOptions { Clock = clock });
        (StoreLease? lease, _) = await StoreLease.GrantAsync(store, TimeSpan.FromSeconds(9), clock);
        await store.TxnAsync(new StoreTxn([], [new("alive/A", new byte[] { 1 }, lease!.Id)]));
        for (int i = 0; i < 30; i++)
        {
            // On a thread of the pool, where what waits for the clock goes on before the clock does.
            await Task.Run(() => clock.Advance(TimeSpan.FromSeconds(3)));
        }

        Assert.False(lease.Lost.IsCancellationRequested);
        Assert.NotNull((await store.GetAsync("alive/A")).Entry);
        await lease.DisposeAsync();
        Assert.Null((await store.GetAsync("alive/A")).Entry);

        (lease, _) = await StoreLease.GrantAsync(store, TimeSpan.FromSeconds(9), clock);
        await store.RevokeAsync(lease!.Id);
        await Support.Deadline.UntilAsync(() =>
        {
            clock.Advance(TimeSpan.FromSeconds(3));
            return lease.Lost.IsCancellationRequested;
        });
        await lease.DisposeAsync();
    }

    private sealed class CatalogRecords(ServerRecords records) : ILocalRecords
    {
        public int KeyBytesMax => ServerRecords.KeyBytesMax;

        public IReadOnlyList<KeyValuePair<string, byte[]>> Read(string prefix) => records.Read(prefix);

        public void Write(IReadOnlyCollection<KeyValuePair<string, byte[]?>> written) => records.Write(written);
    }
}
