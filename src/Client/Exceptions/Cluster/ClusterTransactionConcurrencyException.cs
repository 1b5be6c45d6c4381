namespace Raven.Client.Exceptions.Cluster;

/// <summary>A cluster-wide transaction was refused, because a document or value was changed in between.</summary>
public sealed class ClusterTransactionConcurrencyException(string message) : ConcurrencyException(message);
