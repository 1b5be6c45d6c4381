using System.Buffers;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Commands;
using Raven.Documents.Rows;
using Raven.Storage.Options;
using Raven.Storage.Transactions;

namespace FastTests.Documents;

/// <summary>A database in memory, with what a test says in texts turned into what the database takes.</summary>
internal sealed class TestDatabase : IDisposable
{
    internal static readonly Guid Id = new("5c1ba1b9-0b3c-4b0c-a9a0-8b8d5d6b4a3e");

    private readonly TestFiles? _files;
    private readonly Func<StorageOptions> _storage;
    private readonly OperationContext _context = new();

    internal TestDatabase()
    {
        _files = new TestFiles();
        _storage = () => new StorageOptions { FileSystem = _files.Open("test"), Clock = Clock };
        Database = Create();
    }

    /// <summary>A database on a disk of the test's own.</summary>
    internal TestDatabase(StorageOptions storage)
    {
        _storage = () => storage with { Clock = Clock };
        Database = Create();
    }

    internal TestClock Clock { get; } = new();

    internal Database Database { get; private set; }

    /// <summary>The operations of the next <see cref="Submit"/>.</summary>
    internal BatchCommand Batch { get; } = new(hashSeed: 42);

    /// <summary>The storage of the database, which must be closed.</summary>
    internal StorageEnvironment OpenEnvironment() => StorageEnvironment.Open(_storage());

    /// <summary>Closes the database and reopens it from its files.</summary>
    internal void Restart()
    {
        Database.Dispose();
        Database = Create();
    }

    internal void StartBatch()
    {
        _context.Reset();
        Batch.Reset(_context);
    }

    internal bool AddPut(string id, string json, string? expected = null, bool skipIfUnchanged = false) =>
        Batch.TryAddPut(
            Encoding.UTF8.GetBytes(id), Parse(json), Expect(expected), skipIfUnchanged);

    internal bool AddDelete(string id, string? expected = null) =>
        Batch.TryAddDelete(Encoding.UTF8.GetBytes(id), Expect(expected));

    /// <summary>Submits the batch; true if it was done.</summary>
    internal bool Submit()
    {
        Run(Batch);
        return Batch.Failure.IsNone;
    }

    internal void Run(DocumentCommand command) => Database.SubmitAsync(command).AsTask().GetAwaiter().GetResult();

    /// <summary>Puts one document, which must succeed.</summary>
    internal DocumentOperation Put(string id, string json, string? expected = null)
    {
        StartBatch();
        Assert.True(AddPut(id, json, expected), Batch.Failure.Describe());
        Assert.True(Submit(), Batch.Failure.Describe());
        return Batch[0];
    }

    /// <summary>Deletes one document, which must succeed.</summary>
    internal DocumentOperation Delete(string id, string? expected = null)
    {
        StartBatch();
        Assert.True(AddDelete(id, expected), Batch.Failure.Describe());
        Assert.True(Submit(), Batch.Failure.Describe());
        return Batch[0];
    }

    internal OperationContext FreshContext()
    {
        _context.Reset();
        return _context;
    }

    /// <summary>The stored JSON of a document, or null.</summary>
    internal string? Read(string id)
    {
        using DocumentSnapshot snapshot = Database.BeginRead();
        return snapshot.TryGet(Encoding.UTF8.GetBytes(id), out StoredDocument document) ? Json(document) : null;
    }

    internal BlittableObject Parse(string json)
    {
        Assert.True(
            _context.Parser.TryParse(
                Encoding.UTF8.GetBytes(json), BlittableMode.ToDisk, out BlittableObject document, out JsonError error),
            error.Reason);
        return document;
    }

    internal static string Json(StoredDocument document)
    {
        ArrayBufferWriter<byte> output = new();
        BlittableToJson.Write(document.Data, output, JsonOutputOptions.Original);
        return Encoding.UTF8.GetString(output.WrittenSpan);
    }

    internal static string Text(NativeSlice utf8) => Encoding.UTF8.GetString(utf8.Span);

    internal static string ChangeVectorOf(long etag) => $"A:{etag}-{new DatabaseId(Id).Text}";

    public void Dispose()
    {
        Database.Dispose();
        _context.Dispose();
        _files?.Dispose();
    }

    private static ExpectedVersion Expect(string? changeVector) =>
        changeVector is null ? ExpectedVersion.Any : ExpectedVersion.Of(Encoding.UTF8.GetBytes(changeVector));

    private Database Create() => new(new DatabaseOptions
    {
        Name = "test",
        Clock = Clock,
        Storage = _storage,
        NewDatabaseId = Id,
        Random = new Random(7),
    });
}
