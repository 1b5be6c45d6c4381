namespace Raven.Server.Indexing;

/// <summary>An index was told to refuse other definitions.</summary>
internal sealed class IndexLockedException(string name)
    : Exception($"The index '{name}' is locked (LockedError): its definition cannot be changed.");
