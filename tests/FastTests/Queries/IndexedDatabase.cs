using System.Text;
using FastTests.Documents;
using Microsoft.Extensions.Logging.Abstractions;
using Raven.Blittable.Contexts;
using Raven.Documents;
using Raven.Documents.Commands;
using Raven.Documents.CompareExchange;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Compilation;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Patching;
using Raven.Documents.Queries;
using Raven.Server.Options;
using Raven.Storage.Options;

namespace FastTests.Queries;

/// <summary>A database with its indexes, in a folder that ends with the test.</summary>
internal sealed class IndexedDatabase : IDisposable
{
    private readonly IndexingOptions _options;
    private readonly Func<StorageOptions> _storage;
    private readonly Func<IDatabaseFolders> _folders;
    private readonly Func<StorageOptions, StorageOptions> _configure;
    private readonly OperationContext _context = new();
    private readonly BatchCommand _batch = new(hashSeed: 7);
    private readonly Random _random;
    private IndexingServices _services = null!;

    internal IndexedDatabase(
        IndexingOptions? options = null, TimeProvider? clock = null,
        Func<StorageOptions, StorageOptions>? configure = null)
    {
        Clock = clock ?? TimeProvider.System;
        _options = options ?? new IndexingOptions();
        _random = new Random(11);
        _storage = () => new StorageOptions
        {
            FileSystem = Files.Open("test"), Clock = Clock, Durability = StorageDurability.Lazy,
        };
        _folders = () => Files.Within("test");
        _configure = configure ?? (storage => storage with { Clock = Clock });
        Database = Open();
    }

    /// <summary>On disks that can be cut; the test runs the indexes (<see cref="CatchUp"/>).</summary>
    internal IndexedDatabase(CrashDisks disks, IndexEngine engine = IndexEngine.Corax)
    {
        Clock = TimeProvider.System;
        _random = new Random(disks.Seed);
        _options = new IndexingOptions
        {
            ThreadsMax = -1, BatchDocumentsMax = 10, StaleWaitMax = TimeSpan.Zero,
            AutoEngine = engine, StaticEngine = engine,
        };
        _storage = disks.DocumentOptions;
        _folders = () => disks;
        _configure = disks.Configure;
        Database = Open();
    }

    internal TestFiles Files { get; } = new();

    internal TimeProvider Clock { get; }

    internal Database Database { get; private set; }

    /// <summary>The folders of the indexes.</summary>
    internal IDatabaseFolders Folders => Files.Within("test");

    /// <summary>Stands for a restart of the server on the same files.</summary>
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

    /// <summary>Sets a compare-exchange value, whatever there is.</summary>
    internal void PutValue(string key, string json)
    {
        Assert.True(_context.Parser.TryParse(
            Encoding.UTF8.GetBytes($"{{\"Object\":{json}}}"), Raven.Blittable.Format.BlittableMode.ToDisk,
            out Raven.Blittable.Reading.BlittableObject value, out _));
        Add(key, new CompareExchangeAction(isPut: true, null, value.Memory, true, _context.Arena));
    }

    /// <summary>Removes a compare-exchange value, whatever there is.</summary>
    internal void RemoveValue(string key) =>
        Add(key, new CompareExchangeAction(isPut: false, null, default, true, _context.Arena));

    internal void Submit()
    {
        Database.SubmitAsync(_batch).AsTask().GetAwaiter().GetResult();
        Assert.True(_batch.Failure.IsNone, _batch.Failure.Describe());
    }

    /// <summary>Runs all indexes until they have everything, on this thread.</summary>
    internal void CatchUp()
    {
        foreach (DatabaseIndex index in Database.Indexes.All)
        {
            long last;
            using (DocumentSnapshot snapshot = Database.BeginRead())
            {
                last = snapshot.LastEtag;
            }

            for (int run = 0; index.CoveredEtag < last; run++)
            {
                Assert.True(run < 100, $"{index.Name} does not catch up: {index.Fault}");
                index.RunQueued();
            }
        }
    }

    /// <summary>Makes the index that a query needs, if there is none.</summary>
    internal DatabaseIndex MakeIndexFor(string text)
    {
        QueryPlan plan = QueryPlan.MakeAsync(Database, Input(text)).AsTask().GetAwaiter().GetResult();
        return plan.Index!;
    }

    /// <summary>The stored results of a query: of groups.</summary>
    internal List<string> AskStored(string text)
    {
        using QuerySession session = Begin(text);
        using OperationContext context = new();
        QueryHits hits = session.Find(context, isWhole: false);
        List<string> results = [];
        while (hits.TryNext(out QueryHit hit))
        {
            results.Add(Encoding.UTF8.GetString(hit.Stored.Span));
        }

        return results;
    }

    /// <summary>Asks, and waits until the index has all that was written before.</summary>
    internal (List<string> Ids, long Total, string Index) Ask(string text)
    {
        using QuerySession session = Begin(text);
        using OperationContext context = new();
        QueryHits hits = session.Find(context, isWhole: false);
        List<string> ids = [];
        while (hits.TryNext(out QueryHit hit))
        {
            ids.Add(Encoding.UTF8.GetString(hit.Document.Id.Span));
        }

        return (ids, hits.TotalCount, session.Plan.Name);
    }

    /// <summary>Runs the query, if necessary after the index was made and is current, on this thread.</summary>
    internal (List<string> Ids, long Total, string Index) AskFresh(string text)
    {
        if (_options.ThreadsMax < 0)
        {
            MakeIndexFor(text);
            CatchUp();
        }

        return Ask(text);
    }

    /// <summary>Begins a query, which waits for its index.</summary>
    internal QuerySession Begin(string text) => BeginAsync(text).AsTask().GetAwaiter().GetResult();

    /// <summary>Begins a query, which waits for its index.</summary>
    internal ValueTask<QuerySession> BeginAsync(string text) =>
        QuerySession.BeginAsync(Database, Input(text), CancellationToken.None);

    public void Dispose()
    {
        Close();
        _context.Dispose();
        Files.Dispose();
    }

    private void Add(string key, CompareExchangeAction part) =>
        Assert.True(_batch.TryAddAction(Encoding.UTF8.GetBytes(key), part, ExpectedVersion.Any));

    private static QueryInput Input(string text) => QueryInput.Of(text) with { IsStaleAnError = true };

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
            new IndexCompiler(
                new ScriptEnvironment(TimeProvider.System, server.ToScriptLimits()), server.ToScriptLimits(),
                server.IndexingCSharp),
            Clock,
            NullLogger.Instance);
        return new Database(new DatabaseOptions
        {
            Name = "test",
            Clock = Clock,
            Storage = _storage,
            NewDatabaseId = TestDatabase.Id,
            Random = _random,
            MakeIndexes = database => new DatabaseIndexes(
                database, _services, _folders, _configure),
        });
    }
}
