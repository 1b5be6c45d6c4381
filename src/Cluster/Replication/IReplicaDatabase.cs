using Raven.Storage.Log;
using Raven.Storage.Options;
using Raven.Storage.Transactions;

namespace Raven.Cluster.Replication;

/// <summary>
/// What replication asks of the database whose files it drives. One call at a time, but
/// <see cref="NotPrimary"/>, which any thread makes.
/// </summary>
public interface IReplicaDatabase
{
    /// <summary>
    /// How the documents' environment is opened. Its folder is closed when they are asked for, and they do not name a
    /// transaction to recover up to.
    /// </summary>
    StorageOptions Options();

    /// <summary>
    /// Opens the documents' environment as of a transaction and attaches the gate before anything writes. Nobody reads
    /// before <see cref="Serve"/>, and nobody writes before <see cref="OpenEpochAsync"/>.
    /// </summary>
    /// <param name="recoverUpTo">The transaction it has to be at (<see cref="StorageOptions.RecoverUpTo"/>).</param>
    /// <param name="gate">What decides on commits.</param>
    StorageEnvironment Open(long recoverUpTo, ICommitGate gate);

    /// <summary>
    /// Refuses new users, waits for those that are there, and closes the environment. Nothing happens if it is closed.
    /// </summary>
    void Close();

    /// <summary>Readers see a transaction that they did not see before: indexes and subscriptions go on.</summary>
    void Published(LogPosition position);

    /// <summary>
    /// Writes the transaction that opens an epoch: Epochs, Openings, and no uploads any more; of a new lineage greater
    /// etags, too. When it has completed writes are taken.
    /// </summary>
    ValueTask OpenEpochAsync(long epoch, ulong lineage);

    /// <summary>Takes no writes any more: this node is primary no longer, or is about to be. Reads go on.</summary>
    void StepDown();

    /// <summary>Takes writes again after <see cref="StepDown"/>: a planned switch came to nothing.</summary>
    void TakeWrites();

    /// <summary>Lets readers come: all that they see is committed.</summary>
    void Serve();

    /// <summary>Lets no readers come.</summary>
    void StopServing();

    /// <summary>What a write is refused with while this node does not commit. Nothing of it was done.</summary>
    Exception NotPrimary();
}
