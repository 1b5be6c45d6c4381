namespace Raven.Client.Documents.Indexes;

/// <summary>Whether an index runs.</summary>
public enum IndexState
{
    /// <summary>The index runs.</summary>
    Normal,

    /// <summary>The index does not run; queries are answered from what it has.</summary>
    Disabled,

    /// <summary>The index runs, and has had no queries for some time.</summary>
    Idle,

    /// <summary>The index does not run until it is reset, because too many documents failed.</summary>
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

/// <summary>What the server does with a different definition of an index.</summary>
public enum IndexLockMode
{
    /// <summary>The new definition replaces the index.</summary>
    Unlock,

    /// <summary>The new definition is ignored.</summary>
    LockedIgnore,

    /// <summary>The new definition is refused.</summary>
    LockedError,
}

/// <summary>
/// Whether all nodes of a cluster build an index at once. A server of one node stores the setting, and builds the
/// index at once.
/// </summary>
public enum IndexDeploymentMode
{
    /// <summary>All nodes build it at the same time.</summary>
    Parallel,

    /// <summary>The nodes build it one after the other.</summary>
    Rolling,
}
