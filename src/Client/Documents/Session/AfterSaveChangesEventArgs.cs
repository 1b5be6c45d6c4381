namespace Raven.Client.Documents.Session;

/// <summary>An entity that was saved.</summary>
/// <param name="session">The session.</param>
/// <param name="documentId">The id of its document.</param>
/// <param name="entity">The entity.</param>
public sealed class AfterSaveChangesEventArgs(IAdvancedSessionOperations session, string documentId, object entity)
    : EventArgs
{
    /// <summary>The session.</summary>
    public IAdvancedSessionOperations Session => session;

    /// <summary>The id of its document.</summary>
    public string DocumentId => documentId;

    /// <summary>The entity.</summary>
    public object Entity => entity;
}
