using Raven.Cluster.Replication;
using Raven.Documents;
using Raven.Storage.Log;
using Raven.Storage.Options;
using Raven.Storage.Transactions;

namespace Raven.Server.Http.Cluster;

/// <summary>A database as replication drives it.</summary>
internal sealed class ReplicaOfDatabase(Database database) : IReplicaDatabase
{
    private DatabaseReplica Replica => database.Replica!;

    /// <inheritdoc/>
    public StorageOptions Options() => Replica.Options();

    /// <inheritdoc/>
    public StorageEnvironment Open(long recoverUpTo, ICommitGate gate) => Replica.Open(recoverUpTo, gate);

    /// <inheritdoc/>
    public void Close() => Replica.Close();

    /// <inheritdoc/>
    public void Published(LogPosition position) => Replica.Published();

    /// <inheritdoc/>
    public ValueTask OpenEpochAsync(long epoch, ulong lineage) => Replica.OpenEpochAsync(epoch, lineage);

    /// <inheritdoc/>
    public void StepDown() => Replica.StepDown();

    /// <inheritdoc/>
    public void TakeWrites() => Replica.TakeWrites();

    /// <inheritdoc/>
    public void Serve() => Replica.Serve();

    /// <inheritdoc/>
    public void StopServing() => Replica.StopServing();

    /// <inheritdoc/>
    public Exception NotPrimary() => new NotPrimaryException(database.Name);
}
