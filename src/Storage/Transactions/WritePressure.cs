using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Platform;

namespace Raven.Storage.Transactions;

/// <summary>
/// Keeps journal and scratch memory within their bounds: holds writers back until the flush has caught up, and ends
/// readers that keep the flush from doing so. Any thread.
/// </summary>
internal sealed class WritePressure : IDisposable
{
    /// <summary>An environment that uses no more scratch memory than this is held up by no bound on it: it may be one
    /// of many, none of which has anything to give back.</summary>
    internal const long ScratchBytesMin = 4L << 20;

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);

    private readonly StorageParts _parts;
    private readonly StorageOptions _options;
    private readonly ScratchPool _scratch;
    private readonly CommitState _state;
    private readonly Flusher _flusher;
    private readonly FlushDeferral _deferral;
    private readonly ReaderWatch _watch;

    // What a flush leaves to others: so many environments may be about to flush, and none waits for another one's.
    private const int Share = 8;

    // A reader for which writers wait for memory is ended after a third of what these wait, before they fail; most
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
        _watch = new ReaderWatch(_options, flusher, () => CheckReaders());
        flusher.WaitsForReader = BeginWatch;
    }

    /// <summary>What is held for recovery: journal, and runs that recovery would check.</summary>
    internal long BacklogBytes => _parts.Journal.BacklogBytes + _state.DirectBacklogBytes;

    /// <summary>True where enough has come together for a flush. Under the write lock.</summary>
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

    /// <summary>True where who begins a transaction waits.</summary>
    internal bool IsTooMuch =>
        BacklogBytes > _options.BacklogBytesMax || IsScratchUsedUp;

    private bool IsScratchUsedUp =>
        _options.ScratchBudget.IsUsedUp && _scratch.UsedBytes > ScratchBytesMin;

    /// <summary>
    /// Begins a flush where enough has come together. Under the write lock, which the caller goes on to let go: where
    /// memory is wanting for it, the next commit asks again.
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
            // Nor is there any to tell it with.
        }
    }

    /// <summary>Waits while there is too much to apply.</summary>
    /// <exception cref="StorageBusyException">It stayed so for too long.</exception>
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

    /// <summary>Begins a flush for a writer that met a full disk: the journal files that it gives back are room
    /// too.</summary>
    internal void FlushForSpace() => _flusher.Request();

    /// <summary>Goes on with a flush that waited for the commit that is published now, or waits for a reader.</summary>
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
        _watch.Dispose();
    }

    /// <summary>
    /// Ends every reader that is over its budget while a flush waits for it: by its age, or by what was committed since
    /// it began. While writers wait, all of the backlog counts, and while they wait for scratch memory a reader is over
    /// its budget in seconds: what is changed here and there takes ten times as much of that as of the journal, which
    /// stays short of its bound while writers wait. So is one that no flush waits for, but that holds the memory of
    /// what a flush has applied. One that was ended and has not noticed it hides none.
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
            _options.Tell(
                true,
                $"The reader '{reader.Purpose}' holds transaction {reader.TransactionId} since "
                    + $"{age.TotalSeconds:F1} s, and with it {held} bytes of journal and "
                    + $"{_scratch.UsedBytes} bytes of scratch memory; it is ended.");
        }
    }

    /// <summary>A flush waits for a reader: from now on the ages of readers are checked, also if no thread
    /// writes.</summary>
    private void BeginWatch()
    {
        try
        {
            _watch.Begin();
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
