using System.Linq.Expressions;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Session.Loaders;
using Raven.Client.Http;

namespace Raven.Client.Documents.Session;

/// <summary>
/// See <see cref="IDocumentSession"/>. Waits for the asynchronous calls, none of which resumes on the caller's context,
/// so that waiting cannot deadlock.
/// </summary>
internal sealed class DocumentSession(DocumentStore store, RequestExecutor executor, SessionOptions options)
    : AsyncDocumentSession(store, executor, options), IDocumentSession, ISyncAdvancedSessionOperations
{
    ISyncAdvancedSessionOperations IDocumentSession.Advanced => this;

    ILazySessionOperations ISyncAdvancedSessionOperations.Lazily => LazyRequests;

    IEagerSessionOperations ISyncAdvancedSessionOperations.Eagerly => LazyRequests;

    IAttachmentsSessionOperations ISyncAdvancedSessionOperations.Attachments => AttachmentOperations;

    IRevisionsSessionOperations ISyncAdvancedSessionOperations.Revisions => RevisionOperations;

    IClusterTransactionOperations ISyncAdvancedSessionOperations.ClusterTransaction => ClusterOperations;

    public T? Load<T>(string id) => Wait(LoadAsync<T>(id));

    public Dictionary<string, T?> Load<T>(IEnumerable<string> ids) => Wait(LoadAsync<T>(ids));

    public T? Load<T>(string id, Action<IIncludeBuilder<T>> includes) => Wait(LoadAsync(id, includes));

    public Dictionary<string, T?> Load<T>(IEnumerable<string> ids, Action<IIncludeBuilder<T>> includes) =>
        Wait(LoadAsync(ids, includes));

    ILoaderWithInclude<object> IDocumentSession.Include(string path) => new LoaderWithInclude<object>(this, path);

    ILoaderWithInclude<T> IDocumentSession.Include<T>(Expression<Func<T, string?>> path) =>
        new LoaderWithInclude<T>(this, Conventions.Serializer.PathOf(path));

    ILoaderWithInclude<T> IDocumentSession.Include<T>(Expression<Func<T, IEnumerable<string>>> path) =>
        new LoaderWithInclude<T>(this, Conventions.Serializer.PathOf(path));

    public void Store(object entity) => Wait(StoreAsync(entity));

    public void Store(object entity, string id) => Wait(StoreAsync(entity, id));

    public void Store(object entity, string? changeVector, string id) => Wait(StoreAsync(entity, changeVector, id));

    public void SaveChanges() => Wait(SaveChangesAsync());

    ISessionDocumentCounters IDocumentSession.CountersFor(string documentId) =>
        new SessionDocumentCounters(this, documentId);

    ISessionDocumentCounters IDocumentSession.CountersFor(object entity) =>
        new SessionDocumentCounters(this, InfoOf(entity).Id);

    ISessionDocumentTimeSeries IDocumentSession.TimeSeriesFor(string documentId, string name) =>
        SeriesOf(documentId, name);

    ISessionDocumentTimeSeries IDocumentSession.TimeSeriesFor(object entity, string name) =>
        SeriesOf(InfoOf(entity).Id, name);

    ISessionDocumentTypedTimeSeries<TValues> IDocumentSession.TimeSeriesFor<TValues>(
        string documentId, string? name) => SeriesOf<TValues>(documentId, name);

    ISessionDocumentTypedTimeSeries<TValues> IDocumentSession.TimeSeriesFor<TValues>(object entity, string? name) =>
        SeriesOf<TValues>(InfoOf(entity).Id, name);

    ISessionDocumentRollupTypedTimeSeries<TValues> IDocumentSession.TimeSeriesRollupFor<TValues>(
        string documentId, string policy, string? raw) => RollupOf<TValues>(documentId, policy, raw);

    ISessionDocumentRollupTypedTimeSeries<TValues> IDocumentSession.TimeSeriesRollupFor<TValues>(
        object entity, string policy, string? raw) => RollupOf<TValues>(InfoOf(entity).Id, policy, raw);

    ISessionDocumentIncrementalTimeSeries IDocumentSession.IncrementalTimeSeriesFor(
        string documentId, string name) => IncrementalOf(documentId, name);

    ISessionDocumentIncrementalTimeSeries IDocumentSession.IncrementalTimeSeriesFor(object entity, string name) =>
        IncrementalOf(InfoOf(entity).Id, name);

    ISessionDocumentTypedIncrementalTimeSeries<TValues> IDocumentSession.IncrementalTimeSeriesFor<TValues>(
        string documentId, string? name) => IncrementalOf<TValues>(documentId, name);

    ISessionDocumentTypedIncrementalTimeSeries<TValues> IDocumentSession.IncrementalTimeSeriesFor<TValues>(
        object entity, string? name) => IncrementalOf<TValues>(InfoOf(entity).Id, name);

    public IDocumentQuery<T> DocumentQuery<T>(string? indexName = null, string? collectionName = null) =>
        new DocumentQuery<T>(new QueryRunner(this), BeginQuery<T>(indexName, collectionName));

    public IDocumentQuery<T> DocumentQuery<T, TIndex>() where TIndex : AbstractIndexCreationTask, new() =>
        DocumentQuery<T>(new TIndex().IndexName);

    public IRawDocumentQuery<T> RawQuery<T>(string rql) => AsyncRawQuery<T>(rql);

    public bool Exists(string id) => Wait(ExistsAsync(id));

    public void Refresh<T>(T entity) where T : notnull => Wait(RefreshAsync(entity));

    public ConditionalLoadResult<T> ConditionalLoad<T>(string id, string changeVector) =>
        Wait(ConditionalLoadAsync<T>(id, changeVector));

    public IReadOnlyList<T> LoadStartingWith<T>(
        string idPrefix, string? matches = null, int start = 0, int pageSize = 25, string? exclude = null,
        string? startAfter = null) =>
        Wait(LoadStartingWithAsync<T>(idPrefix, matches, start, pageSize, exclude, startAfter));

    public IEnumerable<StreamResult<T>> Stream<T>(
        string startsWith, string? matches = null, int start = 0, int pageSize = int.MaxValue,
        string? startAfter = null) =>
        StreamAsync<T>(startsWith, matches, start, pageSize, startAfter).ToBlockingEnumerable();

    private static TResult Wait<TResult>(Task<TResult> task) => task.GetAwaiter().GetResult();

    private static void Wait(Task task) => task.GetAwaiter().GetResult();
}
