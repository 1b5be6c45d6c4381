using Raven.Storage.Checks;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Journal;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Platform;
using Raven.Storage.Recovery;

namespace Raven.Storage.Transactions;

/// <summary>
/// One store: a data file, its journal, and the transactions on them. One writer at a time, any number of readers.
/// All members may be called from any thread.
/// </summary>
public sealed class StorageEnvironment : IDisposable
{
    private readonly IFile _lockFile;
    private readonly ScratchPool _scratch;
    private readonly FreeSpace _freeSpace = new();
    private readonly SnapshotPublisher _snapshots;
    private readonly ReaderPool _readerPool;
    private readonly Committer _committer;
    private readonly SemaphoreSlim _writeLock = new(1, 1);
    private readonly Lock _headerLock = new();
    private readonly WriterPool _writers;
    private readonly Flusher _flusher;
    private readonly WritePressure _pressure;
    private volatile bool _isClosed;
    private volatile bool _endsWithLastReader;
    private int _isReleased;

    private StorageEnvironment(StorageOptions options, IFile lockFile, DataFile data, RecoveryResult recovery)
    {
        Options = options;
        Data = data;
        Recovery = recovery;
        _lockFile = lockFile;
        _scratch = new ScratchPool(options.ScratchBudget);
        var files = new JournalFiles(options.FileSystem, options);
        Journal = new JournalWriter(files, options, Faults, data.Applied.JournalIncarnation);
        _snapshots = new SnapshotPublisher(Readers, _scratch, options.Hooks);
        _snapshots.Publish(data.Applied);
        _committer = new Committer(this, _snapshots);
        _readerPool = new ReaderPool(this);
        _flusher = new Flusher(this);
        _pressure = new WritePressure(this);
        _writers = new WriterPool(this, _scratch, _freeSpace);
        Audits = options.AuditsCommits ? new CommitAudit() : null;
    }

    /// <summary>Seeds the checksums of this environment; made with it and never changed.</summary>
    public ulong EnvironmentId => Data.EnvironmentId;

    /// <summary>What was found and done when it was opened.</summary>
    public RecoveryResult Recovery { get; }

    /// <summary>The last commit that readers see.</summary>
    public long LastTransactionId => _snapshots.Current.Point.TransactionId;

    /// <summary>Why writes are refused until the environment is opened anew; null while they are not.</summary>
    public Exception? Fault => Faults.First;

    /// <summary>What the first read of a damaged page found since the open; null if no such page was read.</summary>
    public StorageCorruptedException? Damage => Data.Damage;

    internal StorageOptions Options { get; }

    internal DataFile Data { get; }

    internal JournalWriter Journal { get; }

    internal FaultLatch Faults { get; } = new();

    internal ReaderRegistry Readers { get; } = new();

    internal Snapshot CurrentSnapshot => _snapshots.Current;

    /// <summary>The table with every committed version. Read under the write lock.</summary>
    internal PageTable NewestTable => _snapshots.Table;

    internal Committer Committer => _committer;

    /// <summary>The state that the next write transaction starts from. Read under the write lock.</summary>
    internal ref readonly CommitPoint LastCommitted => ref _committer.Last;

    /// <summary>True while a transaction is open, or one that ended is not in the journal yet. Any thread.</summary>
    internal bool HasWriter =>
        _writeLock.CurrentCount == 0 || LastTransactionId < _committer.Last.TransactionId;

    /// <summary>What is held for recovery: journal, and runs that recovery would check.</summary>
    internal long BacklogBytes => Journal.BacklogBytes + _committer.DirectBacklogBytes;

    internal ScratchPool Scratch => _scratch;

    internal long LastVersionWithAppliedPages => _snapshots.LastVersionWithAppliedPages;

    internal FreeSpace FreeSpace => _freeSpace;

    internal Flusher Flusher => _flusher;

    internal WritePressure Pressure => _pressure;

    /// <summary>Audits each commit, if that is wanted.</summary>
    internal CommitAudit? Audits { get; }

    /// <summary>Opens the environment in a folder, recovers what a crash left, or makes a new one.</summary>
    /// <exception cref="StorageInUseException">Another process has it open.</exception>
    /// <exception cref="StorageCorruptedException">What is there is damaged beyond what a crash can do.</exception>
    /// <exception cref="StorageVersionException">A newer build wrote it.</exception>
    /// <exception cref="StorageIOException">The disk refused.</exception>
    public static StorageEnvironment Open(StorageOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        IFile lockFile = FolderLock.Take(options.FileSystem);
        DataFile? data = null;
        StorageEnvironment? environment = null;
        try
        {
            DataFile.CreateIfNew(options);
            data = DataFile.Open(options);
            using var recovery = new JournalRecovery(options, data);
            environment = new StorageEnvironment(options, lockFile, data, recovery.Run());
            environment.Load();
            return environment;
        }
        catch
        {
            environment?.Release();
            data?.Dispose();
            lockFile.Dispose();
            throw;
        }
    }

    /// <summary>Begins to read the last durable state. Never waits.</summary>
    public ReadTransaction BeginRead()
    {
        ObjectDisposedException.ThrowIf(_isClosed, this);
        ReadTransaction transaction = _readerPool.Rent();
        ReaderSlot slot = transaction.Slot;
        Interlocked.Increment(ref slot.Number);
        slot.StartedAt = Options.Clock.GetTimestamp();
        slot.BytesBefore = _committer.BytesCommitted;
        Snapshot snapshot = _snapshots.Register(slot);
        if (_isClosed)
        {
            // Dispose may have looked for readers before this one registered: nothing of the state may be touched.
            Interlocked.Exchange(ref slot.Version, 0);
            Readers.RemoveSlot(slot);
            EndAfterLastReader();
            throw new ObjectDisposedException(nameof(StorageEnvironment));
        }

        transaction.Begin(snapshot);
        return transaction;
    }

    /// <summary>Begins to write; waits while another transaction writes.</summary>
    /// <exception cref="StoragePoisonedException">An earlier write failed.</exception>
    public WriteTransaction BeginWrite()
    {
        ObjectDisposedException.ThrowIf(_isClosed, this);
        Faults.ThrowIfTripped();
        _pressure.WaitForRoom();
        _writeLock.Wait();
        if (_isClosed)
        {
            _writeLock.Release();
            ObjectDisposedException.ThrowIf(_isClosed, this);
        }

        try
        {
            Faults.ThrowIfTripped();
            WriteTransaction transaction = _writers.Rent();
            transaction.Begin(_committer.Last, _snapshots.Table);
            return transaction;
        }
        catch
        {
            EndWrite();
            throw;
        }
    }

    /// <summary>Applies what is committed to the data file now, as far as open readers allow.</summary>
    /// <returns>True if all of it is applied.</returns>
    public bool Flush() => _flusher.TryApply(LastTransactionId);

    /// <summary>
    /// Waits until every commit so far is on the medium. Only a lazy environment
    /// (<see cref="StorageDurability.Lazy"/>) has anything to wait for.
    /// </summary>
    /// <exception cref="StorageIOException">The disk refused; writes are refused from then on.</exception>
    public void SyncJournal()
    {
        ObjectDisposedException.ThrowIf(_isClosed, this);
        if (Options.Durability == StorageDurability.Lazy)
        {
            Journal.Sync();
        }
    }

    /// <summary>The figures of this environment.</summary>
    public StorageStatistics GetStatistics()
    {
        ReaderSlot? oldest = Readers.Oldest();
        Snapshot snapshot = CurrentSnapshot;
        return new StorageStatistics
        {
            LastTransactionId = snapshot.Point.TransactionId,
            AppliedTransactionId = Data.Applied.TransactionId,
            Pages = snapshot.Point.NextPageNumber,
            FreePages = _freeSpace.FreePages,
            DataFileBytes = Data.LengthBytes,
            JournalFileBytes = Journal.Files.TotalBytes,
            JournalBacklogBytes = Journal.BacklogBytes,
            JournalFiles = (Journal.Files.CreatedCount, Journal.Files.RecycledCount),
            Scratch = (_scratch.UsedBytes, _scratch.CommittedBytes),
            Readers = Readers.Count(),
            OldestReader = oldest is null
                ? (TimeSpan.Zero, "")
                : (Options.Clock.GetElapsedTime(oldest.StartedAt), oldest.Purpose),
            Flushes = _flusher.Count,
            LongestFlushLock = _flusher.LongestLock,
            JournalWrites = _committer.WriteLatency,
        };
    }

    /// <summary>
    /// Checks all of the last state: each page has one owner, or is free; keys in order; counts equal. Reads
    /// everything.
    /// </summary>
    public CheckReport Audit()
    {
        using ReadTransaction reader = BeginRead();
        reader.Purpose = "audit";
        return reader.Check();
    }

    /// <summary>
    /// Closes the environment: ends its readers, applies the journal and lets the files go. A reader that does not end
    /// keeps the memory that it reads and the lock of the folder until it does; the data file is not written any more.
    /// Not to be called while a write transaction is open on this thread.
    /// </summary>
    public void Dispose()
    {
        if (_isClosed)
        {
            return;
        }

        _writeLock.Wait();
        if (_isClosed)
        {
            _writeLock.Release();
            return;
        }

        _isClosed = true;
        _committer.WaitForJournal();
        _writeLock.Release();
        bool readersEnded = _readerPool.EndAll(Options);
        if (readersEnded)
        {
            CloseCleanly();
        }

        _pressure.Dispose();

        // In any case: a flush that goes on when the folder is another environment's writes over what that one wrote.
        _flusher.Close();
        if (!readersEnded)
        {
            Report(true, $"{Readers.Count()} readers did not end; their memory, and the folder's lock, are kept.");
        }

        _endsWithLastReader = true;
        EndAfterLastReader();
    }

    /// <summary>The whole of a commit, on this thread.</summary>
    internal void Commit(WriteTransaction transaction)
    {
        if (TryPrepare(transaction, out PreparedCommit commit))
        {
            Write(commit);
        }
    }

    /// <summary>The part of a commit under the write lock, which is let go in any case. False if nothing was changed.
    /// </summary>
    internal bool TryPrepare(WriteTransaction transaction, out PreparedCommit commit)
    {
        try
        {
            transaction.SaveCatalog();
            if (!transaction.HasChanges)
            {
                transaction.Abandon();
                _committer.WaitUntilDurable();
                commit = default;
                return false;
            }

            Audits?.Run(transaction, transaction.Point, transaction.Dirty, _freeSpace.FreePages);
            commit = _committer.Prepare(transaction);
        }
        catch (Exception failure)
        {
            Audits?.Forget();
            if (failure is StorageAuditException)
            {
                Faults.Trip(failure);
            }

            transaction.Abandon();
            if (failure is StorageIOException { IsDiskFull: true })
            {
                // The journal files that a flush gives back are room too.
                _flusher.Request();
            }

            throw;
        }

        _pressure.FlushIfDue();
        EndWrite();
        return true;
    }

    /// <summary>The part of a commit that waits for the disk.</summary>
    internal void Write(in PreparedCommit commit)
    {
        _committer.Write(commit);
        if (_flusher.IsWaiting)
        {
            _pressure.CheckReaders();
            _flusher.Schedule();
        }
    }

    internal void ReturnWriter(WriteTransaction transaction) => _writers.Return(transaction);

    internal void ReturnReader(ReadTransaction transaction) => _readerPool.Return(transaction);

    /// <summary>Goes on with what waited for a reader, which holds nothing any more.</summary>
    internal void EndRead()
    {
        if (_flusher.IsWaiting)
        {
            _flusher.Schedule();
        }

        _snapshots.ReclaimIfWaiting();
        EndAfterLastReader();
    }

    /// <summary>Lets the write lock go, after what waits for it has been done.</summary>
    internal void EndWrite()
    {
        do
        {
            _flusher.RunLocked();
            _writeLock.Release();
        }
        while (_flusher.WantsLock && _writeLock.Wait(0));
    }

    /// <summary>Runs what needs the write lock now, or leaves it to the writer that has it.</summary>
    internal bool TryRunMaintenance()
    {
        if (!_writeLock.Wait(0))
        {
            return false;
        }

        EndWrite();
        return true;
    }

    internal void BeginBoundary() => _committer.BeginBoundary();

    internal void ExchangeTable(long appliedTransaction)
    {
        Options.Hooks.Mark(ProtocolMark.TableExchanged);
        _snapshots.DropVersions(appliedTransaction);
        _snapshots.PublishAgain();
        _committer.EndFlush();
    }

    internal void WriteHeader(in CommitPoint point)
    {
        lock (_headerLock)
        {
            try
            {
                Data.WriteHeader(point);
            }
            catch (Exception failure)
            {
                Faults.Trip(failure);
                throw;
            }
        }
    }

    internal void FlushEnded()
    {
        _snapshots.ReclaimIfWaiting();
        _pressure.FlushEnded();
    }

    internal void Report(bool isWarning, string message) => Options.Tell(isWarning, message);

    /// <summary>Takes over what the last use of the folder left.</summary>
    private void Load()
    {
        if (Options.FileSystem.List().Any(name => JournalName.TryParse(name, out _)))
        {
            // A process that was killed may have left names and a header that were not synced. This one sees them, a
            // power cut would still take them away: they have to last before journal files are deleted or used again.
            if (!Recovery.JournalRead)
            {
                Data.Sync();
            }

            Options.FileSystem.SyncDirectory();
            Journal.Files.AdoptAll();
        }

        using ReadTransaction read = BeginRead();
        _freeSpace.Load(read, read.NextPageNumber);
    }

    /// <summary>Applies everything, so that the next open has nothing to recover.</summary>
    private void CloseCleanly()
    {
        if (Faults.IsTripped || !Journal.IsStarted)
        {
            return;
        }

        // A flush that was under way ends before the last commit; the one after it does not.
        _ = Flush() && Flush();
        if (!Faults.IsTripped && Data.Applied.TransactionId == _committer.Last.TransactionId)
        {
            CommitPoint point = Data.Applied;
            point.JournalFileNumber = point.JournalOffset = point.JournalLengthBytes = 0;
            point.JournalIncarnation = Journal.NextIncarnation;
            Options.Hooks.Mark(ProtocolMark.ClosedCleanly);
            try
            {
                WriteHeader(point);
            }
            catch (StorageIOException failure)
            {
                Report(true, $"The last header could not be written; the next open recovers: {failure.Message}");
            }
        }
    }

    /// <summary>
    /// Lets memory and files of a closed environment go when no reader is left; called whenever one may have ended.
    /// </summary>
    private void EndAfterLastReader()
    {
        if (!_endsWithLastReader)
        {
            return;
        }

        // A reader that registers after this look sees that it is closed, and touches nothing.
        Interlocked.MemoryBarrier();
        if (Readers.Count() == 0 && Interlocked.Exchange(ref _isReleased, 1) == 0)
        {
            Release();
        }
    }

    private void Release()
    {
        _writers.Dispose();
        _snapshots.Dispose();
        _scratch.Dispose();
        _committer.Dispose();
        Data.Dispose();
        Journal.Dispose();
        _lockFile.Dispose();
    }
}
