using Raven.Storage.Checks;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Journal;
using Raven.Storage.Log;
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
    private readonly StorageParts _parts;
    private readonly CommitState _state;
    private readonly WriteLock _writeLock = new();
    private readonly ReaderPool _readerPool;
    private readonly WriterPool _writers;
    private volatile bool _isClosed;
    private volatile bool _endsWithLastReader;
    private int _isReleased;

    private StorageEnvironment(StorageOptions options, IFile lockFile, DataFile data, RecoveryResult recovery)
    {
        Recovery = recovery;
        _lockFile = lockFile;
        _parts = MakeParts(options, data);
        _parts.Snapshots.Publish(data.Applied);
        _state = new CommitState(options, _parts.FreeSpace, data.Applied);
        Flusher = new Flusher(_parts, _state, _writeLock);
        _writeLock.Flusher = Flusher;
        Pressure = new WritePressure(_parts, _state, _writeLock, Flusher);
        Audits = options.AuditsCommits ? new CommitAudit() : null;
        Commits = new CommitProtocol(_parts, _state, _writeLock, Pressure, Audits);
        _readerPool = new ReaderPool(this);
        _writers = new WriterPool(this, _parts, _state, _writeLock);
    }

    /// <summary>The id of the environment, which seeds its checksums: drawn when it is created, and never changed.
    /// </summary>
    public ulong EnvironmentId => Data.EnvironmentId;

    /// <summary>What was found and done when it was opened.</summary>
    public RecoveryResult Recovery { get; }

    /// <summary>The last commit that readers see.</summary>
    public long LastTransactionId => _parts.LastTransactionId;

    /// <summary>Where the last commit that readers see is in the log of a group.</summary>
    public LogPosition Log => _parts.Snapshots.Log;

    /// <summary>
    /// The same of the last commit that the own journal has: behind <see cref="Log"/> while a commit is parked.
    /// </summary>
    public LogPosition LogDurable
    {
        get
        {
            LogPosition parked = Commits.LastParked;
            LogPosition seen = Log;
            return parked.TransactionId > seen.TransactionId ? parked : seen;
        }
    }

    /// <summary>Why writes are refused until the environment is opened again; null if they are not refused.</summary>
    public Exception? Fault => Faults.First;

    /// <summary>What the first read of a damaged page found since the open; null if no such page was read.</summary>
    public StorageCorruptedException? Damage => Data.Damage;

    internal StorageOptions Options => _parts.Options;

    internal DataFile Data => _parts.Data;

    internal FaultLatch Faults => _parts.Faults;

    internal ReaderRegistry Readers => _parts.Readers;

    internal ScratchPool Scratch => _parts.Scratch;

    internal FreeSpace FreeSpace => _parts.FreeSpace;

    internal CommitState CommitState => _state;

    internal JournalSpool Spool => _parts.Journal.Files.Spool;

    internal CommitProtocol Commits { get; }

    internal Flusher Flusher { get; }

    internal WritePressure Pressure { get; }

    /// <summary>Audits each commit, if that is switched on.</summary>
    internal CommitAudit? Audits { get; }

    /// <summary>Opens the environment in a folder, recovers what a crash left, or makes a new one.</summary>
    /// <exception cref="StorageInUseException">Another process has it open.</exception>
    /// <exception cref="StorageCorruptedException">What is there is damaged beyond what a crash can do.</exception>
    /// <exception cref="StorageVersionException">A newer build wrote it.</exception>
    /// <exception cref="DeltaUnfinishedException">It has parts of another state (DELTA-1).</exception>
    /// <exception cref="RecoverUpToException">It cannot end with <see cref="StorageOptions.RecoverUpTo"/>.</exception>
    /// <exception cref="StorageIOException">The disk refused.</exception>
    public static StorageEnvironment Open(StorageOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        IFile lockFile = FolderLock.Acquire(options.FileSystem);
        DataFile? data = null;
        StorageEnvironment? environment = null;
        try
        {
            if (options.FileSystem.Exists(DataFile.DeltaMarkName))
            {
                throw new DeltaUnfinishedException(options.FileSystem.Description);
            }

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
        slot.BytesBefore = _state.BytesCommitted;
        Snapshot snapshot = _parts.Snapshots.Register(slot);
        if (_isClosed)
        {
            // Dispose may have checked for readers before this one registered: nothing of the state may be touched.
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
        Commits.ThrowIfRefused();
        Pressure.WaitForRoom();
        _writeLock.Enter();
        if (_isClosed)
        {
            _writeLock.ExitClosed();
            ObjectDisposedException.ThrowIf(_isClosed, this);
        }

        try
        {
            Commits.ThrowIfRefused();
            WriteTransaction transaction = _writers.Rent();
            transaction.Begin(_state.Last, _parts.Snapshots.Table);
            return transaction;
        }
        catch
        {
            _writeLock.Exit();
            throw;
        }
    }

    /// <summary>
    /// Lets a gate decide from now on when a commit is published. Waits for the write in flight; a gate stays.
    /// </summary>
    /// <exception cref="InvalidOperationException">It has one, or is lazy: what its journal has is not durable.
    /// </exception>
    public void AttachGate(ICommitGate gate)
    {
        ArgumentNullException.ThrowIfNull(gate);
        if (Options.Durability != StorageDurability.Durable)
        {
            throw new InvalidOperationException("A lazy environment has no gate.");
        }

        using WriteTransaction none = BeginWrite();
        Commits.Attach(gate);
    }

    /// <summary>
    /// Says that a parked commit is committed: readers see it, and its writers go on. On this thread run the commands'
    /// notifications.
    /// </summary>
    /// <returns>False if no commit of that transaction is parked.</returns>
    public bool SettleCommit(long transactionId) => Commits.Settle(transactionId);

    /// <summary>
    /// Says that nobody here knows any more what becomes of a parked commit: its writers have a
    /// <see cref="StoragePoisonedException"/>, and writes are refused until the environment is opened again.
    /// </summary>
    /// <returns>False if no commit of that transaction is parked.</returns>
    public bool LoseCommit(long transactionId, Exception cause)
    {
        ArgumentNullException.ThrowIfNull(cause);
        return Commits.Lose(transactionId, cause);
    }

    /// <summary>Applies what is committed to the data file now, as far as open readers allow.</summary>
    /// <returns>True if all of it is applied.</returns>
    public bool Flush() => Flusher.TryApply(LastTransactionId);

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
            _parts.Journal.Sync();
        }
    }

    /// <summary>The figures of this environment.</summary>
    public StorageStatistics GetStatistics()
    {
        ReaderSlot? oldest = Readers.Oldest();
        Snapshot snapshot = _parts.Snapshots.Current;
        JournalWriter journal = _parts.Journal;
        return new StorageStatistics
        {
            LastTransactionId = snapshot.Point.TransactionId,
            AppliedTransactionId = Data.Applied.TransactionId,
            Pages = snapshot.Point.NextPageNumber,
            FreePages = FreeSpace.FreePages,
            DataFileBytes = Data.LengthBytes,
            JournalFileBytes = journal.Files.TotalBytes,
            JournalBacklogBytes = journal.BacklogBytes,
            JournalFiles = (journal.Files.CreatedCount, journal.Files.RecycledCount),
            Scratch = (Scratch.UsedBytes, Scratch.CommittedBytes),
            Readers = Readers.Count(),
            OldestReader = oldest is null
                ? (TimeSpan.Zero, "")
                : (Options.Clock.GetElapsedTime(oldest.StartedAt), oldest.Purpose),
            Flushes = Flusher.Count,
            LongestFlushLock = Flusher.LongestLock,
            JournalWrites = Commits.WriteLatency,
        };
    }

    /// <summary>
    /// Checks all of the last state: each page has one owner, or is free; keys in order; counts
    /// equal. Reads everything.
    /// </summary>
    public CheckReport Audit()
    {
        using ReadTransaction reader = BeginRead();
        reader.Purpose = "audit";
        return reader.Check();
    }

    /// <summary>
    /// Closes the environment: ends its readers, applies the journal and closes the files. A parked commit is lost for
    /// those who wait for it (<see cref="LoseCommit"/>), and is in the journal when it is opened again. A reader that
    /// does not end keeps the memory that it reads and the lock of the folder until it does; the data file is not
    /// written anymore.
    /// Not to be called while a write transaction is open on this thread.
    /// </summary>
    public void Dispose()
    {
        if (_isClosed)
        {
            return;
        }

        // Who has the write lock may wait for the journal lock, which a parked commit has.
        Commits.LoseParked(closes: true);
        _writeLock.Enter();
        if (_isClosed)
        {
            _writeLock.ExitClosed();
            return;
        }

        _isClosed = true;
        Commits.WaitForJournal();
        _writeLock.ExitClosed();
        bool readersEnded = _readerPool.EndAll(Options);
        if (readersEnded)
        {
            CloseCleanly();
        }

        Pressure.Dispose();

        // Waits in any case: if a flush went on after the folder was given up, it would overwrite what the next
        // environment in that folder writes.
        Flusher.Close();
        if (!readersEnded)
        {
            Options.Report(
                true, $"{Readers.Count()} readers did not end; their memory, and the folder's lock, are kept.");
        }

        _endsWithLastReader = true;
        EndAfterLastReader();
    }

    internal void ReturnWriter(WriteTransaction transaction) => _writers.Return(transaction);

    internal void ReturnReader(ReadTransaction transaction) => _readerPool.Return(transaction);

    /// <summary>Called when a reader has ended: continues the flush or the close that waited for it.</summary>
    internal void EndRead()
    {
        if (Flusher.IsWaiting)
        {
            Flusher.Schedule();
        }

        _parts.Snapshots.ReclaimIfWaiting();
        EndAfterLastReader();
    }

    private static StorageParts MakeParts(StorageOptions options, DataFile data)
    {
        var faults = new FaultLatch();
        var scratch = new ScratchPool(options.ScratchBudget);
        var readers = new ReaderRegistry();
        var files = new JournalFiles(options.FileSystem, options);
        return new StorageParts(
            options,
            faults,
            data,
            new HeaderWriter(data, faults),
            new JournalWriter(files, options, faults, data.Applied.JournalIncarnation),
            scratch,
            new FreeSpace(),
            readers,
            new SnapshotPublisher(readers, scratch, options.Hooks));
    }

    /// <summary>Recovers what the last use of the folder left.</summary>
    private void Load()
    {
        if (Options.FileSystem.List().Any(name => JournalName.TryParse(name, out _)))
        {
            // A process that was killed may have left names and a header that were not synced. They are visible now,
            // but a power cut would remove them: they have to be durable before journal files are deleted or reused.
            if (!Recovery.JournalRead)
            {
                Data.Sync();
            }

            Options.FileSystem.SyncDirectory();
        }

        _parts.Journal.Files.Spool.Open(EnvironmentId);
        _parts.Journal.Files.AdoptAll();

        using ReadTransaction read = BeginRead();
        FreeSpace.Load(read, read.NextPageNumber);
    }

    /// <summary>Applies everything, so that the next open has nothing to recover.</summary>
    private void CloseCleanly()
    {
        if (Faults.IsTripped || !_parts.Journal.IsStarted)
        {
            return;
        }

        // A flush that was under way ends before the last commit; the one after it does not.
        _ = Flush() && Flush();
        if (!Faults.IsTripped && Data.Applied.TransactionId == _state.Last.TransactionId)
        {
            CommitPoint point = Data.Applied;
            point.JournalFileNumber = point.JournalOffset = point.JournalLengthBytes = 0;
            point.JournalIncarnation = _parts.Journal.NextIncarnation;
            Options.Hooks.Mark(CoverageMark.ClosedCleanly);
            try
            {
                _parts.Header.Write(point);
            }
            catch (StorageIOException failure)
            {
                Options.Report(
                    true, $"The last header could not be written; the next open recovers: {failure.Message}");
            }
        }
    }

    /// <summary>
    /// Frees memory and files of a closed environment when no reader is left; called whenever one may have ended.
    /// </summary>
    private void EndAfterLastReader()
    {
        if (!_endsWithLastReader)
        {
            return;
        }

        // A reader that registers after this check sees that the environment is closed, and reads nothing.
        Interlocked.MemoryBarrier();
        if (Readers.Count() == 0 && Interlocked.Exchange(ref _isReleased, 1) == 0)
        {
            Release();
        }
    }

    private void Release()
    {
        _writers.Dispose();
        _parts.Snapshots.Dispose();
        Scratch.Dispose();
        Commits.Dispose();
        _writeLock.Dispose();
        Data.Dispose();
        _parts.Journal.Dispose();
        _lockFile.Dispose();
    }
}
