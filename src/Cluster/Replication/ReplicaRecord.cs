using Raven.Storage.Log;

namespace Raven.Cluster.Replication;

/// <summary>A record of the log with its bytes, as it is shipped.</summary>
/// <param name="Position">Where it leaves the log.</param>
/// <param name="PreviousLogHash">The hash of the log before it.</param>
/// <param name="Bytes">The record; not to be changed.</param>
public sealed record ReplicaRecord(LogPosition Position, ulong PreviousLogHash, ReadOnlyMemory<byte> Bytes);
