using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Journal;
using Raven.Storage.Options;
using Raven.Storage.Paging;

namespace Raven.Storage.Transactions;

// FLUSH-1  The boundary is a committed state, chosen under the write lock. Every page that a later transaction changes
//          for the first time goes whole into the journal, so that recovery never patches a data-file page that was
//          written since the last sync.
// FLUSH-2  Pages are written only when the boundary is durable and no reader holds a state before it; nothing above it
//          is written.
// FLUSH-3  The data file is synced, then the file header is written and synced, then the older journal files are given
//          back, in this order.
// FLUSH-4  The write lock is held to choose the boundary and to exchange the page table, never during I/O.

/// <summary>Applies the journal to the data file in the background, one flush at a time.</summary>
internal sealed class Flusher
{
    private const int IdlePhase = 0;
    private const int BoundaryWantedPhase = 1;
    private const int WaitingPhase = 2;
    private const int DropWantedPhase = 3;

    private readonly StorageOptions _options;
    private readonly FaultLatch _faults;
    private readonly DataFile _data;
    private readonly HeaderWriter _header;
    private readonly JournalWriter _journal;
    private readonly SnapshotPublisher _snapshots;
    private readonly ReaderRegistry _readers;
    private readonly CommitState _state;
    private readonly WriteLock _writeLock;
    private readonly object _ended = new();
    private readonly ReaderSlot _pin;
    private readonly Action _run;
    private readonly Lock _running = new();
    private readonly List<(long Page, NativeSlice Place)> _versions = [];
    private CommitPoint _boundary;
    private int _phase;
    private int _isScheduled;
    private volatile bool _isWaiting;
    private bool _isClosed;
    private bool _isDropDeferred;

    internal Flusher(StorageParts parts, CommitState state, WriteLock writeLock)
    {
        _options = parts.Options;
        _faults = parts.Faults;
        _data = parts.Data;
        _header = parts.Header;
        _journal = parts.Journal;
        _snapshots = parts.Snapshots;
        _readers = parts.Readers;
        _state = state;
        _writeLock = writeLock;
        _pin = _readers.AddSlot();
        _pin.IsInternal = true;
        _run = Run;
    }

    /// <summary>True while a flush needs the write lock briefly.</summary>
    internal bool WantsLock => Volatile.Read(ref _phase) is BoundaryWantedPhase or DropWantedPhase;

    /// <summary>True while an old reader, or a journal write that has not ended, holds a flush back.</summary>
    internal bool IsWaiting => _isWaiting;

    /// <summary>True if a flush cannot go on while this transaction's state is held.</summary>
    internal bool IsHeldBackBy(long transactionId) =>
        Volatile.Read(ref _phase) == WaitingPhase && transactionId < Volatile.Read(ref _pin.TransactionId);

    private StorageHooks Hooks => _options.Hooks;

    /// <summary>Runs each time a flush finds that a reader holds it back.</summary>
    internal Action? WaitsForReader { private get; set; }

    internal bool IsIdle => Volatile.Read(ref _phase) == IdlePhase;

    /// <summary>Begins a flush unless one is under way.</summary>
    internal void Request()
    {
        if (Interlocked.CompareExchange(ref _phase, BoundaryWantedPhase, IdlePhase) == IdlePhase)
        {
            Schedule();
        }
    }

    /// <summary>
    /// Continues a flush on a background thread. If there is no memory for that, the thread that releases the write
    /// lock does it or asks again: the next commit, the next reader that ends, a writer that waits.
    /// </summary>
    internal void Schedule()
    {
        if (Interlocked.Exchange(ref _isScheduled, 1) == 0)
        {
            try
            {
                _options.Scheduler.Schedule(_run);
            }
            catch (OutOfMemoryException)
            {
                Volatile.Write(ref _isScheduled, 0);
                _isWaiting |= Volatile.Read(ref _phase) == WaitingPhase;
            }
        }
    }

    /// <summary>Completed flushes.</summary>
    internal long Count { get; private set; }

    /// <summary>The longest time that the write lock was held for a flush.</summary>
    internal TimeSpan LongestLock { get; private set; }

    /// <summary>The part that needs the write lock; called by its holder.</summary>
    internal void RunLocked()
    {
        if (WantsLock)
        {
            long start = _options.Clock.GetTimestamp();
            try
            {
                RunPhaseLocked();
            }
            catch (Exception failure)
            {
                // The only possible failure is a lack of memory. Nothing is lost: applied pages stay in memory until
                // the next flush drops them, even if it has nothing else to do. The caller has the write lock, and goes
                // on to release it.
                _isDropDeferred |= Volatile.Read(ref _phase) == DropWantedPhase;
                Interlocked.Exchange(ref _pin.Version, 0);
                Volatile.Write(ref _phase, IdlePhase);
                _options.Report(true, $"A flush was given up: {failure.Message}");
            }

            TimeSpan held = _options.Clock.GetElapsedTime(start);
            LongestLock = held > LongestLock ? held : LongestLock;
        }
    }

    private void RunPhaseLocked()
    {
        switch (Volatile.Read(ref _phase))
        {
            case BoundaryWantedPhase:
                ChooseBoundary();
                break;
            case DropWantedPhase:
                DropApplied(_boundary.TransactionId);
                break;
        }
    }

    /// <summary>Continues the flush on this thread, as far as nothing holds it back.</summary>
    internal void Run()
    {
        Volatile.Write(ref _isScheduled, 0);
        lock (_running)
        {
            while (!_isClosed && Step())
            {
            }
        }
    }

    /// <summary>Flushes every commit up to a transaction, on this thread.</summary>
    /// <returns>False if something holds it back.</returns>
    internal bool TryApply(long transactionId)
    {
        // A flush that is under way already may be of older commits only.
        for (int i = 0; i < 2 && _data.Applied.TransactionId < transactionId; i++)
        {
            Request();
            Run();
        }

        return _data.Applied.TransactionId >= transactionId;
    }

    /// <summary>Waits until a flush ends, but not longer than a short time.</summary>
    internal void WaitForEnd(TimeSpan timeMax)
    {
        lock (_ended)
        {
            Monitor.Wait(_ended, timeMax);
        }
    }

    /// <summary>Waits for a flush under way; none begins after this.</summary>
    internal void Close()
    {
        lock (_running)
        {
            _isClosed = true;
        }
    }

    /// <returns>True if there may be more to do at once.</returns>
    private bool Step()
    {
        switch (Volatile.Read(ref _phase))
        {
            case BoundaryWantedPhase or DropWantedPhase:
                return _writeLock.TryRunFlushSteps();
            case WaitingPhase when _faults.IsTripped:
                EndFlush();
                return false;
            case WaitingPhase:
                _isWaiting = true;
                Interlocked.MemoryBarrier();
                if (MustWait())
                {
                    Hooks.Mark(CoverageMark.FlushWaited);
                    return false;
                }

                _isWaiting = false;
                return TryApply();
            default:
                return false;
        }
    }

    private bool MustWait()
    {
        if (_snapshots.Current.Point.TransactionId < _boundary.TransactionId)
        {
            return true;
        }

        if (_readers.OldestTransaction() < _boundary.TransactionId)
        {
            WaitsForReader?.Invoke();
            return true;
        }

        return false;
    }

    private void ChooseBoundary()
    {
        _boundary = _state.Last;
        if (_boundary.TransactionId == _data.Applied.TransactionId || _faults.IsTripped)
        {
            if (_isDropDeferred)
            {
                DropApplied(_data.Applied.TransactionId);
                return;
            }

            Volatile.Write(ref _phase, IdlePhase);
            return;
        }

        Snapshot snapshot = _snapshots.Current;
        _pin.Table = _snapshots.Table;
        _pin.TransactionId = _boundary.TransactionId;
        Interlocked.Exchange(ref _pin.Version, snapshot.Version);
        _state.BeginBoundary();
        Volatile.Write(ref _phase, WaitingPhase);
        Schedule();
    }

    /// <summary>Frees the memory of pages that are in the data file.</summary>
    private void DropApplied(long upTo)
    {
        Hooks.Mark(CoverageMark.TableExchanged);
        _snapshots.DropVersions(upTo);
        _snapshots.PublishAgain();
        _state.EndFlush();
        _isDropDeferred = false;
        EndFlush();
    }

    private void EndFlush()
    {
        _isWaiting = false;
        Interlocked.Exchange(ref _pin.Version, 0);
        Volatile.Write(ref _phase, IdlePhase);
        _snapshots.ReclaimIfWaiting();
        lock (_ended)
        {
            Monitor.PulseAll(_ended);
        }
    }

    /// <returns>True if the next step is to exchange the page table.</returns>
    private bool TryApply()
    {
        try
        {
            Apply();
            Volatile.Write(ref _phase, DropWantedPhase);
            return true;
        }
        catch (StorageIOException failure) when (failure.IsDiskFull)
        {
            // Nothing is lost, as the journal still has everything. The next flush tries again.
            _options.Report(true, $"The disk is full; the journal cannot be applied: {failure.Message}");
        }
        catch (Exception failure)
        {
            _faults.Trip(failure);
            _options.Report(true, $"Writing to the data file failed: {failure.Message}");
        }

        EndFlush();
        return false;
    }

    private void Apply()
    {
        if (_options.Durability == StorageDurability.Lazy)
        {
            _journal.Sync();
        }

        _data.EnsureLength(_boundary.NextPageNumber);
        _versions.Clear();
        _pin.Table!.CollectVersions(_data.Applied.TransactionId, _boundary.TransactionId, _versions);
        CommitPoint point = _boundary;
        _journal.Settle(ref point);
        PageBatch.Write(_data, _versions);
        SyncData();
        _header.Write(point);
        _journal.Recycle(point);
        _versions.Clear();
        Hooks.Mark(CoverageMark.FlushApplied);
        Count++;
    }

    private void SyncData()
    {
        try
        {
            _data.Sync();
        }
        catch (Exception failure)
        {
            _faults.Trip(failure);
            throw;
        }
    }
}
