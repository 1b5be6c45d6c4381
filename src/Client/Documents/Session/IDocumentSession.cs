using System.Linq.Expressions;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Session.Loaders;

namespace Raven.Client.Documents.Session;

/// <summary>
/// <see cref="IAsyncDocumentSession"/> for callers that cannot await: each call blocks its thread until it is answered.
/// </summary>
public interface IDocumentSession : IDisposable
{
    /// <summary>The less common calls of the session.</summary>
    ISyncAdvancedSessionOperations Advanced { get; }

    /// <summary>Loads a document; null if there is none. A document that the session has needs no request.</summary>
    T? Load<T>(string id);

    /// <summary>Loads several documents in one request; null for those that are not there.</summary>
    Dictionary<string, T?> Load<T>(IEnumerable<string> ids);

    /// <summary>Loads a document and the documents that it refers to, in one request.</summary>
    T? Load<T>(string id, Action<IIncludeBuilder<T>> includes);

    /// <summary>Loads several documents and the documents that they refer to, in one request.</summary>
    Dictionary<string, T?> Load<T>(IEnumerable<string> ids, Action<IIncludeBuilder<T>> includes);

    /// <summary>Begins a load that includes the documents whose ids are at a path.</summary>
    ILoaderWithInclude<object> Include(string path);

    /// <summary>Begins a load that includes the document whose id is in a property.</summary>
    ILoaderWithInclude<T> Include<T>(Expression<Func<T, string?>> path);

    /// <summary>Begins a load that includes the documents whose ids are in a list.</summary>
    ILoaderWithInclude<T> Include<T>(Expression<Func<T, IEnumerable<string>>> path);

    /// <summary>Takes a new entity, which the next save writes; makes its id if it has none.</summary>
    void Store(object entity);

    /// <summary>
    /// Takes a new entity with an id; see
    /// <see cref="IAsyncDocumentSession.StoreAsync(object, string, CancellationToken)"/>.
    /// </summary>
    void Store(object entity, string id);

    /// <summary>
    /// Takes an entity with an id, which the next save writes if its document has the given change vector.
    /// </summary>
    void Store(object entity, string? changeVector, string id);

    /// <summary>Deletes the document of an entity with the next save.</summary>
    void Delete<T>(T entity) where T : notnull;

    /// <summary>Deletes a document with the next save.</summary>
    void Delete(string id);

    /// <summary>Deletes a document with the next save, if it has the given change vector.</summary>
    void Delete(string id, string? expectedChangeVector);

    /// <summary>Saves all changes in one transaction: all of them, or none.</summary>
    /// <exception cref="Exceptions.ConcurrencyException">A document was changed in between.</exception>
    void SaveChanges();

    /// <summary>A query, written with LINQ and answered by the server.</summary>
    /// <param name="indexName">The index; null lets the server find or make one.</param>
    /// <param name="collectionName">The collection; null takes that of the type.</param>
    IRavenQueryable<T> Query<T>(string? indexName = null, string? collectionName = null);

    /// <summary>A query of an index that is a class, written with LINQ.</summary>
    IRavenQueryable<T> Query<T, TIndex>() where TIndex : AbstractIndexCreationTask, new();

    /// <summary>The counters of a document.</summary>
    ISessionDocumentCounters CountersFor(string documentId);

    /// <summary>The counters of the document of an entity.</summary>
    ISessionDocumentCounters CountersFor(object entity);

    /// <summary>A time series of a document.</summary>
    ISessionDocumentTimeSeries TimeSeriesFor(string documentId, string name);

    /// <summary>A time series of the document of an entity.</summary>
    ISessionDocumentTimeSeries TimeSeriesFor(object entity, string name);

    /// <summary>A time series of a document, whose values are objects.</summary>
    /// <param name="documentId">The document.</param>
    /// <param name="name">The name of the series; null takes the plural of the type's.</param>
    ISessionDocumentTypedTimeSeries<TValues> TimeSeriesFor<TValues>(string documentId, string? name = null)
        where TValues : new();

    /// <summary>A time series of the document of an entity, whose values are objects.</summary>
    ISessionDocumentTypedTimeSeries<TValues> TimeSeriesFor<TValues>(object entity, string? name = null)
        where TValues : new();

    /// <summary>What a policy has made of a time series of a document.</summary>
    /// <param name="documentId">The document.</param>
    /// <param name="policy">The name of the policy.</param>
    /// <param name="raw">The name of the series; null takes the plural of the type's.</param>
    ISessionDocumentRollupTypedTimeSeries<TValues> TimeSeriesRollupFor<TValues>(
        string documentId, string policy, string? raw = null) where TValues : new();

    /// <summary>What a policy has made of a time series of the document of an entity.</summary>
    ISessionDocumentRollupTypedTimeSeries<TValues> TimeSeriesRollupFor<TValues>(
        object entity, string policy, string? raw = null) where TValues : new();

    /// <summary>An incremental time series of a document.</summary>
    /// <param name="documentId">The document.</param>
    /// <param name="name">The name of the series, which begins with <c>INC:</c>.</param>
    ISessionDocumentIncrementalTimeSeries IncrementalTimeSeriesFor(string documentId, string name);

    /// <summary>An incremental time series of the document of an entity.</summary>
    ISessionDocumentIncrementalTimeSeries IncrementalTimeSeriesFor(object entity, string name);

    /// <summary>An incremental time series of a document, whose values are objects.</summary>
    /// <param name="documentId">The document.</param>
    /// <param name="name">The name of the series; null takes <c>INC:</c> and the plural of the type's.</param>
    ISessionDocumentTypedIncrementalTimeSeries<TValues> IncrementalTimeSeriesFor<TValues>(
        string documentId, string? name = null) where TValues : new();

    /// <summary>An incremental time series of the document of an entity, whose values are objects.</summary>
    ISessionDocumentTypedIncrementalTimeSeries<TValues> IncrementalTimeSeriesFor<TValues>(
        object entity, string? name = null) where TValues : new();
}
