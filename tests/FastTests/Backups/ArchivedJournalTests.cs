using FastTests.Documents;
using Raven.Documents;
using Raven.Documents.Backups;
using Raven.Documents.Catalog;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Shared.Storage;

namespace FastTests.Backups;

/// <summary>The journal beside the backups of a database, and restores to a time.</summary>
public sealed class ArchivedJournalTests : IDisposable
{
    private readonly TestDatabase _database = new();
    private readonly SimulatedFolders _folders = new();
    private readonly LocalDestination _destination;
    private readonly List<DateTimeOffset> _times = [];
    private string _folder = "";
    private BackupManifest? _known;
    private int _count;

    public ArchivedJournalTests() => _destination = new LocalDestination(_folders, "simulated");

    public void Dispose()
    {
        _destination.Dispose();
        _database.Dispose();
        _folders.Dispose();
    }

    /// <summary>A document each minute; pieces, restarts and an incremental backup in between.</summary>
    [Fact]
    [Trait("Invariant", "BKP-7")]
    [Trait("Invariant", "BKP-8")]
    public async Task A_database_is_restored_to_any_time_between_its_backups()
    {
        await PlayAsync();
        BackupFolder folder = await OpenAsync();
        using var files = new TestFiles();
        using DatabaseCatalog catalog = Open(files);
        for (int i = 1; i < _times.Count; i++)
        {
            foreach ((DateTimeOffset time, int count) in ((DateTimeOffset, int)[])
                [(_times[i].AddTicks(-1), i), (_times[i], i + 1)])
            {
                (long documents, DateTimeOffset? at) = await RestoreAsync(catalog, folder, time);
                Assert.Equal((count, _times[count - 1]), (documents, at));
            }
        }

        RestoreRequest last = await RequestOfAsync(folder, _times[^1]);
        await DatabaseRestore.RunAsync(catalog, "copy", folder, last, CancellationToken.None);
        Assert.True(catalog.TryGet("copy", out Database? copy));
        using DocumentSnapshot snapshot = copy.BeginRead();
        Assert.Equal(_times.Count, snapshot.DocumentCount);
    }

    [Fact]
    public async Task A_time_before_the_first_backup_or_behind_the_archive_is_refused_with_what_there_is()
    {
        await PlayAsync();
        BackupFolder folder = await OpenAsync();
        BackupException early = await Assert.ThrowsAsync<BackupException>(
            () => FindAsync(folder, _times[0].AddMinutes(-1)));
        Assert.Contains("needs an older backup", early.Message, StringComparison.Ordinal);
        BackupException late = await Assert.ThrowsAsync<BackupException>(
            () => FindAsync(folder, _times[^1].AddTicks(1)));
        Assert.Contains($"{_times[^1].UtcDateTime:O}", late.Message, StringComparison.Ordinal);
        Assert.NotEmpty((await FindAsync(folder, _times[^1])).Chain);
    }

    [Fact]
    [Trait("Invariant", "BKP-5")]
    public async Task A_piece_that_is_missing_damaged_or_of_another_place_is_named_before_anything_is_visible()
    {
        await PlayAsync(isIncremental: false);
        BackupFolder folder = await OpenAsync();
        SimulatedFileSystem disk = _folders[_folder];
        IReadOnlyList<BackupManifest> all = await folder.ReadAllAsync(null, CancellationToken.None);
        BackupManifest[] pieces = [.. all.Where(one => one.Kind == BackupKind.Journal)];
        Assert.True(pieces.Length >= 4);
        using var files = new TestFiles();
        using DatabaseCatalog catalog = Open(files);
        foreach (BackupManifest piece in pieces[1..3])
        {
            // Changed in one byte, then exchanged with another one of the same length, then gone.
            byte[] bytes = Read(disk, piece.File);
            byte[] damaged = [.. bytes];
            damaged[bytes.Length / 2] ^= 1;
            Write(disk, piece.File, damaged);
            await AssertNamedAsync(catalog, folder, piece.File);
            Write(disk, piece.File, Read(disk, pieces[0].File));
            await AssertNamedAsync(catalog, folder, piece.File);
            disk.Delete(piece.File);
            await AssertNamedAsync(catalog, folder, piece.File);
            Write(disk, piece.File, bytes);

            byte[] manifest = Read(disk, piece.File + BackupManifest.Suffix);
            disk.Delete(piece.File + BackupManifest.Suffix);
            BackupException gap = await Assert.ThrowsAsync<BackupException>(() => FindAsync(folder, _times[^1]));
            string missing = $"from {piece.BaseTransactionId + 1} on are missing";
            Assert.Contains(missing, gap.Message, StringComparison.Ordinal);
            manifest[20] ^= 1;
            Write(disk, piece.File + BackupManifest.Suffix, manifest);
            BackupException wrong = await Assert.ThrowsAsync<BackupException>(() => FindAsync(folder, _times[^1]));
            Assert.Contains(piece.File, wrong.Message, StringComparison.Ordinal);
            manifest[20] ^= 1;
            Write(disk, piece.File + BackupManifest.Suffix, manifest);
        }

        // Manifests that say something else than the records do.
        RestoreRequest reordered = await RequestOfAsync(folder, _times[^1]);
        reordered = reordered with
        {
            Journal = [pieces[0], pieces[2], pieces[1], .. pieces[3..]],
        };
        BackupException refused = await Assert.ThrowsAsync<BackupException>(
            () => DatabaseRestore.RunAsync(catalog, "copy", folder, reordered, CancellationToken.None));
        Assert.Contains(pieces[2].File, refused.Message, StringComparison.Ordinal);
        Assert.Empty(catalog.Names());
        Assert.Equal([DatabaseCatalog.CatalogFolder], files.Names);
    }

    [Fact]
    public async Task A_destination_that_fails_leaves_no_piece_and_the_journal_waits()
    {
        await StartAsync();
        Put();
        SimulatedFileSystem disk = _folders[_folder];
        int before = disk.List().Count;
        for (int at = 0; at < 8; at++)
        {
            int call = disk.CallsOf(DiskFaultKind.DiskFull) + at;
            disk.Fault = new DiskFault(DiskFaultKind.DiskFull, call, IsSticky: true);
            await Assert.ThrowsAsync<StorageIOException>(CopyAsync);
            disk.Fault = null;
        }

        BackupManifest? made = await CopyAsync();
        Assert.NotNull(made);
        Assert.Equal(before + 2, disk.List().Count(name => !name.EndsWith(".in-progress", StringComparison.Ordinal)));
        Assert.Null(await CopyAsync());
        await (await OpenAsync()).ReadChainAsync(null, CancellationToken.None);
    }

    [Fact]
    public async Task An_archive_that_began_after_the_backup_goes_on_from_the_next_one()
    {
        await RunAsync();
        Put();
        ArchivedJournal.TurnOn(_database.Database);
        Put();
        await Assert.ThrowsAsync<ArchiveGapException>(CopyAsync);
        await RunAsync();
        Put();
        Assert.NotNull(await CopyAsync());
        ArchivedJournal.TurnOff(_database.Database);
        Put();
        await Assert.ThrowsAsync<ArchiveGapException>(CopyAsync);
    }

    private async Task PlayAsync(bool isIncremental = true)
    {
        await StartAsync();
        for (int i = 0; i < 8; i++)
        {
            Put();
            if (i % 2 == 0)
            {
                await CopyAsync();
            }

            if (i == 3)
            {
                _database.Restart();
                _known = null;
            }

            if (i == 5 && isIncremental)
            {
                await RunAsync();
            }
        }

        await CopyAsync();
    }

    private async Task StartAsync()
    {
        Put();
        ArchivedJournal.TurnOn(_database.Database);
        await RunAsync();
    }

    private void Put()
    {
        _database.Clock.Now += TimeSpan.FromMinutes(1);
        _database.Put($"d/{_count++}", """{"Text":"some"}""");
        _times.Add(_database.Clock.Now);
    }

    private async Task RunAsync()
    {
        BackupResult made = await DatabaseBackup.RunAsync(
            _database.Database, _destination, Request(), CancellationToken.None);
        _folder = made.Folder;
    }

    private async Task<BackupManifest?> CopyAsync()
    {
        BackupManifest? made = await ArchivedJournal.CopyAsync(
            _database.Database, _destination, Request(), _known, CancellationToken.None);
        _known = made ?? _known;
        return made;
    }

    private Task<BackupFolder> OpenAsync() =>
        DatabaseRestore.OpenAsync(_destination, _folder, CancellationToken.None);

    private static Task<(IReadOnlyList<BackupManifest> Chain, IReadOnlyList<BackupManifest> Journal)> FindAsync(
        BackupFolder folder, DateTimeOffset to) => ArchivedJournal.FindAsync(folder, to, CancellationToken.None);

    private BackupRequest Request() => new()
    {
        Now = _database.Clock.Now, Folder = _folder, IsIncremental = _folder.Length > 0,
    };

    private static async Task<RestoreRequest> RequestOfAsync(BackupFolder folder, DateTimeOffset to)
    {
        (IReadOnlyList<BackupManifest> chain, IReadOnlyList<BackupManifest> journal) = await FindAsync(folder, to);
        return new RestoreRequest { Chain = chain, Journal = journal, To = to };
    }

    private static async Task<(long Documents, DateTimeOffset? At)> RestoreAsync(
        DatabaseCatalog catalog, BackupFolder folder, DateTimeOffset to)
    {
        (long, DateTimeOffset?) found = default;
        RestoreRequest request = await RequestOfAsync(folder, to);
        request = request with { Checked = (documents, _, at) => found = (documents, at) };
        await DatabaseRestore.TryOutAsync(catalog, folder, request, CancellationToken.None);
        return found;
    }

    private async Task AssertNamedAsync(DatabaseCatalog catalog, BackupFolder folder, string file)
    {
        RestoreRequest request = await RequestOfAsync(folder, _times[^1]);
        BackupException refused = await Assert.ThrowsAsync<BackupException>(() => DatabaseRestore.RunAsync(
            catalog, "copy", folder, request, CancellationToken.None));
        Assert.Contains(file, refused.Message, StringComparison.Ordinal);
        Assert.Empty(catalog.Names());
    }

    private static byte[] Read(SimulatedFileSystem disk, string name)
    {
        using IFile file = disk.Open(name, FileOpenMode.Existing);
        byte[] bytes = new byte[file.Length];
        Assert.Equal(bytes.Length, file.ReadAt(0, bytes));
        return bytes;
    }

    private static void Write(SimulatedFileSystem disk, string name, byte[] bytes)
    {
        using IFile file = disk.Open(name, FileOpenMode.Create);
        file.SetLength(0);
        file.WriteAt(0, bytes);
    }

    private static DatabaseCatalog Open(TestFiles files) =>
        DatabaseCatalog.Open(new CatalogOptions { Folders = files, Random = new Random(3) });
}
