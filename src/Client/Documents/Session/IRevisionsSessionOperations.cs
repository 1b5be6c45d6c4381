namespace Raven.Client.Documents.Session;

/// <summary>The revisions of documents, as objects that the session does not track.</summary>
public interface IRevisionsSessionOperations
{
    /// <summary>The revisions of a document, the latest first.</summary>
    List<T> GetFor<T>(string id, int start = 0, int pageSize = 25);

    /// <summary>The metadata of the revisions of a document, the latest first.</summary>
    List<IMetadataDictionary> GetMetadataFor(string id, int start = 0, int pageSize = 25);

    /// <summary>The revision with a change vector; null if it is not kept.</summary>
    T? Get<T>(string changeVector);

    /// <summary>The document as it was at a time; null if it did not exist then.</summary>
    T? Get<T>(string id, DateTime date);

    /// <summary>How many revisions of a document are kept.</summary>
    long GetCountFor(string id);

    /// <summary>Keeps the current document as a revision with the next save, whatever is configured.</summary>
    void ForceRevisionCreationFor(string id);

    /// <summary>Keeps the current document of an entity as a revision with the next save.</summary>
    void ForceRevisionCreationFor<T>(T entity) where T : notnull;
}
