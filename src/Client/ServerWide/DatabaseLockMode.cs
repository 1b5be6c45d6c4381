namespace Raven.Client.ServerWide;

/// <summary>Whether a database may be deleted.</summary>
public enum DatabaseLockMode
{
    /// <summary>It may.</summary>
    Unlock,

    /// <summary>A delete does nothing.</summary>
    PreventDeletesIgnore,

    /// <summary>A delete is an error.</summary>
    PreventDeletesError,
}
