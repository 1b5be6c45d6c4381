using Raven.Storage.Errors;

namespace Raven.Storage.Log;

// PARK-1  With a gate a commit is published, told to its writers (MERGE-4) and flushed only when the gate has said that
//         it is committed. Until then it is parked: its record is durable, the journal lock is held, and no thread
//         waits but those of writers that block by themselves.
// PARK-2  One commit is in flight: the next one is taken by the gate after the one before was published.
// PARK-3  If the gate says that a commit is lost, if its own journal write fails when the gate has taken it, or the
//         environment is closed while one is parked, the fault latch is tripped and its writers have a
//         StoragePoisonedException with a CommitInDoubtException in it: others may have it, it was neither failed nor
//         acknowledged, and no reader has seen it.
// PARK-4  What Enter throws refuses a transaction before anything of it is written.
// PARK-5  While the latch is tripped later transactions are refused before anything of them is written, with what Enter
//         throws if it does: whoever loses a commit shuts the gate before, so that only that commit is in doubt.

/// <summary>
/// What decides when a commit may be published: a group of nodes that all have to have it. An environment without one
/// publishes what its own journal has.
/// </summary>
public interface ICommitGate
{
    /// <summary>
    /// Called under the write lock, before anything of a commit is done; and with or without it before a transaction
    /// begins, if an earlier one has failed. It must not block.
    /// </summary>
    /// <param name="transactionId">The transaction that is to be committed.</param>
    /// <returns>The epoch under which it is.</returns>
    /// <exception cref="Exception">The transaction is refused with it; nothing has changed (PARK-4).</exception>
    long Enter(long transactionId);

    /// <summary>
    /// Called before the own journal write begins: it copies the record, and may begin to send it. It must not block,
    /// and not throw: that trips the fault latch.
    /// </summary>
    void Take(in CommitShipment shipment);

    /// <summary>
    /// Called when the own journal has the record and the commit is parked. What becomes of it is told to the
    /// environment, by this call itself or later, from any thread.
    /// </summary>
    void Written(long transactionId);

    /// <summary>
    /// Called in place of <see cref="Written"/> when the own journal could not be written: writes are refused from then
    /// on, and the record may be with others.
    /// </summary>
    /// <param name="transactionId">The transaction.</param>
    /// <param name="failure">What went wrong, such as a <see cref="StorageIOException"/>.</param>
    void Failed(long transactionId, Exception failure);
}
