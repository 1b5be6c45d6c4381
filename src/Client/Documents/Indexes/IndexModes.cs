namespace Raven.Client.Documents.Indexes;

/// <summary>Whether an index runs.</summary>
public enum IndexState
{
    /// <summary>It runs.</summary>
    Normal,

    /// <summary>It does not run; queries get what it has.</summary>
    Disabled,

    /// <summary>It runs, and has had no queries for some time.</summary>
    Idle,

    /// <summary>Too many documents failed: it does not run until it is reset.</summary>
    Error,
}

/// <summary>The order in which indexes run.</summary>
public enum IndexPriority
{
    /// <summary>After the others.</summary>
    Low,

    /// <summary>Like the others.</summary>
    Normal,

    /// <summary>Before the others.</summary>
    High,
}

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

/// <summary>
/// On which nodes of a cluster an index is built at the same time. A server of one node stores the setting, and builds
/// the index at once.
/// </summary>
public enum IndexDeploymentMode
{
    /// <summary>On all at once.</summary>
    Parallel,

    /// <summary>On one after the other.</summary>
    Rolling,
}
