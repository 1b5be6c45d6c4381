using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Platform;

namespace Raven.Storage.Transactions;

/// <summary>
/// Keeps journal and scratch memory within their bounds: makes writers wait until the flush has caught up, and ends
/// readers that hold the flush back. Any thread.
/// </summary>
internal sealed class WritePressure : IDisposable
{
    /// <summary>
    /// An environment that uses no more scratch memory than this never waits for the bound on scratch memory: there may
    /// be many such environments, and a flush of them would free hardly anything.
    /// </summary>
    internal const long ScratchBytesMin = 4L << 20;

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);

    private readonly StorageParts _parts;
    private readonly StorageOptions _options;
    private readonly ScratchPool _scratch;
    private readonly CommitState _state;
    private readonly Flusher _flusher;
    private readonly FlushDeferral _deferral;
    private readonly ReaderMonitor _monitor;

    // The number of environments that may begin a flush at the same time without waiting for each other.
    private const int Share = 8;

    // A reader for which writers wait for memory is ended after a third of their waiting time, before they fail; most
    // readers have ended long before.
    private const int WaitShare = 3;

    internal WritePressure(StorageParts parts, CommitState state, WriteLock writeLock, Flusher flusher)
    {
        _parts = parts;
        _options = parts.Options;
        _scratch = parts.Scratch;
        _state = state;
        _flusher = flusher;
        _deferral = new FlushDeferral(parts, state, writeLock, flusher);
        _monitor = new ReaderMonitor(_options, flusher, () => CheckReaders());
        flusher.WaitsForReader = BeginWatch;
    }

    /// <summary>The backlog: the bytes of the journal, and of direct runs, that recovery would have to read.</summary>
    internal long BacklogBytes => _parts.Journal.BacklogBytes + _state.DirectBacklogBytes;

    /// <summary>True if enough was written for a flush. Under the write lock.</summary>
    private bool WantsFlush
    {
        get
        {
            ScratchBudget budget = _options.ScratchBudget;
            long scratchMax = Math.Min(_options.FlushAfterScratchBytes, budget.SizeBytesMax / Share);
            scratchMax = budget.UsedBytes < budget.SizeBytesMax / 2 ? scratchMax : scratchMax / Share;
            return _scratch.UsedBytes >= scratchMax
                || (_state.IsFlushDue && !_deferral.PutsOff());
        }
    }

    /// <summary>True if a new transaction has to wait.</summary>
    internal bool IsTooMuch =>
        BacklogBytes > _options.BacklogBytesMax || IsScratchUsedUp;

    private bool IsScratchUsedUp =>
        _options.ScratchBudget.IsUsedUp && _scratch.UsedBytes > ScratchBytesMin;

    /// <summary>
    /// Begins a flush if there is enough for one. Under the write lock, which the caller then releases: if memory is
    /// short, the next commit asks again.
    /// </summary>
    internal void FlushIfDue()
    {
        try
        {
            if (WantsFlush)
            {
                _flusher.Request();
            }
        }
        catch (OutOfMemoryException)
        {
            // There is no memory to report it either.
        }
    }

    /// <summary>Waits while the backlog, or scratch memory, is above its bound.</summary>
    /// <exception cref="StorageBusyException">It was above its bound for too long.</exception>
    internal void WaitForRoom()
    {
        if (!IsTooMuch)
        {
            return;
        }

        long start = _options.Clock.GetTimestamp();
        while (IsTooMuch && !_parts.Faults.IsTripped)
        {
            _flusher.Request();
            if (_flusher.IsWaiting)
            {
                _flusher.Schedule();
            }

            CheckReaders(writersWait: true);
            if (_options.Clock.GetElapsedTime(start) > _options.WriterWaitMax)
            {
                throw new StorageBusyException(Describe());
            }

            _flusher.WaitForEnd(Pause);
        }
    }

    /// <summary>Begins a flush for a writer that met a full disk: the flush frees journal files.</summary>
    internal void FlushForSpace() => _flusher.Request();

    /// <summary>Called when a commit was published: continues a flush that waited for that, or for a reader.</summary>
    internal void ResumeFlush()
    {
        if (_flusher.IsWaiting)
        {
            CheckReaders();
            _flusher.Schedule();
        }
    }

    public void Dispose()
    {
        _deferral.Dispose();
        _monitor.Dispose();
    }

    /// <summary>
    /// Ends every reader that is over its budget while a flush waits for it: by its age, or by what was committed since
    /// it began. While writers wait, the whole backlog counts, and while they wait for scratch memory a reader is over
    /// its budget within seconds: scattered changes take ten times as much of that as of the journal, which then stays
    /// below its bound. A reader that no flush waits for, but that holds memory of applied pages, is ended too. A
    /// reader that was ended and has not noticed yet does not hide others.
    /// </summary>
    internal void CheckReaders(bool writersWait = false)
    {
        bool wantsScratch = writersWait && IsScratchUsedUp;
        long appliedVersion = wantsScratch ? _parts.Snapshots.LastVersionWithAppliedPages : 0;
        foreach (ReaderSlot slot in _parts.Readers.Slots)
        {
            CheckReader(slot, writersWait, wantsScratch, appliedVersion);
        }
    }

    private void CheckReader(ReaderSlot reader, bool writersWait, bool wantsScratch, long appliedVersion)
    {
        long number = Volatile.Read(ref reader.Number);
        long version = Volatile.Read(ref reader.Version);
        if (version == 0 || reader.IsInternal)
        {
            return;
        }

        bool holdsFlush = _flusher.IsHeldBackBy(Volatile.Read(ref reader.TransactionId));
        TimeSpan age = _options.Clock.GetElapsedTime(reader.StartedAt);
        long held = writersWait
            ? BacklogBytes
            : _state.BytesCommitted - Volatile.Read(ref reader.BytesBefore);
        bool isOver = (holdsFlush && (age > _options.SnapshotAgeMax || held > _options.SnapshotBacklogBytesMax))
            || (wantsScratch && (holdsFlush || version <= appliedVersion)
                && age > _options.WriterWaitMax / WaitShare);
        if (isOver && reader.TryCancel(number))
        {
            _options.Report(
                true,
                $"The reader '{reader.Purpose}' holds transaction {reader.TransactionId} since "
                    + $"{age.TotalSeconds:F1} s, and with it {held} bytes of journal and "
                    + $"{_scratch.UsedBytes} bytes of scratch memory; it is ended.");
        }
    }

    /// <summary>
    /// A flush waits for a reader: from now on the ages of readers are checked, also if no thread writes.
    /// </summary>
    private void BeginWatch()
    {
        try
        {
            _monitor.Begin();
        }
        catch (OutOfMemoryException)
        {
            // The next writer checks them, or the next flush that waits.
        }
    }

    private string Describe() =>
        $"{BacklogBytes} bytes of journal and " +
        $"{_options.ScratchBudget.UsedBytes} bytes of scratch memory " +
        "wait to be applied to the data file: the disk, or a reader, is too slow.";
}
