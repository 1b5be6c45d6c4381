using Raven.Storage.Platform;

namespace Raven.Storage.Transactions;

/// <summary>The place in which one open reader registers the snapshot that it holds.</summary>
internal sealed class ReaderSlot
{
    /// <summary>The version of the snapshot held; 0: none. Written last when a reader registers.</summary>
    internal long Version;

    /// <summary>The transaction of the snapshot held.</summary>
    internal long TransactionId;

    /// <summary>When it began, as the clock's timestamp.</summary>
    internal long StartedAt;

    /// <summary>
    /// The bytes that had been committed when it began: what was committed since is what it may hold back.
    /// </summary>
    internal long BytesBefore;

    /// <summary>Counts the readers that this slot served; set before any other field of a new one.</summary>
    internal long Number;

    /// <summary>
    /// The number of the reader that is refused its next page. The slot may serve another reader when it is set: that
    /// one has another number, even if it holds the same version.
    /// </summary>
    internal long CancelledNumber;

    /// <summary>What the reader is for, as messages say.</summary>
    internal string Purpose = "";

    /// <summary>The table that is read, if it is not that of the version held: the flush reads the newest.</summary>
    internal PageTable? Table;

    /// <summary>True for the flush, which holds a state as a reader does but is none.</summary>
    internal bool IsInternal;

    /// <summary>Refuses a reader its next page.</summary>
    /// <param name="number">Its number, read before the reason for ending it was.</param>
    /// <returns>False if it was cancelled before.</returns>
    internal bool TryCancel(long number)
    {
        long cancelled = Volatile.Read(ref CancelledNumber);
        return cancelled < number
            && Interlocked.CompareExchange(ref CancelledNumber, number, cancelled) == cancelled;
    }
}
