using System.Security.Cryptography;
using Raven.Documents.Catalog;
using Raven.Documents.Operations;
using Raven.Storage.Backup;
using Raven.Storage.Errors;
using Raven.Storage.Files;

namespace Raven.Documents.Backups;

//   BKP-5  All files of a chain are compared with their hashes before the first one is applied, and none is applied
//          that does not follow the one before.

/// <summary>Makes the files of a database of a chain of backups.</summary>
public static class DatabaseRestore
{
    /// <summary>The folder of a backup: its chain up to a file.</summary>
    /// <param name="destination">Where the folder is.</param>
    /// <param name="name">The folder.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <exception cref="BackupException">There is none.</exception>
    public static async Task<BackupFolder> OpenAsync(
        IBackupDestination destination, string name, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(destination);
        return await destination.ExistsAsync(name, cancellation).ConfigureAwait(false)
            ? new BackupFolder(name, destination.Open(name))
            : throw new BackupException($"There is no folder '{name}' with backups.");
    }

    /// <summary>Checks that a key is the one of a chain.</summary>
    /// <exception cref="BackupException">It is not, or one is needed and there is none.</exception>
    public static void RequireKey(IReadOnlyList<BackupManifest> chain, IBackupCipher? cipher)
    {
        ArgumentNullException.ThrowIfNull(chain);
        foreach (BackupManifest manifest in chain.Where(one => one.KeyCheck is not null))
        {
            if (cipher is null)
            {
                throw new BackupException($"The file '{manifest.File}' is encrypted: its key is needed.");
            }

            if (cipher.KeyCheck != manifest.KeyCheck)
            {
                throw new BackupException($"The file '{manifest.File}' is encrypted by another key.");
            }
        }
    }

    /// <summary>Restores a database: it is there when this returns, and was not there before.</summary>
    /// <param name="catalog">Takes it.</param>
    /// <param name="name">Its name, which none has.</param>
    /// <param name="folder">The folder of the backup.</param>
    /// <param name="request">What is restored.</param>
    /// <param name="cancellation">Ends it: nothing of it is left.</param>
    /// <exception cref="BackupException">A file is damaged or missing: the message names it.</exception>
    /// <exception cref="RefusedException">The name is not valid, or taken.</exception>
    public static Task RunAsync(
        DatabaseCatalog catalog, string name, BackupFolder folder, RestoreRequest request,
        CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(catalog);
        ArgumentNullException.ThrowIfNull(request);
        return catalog.Restores.RestoreAsync(
            name,
            async storage =>
            {
                await FillAsync(folder, request, storage.FileSystem, cancellation).ConfigureAwait(false);
                RestoredDatabase.Check(storage, request, isWhole: false, request.SkipsIndexes);
            },
            () => request.RecordOf(name));
    }

    /// <summary>Restores a database without making it visible, checks all of it, and removes it again.</summary>
    /// <exception cref="BackupException">A file is damaged or missing: the message names it.</exception>
    public static Task TryOutAsync(
        DatabaseCatalog catalog, BackupFolder folder, RestoreRequest request, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(catalog);
        ArgumentNullException.ThrowIfNull(request);
        return catalog.Restores.TryOutAsync(
            request.Chain[^1].Database,
            async storage =>
            {
                await FillAsync(folder, request, storage.FileSystem, cancellation).ConfigureAwait(false);
                RestoredDatabase.Check(storage, request, isWhole: true, dropsIndexes: false);
            });
    }

    /// <summary>Writes the files of the database into a folder, which has them only when all is whole.</summary>
    /// <param name="folder">The folder of the backup.</param>
    /// <param name="request">What is restored.</param>
    /// <param name="target">An empty folder.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <exception cref="BackupException">A file is damaged: the message names it.</exception>
    internal static async Task FillAsync(
        BackupFolder folder, RestoreRequest request, IFileSystem target, CancellationToken cancellation)
    {
        RequireKey(request.Files, request.Cipher);
        await BackupVerification.CheckFilesAsync(folder, request.Files, cancellation).ConfigureAwait(false);
        long before = 0;
        long last = 0;
        ulong id = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(sizeof(ulong)));
        using var pages = new PageRestore(target, id)
        {
            Restored = bytes => request.Restored(before + (last = bytes)),
        };
        foreach (BackupManifest manifest in request.Files)
        {
            try
            {
                await AddAsync(pages, folder, manifest, request, cancellation).ConfigureAwait(false);
                before += last;
            }
            catch (Exception e) when (e is StorageCorruptedException || BackupStreams.IsBroken(e))
            {
                throw new BackupException($"The file '{manifest.File}' is damaged: {e.Message}", e);
            }
        }

        pages.Complete();
    }

    private static async Task AddAsync(
        PageRestore pages, BackupFolder folder, BackupManifest manifest, RestoreRequest request,
        CancellationToken cancellation)
    {
        Stream file = await folder.Files.OpenAsync(manifest.File, cancellation).ConfigureAwait(false);
        await using (file.ConfigureAwait(false))
        {
            Stream opened = manifest.KeyCheck is null
                ? file
                : await request.Cipher!.DecryptAsync(file, cancellation).ConfigureAwait(false);
            await using (opened.ConfigureAwait(false))
            {
                await StreamPipe.RunAsync(
                    (unpacked, stop) => BackupStreams.UnpackAsync(
                        manifest.Compression, opened, unpacking => StreamPipe.CopyAsync(unpacking, unpacked, stop)),
                    unpacked => manifest.Kind == BackupKind.Journal
                        ? pages.ReplayAsync(manifest.File, unpacked, request.To!.Value.UtcDateTime, cancellation)
                        : pages.AddAsync(manifest.File, unpacked, cancellation),
                    cancellation).ConfigureAwait(false);
            }
        }
    }
}
