using System.Text;
using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Documents.Changes;
using Raven.Documents.Commands;
using Raven.Documents.Revisions;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Documents;

/// <summary>Listeners are notified of every committed change, in order, and of nothing else.</summary>
public sealed class DocumentChangesTests : IDisposable
{
    private readonly TestDatabase _database = new();

    public void Dispose() => _database.Dispose();

    [Fact]
    [Trait("Invariant", "CMD-3")]
    public void Listeners_get_the_committed_changes_in_order_and_none_of_a_refused_batch()
    {
        _database.Put("before", "{}");
        Recorder recorder = new();
        _database.Database.Changes.Add(recorder);
        _database.Put("Users/1", """{"@metadata":{"@collection":"Users"}}""");
        _database.StartBatch();
        Assert.True(_database.AddPut("a", "{}"));
        Assert.True(_database.AddDelete("USERS/1"));
        Assert.True(_database.AddDelete("missing"));
        Assert.True(_database.AddPut("before", "{}", skipIfUnchanged: true));
        Assert.True(_database.Submit());
        _database.StartBatch();
        Assert.True(_database.AddPut("b", "{}"));
        Assert.True(_database.AddPut("a", "{}", expected: ""));
        Assert.False(_database.Submit());

        Assert.Equal(
            [
                $"Put Users/1 Users 2 {TestDatabase.ChangeVectorOf(2)}",
                "committed 2",
                $"Put a @empty 3 {TestDatabase.ChangeVectorOf(3)}",
                $"Delete USERS/1 Users 4 {TestDatabase.ChangeVectorOf(4)}",
                "committed 4",
            ],
            recorder.Told);

        _database.Database.Changes.Remove(recorder);
        _database.Put("c", "{}");
        Assert.Equal(5, recorder.Told.Count);
    }

    [Fact]
    public void A_version_that_a_batch_writes_later_is_reported_in_its_place()
    {
        Recorder recorder = new();
        _database.Database.Changes.Add(recorder);
        Arena arena = _database.FreshContext().Arena;
        _database.StartBatch();
        Assert.True(_database.AddPut("a", "{}"));
        Assert.True(_database.Batch.TryAddAction("a"u8, new ForceRevisionAction(arena), ExpectedVersion.Any));
        Assert.True(_database.AddPut("a", """{"n":2}"""));
        Assert.True(_database.AddPut("b", "{}"));
        Assert.True(_database.Submit());
        Assert.Equal(
            [
                $"Put a @empty 1 {TestDatabase.ChangeVectorOf(1)}",
                $"Put a @empty 2 {TestDatabase.ChangeVectorOf(2)}",
                $"Put a @empty 3 {TestDatabase.ChangeVectorOf(3)}",
                $"Put b @empty 4 {TestDatabase.ChangeVectorOf(4)}",
                "committed 4",
            ],
            recorder.Told);
    }

    [Fact]
    public void A_listener_outlives_the_closing_of_an_idle_database()
    {
        Recorder recorder = new();
        _database.Database.Changes.Add(recorder);
        _database.Put("a", """{"@metadata":{"@collection":"Users"}}""");
        Assert.True(_database.Database.TryClose());
        _database.Delete("a");
        Assert.Equal($"Delete a Users 2 {TestDatabase.ChangeVectorOf(2)}", recorder.Told[2]);
    }

    [Fact]
    public void A_listener_that_throws_neither_delays_later_commits_nor_keeps_changes_from_other_listeners()
    {
        int noted = 0;
        DocumentChanges changes = _database.Database.Changes;
        Action? others = changes.Committed;
        changes.Committed = () => noted++;
        Watcher broken = new(() => throw new InvalidOperationException("A listener that is broken."));
        changes.Add(broken);
        _database.Put("a", "{}");
        Assert.Equal(1, noted);
        changes.Remove(broken);
        Recorder recorder = new();
        changes.Add(recorder);
        changes.Committed = others;

        // Were the turn of the first not over, this would wait for it.
        _database.Put("b", "{}");
        Assert.Equal([$"Put b @empty 2 {TestDatabase.ChangeVectorOf(2)}", "committed 2"], recorder.Told);
        Assert.Equal("{}", _database.Read("a"));
    }

    [Fact]
    [Trait("Invariant", "CHG-3")]
    public void A_thread_that_committed_later_waits_until_earlier_changes_were_reported()
    {
        DocumentChanges changes = new();
        changes.Start(3);
        changes.AwaitTurn(3);
        Thread overtaking = new(() => changes.AwaitTurn(5));
        overtaking.Start();
        Assert.False(overtaking.Join(Deadline.Grace));
        changes.EndTurn(4);
        Assert.False(overtaking.Join(Deadline.Grace));
        changes.EndTurn(5);
        Assert.True(overtaking.Join(Deadline.Hang));
        changes.EndTurn(4);
        changes.AwaitTurn(5);
    }

    [Fact]
    [Trait("Invariant", "CMD-3")]
    public void A_change_can_be_read_by_a_listener_when_it_is_reported()
    {
        int found = 0;
        Watcher watcher = new(() => found += _database.Read("a") is null ? 0 : 1);
        _database.Database.Changes.Add(watcher);
        _database.Put("a", "{}");
        Assert.Equal(1, found);
    }

    [Fact]
    [Trait("Invariant", "CHG-1")]
    public void A_change_is_reported_when_a_power_cut_cannot_undo_it_any_more()
    {
        using SimulatedFileSystem disk = new();
        DiskOperation[] before = [];
        using (TestDatabase database = new(OptionsOf(disk)))
        {
            database.Database.Changes.Add(new Witness(() => before = [.. disk.Log]));
            database.Put("a", "{}");
        }

        Assert.NotEmpty(before);
        using CrashImages images = new(before);
        images.AdvanceToEnd();

        // The image has nothing of what was not durable at that moment.
        using SimulatedFileSystem left = new(images.MakeNumber(1, new Random(1)));
        using TestDatabase recovered = new(OptionsOf(left));
        Assert.Equal("{}", recovered.Read("a"));
    }

    private static StorageOptions OptionsOf(SimulatedFileSystem disk) => new()
    {
        FileSystem = disk,
        Scheduler = new ManualScheduler(),
        JournalSizeBytesMin = 64 << 10,
        JournalSizeBytesMax = 256 << 10,
    };

    private sealed class Witness(Action look) : IDocumentChangeListener
    {
        public void OnChange(in DocumentChange change) => look();

        public void OnCommitted(long lastEtag)
        {
        }
    }

    private sealed class Recorder : IDocumentChangeListener
    {
        internal List<string> Told { get; } = [];

        public void OnChange(in DocumentChange change) => Told.Add(
            $"{change.Type} {Text(change.Id)} {Text(change.Collection)} {change.Etag} {Text(change.ChangeVector)}");

        public void OnCommitted(long lastEtag) => Told.Add($"committed {lastEtag}");

        private static string Text(ReadOnlySpan<byte> utf8) => Encoding.UTF8.GetString(utf8);
    }

    private sealed class Watcher(Action look) : IDocumentChangeListener
    {
        public void OnChange(in DocumentChange change)
        {
        }

        public void OnCommitted(long lastEtag) => look();
    }
}
