namespace Raven.Client.Exceptions.Cluster;

/// <summary>A cluster-wide transaction met a change that was made in between.</summary>
public sealed class ClusterTransactionConcurrencyException(string message) : ConcurrencyException(message);
