using FastTests.Documents;
using Raven.Documents;
using Raven.Documents.Backups;
using Raven.Documents.Catalog;

namespace FastTests.Backups;

/// <summary>A restored database is there when it is whole, and a crash before that leaves nothing of it.</summary>
public sealed class RestoreCrashTests : IDisposable
{
    private readonly TestDatabase _database = new();
    private readonly SimulatedFolders _folders = new();
    private readonly TestFiles _files = new();

    public void Dispose()
    {
        _database.Dispose();
        _folders.Dispose();
        _files.Dispose();
    }

    [Fact]
    [Trait("Invariant", "CAT-8")]
    public async Task A_crash_while_a_database_is_restored_leaves_neither_it_nor_its_folder()
    {
        (BackupFolder folder, RestoreRequest request) = await BackUpAsync();
        using DatabaseCatalog catalog = Open(_files);
        List<TestFiles> crashes = [];
        try
        {
            bool wasSeen = false;
            await DatabaseRestore.RunAsync(
                catalog, "copy", folder,
                request with
                {
                    Restored = _ =>
                    {
                        wasSeen |= catalog.TryGet("copy", out Database? seen);
                        Assert.True(catalog.Restores.Has("COPY"));
                        Assert.Equal(CreateDatabaseStatus.Exists, catalog.TryCreate("Copy", "{}"u8, out seen));
                        if (crashes.Count < 6)
                        {
                            crashes.Add(_files.Copy());
                        }
                    },
                },
                CancellationToken.None);
            Assert.False(wasSeen);
            Assert.True(catalog.TryGet("copy", out Database? restored));
            using (DocumentSnapshot snapshot = restored.BeginRead())
            {
                Assert.Equal(3, snapshot.DocumentCount);
            }

            Assert.NotEmpty(crashes);
            foreach (TestFiles crash in crashes)
            {
                using DatabaseCatalog after = Open(crash);
                Assert.Empty(after.Names());
                Assert.Equal([DatabaseCatalog.CatalogFolder], crash.Names);
                await DatabaseRestore.RunAsync(after, "copy", folder, request, CancellationToken.None);
                Assert.True(after.TryGet("copy", out _));
            }
        }
        finally
        {
            crashes.ForEach(crash => crash.Dispose());
        }
    }

    [Fact]
    public async Task A_restore_that_fails_or_is_cancelled_leaves_nothing_and_its_name_is_free()
    {
        (BackupFolder folder, RestoreRequest request) = await BackUpAsync();
        using DatabaseCatalog catalog = Open(_files);
        using var stop = new CancellationTokenSource();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => DatabaseRestore.RunAsync(
            catalog, "copy", folder, request with { Restored = _ => stop.Cancel() }, stop.Token));
        BackupManifest wrong = request.Chain[^1] with { Documents = 99 };
        await Assert.ThrowsAsync<BackupException>(() => DatabaseRestore.RunAsync(
            catalog, "copy", folder, request with { Chain = [.. request.Chain.SkipLast(1), wrong] },
            CancellationToken.None));
        Assert.Equal([DatabaseCatalog.CatalogFolder], _files.Names);
        Assert.Equal(CreateDatabaseStatus.Created, catalog.TryCreate("copy", "{}"u8, out _));
        await Assert.ThrowsAsync<RefusedException>(
            () => DatabaseRestore.RunAsync(catalog, "COPY", folder, request, CancellationToken.None));
        await Assert.ThrowsAsync<RefusedException>(
            () => DatabaseRestore.RunAsync(catalog, "a/b", folder, request, CancellationToken.None));
    }

    [Fact]
    public async Task A_database_is_tried_out_without_being_seen_and_goes_again()
    {
        (BackupFolder folder, RestoreRequest request) = await BackUpAsync();
        using DatabaseCatalog catalog = Open(_files);
        await DatabaseRestore.TryOutAsync(catalog, folder, request, CancellationToken.None);
        Assert.Empty(catalog.Names());
        Assert.Equal([DatabaseCatalog.CatalogFolder], _files.Names);
    }

    private async Task<(BackupFolder, RestoreRequest)> BackUpAsync()
    {
        string? name = null;
        var destination = new LocalDestination(_folders, "folders");
        for (int i = 0; i < 3; i++)
        {
            _database.Put($"d/{i}", $$"""{"N":{{i}}}""");
            var request = new BackupRequest
            {
                Now = new(2026, 3, 1, 1, 0, i, TimeSpan.Zero), Folder = name, IsIncremental = name is not null,
            };
            BackupResult result = await DatabaseBackup.RunAsync(
                _database.Database, destination, request, CancellationToken.None);
            name = result.Folder;
        }

        BackupFolder folder = await DatabaseRestore.OpenAsync(destination, name!, CancellationToken.None);
        return (
            folder, new RestoreRequest { Chain = await folder.ReadChainAsync(null, CancellationToken.None) });
    }

    private static DatabaseCatalog Open(TestFiles files) =>
        DatabaseCatalog.Open(new CatalogOptions { Folders = files, Random = new Random(3) });
}
