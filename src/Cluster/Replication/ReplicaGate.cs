using Raven.Storage.Log;

namespace Raven.Cluster.Replication;

/// <summary>
/// The gate of a database that is in a group: it lets transactions in while this node leads, gives each to whoever
/// ships it, and leaves it to the core when it is published.
/// </summary>
/// <param name="taken">Called with each record as its own journal write begins; it must not wait.</param>
/// <param name="watcher">Who is told of what becomes of the own journal writes.</param>
/// <param name="refusal">What a transaction is refused with while the gate is shut.</param>
public sealed class ReplicaGate(
    Action<ReplicaRecord> taken, Func<IReplicaFilesWatcher> watcher, Func<Exception> refusal) : ICommitGate
{
    private const long Shut = -1;

    private long _epoch = Shut;

    /// <summary>True if it lets transactions in.</summary>
    public bool IsOpen => Volatile.Read(ref _epoch) != Shut;

    /// <summary>From now on transactions are let in, under an epoch.</summary>
    public void Open(long epoch) => Volatile.Write(ref _epoch, epoch);

    /// <summary>From now on none is let in.</summary>
    public void Close() => Volatile.Write(ref _epoch, Shut);

    /// <inheritdoc/>
    public long Enter(long transactionId)
    {
        long epoch = Volatile.Read(ref _epoch);
        return epoch != Shut ? epoch : throw refusal();
    }

    /// <inheritdoc/>
    public void Take(in CommitShipment shipment)
    {
        byte[] bytes = GC.AllocateUninitializedArray<byte>(shipment.SizeInBytes);
        shipment.CopyTo(bytes);
        taken(new ReplicaRecord(shipment.Position, shipment.PreviousLogHash, bytes));
        watcher().Taken(shipment.Position, bytes.Length);
    }

    /// <inheritdoc/>
    public void Written(long transactionId) => watcher().Written(transactionId);

    /// <inheritdoc/>
    public void Failed(long transactionId, Exception failure) => watcher().Failed(transactionId, failure);
}
