using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using Raven.Documents.Changes;
using Raven.Documents.Rows;
using Raven.Storage.Compaction;
using Raven.Storage.Options;
using Raven.Storage.Transactions;

namespace Raven.Documents;

//   DB-1  A user of a database holds its storage (HOLD-1), which may change: it is closed while it has no users, and
//         replaced by a copy if the database is compacted. A user that began on the old one ends on the old one.
//   DB-3  A deleted database is closed by the last user that releases it, and is never opened again.

/// <summary>
/// The storage of a database from its first use to its deletion: opened when it is used, closed after it was idle,
/// replaced by a copy. Any thread.
/// </summary>
internal sealed class DatabaseLifecycle(DatabaseOptions options, DocumentChanges changes, ReopenSchedule due)
    : IDisposable
{
    private readonly Lock _gate = new();
    private readonly DatabaseOpener _opener = new(options, changes, due);
    private DatabaseStorage? _storage;
    private bool _isUsed;
    private volatile bool _isDeleted;

    /// <summary>The database's indexes, which are closed with it; null for a database without indexing.</summary>
    internal IDatabaseIndexes? Indexes { get; set; }

    /// <summary>The open storage, or null.</summary>
    internal DatabaseStorage? Storage => Volatile.Read(ref _storage);

    /// <summary>Why it cannot be opened, or could not be when that was tried last; null if it could.</summary>
    internal string? Failure => _opener.Failure;

    /// <summary>Why it must not be opened, if that is known without trying; null if it may be.</summary>
    internal string? Damage
    {
        get => _opener.Damage;
        set => _opener.Damage = value;
    }

    /// <summary>Holds the storage, and opens it if it is closed; the caller releases it.</summary>
    /// <exception cref="DatabaseDeletedException">The database was deleted.</exception>
    internal DatabaseStorage Enter()
    {
        if (!Volatile.Read(ref _isUsed))
        {
            Volatile.Write(ref _isUsed, true);
        }

        return TryHold(out DatabaseStorage? storage) ? storage : OpenAndHold();
    }

    /// <summary>Holds the storage if it is open, without counting as a use; the caller releases it.</summary>
    internal bool TryHold([NotNullWhen(true)] out DatabaseStorage? storage)
    {
        storage = Volatile.Read(ref _storage);
        return storage is not null && storage.TryHold();
    }

    /// <summary>Closes it, if it has no users; the next use opens it again.</summary>
    /// <returns>False if it has users.</returns>
    internal bool TryClose()
    {
        lock (_gate)
        {
            // One of a group is closed by its replica alone.
            if (_storage is not { } storage || options.IsInGroup || !storage.TryEnd())
            {
                return _storage is null;
            }

            // It has ended: even if the closing fails, it must not be found here any more (HOLD-2).
            _storage = null;
            try
            {
                due.StoreNext(storage);
                Indexes?.Close();
            }
            finally
            {
                storage.Dispose();
            }

            return true;
        }
    }

    /// <summary>Gives out the storage of a group, which its replica has opened.</summary>
    internal void Serve(DatabaseStorage storage)
    {
        lock (_gate)
        {
            ThrowIfDeleted();
            Volatile.Write(ref _storage, storage);
        }

        Indexes?.Signal();
    }

    /// <summary>Does not give out the storage any more; those that hold it may end.</summary>
    internal void StopServing()
    {
        lock (_gate)
        {
            _storage = null;
        }
    }

    /// <summary>Closes it if it was not used since the last call.</summary>
    internal void CloseIfIdle()
    {
        if (Volatile.Read(ref _isUsed))
        {
            Volatile.Write(ref _isUsed, false);
        }
        else if (Storage is not null)
        {
            TryClose();
        }
    }

    /// <summary>Refuses new users, and closes it now or when the last user releases it (DB-3).</summary>
    /// <param name="whenClosed">Called once, after it is closed.</param>
    internal void Delete(Action whenClosed)
    {
        DatabaseStorage? storage;
        lock (_gate)
        {
            _isDeleted = true;
            storage = _storage;
            _storage = null;
        }

        changes.NotifyDeleted();
        Indexes?.Dispose();
        if (storage is null)
        {
            whenClosed();
        }
        else
        {
            storage.Retire(whenClosed);
        }
    }

    /// <summary>Refuses new users, because it may go on only after a restart; users that hold it may end.</summary>
    internal void Refuse(string damage)
    {
        lock (_gate)
        {
            Damage = damage;
            DatabaseStorage? storage = _storage;
            _storage = null;
            storage?.Retire(() => { });
        }
    }

    /// <summary>Copies all into an empty folder, and goes on there. No change may be under way (DB-2).</summary>
    /// <param name="target">The empty folder.</param>
    /// <param name="adopt">Makes the folder the database's own, durably: the copy is whole, and closed.</param>
    /// <param name="whenClosed">Called when the last user has released the old storage, and it is closed.</param>
    /// <param name="copied">Called with the number of bytes of contents that are copied so far.</param>
    /// <param name="cancellation">Ends it, while the copy is made.</param>
    /// <returns>The size on disk before and after.</returns>
    /// <exception cref="DatabaseDeletedException">The database was deleted.</exception>
    internal (long BytesBefore, long BytesAfter) Compact(
        Func<StorageOptions> target, Action adopt, Action whenClosed, Action<long> copied,
        CancellationToken cancellation)
    {
        DatabaseStorage old = Enter();
        try
        {
            StorageOptions folder = target();
            using (StorageEnvironment copy = StorageEnvironment.Open(folder))
            using (ReadTransaction source = old.Environment.BeginRead())
            {
                source.Purpose = "compaction";
                StructureCopy.Run(source, copy, RowReferences.Find, cancellation, bytes => Report(bytes, copied));
            }

            return Replace(old, folder, adopt, whenClosed);
        }
        finally
        {
            old.Release();
        }
    }

    /// <summary>Closes it for good. Its users must be stopped before: they lose its storage.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            if (!_isDeleted && _storage is { } storage)
            {
                due.StoreNext(storage);
            }

            _isDeleted = true;
            Indexes?.Dispose();
            _storage?.Dispose();
            _storage = null;
        }
    }

    private (long BytesBefore, long BytesAfter) Replace(
        DatabaseStorage old, StorageOptions folder, Action adopt, Action whenClosed)
    {
        lock (_gate)
        {
            ThrowIfDeleted();
            DatabaseStorage next = DatabaseStorage.Open(options, folder, changes, keepsUploads: true);
            try
            {
                adopt();
            }
            catch
            {
                next.Dispose();
                throw;
            }

            (long, long) sizes = (SizeOf(old), SizeOf(next));
            Volatile.Write(ref _storage, next);
            try
            {
                // The indexes are in the old folder, and are rebuilt in the new one.
                Indexes?.Move();
            }
            finally
            {
                old.Retire(whenClosed);
            }

            return sizes;
        }
    }

    private static long SizeOf(DatabaseStorage storage) => storage.Environment.GetStatistics().SizeOnDiskBytes;

    private void Report(long bytes, Action<long> copied)
    {
        ThrowIfDeleted();
        copied(bytes);
    }

    private void ThrowIfDeleted()
    {
        if (_isDeleted)
        {
            throw new DatabaseDeletedException(options.Name);
        }
    }

    private DatabaseStorage OpenAndHold()
    {
        lock (_gate)
        {
            ThrowIfDeleted();
            DatabaseStorage storage = _storage
                ?? (options.IsInGroup ? throw new DatabaseNotServingException(options.Name) : _opener.Open());
            bool isHeld = storage.TryHold();
            Debug.Assert(isHeld, "HOLD-2: it is closed under the lock only.");
            Volatile.Write(ref _storage, storage);
            Indexes?.Signal();
            return storage;
        }
    }
}
