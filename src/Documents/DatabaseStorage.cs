using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using Raven.Blittable.Memory;
using Raven.Documents.Changes;
using Raven.Documents.Commands;
using Raven.Documents.Rows;
using Raven.Documents.Settings;
using Raven.Storage.Errors;
using Raven.Storage.GroupCommit;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents;

//   HOLD-1  A user holds it: each snapshot, each command under way. It is open while _holds >= 0.
//   HOLD-2  Closing takes _holds from 0 to far below it in one step, so it never meets a holder; a later user finds the
//           number negative and asks the database anew. A closed storage is never opened again: the next open makes
//           another one.
//   HOLD-3  A retired storage is closed by the last user that releases it.

/// <summary>
/// What a database has only while it is open: its environment, its merger, and snapshots to use again. Any thread.
/// </summary>
public sealed class DatabaseStorage : IDisposable
{
    private const int PooledSnapshotsMax = 256;
    private const int Closed = int.MinValue / 2;

    private readonly Lock _gate = new();
    private readonly Lock _settingsGate = new();
    private readonly DocumentSnapshot?[] _pool = new DocumentSnapshot?[PooledSnapshotsMax];
    private int _pooled;
    private int _holds;
    private int _isDisposed;
    private volatile Action? _whenClosed;

    private DatabaseStorage(
        StorageEnvironment environment, DatabaseId id, DocumentWriter writer, TimeProvider time)
    {
        Space = new DiskSpaceMonitor(time);
        Environment = environment;
        Id = id;
        Writer = writer;
        Merger = new TransactionMerger(environment);
    }

    public StorageEnvironment Environment { get; }

    public TransactionMerger Merger { get; }

    /// <summary>Whether the disk had room for its writes.</summary>
    public DiskSpaceMonitor Space { get; }

    internal DatabaseId Id { get; }

    internal DocumentWriter Writer { get; private set; }

    internal CollectionNames Collections { get; } = new();

    /// <summary>Opens the environment, in a new one makes the structures that every database has.</summary>
    /// <param name="options">The options of the database.</param>
    /// <param name="storageOptions">The options of the storage environment.</param>
    /// <param name="changes">The listeners to its changes.</param>
    /// <param name="keepsUploads">True if its uploads are under way, and go on.</param>
    internal static DatabaseStorage Open(
        DatabaseOptions options, StorageOptions storageOptions, DocumentChanges changes, bool keepsUploads = false)
    {
        StorageEnvironment environment = StorageEnvironment.Open(storageOptions);
        try
        {
            DatabaseId id = TryReadId(environment, options.Name, out DatabaseId? found)
                ? found
                : Create(environment, options.NewDatabaseId);
            if (!keepsUploads)
            {
                DropUploads(environment);
            }

            long lastEtag = ReadLastEtag(environment);
            DocumentWriter writer = new(id, changes, storageOptions.Clock, options.Random, lastEtag);
            DatabaseStorage storage = new(environment, id, writer, storageOptions.Clock);
            writer.CollectionNameOf = storage.NameOfCollection;
            storage.LoadSettings();
            changes.Start(lastEtag);
            return storage;
        }
        catch
        {
            environment.Dispose();
            throw;
        }
    }

    /// <summary>Gives out an environment of a group, which was opened before and has the structures of a database.
    /// </summary>
    internal static DatabaseStorage OfGroup(
        DatabaseOptions options, StorageEnvironment environment, DatabaseId id, DocumentChanges changes)
    {
        DocumentWriter writer = new(id, changes, options.Clock, options.Random, ReadLastEtag(environment));
        DatabaseStorage storage = new(environment, id, writer, options.Clock);
        writer.CollectionNameOf = storage.NameOfCollection;
        storage.LoadSettings();
        return storage;
    }

    /// <summary>Has another writer, as other nodes have written since: the entry of its opening is stored already.
    /// </summary>
    internal void RenewWriter(DatabaseOptions options, DocumentChanges changes)
    {
        using ReadTransaction transaction = Environment.BeginRead();
        DocumentWriter writer = new(
            Id, changes, options.Clock, options.Random, ReadLastEtag(Environment), isOpened: true)
        {
            CollectionNameOf = NameOfCollection,
            NotBeforeTicks = transaction.CommittedAt?.Ticks ?? 0,
        };
        lock (_settingsGate)
        {
            writer.Settings = SettingsStore.Load(transaction);
            Writer = writer;
        }
    }

    /// <summary>
    /// Keeps it open until <see cref="Release"/>; false if it is closed: then the database gives the next one.
    /// </summary>
    internal bool TryHold()
    {
        if (Interlocked.Increment(ref _holds) > 0)
        {
            return true;
        }

        Interlocked.Decrement(ref _holds);
        return false;
    }

    /// <summary>Ends a hold.</summary>
    public void Release()
    {
        if (Interlocked.Decrement(ref _holds) == 0 && _whenClosed is not null)
        {
            CloseRetired();
        }
    }

    /// <summary>Refuses new users, if it has none; false if it has.</summary>
    internal bool TryEnd() => Interlocked.CompareExchange(ref _holds, Closed, 0) == 0;

    /// <summary>The database does not give it out any more: it is closed now, or when the last user
    /// releases it.</summary>
    /// <param name="whenClosed">Called once, after it is closed.</param>
    internal void Retire(Action whenClosed)
    {
        _whenClosed = whenClosed;
        Interlocked.MemoryBarrier();
        CloseRetired();
    }

    /// <summary>Reads the settings, which are in effect from now on.</summary>
    internal void LoadSettings()
    {
        // One after the other, so that older settings never take the place of newer ones.
        lock (_settingsGate)
        {
            using ReadTransaction transaction = Environment.BeginRead();
            Writer.Settings = SettingsStore.Load(transaction);
        }
    }

    internal DocumentSnapshot BeginRead()
    {
        ReadTransaction transaction = Environment.BeginRead();
        DocumentSnapshot? snapshot = null;
        lock (_gate)
        {
            if (_pooled > 0)
            {
                snapshot = _pool[--_pooled];
                _pool[_pooled] = null;
            }
        }

        snapshot ??= new DocumentSnapshot(this);
        snapshot.Begin(transaction);
        return snapshot;
    }

    /// <summary>Takes back a snapshot that has ended.</summary>
    internal void Return(DocumentSnapshot snapshot)
    {
        lock (_gate)
        {
            if (_pooled < PooledSnapshotsMax)
            {
                _pool[_pooled++] = snapshot;
            }
        }

        Release();
    }

    /// <summary>Closes it. Users that still hold it lose it.</summary>
    public void Dispose()
    {
        Interlocked.Exchange(ref _holds, Closed);
        if (Interlocked.Exchange(ref _isDisposed, 1) == 0)
        {
            Merger.Dispose();
            Environment.Dispose();
        }
    }

    private void CloseRetired()
    {
        if (TryEnd())
        {
            Dispose();
            _whenClosed!();
        }
    }

    private byte[] NameOfCollection(int id)
    {
        // Usually the name is known, and no transaction is needed; else the commit that made it is visible by now.
        if (Collections.TryGet(id, out byte[]? name))
        {
            return name;
        }

        using ReadTransaction transaction = Environment.BeginRead();
        return Collections.Load(id, transaction);
    }

    /// <summary>The id of the database that an environment holds; false if it holds none.</summary>
    /// <exception cref="DatabaseFormatException">A newer program has written it.</exception>
    internal static bool TryReadId(StorageEnvironment environment, string name, [NotNullWhen(true)] out DatabaseId? id)
    {
        using ReadTransaction transaction = environment.BeginRead();
        Tree? database = transaction.TryOpenTree(DocumentSchema.Database);
        if (database is null || !database.TryGet(DocumentSchema.VersionKey, out NativeSlice version))
        {
            id = null;
            return false;
        }

        int format = BinaryPrimitives.ReadInt32LittleEndian(version.Span);
        if (format > DocumentSchema.FormatVersionMax)
        {
            throw new DatabaseFormatException(name, format, DocumentSchema.FormatVersionMax);
        }

        if (!database.TryGet(DocumentSchema.IdKey, out NativeSlice value) || value.Length != 16)
        {
            throw new StorageCorruptedException("documents", -1, "the database has no id");
        }

        id = new DatabaseId(new Guid(value.Span));
        return true;
    }

    /// <summary>Removes uploads that were under way when the database was closed: they have no owner (ATT-2).</summary>
    private static void DropUploads(StorageEnvironment environment)
    {
        using (ReadTransaction reader = environment.BeginRead())
        {
            if (reader.TryOpenTree(AttachmentSchema.Uploads) is not { Count: > 0 })
            {
                return;
            }
        }

        using WriteTransaction transaction = environment.BeginWrite();
        AttachmentTables attachments = new();
        attachments.Begin(transaction);
        attachments.DropAllUploads();
        transaction.Commit();
    }

    internal static long ReadLastEtag(StorageEnvironment environment)
    {
        using ReadTransaction transaction = environment.BeginRead();
        return ReadLastEtag(transaction);
    }

    internal static long ReadLastEtag(Transaction transaction)
    {
        Tree? database = transaction.TryOpenTree(DocumentSchema.Database);
        return database is not null && database.TryGet(DocumentSchema.LastEtagKey, out NativeSlice value)
            ? BinaryPrimitives.ReadInt64LittleEndian(value.Span)
            : 0;
    }

    private static DatabaseId Create(StorageEnvironment environment, Guid newId)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        DatabaseId id = Create(transaction, newId);
        transaction.Commit();
        return id;
    }

    /// <summary>Makes the structures that every database has.</summary>
    internal static DatabaseId Create(WriteTransaction transaction, Guid newId)
    {
        new DocumentTables().Begin(transaction);
        Tree database = transaction.OpenOrCreateTree(DocumentSchema.Database);
        Span<byte> value = stackalloc byte[16];
        newId.TryWriteBytes(value);
        database.Put(DocumentSchema.IdKey, value);
        BinaryPrimitives.WriteInt32LittleEndian(value, DocumentSchema.FormatVersion);
        database.Put(DocumentSchema.VersionKey, value[..sizeof(int)]);
        return new DatabaseId(newId);
    }
}
