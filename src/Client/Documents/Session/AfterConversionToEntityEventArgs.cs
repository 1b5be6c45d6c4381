namespace Raven.Client.Documents.Session;

/// <summary>A document that became an object.</summary>
/// <param name="session">The session.</param>
/// <param name="documentId">The id of the document.</param>
/// <param name="entity">The object.</param>
public sealed class AfterConversionToEntityEventArgs(
    IAdvancedSessionOperations session, string documentId, object entity) : EventArgs
{
    /// <summary>The session.</summary>
    public IAdvancedSessionOperations Session => session;

    /// <summary>The id of the document.</summary>
    public string DocumentId => documentId;

    /// <summary>The object.</summary>
    public object Entity => entity;
}
