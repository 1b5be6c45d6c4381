using Raven.Storage.Errors;

namespace Raven.Documents.Backups;

//   BKP-6  Retention removes only folders whose every manifest names the task and the database, never the newest full
//          backup, and none before a newer full one has been compared with its hash.

/// <summary>Removes backups of a task that are old enough.</summary>
public static class BackupRetention
{
    /// <summary>Removes full backups with all that follow them.</summary>
    /// <param name="folders">Where the folders of backups are.</param>
    /// <param name="taskId">The task.</param>
    /// <param name="databaseId">The id of the database.</param>
    /// <param name="keptSince">What was made after this is kept.</param>
    /// <param name="problems">Takes what could not be removed, and why.</param>
    /// <param name="cancellation">Ends it between two folders.</param>
    /// <returns>The folders that were removed.</returns>
    public static IReadOnlyList<string> Run(
        IDatabaseFolders folders, long taskId, string databaseId, DateTimeOffset keptSince,
        ICollection<string> problems, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(folders);
        ArgumentNullException.ThrowIfNull(problems);
        List<(BackupFolder Folder, IReadOnlyList<BackupManifest> Files)> own = [];
        foreach (string name in folders.List().Where(name => name.Contains(".ravendb-", StringComparison.Ordinal)))
        {
            List<string> wrong = [];
            var folder = new BackupFolder(name, folders.Open(name));
            IReadOnlyList<BackupManifest> files = folder.ReadAll(wrong);
            if (wrong.Count == 0 && files.Count > 0 && files.Any(file => file.IsFull)
                && files.All(file => file.TaskId == taskId && file.DatabaseId == databaseId))
            {
                own.Add((folder, files));
            }
        }

        own.Sort((left, right) => left.Files[0].CreatedAt.CompareTo(right.Files[0].CreatedAt));
        int newestWhole = own.FindLastIndex(one => IsWhole(one.Folder, one.Files, cancellation));
        List<string> removed = [];
        for (int i = 0; i < newestWhole; i++)
        {
            cancellation.ThrowIfCancellationRequested();
            if (own[i].Files[^1].CreatedAt < keptSince && TryRemove(folders, own[i].Folder.Name, problems))
            {
                removed.Add(own[i].Folder.Name);
            }
        }

        return removed;
    }

    private static bool IsWhole(
        BackupFolder folder, IReadOnlyList<BackupManifest> files, CancellationToken cancellation)
    {
        try
        {
            BackupVerification.CheckFile(folder, files.First(file => file.IsFull), cancellation);
            return true;
        }
        catch (Exception e) when (e is BackupException or StorageIOException)
        {
            // It is no reason to remove another one.
            return false;
        }
    }

    private static bool TryRemove(IDatabaseFolders folders, string name, ICollection<string> problems)
    {
        try
        {
            folders.Delete(name);
            return true;
        }
        catch (Exception e) when (LoadFailures.IsKnown(e))
        {
            problems.Add($"'{name}' could not be removed: {e.Message}");
            return false;
        }
    }
}
