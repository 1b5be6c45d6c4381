using System.Globalization;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Documents;
using Raven.Documents.Commands;
using Raven.Documents.Revisions;
using Raven.Documents.Settings;

namespace FastTests.Documents;

/// <summary>What is kept of a document goes by the collection that it is in, whatever else there was.</summary>
public sealed class RevisionCollectionTests : IDisposable
{
    private readonly TestDatabase _database = new();

    public void Dispose() => _database.Dispose();

    [Theory]
    [InlineData("Trash", "Books", 1)]
    [InlineData("Books", "Trash", 0)]
    public async Task A_collection_has_no_revision_settings_of_one_whose_creation_was_rolled_back(
        string undone, string made, int kept)
    {
        await ConfigureAsync(SettingsStore.Revisions, """{"Collections":{"Books":{"Disabled":false}}}""");
        _database.StartBatch();
        Assert.True(_database.AddPut("x", InCollection(undone)));
        Assert.True(_database.Batch.TryAddAction("x"u8, new RefusingAction(), ExpectedVersion.Any));
        Assert.False(_database.Submit());
        _database.Put("a", InCollection(made));
        Assert.Equal(kept, CountOf("a"));
        _database.Put("a", InCollection(made));
        Assert.Equal(2 * kept, CountOf("a"));
    }

    [Theory]
    [InlineData("""{"Collections":{"Books":{"MinimumRevisionsToKeep":2}}}""", 2)]
    [InlineData("""{"Collections":{"Users":{"MinimumRevisionsToKeep":1}}}""", 0)]
    public async Task Surplus_revisions_are_deleted_by_the_settings_of_the_current_collection(string limits, int kept)
    {
        await ConfigureAsync(SettingsStore.Revisions, """{"Default":{"Disabled":false}}""");
        _database.Put("a", InCollection("Users"));
        _database.Put("a", InCollection("Books"));
        _database.Put("a", InCollection("Books", "2"));
        await ConfigureAsync(SettingsStore.Revisions, limits);
        using var context = new OperationContext();
        Sweep(new RevisionSweepCommand(RevisionSweepKind.Enforce, context));
        Assert.Equal(kept, CountOf("a"));
    }

    [Theory]
    [InlineData("users", true)]
    [InlineData("BOOKS", false)]
    public async Task A_revert_of_one_collection_restores_a_deleted_document_of_that_collection(
        string collection, bool isThere)
    {
        await ConfigureAsync(SettingsStore.Revisions, """{"Default":{"Disabled":false}}""");
        _database.Put("a", InCollection("Books"));
        _database.Delete("a");
        _database.Put("a", InCollection("Users"));
        DateTimeOffset time = _database.Clock.Now;
        _database.Clock.Now += TimeSpan.FromSeconds(1);
        _database.Delete("a");
        _database.Restart();
        using var context = new OperationContext();
        Sweep(new RevisionSweepCommand(RevisionSweepKind.Revert, context)
        {
            Collections = [collection.ToLowerInvariant()],
            RevertToTicks = time.UtcTicks,
        });
        Assert.Equal(isThere, _database.Read("a") is not null);
    }

    [Theory]
    [InlineData(SettingsStore.Expiration, "DeleteFrequencyInSec", "@expires", 30)]
    [InlineData(SettingsStore.Expiration, "DeleteFrequencyInSec", "@expires", 300)]
    [InlineData(SettingsStore.Refresh, "RefreshFrequencyInSec", "@refresh", 30)]
    public async Task A_reverted_document_expires_or_is_refreshed_by_the_time_of_its_restored_version(
        string setting, string frequency, string mark, int seconds)
    {
        await ConfigureAsync(SettingsStore.Revisions, """{"Default":{"Disabled":false}}""");
        await ConfigureAsync(setting, $$"""{"{{frequency}}":1}""");
        DateTimeOffset time = _database.Clock.Now;
        string due = time.AddSeconds(seconds).UtcDateTime.ToString("O", CultureInfo.InvariantCulture);
        _database.Put("a", $$$"""{"@metadata":{"@collection":"Books","{{{mark}}}":"{{{due}}}"}}""");
        await RingAsync(1);
        _database.Put("a", "{}");

        // What was noted of the first version is forgotten if its time comes before it is back.
        await RingAsync(60);
        using var context = new OperationContext();
        Sweep(new RevisionSweepCommand(RevisionSweepKind.Revert, context) { RevertToTicks = time.UtcTicks });
        Assert.Contains(mark, _database.Read("a"), StringComparison.Ordinal);
        await RingAsync(300);
        Assert.DoesNotContain(mark, _database.Read("a") ?? "", StringComparison.Ordinal);
    }

    private static string InCollection(string name, string value = "1") =>
        $$$"""{"N":{{{value}}},"@metadata":{"@collection":"{{{name}}}"}}""";

    private void Sweep(RevisionSweepCommand command)
    {
        do
        {
            _database.Run(command);
            command.MoveOn();
        }
        while (!command.IsDone);
    }

    private async Task ConfigureAsync(string name, string json) =>
        await _database.Database.ConfigureAsync(name, Encoding.UTF8.GetBytes(json));

    private async Task RingAsync(int seconds)
    {
        _database.Clock.Now += TimeSpan.FromSeconds(seconds);
        await _database.Database.SweepAsync(_database.Clock.Now);
    }

    private long CountOf(string id)
    {
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        return new RevisionReader(snapshot).List(Encoding.UTF8.GetBytes(id), 0, 0, []);
    }

    /// <summary>Finds out late that its batch cannot be done.</summary>
    private sealed class RefusingAction : BatchAction
    {
        internal override void Execute(DocumentWriter writer, ref DocumentOperation operation) =>
            throw new CommandRefusedException(new CommandFailure { Kind = CommandFailureKind.Refused });

        internal override void Notify(DocumentWriter writer, in DocumentOperation operation)
        {
        }
    }
}
