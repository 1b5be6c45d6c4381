using Microsoft.Extensions.Logging;

namespace Raven.Documents.Catalog;

/// <summary>The folders of a catalog that must not be used: those that are being deleted, or may have to be.</summary>
/// <param name="folders">All folders.</param>
/// <param name="store">Has the notes of those that are being deleted.</param>
/// <param name="gate">The lock of the catalog: held where a member says so.</param>
/// <param name="isClosed">Whether the catalog is closed.</param>
/// <param name="log">Takes failures.</param>
internal sealed class CatalogFolders(
    IDatabaseFolders folders, CatalogStore store, Lock gate, Func<bool> isClosed, ILogger log)
{
    private readonly HashSet<string> _going = [];

    /// <summary>A folder must not be used. Under the lock.</summary>
    internal void Add(string folder) => _going.Add(folder);

    /// <summary>Whether a folder must not be used. Under the lock.</summary>
    internal bool Has(string folder) => _going.Contains(folder);

    /// <summary>It may be used. Under the lock.</summary>
    internal void Remove(string folder) => _going.Remove(folder);

    /// <summary>A folder for a database. Under the lock.</summary>
    /// <param name="name">The name of the database.</param>
    /// <param name="usedFolder">The folder that it has, which need not be on disk yet, or "" for none: one that is not
    /// on disk is given. Null for a new database, which takes the folder that one of its name has left.</param>
    internal string Choose(string name, string? usedFolder = null)
    {
        string folder = (usedFolder is null ? store.TryReadKept(name) : null) ?? DatabaseName.FolderOf(name);
        string chosen = folder;
        for (int number = 2; IsTaken(chosen); number++)
        {
            // No name has a '~', so this is no other database's folder.
            chosen = $"{folder}~{number}";
        }

        return chosen;

        bool IsTaken(string one) =>
            _going.Contains(one) || (usedFolder is not null && (one == usedFolder || folders.Exists(one)));
    }

    /// <summary>A deleted database is closed.</summary>
    /// <param name="folder">Its folder.</param>
    /// <param name="deletes">Whether the files go, too.</param>
    internal void Closed(string folder, bool deletes)
    {
        if (deletes)
        {
            Delete(folder);
            return;
        }

        lock (gate)
        {
            _going.Remove(folder);
        }
    }

    /// <summary>Deletes a folder, and forgets it. If that fails, the next start tries again.</summary>
    internal void Delete(string folder)
    {
        try
        {
            folders.Delete(folder);
            lock (gate)
            {
                _going.Remove(folder);
                if (!isClosed())
                {
                    store.ForgetDeleting(folder);
                }
            }
        }
        catch (Exception e) when (LoadFailures.IsKnown(e))
        {
            CatalogLog.CannotDelete(log, e, folder);
        }
    }
}
