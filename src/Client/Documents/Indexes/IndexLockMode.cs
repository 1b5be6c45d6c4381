namespace Raven.Client.Documents.Indexes;

/// <summary>What happens to another definition of an index.</summary>
public enum IndexLockMode
{
    /// <summary>It replaces the index.</summary>
    Unlock,

    /// <summary>It is ignored.</summary>
    LockedIgnore,

    /// <summary>It is an error.</summary>
    LockedError,
}
