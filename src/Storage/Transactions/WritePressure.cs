using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Platform;


namespace Raven.Storage.Transactions;

/// <summary>
/// Keeps journal and scratch memory within their bounds: holds writers back until the flush has caught up, and ends
/// readers that keep the flush from doing so. Any thread.
/// </summary>
internal sealed class WritePressure(StorageEnvironment environment) : IDisposable
{
    /// <summary>An environment that uses no more scratch memory than this is held up by no bound on it: it may be one
    /// of many, none of which has anything to give back.</summary>
    internal const long ScratchBytesMin = 4L << 20;

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);

    private readonly object _flushEnded = new();
    private readonly FlushDeferral _deferral = new(environment);
    private readonly ReaderWatch _watch = new(environment);

    // What a flush leaves to others: so many environments may be about to flush, and none waits for another one's.
    private const int Share = 8;

    // A reader for which writers wait for memory is ended after a third of what these wait, before they fail; most
    // readers have ended long before.
    private const int WaitShare = 3;

    /// <summary>True where enough has come together for a flush. Under the write lock.</summary>
    private bool WantsFlush
    {
        get
        {
            StorageOptions options = environment.Options;
            ScratchBudget budget = options.ScratchBudget;
            long scratchMax = Math.Min(options.FlushAfterScratchBytes, budget.SizeBytesMax / Share);
            scratchMax = budget.UsedBytes < budget.SizeBytesMax / 2 ? scratchMax : scratchMax / Share;
            return environment.Scratch.UsedBytes >= scratchMax
                || (environment.Committer.IsFlushDue && !_deferral.PutsOff());
        }
    }

    /// <summary>True where who begins a transaction waits.</summary>
    internal bool IsTooMuch =>
        environment.BacklogBytes > environment.Options.BacklogBytesMax || IsScratchUsedUp;

    private bool IsScratchUsedUp =>
        environment.Options.ScratchBudget.IsUsedUp && environment.Scratch.UsedBytes > ScratchBytesMin;

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
                environment.Flusher.Request();
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

        long start = environment.Options.Clock.GetTimestamp();
        while (IsTooMuch && !environment.Faults.IsTripped)
        {
            environment.Flusher.Request();
            if (environment.Flusher.IsWaiting)
            {
                environment.Flusher.Schedule();
            }

            CheckReaders(writersWait: true);
            if (environment.Options.Clock.GetElapsedTime(start) > environment.Options.WriterWaitMax)
            {
                throw new StorageBusyException(Describe());
            }

            lock (_flushEnded)
            {
                Monitor.Wait(_flushEnded, Pause);
            }
        }
    }

    /// <summary>A flush waits for a reader: readers are looked after from now on, also where nobody writes.</summary>
    internal void FlushWaits()
    {
        try
        {
            _watch.Begin();
        }
        catch (OutOfMemoryException)
        {
            // The next writer looks after them, or the next flush that waits.
        }
    }

    public void Dispose()
    {
        _deferral.Dispose();
        _watch.Dispose();
    }

    internal void FlushEnded()
    {
        lock (_flushEnded)
        {
            Monitor.PulseAll(_flushEnded);
        }
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
        long appliedVersion = wantsScratch ? environment.LastVersionWithAppliedPages : 0;
        foreach (ReaderSlot slot in environment.Readers.Slots)
        {
            CheckReader(slot, writersWait, wantsScratch, appliedVersion);
        }
    }

    private void CheckReader(ReaderSlot reader, bool writersWait, bool wantsScratch, long appliedVersion)
    {
        StorageOptions options = environment.Options;
        long number = Volatile.Read(ref reader.Number);
        long version = Volatile.Read(ref reader.Version);
        if (version == 0 || reader.IsInternal)
        {
            return;
        }

        bool holdsFlush = environment.Flusher.IsHeldBackBy(Volatile.Read(ref reader.TransactionId));
        TimeSpan age = options.Clock.GetElapsedTime(reader.StartedAt);
        long held = writersWait
            ? environment.BacklogBytes
            : environment.Committer.BytesCommitted - Volatile.Read(ref reader.BytesBefore);
        bool isOver = (holdsFlush && (age > options.SnapshotAgeMax || held > options.SnapshotBacklogBytesMax))
            || (wantsScratch && (holdsFlush || version <= appliedVersion)
                && age > options.WriterWaitMax / WaitShare);
        if (isOver && reader.TryCancel(number))
        {
            environment.Report(
                true,
                $"The reader '{reader.Purpose}' holds transaction {reader.TransactionId} since "
                    + $"{age.TotalSeconds:F1} s, and with it {held} bytes of journal and "
                    + $"{environment.Scratch.UsedBytes} bytes of scratch memory; it is ended.");
        }
    }

    private string Describe() =>
        $"{environment.BacklogBytes} bytes of journal and " +
        $"{environment.Options.ScratchBudget.UsedBytes} bytes of scratch memory " +
        "wait to be applied to the data file: the disk, or a reader, is too slow.";
}
