using Raven.Storage.Platform;

namespace Raven.Storage.Transactions;

/// <summary>Where one open reader says which snapshot it holds.</summary>
internal sealed class ReaderSlot
{
    /// <summary>The version of the snapshot held; 0: none. Written last on the way in.</summary>
    internal long Version;

    /// <summary>The transaction of the snapshot held.</summary>
    internal long TransactionId;

    /// <summary>When it began, as the clock's timestamp.</summary>
    internal long StartedAt;

    /// <summary>What had been committed when it began, in bytes: what came since is what it may hold back.</summary>
    internal long BytesBefore;

    /// <summary>Counts the readers that this slot served; set before anything else of a new one.</summary>
    internal long Number;

    /// <summary>The number of the reader that is refused its next page. The slot may serve another one when it is set:
    /// that one has another number, also where it holds the same version.</summary>
    internal long CancelledNumber;

    /// <summary>What the reader is for, in messages.</summary>
    internal string Purpose = "";

    /// <summary>The table that is read, where it is not the one of the version held: the flush reads the newest.
    /// </summary>
    internal PageTable? Table;

    /// <summary>True for the flush, which holds a state as a reader does but is none.</summary>
    internal bool IsInternal;

    /// <summary>Refuses a reader its next page.</summary>
    /// <param name="number">Its number, which was read before what it is ended for.</param>
    /// <returns>False where that was done before.</returns>
    internal bool TryCancel(long number)
    {
        long cancelled = Volatile.Read(ref CancelledNumber);
        return cancelled < number
            && Interlocked.CompareExchange(ref CancelledNumber, number, cancelled) == cancelled;
    }
}
