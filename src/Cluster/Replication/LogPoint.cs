namespace Raven.Cluster.Replication;

/// <summary>A place in the log of a group. Two nodes with the same transaction and hash have the same pages.</summary>
/// <param name="TransactionId">The transaction; 0 is the state before the first one.</param>
/// <param name="LogHash">The hash of the log up to it.</param>
/// <param name="Epoch">The epoch that it was made in.</param>
public readonly record struct LogPoint(long TransactionId, ulong LogHash, long Epoch);
