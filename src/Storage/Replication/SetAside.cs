using System.Globalization;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Paging;

namespace Raven.Storage.Replication;

/// <summary>Takes the files of an environment that is not open out of the way of another one.</summary>
public static class SetAside
{
    private const string Prefix = "kept-";

    /// <summary>
    /// Gives the files of a folder other names, <c>kept-N-</c> before their own, so that somebody can still open them
    /// when the prefix is gone; those of a delta that was not finished are deleted, as they are no state. The data file
    /// goes last: if a crash comes before that, this is done again.
    /// </summary>
    /// <returns>The prefix; null if there was no state.</returns>
    /// <exception cref="StorageInUseException">It is open.</exception>
    public static string? Run(IFileSystem files)
    {
        ArgumentNullException.ThrowIfNull(files);
        using IFile lockFile = FolderLock.Acquire(files);
        bool isState = files.Exists(DataFile.Name) && !PageDelta.IsUnfinished(files);
        string prefix = isState ? NextPrefix(files) : "";
        foreach (string name in files.List())
        {
            if (JournalName.TryParse(name, out _) || ArchiveName.TryParse(name, out _) || name == ArchiveName.Marker)
            {
                Move(files, prefix, name);
            }
        }

        files.SyncDirectory();
        Move(files, prefix, DataFile.Name);
        files.SyncDirectory();
        files.Delete(DataFile.DeltaMarkName);
        files.SyncDirectory();
        return isState ? prefix : null;
    }

    private static void Move(IFileSystem files, string prefix, string name)
    {
        if (prefix.Length == 0)
        {
            files.Delete(name);
        }
        else if (files.Exists(name))
        {
            files.Rename(name, prefix + name);
        }
    }

    private static string NextPrefix(IFileSystem files)
    {
        for (int number = 1; ; number++)
        {
            string prefix = string.Create(CultureInfo.InvariantCulture, $"{Prefix}{number}-");
            if (!files.Exists(prefix + DataFile.Name))
            {
                return prefix;
            }
        }
    }
}
