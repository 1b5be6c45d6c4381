namespace Raven.Client.Documents.Session;

/// <summary>A session that was opened.</summary>
/// <param name="session">The session.</param>
public sealed class SessionCreatedEventArgs(IAdvancedSessionOperations session) : EventArgs
{
    /// <summary>The session.</summary>
    public IAdvancedSessionOperations Session => session;
}
