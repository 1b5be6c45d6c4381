namespace Raven.Client.Exceptions.Cluster;

/// <summary>A cluster-wide transaction met a change that somebody else had made.</summary>
public sealed class ClusterTransactionConcurrencyException(string message) : ConcurrencyException(message);
