using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Queries;

namespace Raven.Client.Documents.Session;

/// <summary>What an asynchronous session can do beyond the common calls.</summary>
public interface IAsyncAdvancedSessionOperations : IAdvancedSessionOperations
{
    /// <summary>Loads that are collected and sent in one request.</summary>
    IAsyncLazySessionOperations Lazily { get; }

    /// <summary>Sends the collected lazy requests.</summary>
    IAsyncEagerSessionOperations Eagerly { get; }

    /// <summary>Attachments: files that belong to documents.</summary>
    IAsyncAttachmentsSessionOperations Attachments { get; }

    /// <summary>Revisions: earlier versions of documents.</summary>
    IAsyncRevisionsSessionOperations Revisions { get; }

    /// <summary>Compare-exchange values, inside of a cluster-wide transaction.</summary>
    IAsyncClusterTransactionOperations ClusterTransaction { get; }

    /// <summary>A query that is built call by call.</summary>
    /// <param name="indexName">The index; null lets the server find or make one.</param>
    /// <param name="collectionName">The collection; null takes that of the type.</param>
    IAsyncDocumentQuery<T> AsyncDocumentQuery<T>(string? indexName = null, string? collectionName = null);

    /// <summary>A query of an index, that is built call by call.</summary>
    IAsyncDocumentQuery<T> AsyncDocumentQuery<T, TIndex>() where TIndex : AbstractIndexCreationTask, new();

    /// <summary>A query that is written as RQL.</summary>
    IRawDocumentQuery<T> AsyncRawQuery<T>(string rql);

    /// <summary>Whether there is a document of this id.</summary>
    Task<bool> ExistsAsync(string id, CancellationToken cancellationToken = default);

    /// <summary>Reads a tracked entity again; its changes are lost.</summary>
    /// <exception cref="Exceptions.Documents.DocumentDoesNotExistException">It was deleted meanwhile.</exception>
    Task RefreshAsync<T>(T entity, CancellationToken cancellationToken = default) where T : notnull;

    /// <summary>Loads a document if its change vector differs from a known one.</summary>
    /// <returns>
    /// The entity and its change vector; no entity and the known change vector if it is unchanged; neither if there
    /// is no document.
    /// </returns>
    Task<ConditionalLoadResult<T>> ConditionalLoadAsync<T>(
        string id, string changeVector, CancellationToken cancellationToken = default);

    /// <summary>Loads documents whose ids begin with a prefix, in the order of the ids.</summary>
    /// <param name="idPrefix">The prefix.</param>
    /// <param name="matches">
    /// Patterns of the rest, separated by bars: <c>*</c> is any text, <c>?</c> any character.
    /// </param>
    /// <param name="start">How many to skip.</param>
    /// <param name="pageSize">The most to load.</param>
    /// <param name="exclude">Patterns of the rest that are left out.</param>
    /// <param name="startAfter">The id after which to begin.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    Task<IReadOnlyList<T>> LoadStartingWithAsync<T>(
        string idPrefix, string? matches = null, int start = 0, int pageSize = 25, string? exclude = null,
        string? startAfter = null, CancellationToken cancellationToken = default);

    /// <summary>
    /// Reads documents whose ids begin with a prefix as they arrive, without tracking them: any number, in
    /// little memory.
    /// </summary>
    IAsyncEnumerable<StreamResult<T>> StreamAsync<T>(
        string startsWith, string? matches = null, int start = 0, int pageSize = int.MaxValue,
        string? startAfter = null, CancellationToken cancellationToken = default);
}
