namespace Raven.Client.Documents.Session;

/// <summary>A query that is about to be sent.</summary>
/// <param name="session">The session.</param>
/// <param name="query">Its text, RQL.</param>
public sealed class BeforeQueryEventArgs(IAdvancedSessionOperations session, string query) : EventArgs
{
    /// <summary>The session.</summary>
    public IAdvancedSessionOperations Session => session;

    /// <summary>Its text, RQL.</summary>
    public string Query => query;
}
