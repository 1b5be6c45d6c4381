using System.Text;
using Raven.Cluster.Store;

namespace Shared.Cluster;

/// <summary>What every store of a cluster keeps (STORE-1 to STORE-5).</summary>
public abstract class StoreContractTests : IAsyncLifetime
{
    private static readonly TimeSpan Hang = TimeSpan.FromMinutes(2);

    private StoreHarness _harness = null!;

    private IClusterStore Store => _harness.Store;

    public async ValueTask InitializeAsync() => _harness = await StartAsync();

    public async ValueTask DisposeAsync()
    {
        await _harness.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    [Fact]
    [Trait("Invariant", "STORE-1")]
    public async Task A_key_is_written_only_over_the_revision_that_was_read()
    {
        Assert.Null((await GetAsync("a")).Entry);
        StoreTxnResult made = Done(await Store.TxnAsync(StoreTxn.Put("a", 0, Bytes("1"))));
        StoreTxnResult again = await Store.TxnAsync(StoreTxn.Put("a", 0, Bytes("2")));
        AssertRefused(again);
        StoreEntry current = Assert.Single(again.Current);
        Assert.Equal(("a", "1", made.Revision), (current.Key, Text(current), current.ModRevision));

        StoreTxnResult changed = Done(await Store.TxnAsync(StoreTxn.Put("a", made.Revision, Bytes("3"))));
        Assert.True(changed.Revision > made.Revision);
        AssertRefused(await Store.TxnAsync(StoreTxn.Put("a", made.Revision, Bytes("4"))));
        StoreEntry read = (await GetAsync("a")).Entry!;
        Assert.Equal(("3", 2L, made.Revision, changed.Revision), (
            Text(read), read.Version, read.CreateRevision, read.ModRevision));

        AssertRefused(await Store.TxnAsync(StoreTxn.Delete("a", made.Revision)));
        Done(await Store.TxnAsync(StoreTxn.Delete("a", changed.Revision)));
        Assert.Null((await GetAsync("a")).Entry);
        AssertRefused(await Store.TxnAsync(StoreTxn.Put("a", changed.Revision, Bytes("5"))));
        StoreTxnResult anew = Done(await Store.TxnAsync(StoreTxn.Put("a", 0, Bytes("6"))));
        read = (await GetAsync("a")).Entry!;
        Assert.Equal((1L, anew.Revision), (read.Version, read.CreateRevision));
    }

    [Fact]
    [Trait("Invariant", "STORE-1")]
    public async Task A_transaction_is_done_whole_at_one_revision_or_not_at_all()
    {
        StoreTxnResult first = Done(await Store.TxnAsync(new StoreTxn(
            [new("a", 0), new("b", 0)], [new("a", Bytes("1")), new("b", Bytes("1")), new("c", Bytes("1"))])));
        StoreRangeResult all = await Store.RangeAsync("");
        Assert.All(all.Entries, each => Assert.Equal(first.Revision, each.ModRevision));
        Assert.Equal(["a", "b", "c"], all.Entries.Select(each => each.Key));

        StoreTxnResult refused = await Store.TxnAsync(new StoreTxn(
            [new("a", first.Revision), new("b", 0), new("d", 0)],
            [new("a", null), new("b", Bytes("2")), new("d", Bytes("2"))]));
        AssertRefused(refused);
        Assert.Equal(["a", "b"], refused.Current.Select(each => each.Key).Order());
        Assert.Equal(all.Entries.Select(Text), (await Store.RangeAsync("")).Entries.Select(Text));

        StoreTxnResult both = Done(await Store.TxnAsync(new StoreTxn(
            [new("a", first.Revision), new("d", 0)], [new("a", null), new("d", Bytes("3"))])));
        all = await Store.RangeAsync("");
        Assert.Equal(["b", "c", "d"], all.Entries.Select(each => each.Key));
        Assert.Equal(both.Revision, all.Entries[2].ModRevision);

        // Nothing is there to be deleted: no revision is made.
        long before = all.Revision;
        Done(await Store.TxnAsync(new StoreTxn([], [new("none", null)])));
        Assert.Equal(before, (await Store.RangeAsync("")).Revision);
    }

    [Fact]
    public async Task What_no_store_takes_is_refused_and_says_why()
    {
        await AssertRefusedAsync("twice", [new("a", Bytes("1")), new("a", null)]);
        await AssertRefusedAsync("no key", [new("", Bytes("1"))]);
        await AssertRefusedAsync("no key", [new(new string('k', StoreTxn.KeyBytesMax + 1), Bytes("1"))]);
        await AssertRefusedAsync("no key", [new("ä", Bytes("1"))]);
        await AssertRefusedAsync("bytes", [new("a", new byte[StoreTxn.BytesMax])]);
        await AssertRefusedAsync(
            "at most",
            [.. Enumerable.Range(0, StoreTxn.CountMax + 1).Select(i => new StoreChange($"{i}", Bytes("1")))]);
        Assert.Equal(StoreStatus.Refused, (await Store.GetAsync("a\n")).Status);
        Assert.Equal(StoreStatus.Refused, (await Store.GrantAsync(TimeSpan.FromSeconds(0.5))).Status);
        StoreTxnResult large = await Store.TxnAsync(new StoreTxn([], [new("a", new byte[StoreTxn.BytesMax - 1])]));
        Done(large);
        Assert.Equal(StoreTxn.BytesMax - 1, (await GetAsync("a")).Entry!.Value.Length);
    }

    [Fact]
    public async Task Values_are_bytes()
    {
        byte[] all = [.. Enumerable.Range(0, 256).Select(i => (byte)i)];
        Done(await Store.TxnAsync(new StoreTxn([], [new("all", all), new("none", Array.Empty<byte>())])));
        Assert.Equal(all, (await GetAsync("all")).Entry!.Value.ToArray());
        Assert.Equal(0, (await GetAsync("none")).Entry!.Value.Length);
    }

    [Fact]
    [Trait("Invariant", "STORE-3")]
    public async Task A_range_is_all_keys_of_a_prefix_in_order_however_many()
    {
        const int count = 1_150;
        for (int i = 0; i < count; i += 50)
        {
            Done(await Store.TxnAsync(new StoreTxn(
                [], [.. Enumerable.Range(i, 50).Select(n => new StoreChange($"r/{n:0000}", Bytes($"{n}")))])));
        }

        Done(await Store.TxnAsync(new StoreTxn([], [new("q", Bytes("")), new("r", Bytes("")), new("r0", Bytes(""))])));
        StoreRangeResult all = await Store.RangeAsync("r/");
        Assert.Equal(Enumerable.Range(0, count).Select(n => $"r/{n:0000}"), all.Entries.Select(each => each.Key));
        Assert.Equal(count + 3, (await Store.RangeAsync("")).Entries.Count);
        Assert.Empty((await Store.RangeAsync("s")).Entries);
    }

    [Fact]
    [Trait("Invariant", "STORE-4")]
    public async Task A_watch_gives_each_change_once_and_in_order_from_any_revision()
    {
        var expected = new List<(string Key, string? Value, long Revision)>();
        var random = new Random(5);
        long start = (await Store.RangeAsync("")).Revision;
        await WriteAsync(60);
        await AssertSeenAsync("", start, expected, () => WriteAsync(60));
        long middle = expected[expected.Count / 2].Revision;
        await AssertSeenAsync("w/1", middle, expected, () => WriteAsync(20));

        async Task WriteAsync(int count)
        {
            for (int i = 0; i < count; i++)
            {
                string key = $"w/{random.Next(4)}";
                bool isThere = (await GetAsync(key)).Entry is not null;
                string? value = isThere && random.Next(3) == 0 ? null : $"{expected.Count}";
                StoreChange[] changes =
                    [new(key, value is null ? null : Bytes(value)), new($"x/{i % 3}", Bytes($"{i}"))];
                long revision = Done(await Store.TxnAsync(new StoreTxn([], changes))).Revision;
                expected.Add((key, value, revision));
                expected.Add((changes[1].Key, $"{i}", revision));
            }
        }
    }

    [Fact]
    [Trait("Invariant", "STORE-4")]
    public async Task A_watch_behind_a_compaction_says_so_and_ends()
    {
        long first = Done(await Store.TxnAsync(new StoreTxn([], [new("a", Bytes("1"))]))).Revision;
        long second = Done(await Store.TxnAsync(new StoreTxn([], [new("a", Bytes("2"))]))).Revision;
        long third = Done(await Store.TxnAsync(new StoreTxn([], [new("a", Bytes("3"))]))).Revision;
        await _harness.CompactAsync(third);
        List<StoreWatchBatch> batches = [];
        using var hang = new CancellationTokenSource(Hang);
        await foreach (StoreWatchBatch batch in Store.WatchAsync("", first - 1, hang.Token))
        {
            batches.Add(batch);
        }

        Assert.Equal(StoreWatchKind.Compacted, batches[^1].Kind);
        Assert.Equal(third, batches[^1].Revision);
        Assert.Empty(batches[..^1]);
        Assert.Equal("3", Text((await GetAsync("a")).Entry!));

        // Who has all of it is not disturbed.
        await using IAsyncEnumerator<StoreWatchBatch> later =
            Store.WatchAsync("", third, hang.Token).GetAsyncEnumerator(hang.Token);
        ValueTask<bool> next = later.MoveNextAsync();
        long fourth = Done(await Store.TxnAsync(new StoreTxn([], [new("a", Bytes("4"))]))).Revision;
        Assert.True(await next);
        Assert.Equal((StoreWatchKind.Changes, fourth), (later.Current.Kind, later.Current.Revision));
        Assert.True(second < third);
    }

    [Fact]
    public async Task A_call_that_is_called_off_says_so_and_throws_nothing()
    {
        using var off = new CancellationTokenSource();
        await off.CancelAsync();
        Assert.Equal(StoreStatus.Cancelled, (await Store.GetAsync("a", off.Token)).Status);
        Assert.Equal(StoreStatus.Cancelled, (await Store.RangeAsync("", off.Token)).Status);
        Assert.Equal(
            StoreStatus.Cancelled, (await Store.TxnAsync(StoreTxn.Put("a", 0, Bytes("1")), off.Token)).Status);
        Assert.Equal(StoreStatus.Cancelled, (await Store.GrantAsync(_harness.LeaseTime, off.Token)).Status);
        await foreach (StoreWatchBatch batch in Store.WatchAsync("", 0, off.Token))
        {
            Assert.Fail($"{batch}");
        }

        Assert.Null((await GetAsync("a")).Entry);
    }

    [Fact]
    [Trait("Invariant", "STORE-1")]
    public async Task Of_those_who_write_at_once_one_wins_each_revision()
    {
        const int writers = 6;
        const int each = 15;
        await Task.WhenAll(Enumerable.Range(0, writers).Select(_ => Task.Run(async () =>
        {
            for (int done = 0; done < each;)
            {
                StoreEntry? entry = (await GetAsync("count")).Entry;
                int value = entry is null ? 0 : int.Parse(Text(entry), null);
                StoreTxnResult result = await Store.TxnAsync(
                    StoreTxn.Put("count", entry?.ModRevision ?? 0, Bytes($"{value + 1}")));
                Assert.Equal(StoreStatus.Ok, result.Status);
                done += result.Succeeded ? 1 : 0;
            }
        })));
        StoreEntry last = (await GetAsync("count")).Entry!;
        Assert.Equal(($"{writers * each}", (long)(writers * each)), (Text(last), last.Version));
    }

    [Fact]
    [Trait("Invariant", "STORE-5")]
    public async Task A_lease_takes_its_keys_with_it()
    {
        long kept = Granted(await Store.GrantAsync(_harness.LeaseTime));
        long left = Granted(await Store.GrantAsync(_harness.LeaseTime));
        long ended = Granted(await Store.GrantAsync(TimeSpan.FromMinutes(1)));
        Done(await Store.TxnAsync(new StoreTxn(
            [], [new("kept", Bytes("1"), kept), new("left", Bytes("1"), left), new("ended", Bytes("1"), ended)])));
        Done(await Store.TxnAsync(new StoreTxn([], [new("free", Bytes("1"), left)])));
        long free = Done(await Store.TxnAsync(new StoreTxn([], [new("free", Bytes("2"))]))).Revision;
        Assert.Equal(left, (await GetAsync("left")).Entry!.Lease);

        Assert.Equal(StoreStatus.Ok, (await Store.RevokeAsync(ended)).Status);
        Assert.Equal(["free", "kept", "left"], (await Store.RangeAsync("")).Entries.Select(entry => entry.Key));
        Assert.Equal(StoreStatus.LeaseGone, (await Store.RevokeAsync(ended)).Status);
        Assert.Equal(StoreStatus.LeaseGone, (await Store.KeepAliveAsync(ended)).Status);
        StoreTxnResult bound = await Store.TxnAsync(
            new StoreTxn([], [new("late", Bytes("1"), ended), new("x", Bytes("1"))]));
        Assert.Equal(StoreStatus.LeaseGone, bound.Status);

        using var hang = new CancellationTokenSource(Hang);
        await using IAsyncEnumerator<StoreWatchBatch> watch =
            Store.WatchAsync("left", free, hang.Token).GetAsyncEnumerator(hang.Token);
        Task<bool> gone = NextEventAsync(watch);
        while (!gone.IsCompleted && !hang.IsCancellationRequested)
        {
            Assert.Equal(StoreStatus.Ok, (await Store.KeepAliveAsync(kept)).Status);
            await _harness.PassAsync(_harness.LeaseTime / 4);
        }

        Assert.True(await gone);
        StoreChangeEvent change = Assert.Single(watch.Current.Events);
        Assert.Equal(("left", null), (change.Key, change.Entry));
        Assert.Equal(["free", "kept"], (await Store.RangeAsync("")).Entries.Select(entry => entry.Key));
        Assert.Equal(StoreStatus.LeaseGone, (await Store.KeepAliveAsync(left)).Status);
    }

    [Theory]
    [Trait("Invariant", "STORE-2")]
    [Trait("Invariant", "CERTAIN-1")]
    [Trait("Invariant", "CERTAIN-2")]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Outcomes_are_true_however_answers_are_lost(int seed)
    {
        for (int run = 0; run < Runs; run++)
        {
            await new StoreFaultRun(_harness, (seed * 1_000) + run, Steps).RunAsync();
        }
    }

    [Fact]
    [Trait("Invariant", "MIRROR-1")]
    [Trait("Invariant", "MIRROR-2")]
    public async Task A_mirror_is_what_the_store_is_however_late_watches_are()
    {
        var random = new Random(11);
        var faults = new FaultyStore(_harness.Store, random);
        var told = new List<StoreChangeEvent>();
        await using var mirror = new StoreMirror(
            faults,
            new StoreMirrorOptions
            {
                Prefix = "m/",
                ReadAgainEvery = TimeSpan.FromMilliseconds(20),
                RetryPause = TimeSpan.FromMilliseconds(1),
            });
        mirror.Changed += told.AddRange;
        mirror.Start();
        long last = 0;
        for (int i = 0; i < 200; i++)
        {
            string key = $"m/{random.Next(9)}";
            last = Math.Max(last, Done(await _harness.Store.TxnAsync(new StoreTxn(
                [], [new(key, random.Next(3) == 0 ? null : Bytes($"{i}"))]))).Revision);
            if (i % 40 == 39)
            {
                await _harness.CompactAsync(last);
                await Task.Delay(5, CancellationToken.None);
            }
        }

        last = Done(await _harness.Store.TxnAsync(new StoreTxn([], [new("m/end", Bytes("end"))]))).Revision;
        using var hang = new CancellationTokenSource(Hang);
        Assert.True(await mirror.WaitForAsync(last, hang.Token), $"{mirror.Revision} of {last}: {mirror.Problem}");
        IReadOnlyList<StoreEntry> all = (await _harness.Store.RangeAsync("m/")).Entries;
        Assert.Equal(all.Select(State), mirror.Entries.Values.Select(State));
        Assert.Equal(told.Select(each => each.Revision).Order(), told.Select(each => each.Revision));
        Assert.Equal(
            all.Select(State),
            told.GroupBy(each => each.Key, each => each.Entry, StringComparer.Ordinal)
                .OrderBy(each => each.Key, StringComparer.Ordinal)
                .Select(each => each.Last()).OfType<StoreEntry>().Select(State));

        static string State(StoreEntry entry) => $"{entry.Key} {entry.ModRevision} {Text(entry)}";
    }

    /// <summary>How many faulty runs a seed is, and how many steps each has.</summary>
    protected virtual int Runs => 20;

    /// <summary>The same.</summary>
    protected virtual int Steps => 120;

    private protected abstract Task<StoreHarness> StartAsync();

    private static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);

    private static string Text(StoreEntry entry) => Encoding.UTF8.GetString(entry.Value.Span);

    private static StoreTxnResult Done(StoreTxnResult result)
    {
        Assert.Equal((StoreStatus.Ok, true, null), (result.Status, result.Succeeded, result.Problem));
        return result;
    }

    private static void AssertRefused(StoreTxnResult result) =>
        Assert.Equal((StoreStatus.Ok, false), (result.Status, result.Succeeded));

    private static long Granted(StoreLeaseResult result)
    {
        Assert.Equal((StoreStatus.Ok, null), (result.Status, result.Problem));
        return result.Id;
    }

    private async Task<StoreGetResult> GetAsync(string key)
    {
        StoreGetResult result = await Store.GetAsync(key);
        Assert.Equal((StoreStatus.Ok, null), (result.Status, result.Problem));
        return result;
    }

    private async Task AssertRefusedAsync(string says, IReadOnlyList<StoreChange> changes)
    {
        StoreTxnResult result = await Store.TxnAsync(new StoreTxn([], changes));
        Assert.Equal(StoreStatus.Refused, result.Status);
        Assert.Contains(says, result.Problem, StringComparison.Ordinal);
    }

    /// <summary>Goes on to a batch that has a change, and not only a later revision.</summary>
    private static async Task<bool> NextEventAsync(IAsyncEnumerator<StoreWatchBatch> watch)
    {
        while (await watch.MoveNextAsync())
        {
            if (watch.Current.Events.Count > 0)
            {
                return true;
            }
        }

        return false;
    }

    private async Task AssertSeenAsync(
        string prefix, long after, List<(string Key, string? Value, long Revision)> expected, Func<Task> write)
    {
        using var stop = new CancellationTokenSource(Hang);
        List<(string Key, string? Value, long Revision)> seen = [];
        long revision = after;
        Task writing = write();
        bool isEndWritten = false;
        await foreach (StoreWatchBatch batch in Store.WatchAsync(prefix, after, stop.Token))
        {
            Assert.Equal(StoreWatchKind.Changes, batch.Kind);
            Assert.True(batch.Revision > revision, $"{batch.Revision} follows {revision}");
            Assert.All(batch.Events, each => Assert.InRange(each.Revision, revision + 1, batch.Revision));
            revision = batch.Revision;
            seen.AddRange(batch.Events.Select(
                each => (each.Key, each.Entry is null ? null : Text(each.Entry), each.Revision)));
            if (batch.Events.Any(each => each.Key == prefix + "end"))
            {
                break;
            }

            if (!isEndWritten)
            {
                isEndWritten = true;
                await writing;
                long end = Done(await Store.TxnAsync(new StoreTxn([], [new(prefix + "end", Bytes("!"))]))).Revision;
                expected.Add((prefix + "end", "!", end));
            }
        }

        Assert.Equal(
            expected.Where(each => each.Revision > after && each.Key.StartsWith(prefix, StringComparison.Ordinal))
                .OrderBy(each => each.Revision).ThenBy(each => each.Key, StringComparer.Ordinal),
            seen.OrderBy(each => each.Revision).ThenBy(each => each.Key, StringComparer.Ordinal));
        Assert.Equal(seen.Select(each => each.Revision).Order(), seen.Select(each => each.Revision));
    }
}
