using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Queries;

namespace Raven.Client.Documents.Session;

/// <summary>What a blocking session can do beyond the common calls.</summary>
public interface ISyncAdvancedSessionOperations : IAdvancedSessionOperations
{
    /// <summary>Loads that are collected and sent in one request.</summary>
    ILazySessionOperations Lazily { get; }

    /// <summary>Sends the collected lazy requests.</summary>
    IEagerSessionOperations Eagerly { get; }

    /// <summary>Attachments: files that belong to documents.</summary>
    IAttachmentsSessionOperations Attachments { get; }

    /// <summary>Revisions: earlier versions of documents.</summary>
    IRevisionsSessionOperations Revisions { get; }

    /// <summary>Compare-exchange values, inside of a cluster-wide transaction.</summary>
    IClusterTransactionOperations ClusterTransaction { get; }

    /// <summary>A query that is built call by call.</summary>
    /// <param name="indexName">The index; null lets the server find or make one.</param>
    /// <param name="collectionName">The collection; null takes that of the type.</param>
    IDocumentQuery<T> DocumentQuery<T>(string? indexName = null, string? collectionName = null);

    /// <summary>A query of an index, that is built call by call.</summary>
    IDocumentQuery<T> DocumentQuery<T, TIndex>() where TIndex : AbstractIndexCreationTask, new();

    /// <summary>A query that is written as RQL.</summary>
    IRawDocumentQuery<T> RawQuery<T>(string rql);

    /// <summary>Whether there is a document of this id.</summary>
    bool Exists(string id);

    /// <summary>Reads a tracked entity again; its changes are lost.</summary>
    /// <exception cref="Exceptions.Documents.DocumentDoesNotExistException">It was deleted meanwhile.</exception>
    void Refresh<T>(T entity) where T : notnull;

    /// <summary>
    /// Loads a document if its change vector differs from a known one; see
    /// <see cref="IAsyncAdvancedSessionOperations.ConditionalLoadAsync"/>.
    /// </summary>
    ConditionalLoadResult<T> ConditionalLoad<T>(string id, string changeVector);

    /// <summary>
    /// Loads documents whose ids begin with a prefix; see
    /// <see cref="IAsyncAdvancedSessionOperations.LoadStartingWithAsync"/>.
    /// </summary>
    IReadOnlyList<T> LoadStartingWith<T>(
        string idPrefix, string? matches = null, int start = 0, int pageSize = 25, string? exclude = null,
        string? startAfter = null);

    /// <summary>Reads documents whose ids begin with a prefix as they arrive, without tracking them.</summary>
    IEnumerable<StreamResult<T>> Stream<T>(
        string startsWith, string? matches = null, int start = 0, int pageSize = int.MaxValue,
        string? startAfter = null);
}
