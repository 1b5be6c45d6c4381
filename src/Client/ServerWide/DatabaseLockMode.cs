namespace Raven.Client.ServerWide;

/// <summary>Whether a database may be deleted.</summary>
public enum DatabaseLockMode
{
    /// <summary>It may.</summary>
    Unlock,

    /// <summary>To try does nothing.</summary>
    PreventDeletesIgnore,

    /// <summary>To try is an error.</summary>
    PreventDeletesError,
}
