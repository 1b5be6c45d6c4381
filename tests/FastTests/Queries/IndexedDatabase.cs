using System.Text;
using FastTests.Documents;
using Microsoft.Extensions.Logging.Abstractions;
using Raven.Blittable.Memory;
using Raven.Server.Documents;
using Raven.Server.Documents.Commands;
using Raven.Server.Indexing;
using Raven.Server.Indexing.Compilation;
using Raven.Server.Options;
using Raven.Server.Patching;
using Raven.Server.Queries;
using Raven.Server.Queries.Rql;
using Raven.Storage;

namespace FastTests.Queries;

/// <summary>A database with its indexes, in a folder that ends with the test.</summary>
internal sealed class IndexedDatabase : IDisposable
{
    private readonly IndexingOptions _options;
    private readonly OperationContext _context = new();
    private readonly BatchCommand _batch = new(hashSeed: 7);
    private readonly Random _random = new(11);
    private IndexingServices _services = null!;

    internal IndexedDatabase(IndexingOptions? options = null, TimeProvider? clock = null)
    {
        Clock = clock ?? TimeProvider.System;
        _options = options ?? new IndexingOptions();
        Database = Open();
    }

    internal TestFiles Files { get; } = new();

    internal TimeProvider Clock { get; }

    internal Database Database { get; private set; }

    /// <summary>The folders of the indexes.</summary>
    internal IDatabaseFolders Folders => Files.Within("test");

    /// <summary>Ends the server, as it were, and starts it anew on the same files.</summary>
    /// <param name="between">What happens to the files meanwhile.</param>
    internal void Restart(Action? between = null)
    {
        Close();
        between?.Invoke();
        Database = Open();
    }

    internal void Begin()
    {
        _context.Reset();
        _batch.Reset(_context);
    }

    internal void Put(string id, string json)
    {
        Assert.True(_context.Parser.TryParse(
            Encoding.UTF8.GetBytes(json), Raven.Blittable.Format.BlittableMode.ToDisk,
            out Raven.Blittable.Reading.BlittableObject document, out _));
        Assert.True(_batch.TryAddPut(Encoding.UTF8.GetBytes(id), document, ExpectedVersion.Any));
    }

    internal void Delete(string id) =>
        Assert.True(_batch.TryAddDelete(Encoding.UTF8.GetBytes(id), ExpectedVersion.Any));

    internal void Submit()
    {
        Database.SubmitAsync(_batch).AsTask().GetAwaiter().GetResult();
        Assert.True(_batch.Failure.IsNone, _batch.Failure.Describe());
    }

    /// <summary>Asks, and waits until the index has all that was written before.</summary>
    internal (List<string> Ids, long Total, string Index) Ask(string text)
    {
        QueryInput input = new()
        {
            Text = text,
            Rql = RqlParser.Parse(text),
            Parameters = new Dictionary<string, object?>(),
            IsStaleAnError = true,
        };
        using QuerySession session =
            QuerySession.BeginAsync(Database, input, CancellationToken.None).AsTask().GetAwaiter().GetResult();
        using OperationContext context = new();
        QueryHits hits = session.Find(context, isWhole: false);
        List<string> ids = [];
        while (hits.TryNext(out QueryHit hit))
        {
            ids.Add(Encoding.UTF8.GetString(hit.Document.Id.Span));
        }

        return (ids, hits.TotalCount, session.Plan.Name);
    }

    public void Dispose()
    {
        Close();
        _context.Dispose();
        Files.Dispose();
    }

    private void Close()
    {
        _services.Dispose();
        Database.Dispose();
    }

    private Database Open()
    {
        var server = new ServerOptions();
        _services = new IndexingServices(
            _options,
            new IndexCompiler(new ScriptEnvironment(TimeProvider.System, server.ToScriptLimits()), server),
            Clock,
            NullLogger.Instance);
        return new Database(new DatabaseOptions
        {
            Name = "test",
            Clock = Clock,
            Storage = () => new StorageOptions
            {
                FileSystem = Files.Open("test"), Clock = Clock, Durability = StorageDurability.Lazy,
            },
            NewDatabaseId = TestDatabase.Id,
            Random = _random,
            MakeIndexes = database => new DatabaseIndexes(
                database, _services, () => Files.Within("test"), storage => storage with { Clock = Clock }),
        });
    }
}
