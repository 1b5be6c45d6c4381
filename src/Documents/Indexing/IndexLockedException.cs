namespace Raven.Documents.Indexing;

/// <summary>The lock mode of an index does not allow another definition.</summary>
public sealed class IndexLockedException(string name)
    : Exception($"The index '{name}' is locked (LockedError): its definition cannot be changed.");
