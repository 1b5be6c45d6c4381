using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Logging;
using Raven.Documents.Indexing;
using Raven.Documents.Settings;
using Raven.Storage.Options;
using Raven.Storage.Transactions;

namespace Raven.Documents.Catalog;

//   CAT-1  The catalog's environment says which databases there are; folders without an entry belong to no database.
//   CAT-2  Creating writes the entry first: a crash leaves an empty database, never files without an entry.
//   CAT-3  Deleting moves the entry to "Deleting" in one transaction; files go afterwards, or at the next start.
//   CAT-4  A folder that is being deleted is not used again before it is gone: the new database gets another one.
//   CAT-5  A compacted copy is made in a folder that is noted as being deleted. One transaction makes it the database's
//          own and notes the old one instead, so that a crash at any point leaves one whole database and nothing else.
//   CAT-6  If that transaction fails, it is unknown which folder is the database's until the next start: until then it
//          takes no writes, which might be lost, and neither folder is deleted.
//   CAT-8  A database that is restored gets its entry in the transaction that ends the note of its folder as being
//          deleted: before that there is no database, and after a crash no folder.
//   CAT-7  A database whose entry cannot be read cannot be used, and its error says why; the others can.

/// <summary>
/// All databases of a server. Each is opened by its first use and closed when it was idle for a while; an idle one has
/// no thread, no file and no timer of its own. Any thread.
/// </summary>
public sealed partial class DatabaseCatalog : IDisposable
{
    /// <summary>The folder of the catalog; no database has a name with a tilde.</summary>
    public const string CatalogFolder = "System~";

    private readonly CatalogOptions _options;
    private readonly ILogger _log;
    private readonly CatalogStore _store;
    private readonly ConcurrentDictionary<string, Database> _databases = new(StringComparer.OrdinalIgnoreCase);
    private readonly ConcurrentDictionary<string, Database>.AlternateLookup<ReadOnlySpan<char>> _databasesByName;
    private readonly ConcurrentDictionary<string, string> _folders = new(StringComparer.OrdinalIgnoreCase);
    private readonly CatalogFolders _goingFolders;
    private readonly Lock _gate = new();
    private readonly CatalogMaintenance _maintenance;
    private bool _isDisposed;

    private DatabaseCatalog(CatalogOptions options)
    {
        _options = options;
        _log = options.Loggers.CreateLogger<DatabaseCatalog>();
        _databasesByName = _databases.GetAlternateLookup<ReadOnlySpan<char>>();
        _store = new CatalogStore(StorageOptionsFor(CatalogFolder, "the catalog"));
        Records = new ServerRecords(_store, _gate);
        _goingFolders = new CatalogFolders(options.Folders, _store, _gate, () => _isDisposed, _log);
        Restores = new CatalogRestores(this);
        Attachments = new CatalogAttachments(this, _store, _goingFolders, _gate, options);
        _maintenance = new CatalogMaintenance(
            _databases.Select(one => one.Value), options.Clock, options.IdleTimeMax, _log);
    }

    /// <summary>Opens the catalog, in an empty folder makes a new one, and removes what was being deleted.</summary>
    public static DatabaseCatalog Open(CatalogOptions options)
    {
        DatabaseCatalog catalog = new(options);
        foreach (CatalogEntry entry in catalog._store.ReadAll())
        {
            catalog._databases[entry.Name] = catalog.CreateHandle(entry);
        }

        options.Indexing?.Extensions.Load(catalog._store.ReadExtensions());
        catalog.ClientConfiguration = catalog._store.ReadClientConfiguration() is { } json
            ? ClientConfiguration.Parse(json)
            : null;
        foreach (string folder in catalog._store.ReadDeleting())
        {
            catalog._goingFolders.Add(folder);
            catalog._goingFolders.Delete(folder);
        }

        return catalog;
    }

    /// <summary>What the indexes of all databases share; null if nothing is indexed.</summary>
    public IndexingServices? Indexing => _options.Indexing;

    /// <summary>The records of the server itself.</summary>
    public ServerRecords Records { get; }

    /// <summary>Why no database can be created, changed or deleted any more; null if they can be.</summary>
    public string? Fault => _store.Fault;

    /// <summary>Why the last change of a database had no room on the disk; null if it had.</summary>
    public string? Refusal => _store.Refusal;

    /// <summary>The figures of its own files.</summary>
    public StorageStatistics Storage => _store.Statistics;

    /// <summary>How many databases there are.</summary>
    public int Count => _databases.Count;

    /// <summary>Finds a database by its name in any case. Allocates nothing.</summary>
    public bool TryGet(ReadOnlySpan<char> name, [NotNullWhen(true)] out Database? database) =>
        _databasesByName.TryGetValue(name, out database);

    /// <summary>How many bytes a database has on disk, with its indexes. It is not opened for it.</summary>
    public long SizeOnDisk(string name) =>
        _folders.TryGetValue(name, out string? folder) ? _options.Folders.SizeOf(folder) : 0;

    /// <summary>The names of all databases, sorted, as they were created.</summary>
    public string[] Names()
    {
        string[] names = [.. _databases.Values.Select(database => database.Name)];
        Array.Sort(names, StringComparer.OrdinalIgnoreCase);
        return names;
    }

    /// <summary>Creates a database; it is durable when this returns.</summary>
    /// <param name="name">Its name (<see cref="DatabaseName"/>).</param>
    /// <param name="recordJson">Its record, which the catalog stores unchanged but for its secrets.</param>
    /// <param name="database">The new database, or the one that exists already.</param>
    /// <exception cref="System.Text.Json.JsonException">The record is no JSON; nothing has changed.</exception>
    public CreateDatabaseStatus TryCreate(string name, ReadOnlySpan<byte> recordJson, out Database? database) =>
        TryCreate(name, recordJson, isSealed: false, out database);

    private CreateDatabaseStatus TryCreate(
        string name, ReadOnlySpan<byte> recordJson, bool isSealed, out Database? database)
    {
        database = null;
        if (!DatabaseName.IsValid(name))
        {
            return CreateDatabaseStatus.BadName;
        }

        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            if (_databases.TryGetValue(name, out database) || Restores.Has(name))
            {
                return CreateDatabaseStatus.Exists;
            }

            RecordJson.IsDisabled(recordJson.ToArray());
            byte[] record = isSealed ? recordJson.ToArray() : Sealed(name, recordJson, null);
            CatalogEntry entry = _store.Write(name, _goingFolders.Choose(name), record);
            database = CreateHandle(entry);
            _databases[name] = database;
        }

        CatalogLog.Created(_log, name);
        return CreateDatabaseStatus.Created;
    }

    /// <summary>
    /// Deletes a database. Users that hold it may end what they do; it takes no new ones. With its files it is gone for
    /// good; without, creating it again finds them.
    /// </summary>
    /// <param name="name">Its name in any case.</param>
    /// <param name="hardDelete">Delete the files too.</param>
    /// <returns>False if there is none of that name.</returns>
    public bool TryDelete(string name, bool hardDelete)
    {
        Database? database;
        CatalogEntry? entry;
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            entry = _databases.ContainsKey(name) ? _store.TryRead(name) : null;
            if (entry is null)
            {
                return false;
            }

            _store.Remove(entry, hardDelete);
            _databases.TryRemove(name, out database);
            // Until it is closed, its folder must not be used again, whether its files are deleted or kept.
            _goingFolders.Add(entry.Folder);
        }

        database!.Delete(() => _goingFolders.Closed(entry.Folder, hardDelete));
        CatalogLog.Deleted(_log, entry.Name, hardDelete);
        return true;
    }

    /// <summary>
    /// Copies a database into full pages and deletes its old files (<see cref="Database.CompactAsync"/>).
    /// </summary>
    /// <param name="database">One of this catalog.</param>
    /// <param name="copied">Called with the number of bytes of contents that are copied so far.</param>
    /// <param name="cancellation">Ends it, while the copy is made.</param>
    /// <returns>The size on disk before and after.</returns>
    /// <exception cref="DatabaseDeletedException">The database was deleted.</exception>
    public async Task<(long BytesBefore, long BytesAfter)> CompactAsync(
        Database database, Action<long> copied, CancellationToken cancellation)
    {
        string oldFolder, folder;
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            oldFolder = EntryOf(database).Folder;
            folder = _goingFolders.Choose(database.Name, oldFolder);
            _goingFolders.Add(folder);
            _store.NoteDeleting(folder);
        }

        bool isMoving = false;
        try
        {
            return await database.CompactAsync(
                () => StorageOptionsFor(folder, database.Name),
                () =>
                {
                    try
                    {
                        Adopt(database, folder, () => isMoving = true);
                    }
                    catch when (isMoving)
                    {
                        // The next start may find either folder (CAT-6): changes wait until this is over.
                        database.Refuse(
                            "The compaction ended while its copy was made the database: after a restart it is either "
                            + "of the two.");
                        throw;
                    }
                },
                () => _goingFolders.Delete(oldFolder), copied, cancellation).ConfigureAwait(false);
        }
        catch when (!isMoving)
        {
            _goingFolders.Delete(folder);
            throw;
        }
    }

    /// <summary>Takes folders with the files of a database as databases.</summary>
    public CatalogAttachments Attachments { get; }

    /// <summary>The databases that are being restored: their names are taken, and nothing can be used yet.</summary>
    public CatalogRestores Restores { get; }

    /// <summary>Has open databases give back memory that they keep for reuse; takes as long as writing it.</summary>
    public void GiveIdleMemoryBack() => _maintenance.GiveIdleMemoryBack(_options.Indexing is not null);

    /// <summary>Closes all databases, which must not be used any more.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            if (_isDisposed)
            {
                return;
            }

            _isDisposed = true;
        }

        _maintenance.Dispose();
        _options.Indexing?.Dispose();
        foreach (Database database in _databases.Values)
        {
            database.Dispose();
        }

        _store.Dispose();
    }

    /// <summary>A folder for a copy of a database, which is noted as being deleted (CAT-8).</summary>
    internal string BeginCopy(string name, out StorageOptions options)
    {
        string folder;
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            // A database of the name may have a folder that is not on disk yet.
            folder = _goingFolders.Choose(name, _folders.GetValueOrDefault(name, ""));
            _goingFolders.Add(folder);
            _store.NoteDeleting(folder);
        }

        options = StorageOptionsFor(folder, name);
        return folder;
    }

    /// <summary>Makes a copy a database, durably (CAT-8).</summary>
    internal void CompleteCopy(string name, string folder, ReadOnlySpan<byte> recordJson)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            CatalogEntry entry = _store.Write(name, folder, Sealed(name, recordJson, null), isCopy: true);
            _goingFolders.Remove(folder);
            _databases[name] = CreateHandle(entry);
        }

        CatalogLog.Created(_log, name);
    }

    /// <summary>Removes a copy that is no database.</summary>
    internal void DropCopy(string folder) => _goingFolders.Delete(folder);

    /// <summary>The entry of a database; under the lock.</summary>
    private CatalogEntry EntryOf(Database database) =>
        _databases.TryGetValue(database.Name, out Database? current) && ReferenceEquals(current, database)
            ? _store.TryRead(database.Name)!
            : throw new DatabaseDeletedException(database.Name);

    /// <summary>Makes another folder that of a database's files.</summary>
    /// <param name="database">The database.</param>
    /// <param name="folder">The folder.</param>
    /// <param name="begun">Called before the change may be durable.</param>
    private void Adopt(Database database, string folder, Action begun)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            CatalogEntry entry = EntryOf(database);
            _store.Move(entry, folder, begun);
            _goingFolders.Remove(folder);
            _goingFolders.Add(entry.Folder);
            _folders[database.Name] = folder;
        }
    }

    private Database CreateHandle(CatalogEntry entry)
    {
        Guid id;
        int seed;
        lock (_options.Random)
        {
            Span<byte> bytes = stackalloc byte[16];
            _options.Random.NextBytes(bytes);
            id = new Guid(bytes);
            seed = _options.Random.Next();
        }

        _folders[entry.Name] = entry.Folder;
        bool isDisabled = entry.IsDisabled(out string? damage);
        if (damage is not null)
        {
            CatalogLog.CannotUse(_log, entry.Name, damage);
        }

        return new Database(new DatabaseOptions
        {
            Name = entry.Name,
            Clock = _options.Clock,
            Storage = () => StorageOptionsFor(_folders[entry.Name], entry.Name),
            NewDatabaseId = id,
            NextDueTicks = _store.ReadDue(entry.Name),
            StoreNextDue = ticks => StoreNextDue(entry.Name, ticks),
            NotificationFailed = e => CatalogLog.NotificationFailed(_log, e, entry.Name),
            Random = new Random(seed),
            Tombstones = _options.Tombstones,
            IsInGroup = _options.AreInGroups,
            MakeIndexes = _options.Indexing is { } indexing ? database => MakeIndexes(database, indexing, entry) : null,
        })
        {
            IsDisabled = isDisabled,
            Damage = damage,
        };
    }

    private void StoreNextDue(string name, long ticks)
    {
        lock (_gate)
        {
            // A database that is being deleted is not opened for anything that is due.
            if (_databases.ContainsKey(name))
            {
                _store.WriteDue(name, ticks);
            }
        }
    }

    private DatabaseIndexes MakeIndexes(Database database, IndexingServices indexing, CatalogEntry entry) => new(
        database,
        indexing,
        () => _options.Folders.Within(_folders[entry.Name]),
        storage => _options.ConfigureStorage(storage with
        {
            Clock = _options.Clock,
            OnEvent = storageEvent => CatalogLog.Storage(_log, storageEvent, entry.Name),
        }))
    {
        Pause = { IsOfAll = entry.IsIndexingDisabled },
    };

    private StorageOptions StorageOptionsFor(string folder, string name) =>
        _options.ConfigureStorage(new StorageOptions
        {
            FileSystem = _options.Folders.Open(folder),
            Clock = _options.Clock,
            OnEvent = storageEvent => CatalogLog.Storage(_log, storageEvent, name),
        });
}
