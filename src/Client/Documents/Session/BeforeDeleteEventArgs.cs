namespace Raven.Client.Documents.Session;

/// <summary>A document that is about to be deleted. A handler that throws prevents the save.</summary>
/// <param name="session">The session.</param>
/// <param name="documentId">The id of the document.</param>
/// <param name="entity">The entity; null if it was not loaded.</param>
public sealed class BeforeDeleteEventArgs(IAdvancedSessionOperations session, string documentId, object? entity)
    : EventArgs
{
    /// <summary>The session.</summary>
    public IAdvancedSessionOperations Session => session;

    /// <summary>The id of the document.</summary>
    public string DocumentId => documentId;

    /// <summary>The entity; null if it was not loaded.</summary>
    public object? Entity => entity;
}
