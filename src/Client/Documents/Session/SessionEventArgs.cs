namespace Raven.Client.Documents.Session;

/// <summary>A session that was opened.</summary>
/// <param name="session">The session.</param>
public sealed class SessionCreatedEventArgs(IAdvancedSessionOperations session) : EventArgs
{
    /// <summary>The session.</summary>
    public IAdvancedSessionOperations Session => session;
}

/// <summary>A session that ends.</summary>
/// <param name="session">The session.</param>
public sealed class SessionDisposingEventArgs(IAdvancedSessionOperations session) : EventArgs
{
    /// <summary>The session.</summary>
    public IAdvancedSessionOperations Session => session;
}

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

/// <summary>A query that is about to be sent.</summary>
/// <param name="session">The session.</param>
/// <param name="query">The text of the query, RQL.</param>
public sealed class BeforeQueryEventArgs(IAdvancedSessionOperations session, string query) : EventArgs
{
    /// <summary>The session.</summary>
    public IAdvancedSessionOperations Session => session;

    /// <summary>The text of the query, RQL.</summary>
    public string Query => query;
}
