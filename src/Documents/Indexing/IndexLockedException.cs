namespace Raven.Documents.Indexing;

/// <summary>The lock mode of an index refuses other definitions.</summary>
public sealed class IndexLockedException(string name)
    : Exception($"The index '{name}' is locked (LockedError): its definition cannot be changed.");
