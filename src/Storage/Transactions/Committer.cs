using Raven.Storage.Errors;
using Raven.Storage.Journal;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Platform;

namespace Raven.Storage.Transactions;

// COMMIT-1  Under the write lock: the record is encoded, packed, given its place and sealed; then the next transaction
//           may begin and sees this one.
// COMMIT-2  Under the journal lock, which is taken before the write lock is let go: one write, in the order of the
//           chain. At most one is in flight.
// COMMIT-3  Readers, flush and watchers see the state only after its write is durable. If the write fails, the latch
//           keeps every later one from being acknowledged, and no reader ever sees what was built on it. So it does
//           where the write is done and cannot be published: the next open has that transaction.

/// <summary>Makes transactions durable: the way from changed pages to a published state.</summary>
internal sealed class Committer : IDisposable
{
    private readonly StorageEnvironment _environment;
    private readonly SnapshotPublisher _snapshots;
    private readonly HandoverLock _journalLock = new();
    private readonly CommitRecord[] _records;
    private readonly RecordPacking _packing;
    private readonly StorageHooks _hooks;
    private CommitPoint _last;
    private long _boundary;
    private long _bytesSinceBoundary;
    private long _bytesTowardsFlush;
    private long _bytesCommitted;
    private long _directBytes;
    private long _directBytesAtBoundary;
    private long _directBytesApplied;

    internal Committer(StorageEnvironment environment, SnapshotPublisher snapshots)
    {
        _environment = environment;
        _snapshots = snapshots;
        _hooks = environment.Options.Hooks;
        _records = [new(_hooks), new(_hooks)];
        _packing = new RecordPacking(environment.Options.EffectiveCompression);
        _last = environment.Data.Applied;
        _boundary = _last.TransactionId;
    }

    /// <summary>The state that the next write transaction starts from; durable or on its way.</summary>
    internal ref readonly CommitPoint Last => ref _last;

    /// <summary>A page without a version behind this transaction goes whole into the journal. Under the write
    /// lock.</summary>
    internal long Boundary => _boundary;

    /// <summary>How long journal writes take.</summary>
    internal LatencyHistogram WriteLatency { get; } = new();

    /// <summary>Journal and direct bytes written since the last boundary of a flush.</summary>
    internal long BytesSinceBoundary => Volatile.Read(ref _bytesSinceBoundary);

    /// <summary>The same, as <see cref="RecordPacking.TowardsFlush"/> counts them.</summary>
    internal long BytesTowardsFlush => Volatile.Read(ref _bytesTowardsFlush);

    /// <summary>True where enough has come together for a flush. What counts half does so up to half of the backlog
    /// that writers wait at, or they would wait for all of the flush.</summary>
    internal bool IsFlushDue =>
        BytesTowardsFlush >= _environment.Options.FlushAfterBytes
        || BytesSinceBoundary >= Math.Max(
            _environment.Options.FlushAfterBytes, _environment.Options.BacklogBytesMax / 2);

    /// <summary>Journal and direct bytes since the environment was opened; only grows.</summary>
    internal long BytesCommitted => Volatile.Read(ref _bytesCommitted);

    /// <summary>Bytes of direct runs that recovery would check: the pages freed meanwhile wait for a flush.</summary>
    internal long DirectBacklogBytes => Volatile.Read(ref _directBytes) - Volatile.Read(ref _directBytesApplied);

    /// <summary>True where a commit would not have to wait for another one's write. Only a hint.</summary>
    internal bool IsJournalFree => _journalLock.IsFree;

    /// <summary>Waits until no journal write is in flight; while the caller has the write lock none begins.</summary>
    internal void WaitForJournal()
    {
        _journalLock.Enter();
        _journalLock.Exit();
    }

    /// <summary>Waits until all that write transactions saw up to now is durable: what they found out may be told then.
    /// </summary>
    /// <exception cref="StoragePoisonedException">It will not be.</exception>
    internal void WaitUntilDurable()
    {
        WaitForJournal();
        _environment.Faults.ThrowIfTripped();
    }

    /// <summary>
    /// Prepares the transaction's record and ends the transaction; the journal lock is then held, for
    /// <see cref="Write"/>. If it throws, the transaction is as it was and the lock is not held.
    /// </summary>
    internal PreparedCommit Prepare(WriteTransaction transaction)
    {
        CommitPoint point = transaction.Point;
        long directBytes = DirectRuns.Write(transaction.Dirty, _environment.Data, point.NextPageNumber, _hooks);
        CommitRecord record = _records[point.TransactionId & 1];
        record.Encode(
            transaction.Dirty, _snapshots.Table, _boundary, _environment.EnvironmentId,
            _packing, _environment.Options.Clock);
        ref JournalRecordHeader header = ref record.Header;
        header.EnvironmentId = _environment.EnvironmentId;
        header.TransactionId = point.TransactionId;
        header.PreviousHash = _last.ChainHash;
        header.DurableTransactionId = _environment.Options.Durability == StorageDurability.Durable
            ? _last.TransactionId
            : _environment.Data.Applied.TransactionId;
        header.NextPageNumber = point.NextPageNumber;
        header.CatalogRecord = point.CatalogRecord;
        _journalLock.Enter();
        try
        {
            _environment.Faults.ThrowIfTripped();
            MakeRoom(record);
        }
        catch
        {
            _journalLock.Exit();
            throw;
        }

        try
        {
            return Take(transaction, record, point, directBytes);
        }
        catch (Exception failure)
        {
            // Only memory can be wanting here. The table may have some of the pages: they are not given back twice, and
            // nothing is built on a place in the journal that stays empty.
            _environment.Faults.Trip(failure);
            transaction.Dirty.Clear();
            _journalLock.Exit();
            throw;
        }
    }

    /// <summary>Gives a record its place, and its pages to the table.</summary>
    private PreparedCommit Take(
        WriteTransaction transaction, CommitRecord record, CommitPoint point, long directBytes)
    {
        JournalFile file = _environment.Journal.Reserve(ref record.Header, ref point);
        point.ChainHash = record.Seal();
        _snapshots.AddVersions(transaction.Dirty, point.TransactionId);
        DirectRuns.Free(transaction.Dirty, _environment.Scratch);
        long bytes = record.Bytes.Length + directBytes;
        long towardsFlush =
            _packing.TowardsFlush(record.Header.PlainBytes, record.WasPackingTried, record.Bytes.Length);
        Volatile.Write(ref _bytesTowardsFlush, _bytesTowardsFlush + towardsFlush + directBytes);
        Volatile.Write(ref _bytesSinceBoundary, _bytesSinceBoundary + bytes);
        Volatile.Write(ref _bytesCommitted, _bytesCommitted + bytes);
        Volatile.Write(ref _directBytes, _directBytes + directBytes);
        _last = point;
        transaction.End();
        return new PreparedCommit(record, file, point, directBytes > 0);
    }

    /// <summary>Writes what was prepared, publishes it, and lets the journal lock go.</summary>
    internal void Write(in PreparedCommit commit)
    {
        try
        {
            long start = WriteRecord(commit);
            PublishDurable(commit, start);
        }
        finally
        {
            _journalLock.Exit();
        }
    }

    /// <summary>Writes the record, and gives the time at which that began.</summary>
    private long WriteRecord(in PreparedCommit commit)
    {
        try
        {
            long start = _environment.Options.Clock.GetTimestamp();
            _environment.Faults.ThrowIfTripped();
            if (commit.HasDirectRuns)
            {
                _environment.Data.Sync();
            }

            _environment.Journal.Append(commit.File, commit.Record.Header, commit.Record.Bytes);
            return start;
        }
        catch (Exception failure)
        {
            // Whatever it is: the record has its place in the chain, and none may follow it before it is there.
            _environment.Faults.Trip(failure);
            throw;
        }
    }

    /// <summary>From now on the first change of a page goes whole into the journal. Under the write lock.</summary>
    internal void BeginBoundary()
    {
        _hooks.Mark(ProtocolMark.BoundaryChosen);
        _boundary = _last.TransactionId;
        Volatile.Write(ref _bytesSinceBoundary, 0);
        Volatile.Write(ref _bytesTowardsFlush, 0);
        _directBytesAtBoundary = _directBytes;
        _environment.FreeSpace.BeginBoundary();
    }

    /// <summary>What was freed before the boundary may be written directly now. Under the write lock.</summary>
    internal void EndFlush()
    {
        Volatile.Write(ref _directBytesApplied, _directBytesAtBoundary);
        _environment.FreeSpace.EndFlush();
    }

    public void Dispose()
    {
        foreach (CommitRecord record in _records)
        {
            record.Dispose();
        }

        _journalLock.Dispose();
    }

    /// <summary>
    /// Shows readers what is in the journal. Where memory is wanting for that, or the clock fails, the next open has
    /// the transaction and nobody before: it neither failed nor can it be acknowledged, and nothing may be built on
    /// it.
    /// </summary>
    /// <exception cref="StoragePoisonedException">It could not be shown.</exception>
    private void PublishDurable(in PreparedCommit commit, long start)
    {
        try
        {
            TimeProvider clock = _environment.Options.Clock;
            long end = clock.GetTimestamp();
            CommitRecord record = commit.Record;
            if (!commit.HasDirectRuns)
            {
                _packing.Note(record.Header.PlainBytes, record.WasPackingTried, record.PackingTicks + end - start);
            }

            WriteLatency.Add(clock.GetElapsedTime(start, end));
            _snapshots.Publish(commit.Point);
        }
        catch (Exception failure)
        {
            _environment.Faults.Trip(failure);
            throw new StoragePoisonedException(failure);
        }
    }

    /// <summary>May create a file, and so fail for want of space with nothing changed.</summary>
    private void MakeRoom(CommitRecord record)
    {
        JournalWriter journal = _environment.Journal;
        if (!journal.IsStarted)
        {
            CommitPoint applied = _environment.Data.Applied;
            journal.Start(record.Header.SizeInFileBytes, ref applied);
            _hooks.Mark(ProtocolMark.JournalStarted);
            _environment.WriteHeader(applied);
        }
        else if (journal.NeedsSwitch(record.Header.SizeInFileBytes))
        {
            journal.Switch(ref record.Header, record.SwitchBuffer);
        }
    }
}
