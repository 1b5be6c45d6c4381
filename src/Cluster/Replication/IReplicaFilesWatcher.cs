using Raven.Storage.Log;

namespace Raven.Cluster.Replication;

/// <summary>Who is told of the commits that this node makes as a primary. Any thread calls; none may wait.</summary>
public interface IReplicaFilesWatcher
{
    /// <summary>
    /// A commit was taken: its record can be found, and its own journal write begins. The shell lets its core propose
    /// it; if the core refuses, it loses it (<see cref="IReplicaFiles.Lose"/>) once it is written or has failed.
    /// </summary>
    /// <param name="position">Where it leaves the log.</param>
    /// <param name="bytes">The length of its record.</param>
    void Taken(LogPosition position, int bytes);

    /// <summary>The own journal has it: <see cref="ReplicaCore.Journaled"/>.</summary>
    void Written(long transactionId);

    /// <summary>
    /// The own journal could not be written: no write is possible until the files are opened again. The node gives its
    /// place up.
    /// </summary>
    void Failed(long transactionId, Exception failure);
}
