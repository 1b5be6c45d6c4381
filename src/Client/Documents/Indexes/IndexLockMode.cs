namespace Raven.Client.Documents.Indexes;

/// <summary>What becomes of another definition of an index.</summary>
public enum IndexLockMode
{
    /// <summary>It is taken.</summary>
    Unlock,

    /// <summary>It is passed over.</summary>
    LockedIgnore,

    /// <summary>It is an error.</summary>
    LockedError,
}
