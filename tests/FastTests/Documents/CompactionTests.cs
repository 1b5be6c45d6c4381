using FastTests.Support;
using Microsoft.Extensions.Logging.Abstractions;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Catalog;
using Raven.Documents.Commands;
using Raven.Storage.Errors;
using Shared.Storage;

namespace FastTests.Documents;

/// <summary>What becomes of the folders of a database that is compacted.</summary>
public sealed class CompactionTests : IDisposable
{
    private readonly TestFiles _files = new();
    private DatabaseCatalog _catalog;

    public CompactionTests() => _catalog = Open();

    public void Dispose()
    {
        _catalog.Dispose();
        _files.Dispose();
    }

    [Fact]
    [Trait("Invariant", "CAT-5")]
    public async Task After_a_compaction_and_a_restart_the_copy_is_the_database_and_the_old_folder_is_gone()
    {
        Database database = Put("a", "x");
        string id = database.Id.Text;
        await CompactAsync(database);
        Assert.Equal(["System~", "a~2"], _files.Names);
        await CompactAsync(database);
        Assert.Equal(["System~", "a"], _files.Names);
        await CompactAsync(database);
        Put("a", "y");
        Restart();
        Assert.Equal(["System~", "a~2"], _files.Names);
        Assert.True(Has("a", "x"));
        Assert.True(Has("a", "y"));
        Assert.True(_catalog.TryGet("a", out Database? again));
        Assert.Equal(id, again.Id.Text);
    }

    [Fact]
    public async Task A_database_that_was_never_used_can_be_compacted()
    {
        Assert.Equal(CreateDatabaseStatus.Created, _catalog.TryCreate("a", "{}"u8, out Database? database));
        await CompactAsync(database!);
        Assert.Equal(["System~", "a~2"], _files.Names);
    }

    [Fact]
    [Trait("Invariant", "DB-1")]
    [Trait("Invariant", "HOLD-3")]
    public async Task A_snapshot_from_before_a_compaction_stays_readable_and_the_old_folder_is_removed_when_it_ends()
    {
        Database database = Put("a", "x");
        DocumentSnapshot snapshot = database.BeginRead();
        await CompactAsync(database);
        Put("a", "y");
        Assert.True(snapshot.TryGet("x"u8, out _));
        Assert.False(snapshot.TryGet("y"u8, out _));
        Assert.Equal(["System~", "a", "a~2"], _files.Names);
        snapshot.Dispose();
        Assert.Equal(["System~", "a~2"], _files.Names);
        Assert.True(Has("a", "y"));
    }

    [Fact]
    public async Task A_compacted_database_that_was_deleted_without_its_files_is_used_by_a_new_one_of_its_name()
    {
        await CompactAsync(Put("a", "x"));
        Assert.True(_catalog.TryDelete("a", hardDelete: false));
        Restart();
        Put("A", "y");
        Assert.True(Has("a", "x"));
        Assert.Equal(["System~", "a~2"], _files.Names);
        Assert.True(_catalog.TryDelete("a", hardDelete: true));
        Assert.Equal(["System~"], _files.Names);
        Put("a", "z");
        Assert.False(Has("a", "x"));
    }

    [Fact]
    public async Task A_compaction_that_is_cancelled_leaves_the_database_in_its_old_folder_and_writable()
    {
        Database database = Put("a", "x");
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => _catalog.CompactAsync(database, _ => { }, new CancellationToken(canceled: true)));
        Assert.Equal(["System~", "a"], _files.Names);
        Put("a", "y");
        Assert.True(Has("a", "x"));
        Assert.False(database.IsCompacting);
    }

    [Fact]
    public async Task A_database_that_is_deleted_during_its_compaction_leaves_no_folder()
    {
        Database database = Put("a", "x");
        await Assert.ThrowsAsync<DatabaseDeletedException>(() => _catalog.CompactAsync(
            database, _ => _catalog.TryDelete("a", hardDelete: true), CancellationToken.None));
        Assert.Equal(["System~"], _files.Names);
        await Assert.ThrowsAsync<DatabaseDeletedException>(() => CompactAsync(database));
        Put("a", "new");
        Assert.False(Has("a", "x"));
    }

    [Fact]
    [Trait("Invariant", "CAT-5")]
    public async Task The_copy_of_a_compaction_that_a_crash_interrupted_is_removed_at_the_next_start()
    {
        Database database = Put("a", "x");
        string[] folders = [];
        await Assert.ThrowsAsync<IOException>(() => _catalog.CompactAsync(
            database, _ =>
            {
                folders = _files.Names;
                // From here on the process does nothing anymore, as after a crash.
                _files.OnDelete = _ => throw new IOException("There is nobody to do it.");
                throw new IOException("This is the crash.");
            },
            CancellationToken.None));
        Assert.Equal(["System~", "a", "a~2"], folders);
        Assert.Equal(folders, _files.Names);
        _files.OnDelete = _ => { };
        Restart();
        Assert.Equal(["System~", "a"], _files.Names);
        Assert.True(Has("a", "x"));
    }

    [Fact]
    [Trait("Invariant", "DB-2")]
    public async Task During_a_compaction_a_change_waits_for_its_end_and_a_second_compaction_is_refused()
    {
        Database database = Put("a", "x");
        Task? change = null;
        await _catalog.CompactAsync(
            database, _ =>
            {
                if (change is null)
                {
                    Assert.True(database.IsCompacting);
                    change = Task.Run(() => Put("a", "waits"));
                    Assert.False(change.Wait(Deadline.Grace));
                    Assert.True(Has("a", "x"));
                    Assert.False(Has("a", "waits"));
                    Assert.Throws<Raven.Storage.Errors.StorageBusyException>(
                        () => CompactAsync(database).GetAwaiter().GetResult());
                }
            },
            CancellationToken.None);
        await change!.WaitAsync(Deadline.Hang);
        Assert.True(Has("a", "waits"));
        Assert.Equal(["System~", "a~2"], _files.Names);
    }

    [Fact]
    [Trait("Invariant", "CAT-6")]
    public async Task If_it_is_unknown_which_folder_is_the_database_none_is_deleted_and_writes_wait_for_a_restart()
    {
        FailingFileSystem catalog = RestartOnFailing();
        Database database = Put("a", "x");
        using var isLooking = new ManualResetEventSlim();
        Task<string?>? seen = null;
        await Assert.ThrowsAnyAsync<IOException>(() => _catalog.CompactAsync(
            database, _ =>
            {
                catalog.Fails = true;
                seen ??= Task.Factory.StartNew(
                    () => FaultBehindCompaction(database, isLooking), CancellationToken.None,
                    TaskCreationOptions.LongRunning, TaskScheduler.Default);
                isLooking.Wait();
            },
            CancellationToken.None));
        Assert.Contains("restart", await seen!, StringComparison.Ordinal);
        Assert.Equal(["System~", "a", "a~2"], _files.Names);
        Assert.NotNull(_catalog.Fault);
        Assert.Contains("restart", database.Fault, StringComparison.Ordinal);
        Assert.Throws<StorageCorruptedException>(() => Put("a", "lost"));
        catalog.Fails = false;
        Restart();
        Assert.Equal(["System~", "a~2"], _files.Names);
        Assert.True(Has("a", "x"));
        Assert.Null(_catalog.Fault);
    }

    [Fact]
    public async Task A_catalog_that_fails_after_the_move_to_the_copy_loses_nothing_of_the_copy()
    {
        FailingFileSystem catalog = RestartOnFailing();
        Database database = Put("a", "x");
        _files.OnDelete = folder =>
        {
            catalog.Fails = true;
            Assert.ThrowsAny<IOException>(() => _catalog.TryCreate($"not-{folder}", "{}"u8, out _));
        };
        await CompactAsync(database);
        Put("a", "y");
        catalog.Fails = false;
        _files.OnDelete = _ => { };
        Restart();
        Assert.True(Has("a", "x"));
        Assert.True(Has("a", "y"));
    }

    /// <summary>Why a change is refused that is made as soon as changes are let in again.</summary>
    private static string? FaultBehindCompaction(Database database, ManualResetEventSlim isLooking)
    {
        isLooking.Set();
        while (database.IsCompacting)
        {
            Thread.SpinWait(1);
        }

        return database.Fault;
    }

    private FailingFileSystem RestartOnFailing()
    {
        FailingFileSystem? failing = null;
        _files.Catalog = files => failing = new FailingFileSystem(files);
        Restart();
        return failing!;
    }

    private async Task CompactAsync(Database database)
    {
        (long before, long after) = await _catalog.CompactAsync(database, _ => { }, CancellationToken.None);
        Assert.True(before > 0 && after > 0);
    }

    private DatabaseCatalog Open() => DatabaseCatalog.Open(new CatalogOptions
    {
        Folders = _files,
        Clock = TimeProvider.System,
        Random = new Random(42),
        Loggers = NullLoggerFactory.Instance,
    });

    private void Restart()
    {
        _catalog.Dispose();
        _catalog = Open();
    }

    private Database Put(string name, string id)
    {
        if (!_catalog.TryGet(name, out Database? database))
        {
            Assert.Equal(CreateDatabaseStatus.Created, _catalog.TryCreate(name, "{}"u8, out database));
        }

        using OperationContext context = new();
        Assert.True(context.Parser.TryParse("{}"u8, BlittableMode.ToDisk, out BlittableObject document, out _));
        BatchCommand batch = new(hashSeed: 1);
        batch.Reset(context);
        Assert.True(batch.TryAddPut(System.Text.Encoding.UTF8.GetBytes(id), document, ExpectedVersion.Any));
        database!.SubmitAsync(batch).AsTask().GetAwaiter().GetResult();
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
