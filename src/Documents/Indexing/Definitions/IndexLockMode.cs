namespace Raven.Documents.Indexing.Definitions;

/// <summary>Whether the definition of an index may be replaced. Clients read these names.</summary>
public enum IndexLockMode
{
    /// <summary>The definition may be replaced.</summary>
    Unlock,

    /// <summary>A new definition is ignored.</summary>
    LockedIgnore,

    /// <summary>A new definition is refused.</summary>
    LockedError,
}
