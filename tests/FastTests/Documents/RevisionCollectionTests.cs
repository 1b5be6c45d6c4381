using System.Text;
using Raven.Blittable.Json;
using Raven.Server.Documents;
using Raven.Server.Documents.Commands;
using Raven.Server.Documents.Revisions;
using Raven.Server.Documents.Settings;

namespace FastTests.Documents;

/// <summary>What is kept of a document goes by the collection that it is in, whatever else there was.</summary>
public sealed class RevisionCollectionTests : IDisposable
{
    private readonly TestDatabase _database = new();

    public void Dispose() => _database.Dispose();

    [Theory]
    [InlineData("Trash", "Books", 1)]
    [InlineData("Books", "Trash", 0)]
    public async Task A_collection_has_nothing_of_one_whose_making_was_undone(string undone, string made, int kept)
    {
        await ConfigureAsync(SettingsStore.Revisions, """{"Collections":{"Books":{"Disabled":false}}}""");
        _database.StartBatch();
        Assert.True(_database.AddPut("x", InCollection(undone)));
        Assert.True(_database.Batch.TryAddPart("x"u8, new RefusingPart(), ExpectedVersion.Any));
        Assert.False(_database.Submit());
        _database.Put("a", InCollection(made));
        Assert.Equal(kept, CountOf("a"));
        _database.Put("a", InCollection(made));
        Assert.Equal(2 * kept, CountOf("a"));
    }

    private static string InCollection(string name, string value = "1") =>
        $$$"""{"N":{{{value}}},"@metadata":{"@collection":"{{{name}}}"}}""";

    private async Task ConfigureAsync(string name, string json) =>
        await _database.Database.ConfigureAsync(name, Encoding.UTF8.GetBytes(json));

    private long CountOf(string id)
    {
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        return new RevisionReader(snapshot).List(Encoding.UTF8.GetBytes(id), 0, 0, []);
    }

    /// <summary>Finds out late that its batch cannot be done.</summary>
    private sealed class RefusingPart : BatchPart
    {
        internal override void Execute(DocumentWriter writer, ref DocumentOperation operation) =>
            throw new CommandRefusedException(new CommandFailure { Kind = CommandFailureKind.Refused });

        internal override void Tell(DocumentWriter writer, in DocumentOperation operation)
        {
        }

        internal override void WriteResult(ref JsonOutput json, in DocumentOperation operation)
        {
        }
    }
}
