namespace Raven.Cluster.Store;

/// <summary>What a transaction compares.</summary>
/// <param name="Key">The key.</param>
/// <param name="ModRevision">The ModRevision that it must have; 0: it must not be there.</param>
public sealed record StoreCondition(string Key, long ModRevision);

/// <summary>What a transaction does to a key.</summary>
/// <param name="Key">The key.</param>
/// <param name="Value">Its new value; null deletes it.</param>
/// <param name="Lease">The lease that it is bound to; 0 for none.</param>
public sealed record StoreChange(string Key, byte[]? Value, long Lease = 0);
