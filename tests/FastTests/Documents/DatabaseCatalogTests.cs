using System.Text;
using System.Text.Json;
using FastTests.Support;
using Microsoft.Extensions.Logging.Abstractions;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Catalog;
using Raven.Documents.Commands;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace FastTests.Documents;

/// <summary>Databases come and go by name, keep what they have over restarts, and cost nothing while idle.</summary>
public sealed class DatabaseCatalogTests : IDisposable
{
    private readonly TestFiles _files = new();
    private readonly TestClock _clock = new();
    private DatabaseCatalog _catalog;

    public DatabaseCatalogTests() => _catalog = Open();

    public void Dispose()
    {
        _catalog.Dispose();
        _files.Dispose();
    }

    [Fact]
    public void A_database_is_found_by_its_name_in_any_case_until_it_is_deleted()
    {
        Assert.Equal(CreateDatabaseStatus.Created, _catalog.TryCreate("NorthWind", "{}"u8, out Database? created));
        Assert.Equal(CreateDatabaseStatus.Exists, _catalog.TryCreate("northwind", "{}"u8, out Database? same));
        Assert.Same(created, same);
        Assert.True(_catalog.TryGet("NORTHWIND", out Database? found));
        Assert.Same(created, found);
        Assert.Equal("NorthWind", found.Name);
        Assert.False(_catalog.TryGet("other", out _));
        Assert.Equal(["NorthWind"], _catalog.Names());

        Assert.True(_catalog.TryDelete("northWIND", hardDelete: true));
        Assert.False(_catalog.TryDelete("northwind", hardDelete: true));
        Assert.False(_catalog.TryGet("NorthWind", out _));
        Assert.Throws<DatabaseDeletedException>(() => found.BeginRead());
        Assert.Empty(_catalog.Names());
    }

    [Fact]
    public void Names_of_databases_that_could_be_paths_are_refused_and_create_no_folder()
    {
        string[] names = ["", ".", "..", "../x", "a/b", "a\\b", "System~", "con\0", new('a', 129)];
        foreach (string name in names)
        {
            Assert.Equal(CreateDatabaseStatus.BadName, _catalog.TryCreate(name, "{}"u8, out _));
            Assert.False(_catalog.TryGet(name, out _));
            Assert.False(_catalog.TryDelete(name, hardDelete: true));
            Assert.False(_catalog.TryGetRecord(name, out _));
            Assert.False(_catalog.TryUpdateRecord(name, null, "{}"u8, out _));
        }

        Assert.Equal(["System~"], _files.Names);
        Assert.Throws<ArgumentException>(() => new DatabaseFolders(Path.GetTempPath()).Exists("../x"));
        Assert.Throws<ArgumentException>(() => new DatabaseFolders(Path.GetTempPath()).Delete(".."));
        Assert.Throws<ArgumentException>(() => new DatabaseFolders(Path.GetTempPath()).Delete(""));
    }

    [Fact]
    public void A_database_record_is_kept_at_any_depth_and_refused_if_it_is_not_JSON()
    {
        byte[] deep = Encoding.UTF8.GetBytes(
            $"{{\"Settings\":{string.Concat(Enumerable.Repeat("{\"a\":", 512))}1{new string('}', 513)}");
        Put("a", "x");
        Assert.True(_catalog.TryUpdateRecord("a", null, deep, out long etag));
        Assert.ThrowsAny<JsonException>(() => _catalog.TryUpdateRecord("a", etag, "{"u8, out _));
        Assert.ThrowsAny<JsonException>(() => _catalog.TryCreate("b", "no JSON"u8, out _));
        Assert.True(_catalog.TrySetInRecord("a", "LockMode", "\"Unlock\""u8));
        Restart();
        Assert.Equal(["a"], _catalog.Names());
        Assert.True(_catalog.TryGetRecord("a", out DatabaseRecord? record));
        Assert.Equal([.. deep.AsSpan(0, deep.Length - 1), .. ",\"LockMode\":\"Unlock\"}"u8], record.Json.ToArray());
        Assert.True(Has("a", "x"));
    }

    [Fact]
    [Trait("Invariant", "CAT-7")]
    public void A_catalog_entry_that_cannot_be_read_makes_only_its_own_database_unusable()
    {
        Put("a", "x");
        Put("b", "y");
        Put("c", "z");
        _catalog.Dispose();
        using (StorageEnvironment catalog = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = _files.Open(DatabaseCatalog.CatalogFolder),
        }))
        {
            using WriteTransaction transaction = catalog.BeginWrite();
            Tree tree = transaction.OpenOrCreateTree("Databases"u8);
            tree.Put("a"u8, new CatalogEntry("a", "a", 7, [.. "{\"no"u8]).Write());
            tree.Put("c"u8, [1, 2, 3]);
            transaction.Commit();
        }

        _catalog = Open();
        Assert.Equal(["a", "b", "c"], _catalog.Names());
        Assert.True(Has("b", "y"));
        Assert.True(_catalog.TryGet("a", out Database? damaged));
        Assert.Contains("the record of database 'a' cannot be read", damaged.Fault, StringComparison.Ordinal);
        Assert.Throws<StorageCorruptedException>(() => damaged.BeginRead());
        Assert.Throws<StorageCorruptedException>(() => _catalog.TryGetRecord("a", out _));
        Assert.True(_catalog.TryGet("c", out Database? shortened));
        Assert.Contains("too short", shortened.Fault, StringComparison.Ordinal);
        Assert.Throws<StorageCorruptedException>(() => shortened.BeginRead());

        // A new record mends it.
        Assert.True(_catalog.TryUpdateRecord("a", 7, "{}"u8, out _));
        Assert.True(Has("a", "x"));
        Assert.Null(damaged.Fault);
    }

    [Fact]
    public void Databases_their_documents_and_their_records_are_there_after_a_restart()
    {
        string id = Put("A", "x").Id.Text;
        Put("b", "y");
        Assert.True(_catalog.TryUpdateRecord("a", null, """{"Settings":{"k":"v"}}"""u8, out long etag));
        Restart();
        Assert.Equal(["A", "b"], _catalog.Names());
        Assert.True(Has("a", "x"));
        Assert.False(Has("a", "y"));
        Assert.True(Has("B", "y"));
        Assert.True(_catalog.TryGet("a", out Database? database));
        Assert.Equal(id, database.Id.Text);
        Assert.True(_catalog.TryGetRecord("A", out DatabaseRecord? record));
        Assert.Equal("""{"Settings":{"k":"v"}}"""u8, record.Json.Span);
        Assert.Equal(("A", etag), (record.Name, record.Etag));
    }

    [Fact]
    public void A_database_record_is_replaced_only_if_it_has_the_expected_etag()
    {
        _catalog.TryCreate("a", "1"u8, out _);
        Assert.True(_catalog.TryGetRecord("a", out DatabaseRecord? first));
        Assert.True(_catalog.TryUpdateRecord("A", first.Etag, "2"u8, out long second));
        Assert.True(second > first.Etag);
        Assert.False(_catalog.TryUpdateRecord("a", first.Etag, "3"u8, out long actual));
        Assert.Equal(second, actual);
        Assert.False(_catalog.TryUpdateRecord("b", null, "3"u8, out actual));
        Assert.Equal(0, actual);
        Assert.True(_catalog.TryGetRecord("a", out DatabaseRecord? record));
        Assert.Equal("2"u8, record.Json.Span);
    }

    [Fact]
    [Trait("Invariant", "CAT-1")]
    public void A_hard_delete_removes_the_files_and_a_soft_delete_leaves_them_for_a_database_of_that_name()
    {
        Put("a", "x");
        Put("b", "y");
        Assert.Equal(["System~", "a", "b"], _files.Names);
        Assert.True(_catalog.TryDelete("a", hardDelete: true));
        Assert.True(_catalog.TryDelete("b", hardDelete: false));
        Assert.Equal(["System~", "b"], _files.Names);
        Restart();
        Assert.Empty(_catalog.Names());
        _catalog.TryCreate("a", "{}"u8, out _);
        _catalog.TryCreate("B", "{}"u8, out _);
        Assert.False(Has("a", "x"));
        Assert.True(Has("b", "y"));
    }

    [Fact]
    [Trait("Invariant", "CAT-3")]
    [Trait("Invariant", "CAT-4")]
    [Trait("Invariant", "DB-3")]
    public void A_deleted_database_in_use_loses_its_files_with_its_last_user_and_its_name_is_free_at_once()
    {
        Put("a", "x");
        Assert.True(_catalog.TryGet("a", out Database? database));
        DocumentSnapshot snapshot = database.BeginRead();
        Assert.True(_catalog.TryDelete("a", hardDelete: true));
        Assert.True(snapshot.TryGet("x"u8, out _));
        Assert.Throws<DatabaseDeletedException>(() => database.BeginRead());
        Assert.True(_files.Exists("a"));

        Put("a", "new");
        Assert.True(_files.Exists("a~2"));
        Assert.False(Has("a", "x"));
        snapshot.Dispose();
        Assert.False(_files.Exists("a"));
        Restart();
        Assert.True(Has("a", "new"));
    }

    [Fact]
    [Trait("Invariant", "CAT-3")]
    public void Files_of_a_deleted_database_that_cannot_be_removed_are_removed_at_the_next_start()
    {
        Put("a", "x");
        _files.OnDelete = _ => throw new IOException("The disk says no.");
        Assert.True(_catalog.TryDelete("a", hardDelete: true));
        Assert.True(_files.Exists("a"));
        Put("a", "new");
        _files.OnDelete = _ => { };
        Restart();
        Assert.False(_files.Exists("a"));
        Assert.True(Has("a", "new"));
    }

    [Fact]
    [Trait("Invariant", "HOLD-1")]
    public void An_idle_database_is_closed_and_opened_again_by_its_next_use()
    {
        Put("a", "x");
        Assert.True(_catalog.TryGet("a", out Database? database));
        Assert.True(database.IsOpen);
        using (DocumentSnapshot snapshot = database.BeginRead())
        {
            _clock.Ring(TimeSpan.FromMinutes(20));
            _clock.Ring(TimeSpan.FromMinutes(20));
            Assert.True(database.IsOpen);
            Assert.True(snapshot.TryGet("x"u8, out _));
        }

        AssertCloses(database);
        Assert.Null(database.Fault);
        Assert.True(Has("a", "x"));
        Assert.True(database.IsOpen);
        _clock.Ring(TimeSpan.FromMinutes(20));
        Assert.True(database.IsOpen);
        AssertCloses(database);
    }

    /// <summary>It closes at the next ring, or behind what of the server's own work holds it just then.</summary>
    private void AssertCloses(Database database) => Deadline.Until(() =>
    {
        _clock.Ring(TimeSpan.FromMinutes(20));
        return !database.IsOpen;
    });

    [Fact]
    public void Finding_a_database_by_its_name_allocates_nothing()
    {
        _catalog.TryCreate("northwind", "{}"u8, out _);
        bool found = true;
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 100; i++)
            {
                found &= _catalog.TryGet("NorthWind/docs".AsSpan(0, 9), out _);
            }
        }));
        Assert.True(found);
    }

    [Fact]
    [Trait("Invariant", "CAT-2")]
    public void A_hundred_databases_have_no_files_and_are_not_open_before_they_are_used()
    {
        for (int i = 0; i < 100; i++)
        {
            _catalog.TryCreate($"db{i}", "{}"u8, out _);
        }

        Assert.Equal(["System~"], _files.Names);
        Put("db42", "x");
        Assert.Equal(["System~", "db42"], _files.Names);
        Restart();
        Assert.Equal(100, _catalog.Count);
        Assert.True(_catalog.TryGet("db42", out Database? database));
        Assert.False(database.IsOpen);
    }

    private DatabaseCatalog Open() => DatabaseCatalog.Open(new CatalogOptions
    {
        Folders = _files,
        Clock = _clock,
        Random = new Random(3),
        Loggers = NullLoggerFactory.Instance,
    });

    private void Restart()
    {
        _catalog.Dispose();
        _catalog = Open();
    }

    private Database Put(string name, string id)
    {
        _catalog.TryCreate(name, "{}"u8, out _);
        Assert.True(_catalog.TryGet(name, out Database? database));
        using OperationContext context = new();
        Assert.True(context.Parser.TryParse("{}"u8, BlittableMode.ToDisk, out BlittableObject document, out _));
        BatchCommand batch = new(hashSeed: 1);
        batch.Reset(context);
        Assert.True(batch.TryAddPut(System.Text.Encoding.UTF8.GetBytes(id), document, ExpectedVersion.Any));
        database.SubmitAsync(batch).AsTask().GetAwaiter().GetResult();
        Assert.True(batch.Failure.IsNone);
        return database;
    }

    private bool Has(string name, string id)
    {
        Assert.True(_catalog.TryGet(name, out Database? database));
        using DocumentSnapshot snapshot = database.BeginRead();
        return snapshot.TryGet(System.Text.Encoding.UTF8.GetBytes(id), out _);
    }
}
