using Raven.Storage.Paging;

namespace Raven.Storage.Transactions;

/// <summary>
/// Keeps journal and scratch memory within their bounds: holds writers back until the flush has caught up, and ends
/// readers that keep the flush from doing so. Any thread.
/// </summary>
internal sealed class WritePressure(StorageEnvironment environment)
{
    private const long ScratchBytesMin = 4L << 20;

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);

    private readonly object _flushEnded = new();

    // What a flush leaves to others: so many environments may be about to flush, and none waits for another one's.
    private const int Share = 8;

    /// <summary>True where enough has come together for a flush. Under the write lock.</summary>
    internal bool WantsFlush
    {
        get
        {
            StorageOptions options = environment.Options;
            ScratchBudget budget = options.ScratchBudget;
            long scratchMax = Math.Min(options.FlushAfterScratchBytes, budget.SizeBytesMax / Share);
            scratchMax = budget.UsedBytes < budget.SizeBytesMax / 2 ? scratchMax : scratchMax / Share;
            return environment.Committer.BytesSinceBoundary >= options.FlushAfterBytes
                || environment.Scratch.UsedBytes >= scratchMax;
        }
    }

    private bool IsTooMuch =>
        environment.BacklogBytes > environment.Options.BacklogBytesMax
        || (environment.Options.ScratchBudget.IsUsedUp && environment.Scratch.UsedBytes > ScratchBytesMin);

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

    internal void FlushEnded()
    {
        lock (_flushEnded)
        {
            Monitor.PulseAll(_flushEnded);
        }
    }

    /// <summary>
    /// Ends the oldest reader if it is over its budget while a flush waits for it: by its age, or by what was committed
    /// since it began. While writers wait, all of the backlog counts.
    /// </summary>
    internal void CheckReaders(bool writersWait = false)
    {
        StorageOptions options = environment.Options;
        if (environment.Readers.Oldest() is not { } oldest
            || !environment.Flusher.IsHeldBackBy(Volatile.Read(ref oldest.TransactionId)))
        {
            return;
        }

        long version = Volatile.Read(ref oldest.Version);
        TimeSpan age = options.Clock.GetElapsedTime(oldest.StartedAt);
        long held = writersWait
            ? environment.BacklogBytes
            : environment.Committer.BytesCommitted - Volatile.Read(ref oldest.BytesBefore);
        bool isOver = age > options.SnapshotAgeMax || held > options.SnapshotBacklogBytesMax;
        if (version != 0 && isOver && Interlocked.Exchange(ref oldest.CancelledVersion, version) != version)
        {
            environment.Report(
                true,
                $"The reader '{oldest.Purpose}' holds transaction {oldest.TransactionId} since {age.TotalSeconds:F1} s "
                    + $"and {held} bytes of journal with it; it is ended.");
        }
    }

    private string Describe() =>
        $"{environment.BacklogBytes} bytes of journal and " +
        $"{environment.Options.ScratchBudget.UsedBytes} bytes of scratch memory " +
        "wait to be applied to the data file: the disk, or a reader, is too slow.";
}
