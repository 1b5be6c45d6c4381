using System.Linq.Expressions;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Session.Loaders;

namespace Raven.Client.Documents.Session;

/// <summary>
/// A unit of work: loads documents as objects, each once, notices what changes, and saves all of it in one
/// transaction. Cheap to open; one thread at a time; dispose it at the end.
/// </summary>
public interface IAsyncDocumentSession : IDisposable
{
    /// <summary>The less common calls of the session.</summary>
    IAsyncAdvancedSessionOperations Advanced { get; }

    /// <summary>Loads a document; null if there is none. A document that the session has needs no request.</summary>
    Task<T?> LoadAsync<T>(string id, CancellationToken cancellationToken = default);

    /// <summary>Loads several documents in one request; null for those that are not there.</summary>
    Task<Dictionary<string, T?>> LoadAsync<T>(IEnumerable<string> ids, CancellationToken cancellationToken = default);

    /// <summary>Loads a document and the documents that it refers to, in one request.</summary>
    Task<T?> LoadAsync<T>(
        string id, Action<IIncludeBuilder<T>> includes, CancellationToken cancellationToken = default);

    /// <summary>Loads several documents and the documents that they refer to, in one request.</summary>
    Task<Dictionary<string, T?>> LoadAsync<T>(
        IEnumerable<string> ids, Action<IIncludeBuilder<T>> includes, CancellationToken cancellationToken = default);

    /// <summary>Begins a load that includes the documents whose ids are at a path.</summary>
    IAsyncLoaderWithInclude<object> Include(string path);

    /// <summary>Begins a load that includes the document whose id is in a property.</summary>
    IAsyncLoaderWithInclude<T> Include<T>(Expression<Func<T, string?>> path);

    /// <summary>Begins a load that includes the documents whose ids are in a list.</summary>
    IAsyncLoaderWithInclude<T> Include<T>(Expression<Func<T, IEnumerable<string>>> path);

    /// <summary>Takes a new entity, which the next save writes; makes its id if it has none.</summary>
    Task StoreAsync(object entity, CancellationToken cancellationToken = default);

    /// <summary>
    /// Takes a new entity with an id, which the next save writes. It must not exist then, unless optimistic concurrency
    /// is off. <c>users/</c> lets the server complete it, <c>users|</c> takes the next number of an identity.
    /// </summary>
    Task StoreAsync(object entity, string id, CancellationToken cancellationToken = default);

    /// <summary>
    /// Takes an entity with an id, which the next save writes if its document has the given change vector; empty if it
    /// must not exist.
    /// </summary>
    Task StoreAsync(object entity, string? changeVector, string id, CancellationToken cancellationToken = default);

    /// <summary>Deletes the document of an entity with the next save.</summary>
    void Delete<T>(T entity) where T : notnull;

    /// <summary>Deletes a document with the next save.</summary>
    void Delete(string id);

    /// <summary>Deletes a document with the next save, if it has the given change vector.</summary>
    void Delete(string id, string? expectedChangeVector);

    /// <summary>Saves all changes in one transaction: all of them, or none.</summary>
    /// <exception cref="Exceptions.ConcurrencyException">A document was changed in between.</exception>
    Task SaveChangesAsync(CancellationToken cancellationToken = default);

    /// <summary>A query, written with LINQ and answered by the server.</summary>
    /// <param name="indexName">The index; null lets the server find or make one.</param>
    /// <param name="collectionName">The collection; null takes that of the type.</param>
    IRavenQueryable<T> Query<T>(string? indexName = null, string? collectionName = null);

    /// <summary>A query of an index that is a class, written with LINQ.</summary>
    IRavenQueryable<T> Query<T, TIndex>() where TIndex : AbstractIndexCreationTask, new();

    /// <summary>The counters of a document.</summary>
    IAsyncSessionDocumentCounters CountersFor(string documentId);

    /// <summary>The counters of the document of an entity.</summary>
    IAsyncSessionDocumentCounters CountersFor(object entity);

    /// <summary>A time series of a document.</summary>
    IAsyncSessionDocumentTimeSeries TimeSeriesFor(string documentId, string name);

    /// <summary>A time series of the document of an entity.</summary>
    IAsyncSessionDocumentTimeSeries TimeSeriesFor(object entity, string name);

    /// <summary>A time series of a document, whose values are objects.</summary>
    /// <param name="documentId">The document.</param>
    /// <param name="name">The name of the series; null takes the plural of the type's.</param>
    IAsyncSessionDocumentTypedTimeSeries<TValues> TimeSeriesFor<TValues>(string documentId, string? name = null)
        where TValues : new();

    /// <summary>A time series of the document of an entity, whose values are objects.</summary>
    IAsyncSessionDocumentTypedTimeSeries<TValues> TimeSeriesFor<TValues>(object entity, string? name = null)
        where TValues : new();

    /// <summary>What a policy has made of a time series of a document.</summary>
    /// <param name="documentId">The document.</param>
    /// <param name="policy">The name of the policy.</param>
    /// <param name="raw">The name of the series; null takes the plural of the type's.</param>
    IAsyncSessionDocumentRollupTypedTimeSeries<TValues> TimeSeriesRollupFor<TValues>(
        string documentId, string policy, string? raw = null) where TValues : new();

    /// <summary>What a policy has made of a time series of the document of an entity.</summary>
    IAsyncSessionDocumentRollupTypedTimeSeries<TValues> TimeSeriesRollupFor<TValues>(
        object entity, string policy, string? raw = null) where TValues : new();

    /// <summary>An incremental time series of a document.</summary>
    /// <param name="documentId">The document.</param>
    /// <param name="name">The name of the series, which begins with <c>INC:</c>.</param>
    IAsyncSessionDocumentIncrementalTimeSeries IncrementalTimeSeriesFor(string documentId, string name);

    /// <summary>An incremental time series of the document of an entity.</summary>
    IAsyncSessionDocumentIncrementalTimeSeries IncrementalTimeSeriesFor(object entity, string name);

    /// <summary>An incremental time series of a document, whose values are objects.</summary>
    /// <param name="documentId">The document.</param>
    /// <param name="name">The name of the series; null takes <c>INC:</c> and the plural of the type's.</param>
    IAsyncSessionDocumentTypedIncrementalTimeSeries<TValues> IncrementalTimeSeriesFor<TValues>(
        string documentId, string? name = null) where TValues : new();

    /// <summary>An incremental time series of the document of an entity, whose values are objects.</summary>
    IAsyncSessionDocumentTypedIncrementalTimeSeries<TValues> IncrementalTimeSeriesFor<TValues>(
        object entity, string? name = null) where TValues : new();
}
