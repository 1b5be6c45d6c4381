namespace Raven.Client.Documents.Session;

/// <summary>The revisions of documents, as objects that the session does not track.</summary>
public interface IAsyncRevisionsSessionOperations
{
    /// <summary>The revisions of a document, the latest first.</summary>
    Task<List<T>> GetForAsync<T>(
        string id, int start = 0, int pageSize = 25, CancellationToken cancellationToken = default);

    /// <summary>The metadata of the revisions of a document, the latest first.</summary>
    Task<List<IMetadataDictionary>> GetMetadataForAsync(
        string id, int start = 0, int pageSize = 25, CancellationToken cancellationToken = default);

    /// <summary>The revision with a change vector; null if it is not kept.</summary>
    Task<T?> GetAsync<T>(string changeVector, CancellationToken cancellationToken = default);

    /// <summary>The document as it was at a time; null if it did not exist then.</summary>
    Task<T?> GetAsync<T>(string id, DateTime date, CancellationToken cancellationToken = default);

    /// <summary>How many revisions of a document are kept.</summary>
    Task<long> GetCountForAsync(string id, CancellationToken cancellationToken = default);

    /// <summary>Keeps the current document as a revision with the next save, whatever is configured.</summary>
    void ForceRevisionCreationFor(string id);

    /// <summary>Keeps the current document of an entity as a revision with the next save.</summary>
    void ForceRevisionCreationFor<T>(T entity) where T : notnull;
}
