using System.Collections.Concurrent;
using System.Text;
using FastTests.Support;
using Microsoft.Extensions.Logging.Abstractions;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Catalog;
using Raven.Documents.Changes;
using Raven.Documents.Commands;
using Raven.Documents.Counters;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Compilation;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Rows;
using Raven.Documents.Settings;
using Raven.Documents.TimeSeries;
using Raven.Scripting.Hosting;
using Raven.Storage.Replication;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Documents;

/// <summary>
/// A database that two nodes keep: one writes, and each commit is applied to the other one's files before it is
/// settled.
/// </summary>
public sealed class DatabaseReplicaTests : IDisposable
{
    private readonly TestClock _clock = new();
    private readonly TestFiles _files = new();
    private readonly TestFiles _otherFiles = new();
    private readonly IndexingServices _indexing = NewIndexing();
    private readonly IndexingServices _otherIndexing = NewIndexing();
    private readonly DatabaseCatalog _catalog;
    private readonly DatabaseCatalog _otherCatalog;
    private readonly Database _database;
    private readonly Database _other;
    private readonly RecordingGate _gate;
    private readonly RecordingGate _followerGate = new();
    private StorageEnvironment? _otherEnvironment;
    private LogApplier? _applier;

    public DatabaseReplicaTests()
    {
        _catalog = Open(_files, _indexing, _clock);
        _otherCatalog = Open(_otherFiles, _otherIndexing, new TestClock());
        _catalog.TryCreate("db", "{}"u8, out Database? database);
        _otherCatalog.TryCreate("db", "{}"u8, out Database? other);
        (_database, _other) = (database!, other!);
        _gate = new RecordingGate
        {
            Ships = record => _applier!.Apply(record),
            Settled = transaction =>
            {
                _applier!.Publish(transaction);
                _other.Replica!.Published();
            },
        };
    }

    public void Dispose()
    {
        _applier?.Dispose();
        _catalog.Dispose();
        _otherCatalog.Dispose();
        _indexing.Dispose();
        _otherIndexing.Dispose();
        _files.Dispose();
        _otherFiles.Dispose();
    }

    [Fact]
    [Trait("Invariant", "REPL-1")]
    public void A_database_of_a_group_is_opened_by_no_use()
    {
        Assert.Throws<DatabaseNotServingException>(() => _database.BeginRead());
        Assert.False(_database.IsOpen);
    }

    [Fact]
    [Trait("Invariant", "REPL-2")]
    public async Task Only_the_node_that_has_opened_the_epoch_writes()
    {
        Open();
        await Assert.ThrowsAsync<NotPrimaryException>(async () => await PutAsync(_database, "users/1", "{}"));
        Assert.Empty(_gate.Records);
        await LeadAsync();
        await PutAsync(_database, "users/1", """{"Name":"a"}""");
        await Assert.ThrowsAsync<NotPrimaryException>(async () => await PutAsync(_other, "users/2", "{}"));

        _database.Replica!.StepDown();
        int records = _gate.Records.Count;
        await Assert.ThrowsAsync<NotPrimaryException>(async () => await PutAsync(_database, "users/3", "{}"));
        Assert.Equal(records, _gate.Records.Count);
        Assert.True(Has(_database, "users/1"));

        _database.Replica.TakeWrites();
        await PutAsync(_database, "users/4", "{}");
        await Deadline.UntilAsync(() => Has(_other, "users/4"));
    }

    [Fact]
    [Trait("Invariant", "REPL-3")]
    public async Task A_follower_reads_what_was_written_and_takes_its_settings()
    {
        Open();
        await LeadAsync();
        await PutAsync(_database, "users/1", """{"Name":"a"}""");
        await Deadline.UntilAsync(() => _other.IsOpen && Has(_other, "users/1"));
        Assert.Equal(_database.Id.ToString(), _other.Id.ToString());
        await _database.ConfigureAsync(SettingsStore.Expiration, """{"DeleteFrequencyInSec":7}"""u8.ToArray());
        await Deadline.UntilAsync(() => _other.Settings!.Expiration.Frequency == TimeSpan.FromSeconds(7));
    }

    [Fact]
    public async Task A_follower_tells_its_listeners_in_the_order_of_the_changes()
    {
        Open();
        await LeadAsync();
        await PutAsync(_database, "users/1", "{}");
        await Deadline.UntilAsync(() => _other.IsOpen && _other.Changes.LastEtag == 1);
        var sink = new Sink();
        _other.Hub.Add(sink);
        _other.Hub.Watch(sink, new ChangeWatch(ChangeWatchKind.AllDocuments, ""));
        await PutAsync(_database, "users/2", "{}");
        await DeleteAsync(_database, "users/1");
        await PutAsync(_database, "users/3", "{}");
        await Deadline.UntilAsync(() => sink.Events.Count >= 3);
        Assert.Equal(
            ["Put users/2", "Delete users/1", "Put users/3"],
            sink.Events.Select(json => $"{json["Value"]!["Type"]} {json["Value"]!["Id"]}"));
    }

    [Fact]
    [Trait("Invariant", "GCHG-1")]
    public async Task A_follower_tells_of_counters_and_time_series()
    {
        Open();
        await LeadAsync();
        await PutAsync(_database, "users/1", "{}");
        await Deadline.UntilAsync(() => _other.IsOpen && _other.Changes.LastEtag == 1);
        var sink = new Sink { Types = ["CounterChange", "TimeSeriesChange"] };
        _other.Hub.Add(sink);
        _other.Hub.Watch(sink, new ChangeWatch(ChangeWatchKind.AllCounters, ""));
        _other.Hub.Watch(sink, new ChangeWatch(ChangeWatchKind.AllTimeSeries, ""));
        await ActAsync((arena, name) =>
        {
            CountersAction action = new(arena);
            Assert.True(action.TryAdd(
                "users/1"u8, new CounterOperation { Kind = CounterOperationKind.Increment, Name = name, Delta = 5 },
                out _));
            return action;
        });
        await ActAsync((arena, name) =>
        {
            TimeSeriesAction action = new(arena);
            Assert.True(action.TrySetName("users/1"u8, name, out _));
            action.Appends.Add(1_000, [1.0], default);
            action.Appends.Add(2_000, [2.0], default);
            return action;
        });
        await ActAsync((arena, name) =>
        {
            TimeSeriesAction action = new(arena);
            Assert.True(action.TrySetName("users/1"u8, name, out _));
            action.AddDeletion(1_500, 2_500);
            return action;
        });
        await Deadline.UntilAsync(() => sink.Events.Any(json => $"{json["Value"]!["Type"]}" == "Delete"));
        System.Text.Json.Nodes.JsonNode counter = sink.Events.First()["Value"]!;
        Assert.Equal(
            "Put Likes 5 users/1",
            $"{counter["Type"]} {counter["Name"]} {counter["Value"]} {counter["DocumentId"]}");
        Assert.Contains(sink.Events, json => $"{json["Value"]!["Type"]} {json["Value"]!["Name"]}" == "Put Likes"
            && $"{json["Type"]}" == "TimeSeriesChange" && $"{json["Value"]!["DocumentId"]}" == "users/1");
        Assert.Contains(sink.Events, json => $"{json["Value"]!["Type"]}" == "Delete"
            && $"{json["Type"]}" == "TimeSeriesChange");
    }

    [Fact]
    [Trait("Invariant", "REPL-3")]
    public async Task A_follower_builds_the_indexes_that_the_primary_has()
    {
        Open();
        await LeadAsync();
        await PutAsync(_database, "users/1", """{"Name":"a","@metadata":{"@collection":"Users"}}""");
        await Deadline.UntilAsync(() => _other.IsOpen);
        Assert.Empty(_other.Indexes.All);
        await _database.Indexes.Changes.PutAsync(Definition("Users/ByName", "Name"));
        await CoveredAsync("Users/ByName");

        await _database.Indexes.Changes.UpdateAsync(
            "Users/ByName", one => one with { LockMode = IndexLockMode.LockedError });
        await Deadline.UntilAsync(
            () => _other.Indexes.Find("Users/ByName")!.Definition.LockMode == IndexLockMode.LockedError);
        await _database.Indexes.Changes.UpdateAsync(
            "Users/ByName", one => one with { LockMode = IndexLockMode.Unlock });
        await _database.Indexes.Changes.PutAsync(Definition("Users/ByName", "Name, Other = u.Age"));
        await Deadline.UntilAsync(() => _other.Indexes.All.Count == 1
            && _other.Indexes.Find("Users/ByName") is { } only
            && only.Definition.Maps[0].Contains("Age", StringComparison.Ordinal));
        await CoveredAsync("Users/ByName");
        await _database.Indexes.Changes.DeleteAsync("Users/ByName");
        await Deadline.UntilAsync(() => _other.Indexes.All.Count == 0);
    }

    [Fact]
    [Trait("Invariant", "REPL-3")]
    public async Task A_read_that_waits_for_what_was_published_sees_its_settings_and_indexes()
    {
        Open();
        await LeadAsync();
        await PutAsync(_database, "users/1", "{}");
        await Deadline.UntilAsync(() => _other.IsOpen);
        Assert.Empty(_other.Indexes.All);
        for (int i = 1; i <= 20; i++)
        {
            await _database.ConfigureAsync(
                SettingsStore.Expiration, Encoding.UTF8.GetBytes($"{{\"DeleteFrequencyInSec\":{i}}}"));
            await _database.Indexes.Changes.PutAsync(Definition($"Users/{i}", "Name"));
            await PublishedAsync();
            await _other.Replica!.TakenInAsync(CancellationToken.None);
            Assert.Equal(TimeSpan.FromSeconds(i), _other.Settings!.Expiration.Frequency);
            Assert.NotNull(_other.Indexes.Find($"Users/{i}"));
        }

        // It waits for nothing on a node that writes, nor where the files are closed.
        await _database.Replica!.TakenInAsync(CancellationToken.None);
        _other.Replica!.Close();
        await _other.Replica.TakenInAsync(CancellationToken.None);
    }

    [Fact]
    public async Task Who_writes_no_more_ends_its_watchers()
    {
        Open();
        await LeadAsync();
        var sink = new Sink();
        _database.Hub.Add(sink);
        _database.Replica!.StepDown();
        await Deadline.UntilAsync(() => sink.Ended is not null);
        Assert.Contains("Another node", sink.Ended, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "REPL-2")]
    public async Task The_next_primary_goes_on_with_etags_and_its_indexes_stay()
    {
        Open();
        await LeadAsync();
        await PutAsync(_database, "users/1", """{"Name":"a","@metadata":{"@collection":"Users"}}""");
        await Deadline.UntilAsync(() => _other.IsOpen);
        await _database.Indexes.Changes.PutAsync(Definition("Users/ByName", "Name"));
        await CoveredAsync("Users/ByName");
        long folder = _other.Indexes.Find("Users/ByName")!.Record.Folder;

        // The node that wrote is gone: the other one opens the next epoch on its own.
        _database.Replica!.Close();
        StorageEnvironment environment = _otherEnvironment!;
        _followerGate.Epoch = 2;
        await _other.Replica!.OpenEpochAsync(2, 7);
        Assert.True(environment.LastTransactionId > 0);
        await PutAsync(_other, "users/2", """{"Name":"b","@metadata":{"@collection":"Users"}}""");
        using (DocumentSnapshot snapshot = _other.BeginRead())
        {
            Assert.Equal(2, snapshot.LastEtag);
        }

        DatabaseIndex index = _other.Indexes.Find("Users/ByName")!;
        await Deadline.UntilAsync(() => index.CoveredEtag == 2);
        Assert.Equal(folder, index.Record.Folder);
        Assert.Equal(0, index.Failures.Count);
    }

    [Fact]
    public async Task Times_of_changes_never_go_back_when_the_next_primary_has_a_clock_that_is_late()
    {
        Open();
        await LeadAsync();
        _clock.Now += TimeSpan.FromHours(1);
        await PutAsync(_database, "users/1", "{}");
        await Deadline.UntilAsync(() => _other.IsOpen && Has(_other, "users/1"));
        _database.Replica!.Close();
        _followerGate.Epoch = 2;
        await _other.Replica!.OpenEpochAsync(2, 7);
        await PutAsync(_other, "users/2", "{}");
        await DeleteAsync(_other, "users/1");
        using DocumentSnapshot snapshot = _other.BeginRead();
        Assert.True(snapshot.TryGet("users/2"u8, out StoredDocument later));
        Assert.True(later.LastModifiedTicks >= _clock.Now.UtcTicks, $"{later.LastModifiedTicks}");
        TombstoneCursor tombstones = snapshot.TombstonesByEtag(0);
        Assert.True(tombstones.MoveNext(out StoredTombstone tombstone));
        Assert.True(tombstone.LastModifiedTicks >= _clock.Now.UtcTicks, $"{tombstone.LastModifiedTicks}");
    }

    /// <summary>Waits until the other node has published what this one has.</summary>
    private Task PublishedAsync()
    {
        using DocumentSnapshot snapshot = _database.BeginRead();
        long transaction = snapshot.Transaction.Id;
        return Deadline.UntilAsync(() => _otherEnvironment!.Log.TransactionId >= transaction);
    }

    private async Task CoveredAsync(string name) => await Deadline.UntilAsync(
        () => _other.Indexes.Find(name) is { } index && index.CoveredEtag >= 1 && index.Fault is null);

    private void Open()
    {
        _otherEnvironment = _other.Replica!.Open(null, _followerGate);
        _followerGate.Use(_otherEnvironment);
        _applier = new LogApplier(_otherEnvironment);
        _other.Replica.Serve();
        _gate.Use(_database.Replica!.Open(null, _gate));
        _database.Replica.Serve();
    }

    private ValueTask LeadAsync() => _database.Replica!.OpenEpochAsync(1, 7);

    private static DatabaseCatalog Open(TestFiles files, IndexingServices indexing, TimeProvider clock) =>
        DatabaseCatalog.Open(new CatalogOptions
        {
            Folders = files,
            Clock = clock,
            Random = new Random(42),
            Loggers = NullLoggerFactory.Instance,
            Indexing = indexing,
            AreInGroups = true,
            ConfigureStorage = options => options with { NewEnvironmentId = 42 },
        });

    private static IndexingServices NewIndexing() => IndexingServices.Create(
        new IndexingOptions(), new ScriptLimits(), CSharpUse.Maps, TimeProvider.System, NullLogger.Instance);

    private static IndexDefinition Definition(string name, string fields) => new()
    {
        Name = name,
        Maps = [$"from u in docs.Users select new {{ u.{fields} }}"],
    };

    /// <summary>Changes a counter or a time series <c>Likes</c> of <c>users/1</c>.</summary>
    private async Task ActAsync(Func<Arena, NativeSlice, BatchAction> make)
    {
        using OperationContext context = new();
        BatchCommand batch = new(hashSeed: 1);
        batch.Reset(context);
        NativeSlice name = context.Arena.Allocate("Likes"u8.Length);
        "Likes"u8.CopyTo(name.WritableSpan);
        Assert.True(batch.TryAddAction("users/1"u8, make(context.Arena, name), ExpectedVersion.Any));
        await _database.SubmitAsync(batch);
        Assert.True(batch.Failure.IsNone, batch.Failure.Describe());
    }

    private static async Task PutAsync(Database database, string id, string json)
    {
        using OperationContext context = new();
        BatchCommand batch = new(hashSeed: 1);
        batch.Reset(context);
        Assert.True(context.Parser.TryParse(
            Encoding.UTF8.GetBytes(json), BlittableMode.ToDisk, out BlittableObject document, out _), json);
        Assert.True(batch.TryAddPut(Encoding.UTF8.GetBytes(id), document, ExpectedVersion.Any));
        await database.SubmitAsync(batch);
        Assert.True(batch.Failure.IsNone, batch.Failure.Describe());
    }

    private static async Task DeleteAsync(Database database, string id)
    {
        using OperationContext context = new();
        BatchCommand batch = new(hashSeed: 1);
        batch.Reset(context);
        Assert.True(batch.TryAddDelete(Encoding.UTF8.GetBytes(id), ExpectedVersion.Any));
        await database.SubmitAsync(batch);
    }

    private static bool Has(Database database, string id)
    {
        using DocumentSnapshot snapshot = database.BeginRead();
        return snapshot.TryGet(Encoding.UTF8.GetBytes(id), out _);
    }

    private sealed class Sink : ChangeSink
    {
        internal string[] Types { get; init; } = ["DocumentChange"];

        internal ConcurrentQueue<System.Text.Json.Nodes.JsonNode> Events { get; } = new();

        public override void Offer(ReadOnlySpan<byte> json)
        {
            if (System.Text.Json.Nodes.JsonNode.Parse(json) is { } one && Types.Contains($"{one["Type"]}"))
            {
                Events.Enqueue(one);
            }
        }

        internal string? Ended { get; private set; }

        public override void End(string reason) => Ended = reason;
    }
}
