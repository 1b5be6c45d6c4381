using Raven.Cluster.Store;
using Shared.Cluster;
using Shared.Storage;

namespace FastTests.Cluster;

/// <summary>What a store with known outcomes does in single cases; the runs by chance are in the contract.</summary>
public sealed class CertainStoreTests : IAsyncDisposable
{
    private readonly LocalStore _local = LocalStore.Open(new MemoryRecords());
    private readonly FaultyStore _faulty;
    private readonly CertainStore _store;

    public CertainStoreTests()
    {
        _faulty = new FaultyStore(_local, new Random(1)) { FaultEvery = 0 };
        _store = NewStore(_faulty);
    }

    public ValueTask DisposeAsync() => _local.DisposeAsync();

    [Theory]
    [Trait("Invariant", "CERTAIN-1")]
    [InlineData(0)]
    [InlineData(1)]
    public async Task A_lost_request_and_a_lost_answer_end_as_done_once(int fault)
    {
        for (int i = 0; i < 3; i++)
        {
            _faulty.Script.Enqueue(fault);
        }

        StoreTxnResult result = await _store.TxnAsync(StoreTxn.Put("a", 0, [1]));
        Assert.Equal((StoreStatus.Ok, true), (result.Status, result.Succeeded));
        StoreEntry entry = (await _local.GetAsync("a")).Entry!;
        Assert.Equal((result.Revision, 1L), (entry.ModRevision, entry.Version));
    }

    [Fact]
    [Trait("Invariant", "CERTAIN-2")]
    public async Task What_was_told_as_not_done_cannot_be_done_later()
    {
        StoreTxn? late = null;
        await _local.TxnAsync(StoreTxn.Put("a", 0, [9]));
        var spy = new FaultyStore(_local, new Random(1)) { FaultEvery = 0, Sent = txn => late ??= txn };
        spy.Script.Enqueue(0);
        StoreTxnResult result = await NewStore(spy).TxnAsync(StoreTxn.Put("a", 0, [1]));
        Assert.Equal((StoreStatus.Ok, false), (result.Status, result.Succeeded));
        Assert.Equal("a", Assert.Single(result.Current).Key);

        // The key is gone, so that the condition of the request that was lost holds when it arrives.
        await _local.TxnAsync(new StoreTxn([], [new StoreChange("a", null)]));
        Assert.False((await _local.TxnAsync(late!)).Succeeded);
        Assert.Null((await _local.GetAsync("a")).Entry);
    }

    [Fact]
    [Trait("Invariant", "CERTAIN-3")]
    public async Task Two_processes_of_one_client_are_found_out_and_nothing_is_told_that_is_not_known()
    {
        CertainStore other = NewStore(_local);
        _faulty.Script.Enqueue(1);
        _faulty.Between = async () => Assert.True((await other.TxnAsync(StoreTxn.Put("b", 0, [2]))).Succeeded);
        StoreTxnResult result = await _store.TxnAsync(StoreTxn.Put("a", 0, [1]));
        Assert.Equal(StoreStatus.Unknown, result.Status);
        Assert.Contains("two processes have the id 'c'", result.Problem, StringComparison.Ordinal);

        // Without a lost answer nothing is in doubt.
        _faulty.Between = () => Task.CompletedTask;
        Assert.True((await _store.TxnAsync(StoreTxn.Put("c", 0, [1]))).Succeeded);
        Assert.True((await other.TxnAsync(StoreTxn.Put("d", 0, [1]))).Succeeded);
        Assert.True((await _store.TxnAsync(StoreTxn.Put("e", 0, [1]))).Succeeded);
    }

    [Fact]
    public async Task Who_has_no_more_time_is_told_that_the_outcome_is_unknown()
    {
        using var stop = new CancellationTokenSource();
        _faulty.Script.Enqueue(1);
        _faulty.Between = stop.CancelAsync;
        StoreTxnResult result = await _store.TxnAsync(StoreTxn.Put("a", 0, [1]), stop.Token);
        Assert.Equal(StoreStatus.Unknown, result.Status);
        Assert.True((await _store.TxnAsync(StoreTxn.Put("b", 0, [1]))).Succeeded);
    }

    [Fact]
    public async Task Marks_are_seen_by_nobody_and_written_by_nobody_else()
    {
        await _store.TxnAsync(StoreTxn.Put("a", 0, [1]));
        Assert.Equal(["a"], (await _store.RangeAsync("")).Entries.Select(each => each.Key));
        Assert.Contains((await _local.RangeAsync("")).Entries, each => each.Key == "~tx/c/0");
        StoreTxnResult refused = await _store.TxnAsync(StoreTxn.Put("~tx/c/0", 0, [1]));
        Assert.Equal(StoreStatus.Refused, refused.Status);
        await foreach (StoreWatchBatch batch in _store.WatchAsync("", 1))
        {
            Assert.Equal("a", Assert.Single(batch.Events).Key);
            break;
        }
    }

    [Fact]
    [Trait("Invariant", "MIRROR-3")]
    public async Task A_mirror_shows_the_last_known_state_and_its_age_while_the_store_is_away()
    {
        var clock = new ManualClock();
        await using var mirror = new StoreMirror(_local, new StoreMirrorOptions { Clock = clock });
        await _local.TxnAsync(StoreTxn.Put("a", 0, [1]));
        Assert.Equal(StoreStatus.Ok, await mirror.ConfirmAsync());
        clock.Advance(TimeSpan.FromSeconds(7));
        Assert.Equal(TimeSpan.FromSeconds(7), mirror.Age);
        await _local.DisposeAsync();
        Assert.Equal(StoreStatus.Unavailable, await mirror.ConfirmAsync());
        Assert.Equal(TimeSpan.FromSeconds(7), mirror.Age);
        Assert.NotNull(mirror.Find("a"));
        Assert.Contains("closed", mirror.Problem, StringComparison.Ordinal);
    }

    private static CertainStore NewStore(IClusterStore store) => new(
        store, new CertainStoreOptions { ClientId = "c", ConcurrencyMax = 1, RetryPause = TimeSpan.Zero });
}
