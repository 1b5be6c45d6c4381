using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using Raven.Blittable.Memory;
using Raven.Server.Documents.Attachments;
using Raven.Server.Documents.Changes;
using Raven.Server.Documents.Commands;
using Raven.Server.Documents.Rows;
using Raven.Server.Documents.Settings;
using Raven.Storage;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Server.Documents;

/// <summary>
/// What a database has only while it is open: its environment, its merger, and snapshots to use again.
/// </summary>
internal sealed class DatabaseStorage : IDisposable
{
    private const int PooledSnapshotsMax = 256;

    private readonly Lock _gate = new();
    private readonly DocumentSnapshot?[] _pool = new DocumentSnapshot?[PooledSnapshotsMax];
    private readonly Action _released;
    private int _pooled;

    private DatabaseStorage(StorageEnvironment environment, DatabaseId id, DocumentWriter writer, Action released)
    {
        Environment = environment;
        Id = id;
        Writer = writer;
        Merger = new TransactionMerger(environment);
        _released = released;
    }

    internal StorageEnvironment Environment { get; }

    internal TransactionMerger Merger { get; }

    internal DatabaseId Id { get; }

    internal DocumentWriter Writer { get; }

    internal CollectionNames Collections { get; } = new();

    /// <summary>Opens the environment, in a new one makes the structures that every database has.</summary>
    /// <param name="options">How.</param>
    /// <param name="changes">Who listens.</param>
    /// <param name="released">Called when a snapshot has ended.</param>
    internal static DatabaseStorage Open(DatabaseOptions options, DocumentChanges changes, Action released)
    {
        StorageOptions storageOptions = options.Storage();
        StorageEnvironment environment = StorageEnvironment.Open(storageOptions);
        try
        {
            DatabaseId id = TryReadId(environment, options.Name, out DatabaseId? found)
                ? found
                : Create(environment, options.NewDatabaseId);
            DropUploads(environment);
            DocumentWriter writer = new(id, changes, storageOptions.Clock, options.Random);
            DatabaseStorage storage = new(environment, id, writer, released);
            writer.CollectionNameOf = storage.NameOfCollection;
            storage.LoadSettings();
            changes.Start(ReadLastEtag(environment));
            return storage;
        }
        catch
        {
            environment.Dispose();
            throw;
        }
    }

    /// <summary>What was told to the database is in effect from now on.</summary>
    internal void LoadSettings()
    {
        using ReadTransaction transaction = Environment.BeginRead();
        Writer.Settings = SettingsStore.Load(transaction);
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

    /// <summary>A snapshot has ended.</summary>
    internal void Return(DocumentSnapshot snapshot)
    {
        lock (_gate)
        {
            if (_pooled < PooledSnapshotsMax)
            {
                _pool[_pooled++] = snapshot;
            }
        }

        _released();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Merger.Dispose();
        Environment.Dispose();
    }

    private byte[] NameOfCollection(int id)
    {
        // Mostly the name is known, and no transaction is needed; else the commit that made it is visible by now.
        if (Collections.TryGet(id, out byte[]? name))
        {
            return name;
        }

        using ReadTransaction transaction = Environment.BeginRead();
        return Collections.Load(id, transaction);
    }

    private static bool TryReadId(StorageEnvironment environment, string name, [NotNullWhen(true)] out DatabaseId? id)
    {
        using ReadTransaction transaction = environment.BeginRead();
        Tree? database = transaction.TryOpenTree(DocumentSchema.Database);
        if (database is null || !database.TryGet(DocumentSchema.VersionKey, out NativeSlice version))
        {
            id = null;
            return false;
        }

        int format = BinaryPrimitives.ReadInt32LittleEndian(version.Span);
        if (format > DocumentSchema.FormatVersion)
        {
            throw new DatabaseFormatException(name, format, DocumentSchema.FormatVersion);
        }

        if (!database.TryGet(DocumentSchema.IdKey, out NativeSlice value) || value.Length != 16)
        {
            throw new StorageCorruptedException("documents", -1, "the database has no id");
        }

        id = new DatabaseId(new Guid(value.Span));
        return true;
    }

    /// <summary>What was being uploaded when the database was closed is nobody's (ATT-2).</summary>
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

    private static long ReadLastEtag(StorageEnvironment environment)
    {
        using ReadTransaction transaction = environment.BeginRead();
        Tree? database = transaction.TryOpenTree(DocumentSchema.Database);
        return database is not null && database.TryGet(DocumentSchema.LastEtagKey, out NativeSlice value)
            ? BinaryPrimitives.ReadInt64LittleEndian(value.Span)
            : 0;
    }

    private static DatabaseId Create(StorageEnvironment environment, Guid newId)
    {
        DatabaseId id = new(newId);
        using WriteTransaction transaction = environment.BeginWrite();
        new DocumentTables().Begin(transaction);
        Tree database = transaction.OpenOrCreateTree(DocumentSchema.Database);
        Span<byte> value = stackalloc byte[16];
        newId.TryWriteBytes(value);
        database.Put(DocumentSchema.IdKey, value);
        BinaryPrimitives.WriteInt32LittleEndian(value, DocumentSchema.FormatVersion);
        database.Put(DocumentSchema.VersionKey, value[..sizeof(int)]);
        transaction.Commit();
        return id;
    }
}
