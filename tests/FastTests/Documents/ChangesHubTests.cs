using System.Collections.Concurrent;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Support;
using Raven.Documents.Changes;

namespace FastTests.Documents;

/// <summary>The hub of a database's watchers, with sinks that are no connections.</summary>
public sealed class ChangesHubTests : IDisposable
{
    private readonly TestDatabase _database = new();

    public void Dispose() => _database.Dispose();

    [Fact]
    [Trait("Invariant", "HUB-4")]
    public async Task A_failure_to_send_an_event_ends_all_watchers_with_the_reason_and_the_next_change_is_sent_again()
    {
        ChangesHub hub = _database.Database.Hub;
        var broken = new Sink(isBroken: true);
        var sound = new Sink(isBroken: false);
        foreach (Sink sink in (Sink[])[broken, sound])
        {
            hub.Add(sink);
            hub.Watch(sink, new ChangeWatch(ChangeWatchKind.AllDocuments, ""));
        }

        _database.Put("a", "{}");
        Assert.Contains("read again", await broken.Ended.WaitAsync(Deadline.Hang), StringComparison.Ordinal);
        Assert.Contains("read again", await sound.Ended.WaitAsync(Deadline.Hang), StringComparison.Ordinal);
        hub.Remove(broken);
        hub.Remove(sound);

        var next = new Sink(isBroken: false);
        hub.Add(next);
        hub.Watch(next, new ChangeWatch(ChangeWatchKind.AllDocuments, ""));
        _database.Put("b", "{}");
        Assert.Contains("\"b\"", await next.Told.WaitAsync(Deadline.Hang), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_watcher_that_is_added_after_the_database_was_deleted_is_ended_with_that_reason()
    {
        var sink = new Sink(isBroken: false);
        _database.Database.Delete(() => { });
        _database.Database.Hub.Add(sink);
        Assert.Contains("deleted", await sink.Ended.WaitAsync(Deadline.Hang), StringComparison.Ordinal);
        _database.Database.Hub.Remove(sink);
    }

    [Fact]
    [Trait("Invariant", "HUB-2")]
    public async Task A_commit_does_not_wait_for_a_slow_watcher_which_gets_the_changes_in_the_order_of_the_commits()
    {
        ChangesHub hub = _database.Database.Hub;
        using var mayGoOn = new ManualResetEventSlim();
        var slow = new SlowSink(mayGoOn);
        hub.Add(slow);
        hub.Watch(slow, new ChangeWatch(ChangeWatchKind.AllDocuments, ""));
        string[] ids = [.. Enumerable.Range(0, 5).Select(number => $"docs/{number}")];
        foreach (string id in ids)
        {
            _database.Put(id, "{}");
        }

        Assert.Empty(slow.Events);
        mayGoOn.Set();
        await Deadline.UntilAsync(() => slow.Events.Count == ids.Length);
        Assert.Equal(ids, slow.Events.Select(json => (string?)JsonNode.Parse(json)!["Value"]!["Id"]));
    }

    [Fact]
    [Trait("Invariant", "HUB-3")]
    public async Task A_change_is_not_kept_while_no_connection_watches_documents()
    {
        ChangesHub hub = _database.Database.Hub;
        var sink = new Sink(isBroken: false);
        hub.Add(sink);
        hub.Watch(sink, new ChangeWatch(ChangeWatchKind.AllOperations, ""));
        IDocumentChangeListener changes = hub;
        changes.OnChange(ChangeOf("early"u8));
        hub.Watch(sink, new ChangeWatch(ChangeWatchKind.AllDocuments, ""));
        changes.OnChange(ChangeOf("late"u8));
        changes.OnCommitted(2);
        Assert.Contains("\"late\"", await sink.Told.WaitAsync(Deadline.Hang), StringComparison.Ordinal);
    }

    private static DocumentChange ChangeOf(ReadOnlySpan<byte> id) => new()
    {
        Type = DocumentChangeType.Put, Id = id, Collection = "Users"u8, ChangeVector = "A:1-x"u8, Etag = 1,
    };

    private sealed class SlowSink(ManualResetEventSlim mayGoOn) : ChangeSink
    {
        internal ConcurrentQueue<string> Events { get; } = new();

        public override void Offer(ReadOnlySpan<byte> json)
        {
            mayGoOn.Wait(Deadline.Hang);
            Events.Enqueue(Encoding.UTF8.GetString(json));
        }

        public override void End(string reason)
        {
        }
    }

    private sealed class Sink(bool isBroken) : ChangeSink
    {
        private readonly TaskCompletionSource<string> _told = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource<string> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal Task<string> Told => _told.Task;

        internal Task<string> Ended => _ended.Task;

        public override void Offer(ReadOnlySpan<byte> json)
        {
            if (isBroken)
            {
                throw new InvalidOperationException("A sink that is broken.");
            }

            _told.TrySetResult(Encoding.UTF8.GetString(json));
        }

        public override void End(string reason) => _ended.TrySetResult(reason);
    }
}
