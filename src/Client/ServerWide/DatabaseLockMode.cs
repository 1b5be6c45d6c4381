namespace Raven.Client.ServerWide;

/// <summary>Whether a database may be deleted.</summary>
public enum DatabaseLockMode
{
    /// <summary>The database may be deleted.</summary>
    Unlock,

    /// <summary>A request to delete it has no effect.</summary>
    PreventDeletesIgnore,

    /// <summary>A request to delete it is an error.</summary>
    PreventDeletesError,
}
