namespace Raven.Cluster.Replication;

/// <summary>Who a node says it is, at the beginning of a session.</summary>
/// <param name="ClusterId">Its cluster.</param>
/// <param name="EnvironmentId">The id of the storage; 0 for a node that has no files yet.</param>
/// <param name="FormatMin">The oldest format that it reads.</param>
/// <param name="FormatMax">The newest format that it reads.</param>
public readonly record struct ReplicaIdentity(ulong ClusterId, ulong EnvironmentId, ushort FormatMin, ushort FormatMax);
