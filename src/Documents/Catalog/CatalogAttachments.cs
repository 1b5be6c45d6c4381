using Raven.Storage.Files;
using Raven.Storage.Options;
using Raven.Storage.Transactions;

namespace Raven.Documents.Catalog;

//   ATTACH-1  A folder belongs to one database at most: one that a database has, that is being deleted, or that a
//             deleted database of another name has left, is not attached. Its entry is written in one transaction,
//             after the files were opened and found to be those of a database.

/// <summary>Takes a folder with the files of a database, such as one that was deleted without them, as a database. Any
/// thread.</summary>
public sealed class CatalogAttachments
{
    private const string DataFileName = "data.voron";

    private readonly DatabaseCatalog _catalog;
    private readonly CatalogStore _store;
    private readonly CatalogFolders _going;
    private readonly Lock _gate;
    private readonly CatalogOptions _options;
    private readonly Lock _attaching = new();

    internal CatalogAttachments(
        DatabaseCatalog catalog, CatalogStore store, CatalogFolders going, Lock gate, CatalogOptions options)
    {
        _catalog = catalog;
        _store = store;
        _going = going;
        _gate = gate;
        _options = options;
    }

    /// <summary>Whether a database of a name was deleted and its files are kept.</summary>
    internal bool HasKept(string name)
    {
        lock (_gate)
        {
            return _store.TryReadKept(name) is not null;
        }
    }

    /// <summary>Makes the database of a folder one of the catalog; durable when this returns.</summary>
    /// <param name="name">Its name, which no database has.</param>
    /// <param name="folder">The folder, by its plain name below that of all databases; null for the one that a deleted
    /// database of the name has left, or that has its name.</param>
    /// <param name="recordJson">Its record.</param>
    /// <returns>The folder.</returns>
    /// <exception cref="RefusedException">It cannot be done, and nothing has changed.</exception>
    public string Attach(string name, string? folder, ReadOnlySpan<byte> recordJson)
    {
        ArgumentNullException.ThrowIfNull(name);
        lock (_attaching)
        {
            string chosen = CheckNames(name, folder);

            // Not under the lock of the catalog: a long journal may have to be read.
            CheckFiles(chosen);
            lock (_gate)
            {
                CheckNames(name, chosen);
                _catalog.CompleteCopy(name, chosen, recordJson);
            }

            return chosen;
        }
    }

    private string CheckNames(string name, string? folder)
    {
        lock (_gate)
        {
            string chosen = folder
                ?? (DatabaseName.IsValid(name) ? _store.TryReadKept(name) ?? DatabaseName.FolderOf(name) : "");
            List<string> kept = _store.ReadKeptOf(chosen);
            string? refusal =
                !DatabaseName.IsValid(name) ? $"'{name}' is not the name of a database."
                : _catalog.TryGet(name, out _) || _catalog.Restores.Has(name)
                    ? $"There is a database '{name}' already."
                : !DatabaseName.IsValid(chosen.TrimEnd('~')) || chosen == DatabaseCatalog.CatalogFolder
                    ? $"'{chosen}' is not the plain name of a folder below that of the databases."
                : _store.ReadAll().Find(entry => entry.Folder == chosen) is { } user
                    ? $"The folder '{chosen}' is that of the database '{user.Name}'."
                : _going.Has(chosen) ? $"The folder '{chosen}' is still in use, or being deleted."
                : kept.Find(one => !one.Equals(name, StringComparison.OrdinalIgnoreCase)) is { } other
                    ? $"The folder '{chosen}' has the files of a database '{other}' that was deleted: attach it under "
                        + "that name."
                : !_options.Folders.Exists(chosen) ? $"There is no folder '{chosen}'."
                : null;
            return refusal == null ? chosen : throw new RefusedException(RefusalReason.Argument, refusal);
        }
    }

    private void CheckFiles(string folder)
    {
        try
        {
            IFileSystem files = _options.Folders.Open(folder);
            if (!files.Exists(DataFileName))
            {
                throw new RefusedException(
                    RefusalReason.Argument, $"The folder '{folder}' has no {DataFileName}: it holds no database.");
            }

            using var environment = StorageEnvironment.Open(
                _options.ConfigureStorage(new StorageOptions { FileSystem = files, Clock = _options.Clock }));
            if (!DatabaseStorage.TryReadId(environment, folder, out _))
            {
                throw new RefusedException(
                    RefusalReason.Argument, $"The files of the folder '{folder}' are not those of a database.");
            }
        }
        catch (Exception e) when (LoadFailures.IsKnown(e))
        {
            throw new RefusedException(
                RefusalReason.Argument, $"The database in the folder '{folder}' cannot be opened: {e.Message}");
        }
    }
}
