using Raven.Storage.Files;

namespace Raven.Documents.Backups;

/// <summary>Backups in folders of this machine.</summary>
/// <param name="folders">The folders.</param>
/// <param name="description">What messages call it: its path.</param>
public sealed class LocalDestination(IDatabaseFolders folders, string description) : IBackupDestination
{
    /// <inheritdoc/>
    public string Description => description;

    /// <inheritdoc/>
    public string Key => description;

    /// <inheritdoc/>
    public ValueTask<bool> ExistsAsync(string folder, CancellationToken cancellation) =>
        ValueTask.FromResult(folders.Exists(folder));

    /// <inheritdoc/>
    public ValueTask<IReadOnlyList<string>> ListAsync(CancellationToken cancellation) =>
        ValueTask.FromResult(folders.List());

    /// <inheritdoc/>
    public IBackupFiles Open(string folder) => new LocalFiles(() => folders.Open(folder));

    /// <inheritdoc/>
    public ValueTask DeleteAsync(string folder, CancellationToken cancellation)
    {
        if (folders.Exists(folder))
        {
            // The full one goes first, and manifests last: what is left after a crash restores nothing, and is still
            // known to be of its task, whose next removal takes it.
            IFileSystem files = folders.Open(folder);
            foreach (string name in files.List().Order(StringComparer.Ordinal).Where(static name =>
                BackupFolder.IsOurs(name) && !name.EndsWith(BackupManifest.Suffix, StringComparison.Ordinal)))
            {
                files.Delete(name);
            }

            files.SyncDirectory();
        }

        folders.Delete(folder);
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
    }
}
