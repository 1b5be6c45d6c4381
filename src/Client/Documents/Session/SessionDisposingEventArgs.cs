namespace Raven.Client.Documents.Session;

/// <summary>A session that ends.</summary>
/// <param name="session">The session.</param>
public sealed class SessionDisposingEventArgs(IAdvancedSessionOperations session) : EventArgs
{
    /// <summary>The session.</summary>
    public IAdvancedSessionOperations Session => session;
}
