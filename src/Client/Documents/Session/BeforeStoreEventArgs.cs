namespace Raven.Client.Documents.Session;

/// <summary>An entity that is about to be saved. A change that a handler makes to it is saved too.</summary>
/// <param name="session">The session.</param>
/// <param name="documentId">The id of its document.</param>
/// <param name="entity">The entity.</param>
/// <param name="metadata">Gives the metadata, which can be changed.</param>
public sealed class BeforeStoreEventArgs(
    IAdvancedSessionOperations session, string documentId, object entity, Func<IMetadataDictionary> metadata)
    : EventArgs
{
    /// <summary>The session.</summary>
    public IAdvancedSessionOperations Session => session;

    /// <summary>The id of its document.</summary>
    public string DocumentId => documentId;

    /// <summary>The entity.</summary>
    public object Entity => entity;

    /// <summary>The metadata, which can be changed.</summary>
    public IMetadataDictionary DocumentMetadata => metadata();
}
