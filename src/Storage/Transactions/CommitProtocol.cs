using Raven.Storage.Checks;
using Raven.Storage.Errors;
using Raven.Storage.Journal;
using Raven.Storage.Log;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Platform;

namespace Raven.Storage.Transactions;

// COMMIT-1  Under the write lock, the journal record is encoded, packed, given its place in the journal and sealed with
//           the hash of the record before. Then the next write transaction may begin, and sees this one.
// COMMIT-2  The journal lock is taken before the write lock is released, and held during the journal write. So records
//           are written in the order of the chain, and at most one write is in flight.
// COMMIT-3  Readers, flush and watchers see the state only after its write is durable. If the write fails, the fault
//           latch keeps every later commit from being acknowledged, and no reader ever sees a state that builds on it.
//           The same holds if the write is durable but cannot be published: then the transaction is there after the
//           environment is opened again.
// COMMIT-4  The record has the time of the commit. It is never less than that of the transaction before, over restarts
//           and whatever the clock does.

/// <summary>
/// The commit of a transaction, step by step: <see cref="TryPrepare"/> under the write lock, then <see cref="Write"/>
/// and <see cref="Publish"/> under the journal lock, while the next transaction is built.
/// </summary>
internal sealed class CommitProtocol : IDisposable
{
    private readonly StorageOptions _options;
    private readonly FaultLatch _faults;
    private readonly DataFile _data;
    private readonly HeaderWriter _header;
    private readonly JournalWriter _journal;
    private readonly ScratchPool _scratch;
    private readonly FreeSpace _freeSpace;
    private readonly SnapshotPublisher _snapshots;
    private readonly CommitState _state;
    private readonly WriteLock _writeLock;
    private readonly WritePressure _pressure;
    private readonly CommitAudit? _audit;
    private readonly BinarySemaphore _journalLock = new();
    private readonly CommitRecord[] _records;
    private readonly RecordPacking _packing;
    private readonly ParkedCommits _parked = new();
    private readonly CommitSpan _span = new();
    private ICommitGate? _gate;
    private long _writeBegan;

    /// <param name="parts">The files, memory and snapshots of the environment.</param>
    /// <param name="state">How far its commits are.</param>
    /// <param name="writeLock">The lock that a writer holds until its commit is prepared.</param>
    /// <param name="pressure">Begins a flush if a commit makes one due.</param>
    /// <param name="audit">Checks what is about to be committed; null if that is not wanted.</param>
    internal CommitProtocol(
        StorageParts parts, CommitState state, WriteLock writeLock, WritePressure pressure, CommitAudit? audit)
    {
        _options = parts.Options;
        _faults = parts.Faults;
        _data = parts.Data;
        _header = parts.Header;
        _journal = parts.Journal;
        _scratch = parts.Scratch;
        _freeSpace = parts.FreeSpace;
        _snapshots = parts.Snapshots;
        _state = state;
        _writeLock = writeLock;
        _pressure = pressure;
        _audit = audit;
        _records = [new(_options.Hooks), new(_options.Hooks)];
        _packing = new RecordPacking(_options.EffectiveCompression);
    }

    /// <summary>How long journal writes take.</summary>
    internal LatencyHistogram WriteLatency { get; } = new();

    /// <summary>Whether a commit would not have to wait for the write of another one. Only a hint.</summary>
    internal bool IsJournalFree => _journalLock.IsFree;

    /// <summary>True if a gate says when commits are published (PARK-1).</summary>
    internal bool HasGate => _gate is not null;

    /// <summary>True while a commit is parked; only a hint.</summary>
    internal bool IsParked => _parked.IsParked;

    /// <summary>The last commit that was parked.</summary>
    internal LogPosition LastParked => _parked.Last;

    /// <summary>The whole of a commit, on this thread.</summary>
    internal void Commit(WriteTransaction transaction)
    {
        if (TryPrepare(transaction, out PreparedCommit commit))
        {
            Finish(commit);
        }
    }

    /// <summary>What is left of a prepared commit, on this thread, which waits for the gate if there is one.</summary>
    internal void Finish(in PreparedCommit commit)
    {
        Write(commit);
        if (!commit.IsParked)
        {
            Publish(commit);
            return;
        }

        var wait = new ParkedWait();
        Park(commit, wait);
        wait.Wait();
    }

    /// <summary>
    /// Refuses a transaction of which nothing is written, if an earlier one has failed; if that one is in doubt, with
    /// what the gate refuses it with (PARK-5).
    /// </summary>
    /// <exception cref="StoragePoisonedException">An earlier write failed.</exception>
    internal void ThrowIfRefused()
    {
        if (_faults.First is CommitInDoubtException && _gate is { } gate)
        {
            _ = gate.Enter(_state.Last.TransactionId + 1);
        }

        _faults.ThrowIfTripped();
    }

    /// <summary>Lets a gate decide on commits from now on. Under the write lock.</summary>
    internal void Attach(ICommitGate gate)
    {
        WaitForJournal();
        _gate = _gate is null ? gate : throw new InvalidOperationException("The environment has a gate already.");
    }

    /// <summary>
    /// Parks a commit that was written: this thread goes on, and whoever settles or loses the commit tells the owner.
    /// </summary>
    internal void Park(in PreparedCommit commit, IParkedCommit? owner)
    {
        _span.Leave();
        if (_parked.TryPark(commit, owner))
        {
            commit.Gate?.Written(commit.Point.TransactionId);
        }
        else
        {
            Lose(commit, owner, cause: null);
        }
    }

    /// <summary>Publishes the commit that is parked.</summary>
    /// <returns>False if none of that transaction is.</returns>
    internal bool Settle(long transactionId)
    {
        if (!_parked.TryTake(transactionId, out PreparedCommit commit, out IParkedCommit? owner))
        {
            return false;
        }

        Exception? failure = null;
        try
        {
            Publish(commit);
        }
        catch (StoragePoisonedException thrown)
        {
            failure = thrown;
        }

        owner?.End(failure);
        return true;
    }

    /// <summary>Gives the commit that is parked up (PARK-3).</summary>
    /// <returns>False if none of that transaction is.</returns>
    internal bool Lose(long transactionId, Exception cause)
    {
        bool isIt = _parked.TryTake(transactionId, out PreparedCommit commit, out IParkedCommit? owner);
        if (isIt)
        {
            Lose(commit, owner, cause);
        }

        return isIt;
    }

    /// <summary>Gives the commit that is parked up, if one is, as what waits for it is closed (PARK-3).</summary>
    /// <param name="closes">True if none may be parked any more, either.</param>
    internal void LoseParked(bool closes)
    {
        if (_parked.TryTakeAny(closes, out PreparedCommit commit, out IParkedCommit? owner))
        {
            Lose(commit, owner, cause: null);
        }
    }

    /// <summary>
    /// The steps under the write lock. The transaction ends and the write lock is released in any case. If this returns
    /// true, the journal lock is held until <see cref="Publish"/>.
    /// </summary>
    /// <returns>False if the transaction changed nothing.</returns>
    internal bool TryPrepare(WriteTransaction transaction, out PreparedCommit commit)
    {
        try
        {
            transaction.SaveCatalog();
            if (!transaction.HasChanges)
            {
                transaction.Abandon();
                WaitUntilDurable();
                commit = default;
                return false;
            }

            CommitPoint point = transaction.Point;
            long epoch = _gate is null || transaction.IsApplied ? _state.Last.Epoch : _gate.Enter(point.TransactionId);
            _audit?.Run(transaction, point, transaction.Dirty, _freeSpace.FreePages);
            long directBytes = DirectRuns.Write(transaction.Dirty, _data, point.NextPageNumber, _options.Hooks);
            CommitRecord record = Encode(transaction, point, epoch);
            TakeJournal(record);
            commit = TakeOver(transaction, record, point, directBytes);
        }
        catch (Exception failure)
        {
            GiveUp(transaction, failure);
            throw;
        }

        _pressure.FlushIfDue();
        _writeLock.Exit();
        return true;
    }

    /// <summary>
    /// Makes a prepared commit durable: direct runs, which the record refers to, then the record. If it throws, the
    /// journal lock is released and no later commit is acknowledged.
    /// </summary>
    internal void Write(in PreparedCommit commit)
    {
        try
        {
            _writeBegan = _options.Clock.GetTimestamp();
            _span.Begin(_options, commit);
            _faults.ThrowIfTripped();
            if (commit.HasDirectRuns)
            {
                _data.Sync();
            }

            _journal.Append(commit.File, commit.Record.Header, commit.Record.Bytes);
            if (commit.IsParked)
            {
                // Until it is published other nodes take their time, which says nothing about the disk.
                NoteWrite(commit);
            }
        }
        catch (Exception failure)
        {
            // Whatever failed: the record has its place in the chain, and no record may follow one that is missing.
            Exception cause = CauseOf(failure, commit.Gate, commit.Point);
            _faults.Trip(cause);
            _span.End(cause);
            _journalLock.Exit();
            Report(failure, commit.Gate, commit.Point);
            throw;
        }
    }

    /// <summary>
    /// Shows readers a durable commit and releases the journal lock. If that fails (for lack of memory, say), the
    /// transaction is not lost, but cannot be acknowledged: readers see it after the environment is opened again, and
    /// until then the fault latch refuses every commit.
    /// </summary>
    /// <exception cref="StoragePoisonedException">It could not be shown.</exception>
    internal void Publish(in PreparedCommit commit)
    {
        try
        {
            if (!commit.IsParked)
            {
                NoteWrite(commit);
            }

            _snapshots.Publish(commit.Point);
            _span.End(null);
        }
        catch (Exception failure)
        {
            _faults.Trip(failure);
            _span.End(failure);
            throw new StoragePoisonedException(failure);
        }
        finally
        {
            _journalLock.Exit();
        }

        _pressure.ResumeFlush();
    }

    /// <summary>Waits until no journal write is in flight. While the caller has the write lock, no further one begins.
    /// </summary>
    internal void WaitForJournal()
    {
        _journalLock.Enter();
        _journalLock.Exit();
    }

    /// <summary>Waits until every commit that a write transaction may have read is durable: an answer that depends on
    /// it may be sent then.</summary>
    /// <exception cref="StoragePoisonedException">A journal write has failed.</exception>
    internal void WaitUntilDurable()
    {
        WaitForJournal();
        ThrowIfRefused();
    }

    public void Dispose()
    {
        foreach (CommitRecord record in _records)
        {
            record.Dispose();
        }

        _journalLock.Dispose();
    }

    /// <summary>The record of the transaction, but for its place and its hash.</summary>
    private CommitRecord Encode(WriteTransaction transaction, in CommitPoint point, long epoch)
    {
        // There are two buffers for records: that of the transaction before may still be on its way to the disk.
        CommitRecord record = _records[point.TransactionId & 1];
        record.Encode(
            transaction.Dirty, _snapshots.Table, _state.Boundary, _data.EnvironmentId, _packing, _options.Clock);
        ref JournalRecordHeader header = ref record.Header;
        header.EnvironmentId = _data.EnvironmentId;
        header.TransactionId = point.TransactionId;
        header.PreviousHash = _state.Last.ChainHash;
        header.DurableTransactionId = _options.Durability == StorageDurability.Durable
            ? _state.Last.TransactionId
            : _data.Applied.TransactionId;
        header.NextPageNumber = point.NextPageNumber;
        header.CatalogRecord = point.CatalogRecord;

        // COMMIT-4: a clock that was set back does not take the order of the transactions away.
        header.CommitTimeTicks = Math.Max(_state.Last.CommitTimeTicks, _options.Clock.GetUtcNow().UtcTicks);
        if (transaction.IsApplied)
        {
            transaction.Stamp.WriteTo(ref header);
        }
        else if (_gate is not null || _state.Last.LogHash != 0)
        {
            LogChain.Continue(ref header, _state.Last.LogHash, epoch, record.Payload);
            RequireShippable(record, transaction);
        }

        return record;
    }

    /// <summary>A record for a gate has at most as many bytes as an array.</summary>
    private void RequireShippable(CommitRecord record, WriteTransaction transaction)
    {
        long bytes = _gate is null ? 0 : new CommitShipment(record, transaction.Dirty, 0).RecordBytes;
        if (bytes > Array.MaxLength)
        {
            throw new TransactionTooLargeException("a record of the log", bytes, Array.MaxLength);
        }
    }

    /// <summary>Waits for the journal write in flight and takes the journal lock, with room in a file for the record.
    /// If it throws, nothing has changed and the lock is not held.</summary>
    private void TakeJournal(CommitRecord record)
    {
        _journalLock.Enter();
        try
        {
            ThrowIfRefused();
            if (!_journal.IsStarted)
            {
                CommitPoint applied = _data.Applied;
                _journal.Start(record.Header.SizeInFileBytes, ref applied);
                _options.Hooks.Mark(CoverageMark.JournalStarted);
                _header.Write(applied);
            }
            else if (_journal.NeedsSwitch(record.Header.SizeInFileBytes))
            {
                _journal.Switch(ref record.Header, record.SwitchBuffer);
            }
        }
        catch
        {
            _journalLock.Exit();
            throw;
        }
    }

    /// <summary>Gives the record its place, seals it, and adds the transaction's pages to the page table: the next
    /// write transaction will see this one.</summary>
    private PreparedCommit TakeOver(
        WriteTransaction transaction, CommitRecord record, CommitPoint point, long directBytes)
    {
        ICommitGate? gate = transaction.IsApplied ? null : _gate;
        bool isTaken = false;
        try
        {
            JournalFile file = _journal.Reserve(ref record.Header, ref point);
            point.ChainHash = record.Seal();
            point.CommitTimeTicks = record.Header.CommitTimeTicks;
            if (record.Header.IsInLog)
            {
                gate?.Take(new CommitShipment(record, transaction.Dirty, point.LogHash));
                isTaken = gate is not null;
                point.LogHash = record.Header.LogHash;
                point.Epoch = record.Header.Epoch;
            }

            bool isParked = gate is not null || transaction.IsApplied;
            _snapshots.AddVersions(transaction.Dirty, point.TransactionId);
            DirectRuns.Free(transaction.Dirty, _scratch);
            int bytes = record.Bytes.Length;
            long towardsFlush = _packing.TowardsFlush(record.Header.PlainBytes, record.WasPackingTried, bytes);
            _state.Advance(point, bytes, towardsFlush, directBytes);
            transaction.End();
            return new PreparedCommit(record, file, point, directBytes > 0, gate, isParked);
        }
        catch (Exception failure)
        {
            // Only a lack of memory leads here. The page table may have some of the pages already, so that they must
            // not be freed once more; and no later record may follow a place in the journal that stays empty.
            ICommitGate? taker = isTaken ? gate : null;
            _faults.Trip(CauseOf(failure, taker, point));
            transaction.Dirty.Clear();
            _journalLock.Exit();
            Report(failure, taker, point);
            throw;
        }
    }

    /// <summary>PARK-3: what a gate has taken is in doubt, as others may have it.</summary>
    private static Exception CauseOf(Exception failure, ICommitGate? taker, in CommitPoint point) =>
        taker is null ? failure : new CommitInDoubtException(point.TransactionId, failure);

    /// <summary>Tells the gate that has taken a commit that it failed here, and throws what its writers are told.
    /// </summary>
    private static void Report(Exception failure, ICommitGate? taker, in CommitPoint point)
    {
        if (taker is not null)
        {
            taker.Failed(point.TransactionId, failure);
            throw new StoragePoisonedException(CauseOf(failure, taker, point));
        }
    }

    private void Lose(in PreparedCommit commit, IParkedCommit? owner, Exception? cause)
    {
        var doubt = new CommitInDoubtException(commit.Point.TransactionId, cause);
        _faults.Trip(doubt);
        _span.End(doubt);
        _journalLock.Exit();
        owner?.End(new StoragePoisonedException(doubt));
    }

    /// <summary>Undoes a transaction that could not be prepared, and releases the write lock.</summary>
    private void GiveUp(WriteTransaction transaction, Exception failure)
    {
        _audit?.Forget();
        if (failure is StorageAuditException)
        {
            _faults.Trip(failure);
        }

        transaction.Abandon();
        if (failure is StorageIOException { IsDiskFull: true })
        {
            _pressure.FlushForSpace();
        }
    }

    private void NoteWrite(in PreparedCommit commit)
    {
        long end = _options.Clock.GetTimestamp();
        CommitRecord record = commit.Record;
        if (!commit.HasDirectRuns)
        {
            _packing.Note(record.Header.PlainBytes, record.WasPackingTried, record.PackingTicks + end - _writeBegan);
        }

        WriteLatency.Add(_options.Clock.GetElapsedTime(_writeBegan, end));
    }
}
