using Raven.Storage.Errors;

namespace Raven.Documents.Backups;

//   BKP-6  Retention removes only folders whose every manifest names the task and the database, never the newest full
//          backup, and none before a newer full one has been compared with its hash.

/// <summary>Removes backups of a task that are old enough.</summary>
public static class BackupRetention
{
    /// <summary>Removes full backups with all that follow them.</summary>
    /// <param name="destination">Where the folders of backups are.</param>
    /// <param name="request">Which may go.</param>
    /// <param name="problems">Takes what could not be removed, and why.</param>
    /// <param name="cancellation">Ends it between two folders.</param>
    /// <returns>The folders that were removed.</returns>
    public static async Task<IReadOnlyList<string>> RunAsync(
        IBackupDestination destination, RetentionRequest request, ICollection<string> problems,
        CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(destination);
        ArgumentNullException.ThrowIfNull(request);
        ArgumentNullException.ThrowIfNull(problems);
        List<(BackupFolder Folder, IReadOnlyList<BackupManifest> Files)> own = [];
        IReadOnlyList<string> names = await destination.ListAsync(cancellation).ConfigureAwait(false);
        foreach (string name in names.Where(BackupFolder.IsOurs))
        {
            List<string> wrong = [];
            var folder = new BackupFolder(name, destination.Open(name));
            IReadOnlyList<BackupManifest> files = await folder.ReadAllAsync(wrong, cancellation).ConfigureAwait(false);
            if (wrong.Count == 0 && files.Count > 0 && files.Any(file => file.IsFull)
                && files.All(file => file.TaskId == request.TaskId && file.DatabaseId == request.DatabaseId))
            {
                own.Add((folder, files));
            }
        }

        own.Sort((left, right) => left.Files[0].CreatedAt.CompareTo(right.Files[0].CreatedAt));
        int newestWhole = own.Count - 1;
        while (newestWhole >= 0 && own[newestWhole].Folder.Name != request.KnownWhole
            && !await IsWholeAsync(own[newestWhole].Folder, own[newestWhole].Files, cancellation).ConfigureAwait(false))
        {
            newestWhole--;
        }

        List<string> removed = [];
        for (int i = 0; i < newestWhole; i++)
        {
            cancellation.ThrowIfCancellationRequested();
            if (own[i].Files[^1].CreatedAt < request.KeptSince
                && await TryRemoveAsync(destination, own[i].Folder.Name, request, problems, cancellation)
                    .ConfigureAwait(false))
            {
                removed.Add(own[i].Folder.Name);
            }
        }

        return removed;
    }

    private static async Task<bool> IsWholeAsync(
        BackupFolder folder, IReadOnlyList<BackupManifest> files, CancellationToken cancellation)
    {
        try
        {
            await BackupVerification.CheckFileAsync(folder, files.First(file => file.IsFull), cancellation)
                .ConfigureAwait(false);
            return true;
        }
        catch (Exception e) when (e is BackupException or StorageIOException)
        {
            // It is no reason to remove another one.
            return false;
        }
    }

    private static async Task<bool> TryRemoveAsync(
        IBackupDestination destination, string name, RetentionRequest request, ICollection<string> problems,
        CancellationToken cancellation)
    {
        try
        {
            await request.Removing(name, cancellation).ConfigureAwait(false);
            await destination.DeleteAsync(name, cancellation).ConfigureAwait(false);
            return true;
        }
        catch (Exception e) when (LoadFailures.IsKnown(e) || e is BackupException)
        {
            problems.Add($"'{name}' could not be removed: {e.Message}");
            return false;
        }
    }
}
