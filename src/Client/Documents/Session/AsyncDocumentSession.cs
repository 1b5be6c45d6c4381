using System.Linq.Expressions;
using System.Runtime.CompilerServices;
using System.Text.Json;
using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Session.Loaders;
using Raven.Client.Exceptions.Documents;
using Raven.Client.Http;
using Raven.Client.Json;

namespace Raven.Client.Documents.Session;

/// <summary>See <see cref="IAsyncDocumentSession"/>.</summary>
internal class AsyncDocumentSession : TrackingSession, IAsyncDocumentSession, IAsyncAdvancedSessionOperations
{
    internal AsyncDocumentSession(DocumentStore store, RequestExecutor executor, SessionOptions options)
        : base(store, executor, options)
    {
    }

    IAsyncAdvancedSessionOperations IAsyncDocumentSession.Advanced => this;

    IAsyncLazySessionOperations IAsyncAdvancedSessionOperations.Lazily => LazyRequests;

    IAsyncEagerSessionOperations IAsyncAdvancedSessionOperations.Eagerly => LazyRequests;

    IAsyncAttachmentsSessionOperations IAsyncAdvancedSessionOperations.Attachments => AttachmentOperations;

    IAsyncRevisionsSessionOperations IAsyncAdvancedSessionOperations.Revisions => RevisionOperations;

    IAsyncClusterTransactionOperations IAsyncAdvancedSessionOperations.ClusterTransaction => ClusterOperations;

    internal LazyRequests LazyRequests => field ??= new(this);

    internal AttachmentsSessionOperations AttachmentOperations => field ??= new(this);

    internal RevisionsSessionOperations RevisionOperations => field ??= new(this);

    internal ClusterTransactionOperations ClusterOperations => field ??= new(this);

    public async Task<T?> LoadAsync<T>(string id, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        if (!Options.NoTracking && Documents.IsKnown(id))
        {
            return GetLocal<T>(id);
        }

        GetDocumentsResult? result = await ExecuteAsync(
            new GetDocumentsCommand { Ids = [id] }, cancellationToken).ConfigureAwait(false);
        if (Documents.IsKnown(id) || result!.Results is not [{ IsEmpty: false } document])
        {
            RegisterDocuments(result!, [id]);
            return GetLocal<T>(id);
        }

        return Track<T>(document);
    }

    public Task<Dictionary<string, T?>> LoadAsync<T>(
        IEnumerable<string> ids, CancellationToken cancellationToken = default) =>
        LoadCoreAsync<T>([.. ids], IncludeList.None, cancellationToken);

    public async Task<T?> LoadAsync<T>(
        string id, Action<IIncludeBuilder<T>> includes, CancellationToken cancellationToken = default)
    {
        Dictionary<string, T?> loaded = await LoadAsync([id], includes, cancellationToken).ConfigureAwait(false);
        return loaded.GetValueOrDefault(id);
    }

    public Task<Dictionary<string, T?>> LoadAsync<T>(
        IEnumerable<string> ids, Action<IIncludeBuilder<T>> includes, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(includes);
        var builder = new IncludeBuilder<T>(Conventions.Serializer);
        includes(builder);
        return LoadCoreAsync<T>([.. ids], builder.List, cancellationToken);
    }

    public IAsyncLoaderWithInclude<object> Include(string path) => new LoaderWithInclude<object>(this, path);

    public IAsyncLoaderWithInclude<T> Include<T>(Expression<Func<T, string?>> path) =>
        new LoaderWithInclude<T>(this, Conventions.Serializer.PathOf(path));

    public IAsyncLoaderWithInclude<T> Include<T>(Expression<Func<T, IEnumerable<string>>> path) =>
        new LoaderWithInclude<T>(this, Conventions.Serializer.PathOf(path));

    public async Task StoreAsync(object entity, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(entity);
        if (Documents.Find(entity) is { } known)
        {
            known.IsDeleted = false;
            return;
        }

        string? id = Conventions.Serializer.GetId(entity);
        if (string.IsNullOrEmpty(id))
        {
            id = await Owner.NewIdAsync(Database, entity, cancellationToken).ConfigureAwait(false);
            Conventions.Serializer.SetId(entity, id);
        }

        Documents.AddNew(new DocumentInfo(id, entity));
    }

    public Task StoreAsync(object entity, string id, CancellationToken cancellationToken = default) =>
        StoreAsync(entity, null, id, cancellationToken);

    public Task StoreAsync(
        object entity, string? changeVector, string id, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(entity);
        ArgumentException.ThrowIfNullOrEmpty(id);
        if (Documents.Find(entity) is { } known)
        {
            known.ExpectedChangeVector = changeVector ?? known.ExpectedChangeVector;
            known.IsDeleted = false;
            return Task.CompletedTask;
        }

        Documents.AddNew(new DocumentInfo(id, entity) { ExpectedChangeVector = changeVector });
        Conventions.Serializer.SetId(entity, id);
        return Task.CompletedTask;
    }

    public Task SaveChangesAsync(CancellationToken cancellationToken = default) =>
        new SessionSaver(this).SaveAsync(cancellationToken);

    public IRavenQueryable<T> Query<T>(string? indexName = null, string? collectionName = null) =>
        new RavenQueryable<T>(new RavenQueryProvider(this, BeginQuery<T>(indexName, collectionName)));

    public IRavenQueryable<T> Query<T, TIndex>() where TIndex : AbstractIndexCreationTask, new() =>
        Query<T>(new TIndex().IndexName);

    public IAsyncDocumentQuery<T> AsyncDocumentQuery<T>(string? indexName = null, string? collectionName = null) =>
        new AsyncDocumentQuery<T>(new QueryRunner(this), BeginQuery<T>(indexName, collectionName));

    public IAsyncDocumentQuery<T> AsyncDocumentQuery<T, TIndex>() where TIndex : AbstractIndexCreationTask, new() =>
        AsyncDocumentQuery<T>(new TIndex().IndexName);

    public IRawDocumentQuery<T> AsyncRawQuery<T>(string rql) => new RawDocumentQuery<T>(this, rql);

    internal PreparedQuery BeginQuery<T>(string? indexName, string? collectionName) => new(
        new RqlBuilder
        {
            Source = indexName ?? collectionName ?? CollectionOf(typeof(T)), IsIndex = indexName != null,
        },
        new QueryOptions());

    public IAsyncSessionDocumentCounters CountersFor(string documentId) =>
        new SessionDocumentCounters(this, documentId);

    public IAsyncSessionDocumentCounters CountersFor(object entity) => CountersFor(InfoOf(entity).Id);

    public IAsyncSessionDocumentTimeSeries TimeSeriesFor(string documentId, string name) =>
        SeriesOf(documentId, name);

    public IAsyncSessionDocumentTimeSeries TimeSeriesFor(object entity, string name) =>
        SeriesOf(InfoOf(entity).Id, name);

    public IAsyncSessionDocumentTypedTimeSeries<TValues> TimeSeriesFor<TValues>(
        string documentId, string? name = null) where TValues : new() => SeriesOf<TValues>(documentId, name);

    public IAsyncSessionDocumentTypedTimeSeries<TValues> TimeSeriesFor<TValues>(object entity, string? name = null)
        where TValues : new() => SeriesOf<TValues>(InfoOf(entity).Id, name);

    public IAsyncSessionDocumentRollupTypedTimeSeries<TValues> TimeSeriesRollupFor<TValues>(
        string documentId, string policy, string? raw = null) where TValues : new() =>
        RollupOf<TValues>(documentId, policy, raw);

    public IAsyncSessionDocumentRollupTypedTimeSeries<TValues> TimeSeriesRollupFor<TValues>(
        object entity, string policy, string? raw = null) where TValues : new() =>
        RollupOf<TValues>(InfoOf(entity).Id, policy, raw);

    public IAsyncSessionDocumentIncrementalTimeSeries IncrementalTimeSeriesFor(string documentId, string name) =>
        IncrementalOf(documentId, name);

    public IAsyncSessionDocumentIncrementalTimeSeries IncrementalTimeSeriesFor(object entity, string name) =>
        IncrementalOf(InfoOf(entity).Id, name);

    public IAsyncSessionDocumentTypedIncrementalTimeSeries<TValues> IncrementalTimeSeriesFor<TValues>(
        string documentId, string? name = null) where TValues : new() => IncrementalOf<TValues>(documentId, name);

    public IAsyncSessionDocumentTypedIncrementalTimeSeries<TValues> IncrementalTimeSeriesFor<TValues>(
        object entity, string? name = null) where TValues : new() => IncrementalOf<TValues>(InfoOf(entity).Id, name);

    public async Task<bool> ExistsAsync(string id, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        if (Documents.IsKnown(id))
        {
            return IsLoaded(id);
        }

        string? found = await ExecuteAsync(new HeadDocumentCommand(id), cancellationToken).ConfigureAwait(false);
        return found != null;
    }

    public async Task RefreshAsync<T>(T entity, CancellationToken cancellationToken = default) where T : notnull
    {
        DocumentInfo info = InfoOf(entity);
        GetDocumentsResult? result = await ExecuteAsync(
            new GetDocumentsCommand { Ids = [info.Id] }, cancellationToken).ConfigureAwait(false);
        if (result?.Results is not [{ IsEmpty: false } document])
        {
            throw new DocumentDoesNotExistException($"'{info.Id}' cannot be refreshed: it was deleted.");
        }

        Overwrite(info, document);
    }

    public async Task<ConditionalLoadResult<T>> ConditionalLoadAsync<T>(
        string id, string changeVector, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(changeVector);
        if (FindConditional<T>(id) is { } known)
        {
            return known;
        }

        ConditionalGetResult? result = await ExecuteAsync(
            new ConditionalGetCommand(id, changeVector), cancellationToken).ConfigureAwait(false);
        return TrackConditional<T>(result, changeVector);
    }

    public async Task<IReadOnlyList<T>> LoadStartingWithAsync<T>(
        string idPrefix, string? matches = null, int start = 0, int pageSize = 25, string? exclude = null,
        string? startAfter = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(idPrefix);
        GetDocumentsResult? result = await ExecuteAsync(
            new GetDocumentsCommand
            {
                StartsWith = idPrefix,
                Matches = matches,
                Start = start,
                PageSize = pageSize,
                Exclude = exclude,
                StartAfter = startAfter,
            },
            cancellationToken).ConfigureAwait(false);
        return TrackAll<T>(result!);
    }

    public async IAsyncEnumerable<StreamResult<T>> StreamAsync<T>(
        string startsWith, string? matches = null, int start = 0, int pageSize = int.MaxValue,
        string? startAfter = null, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        DocumentLines? lines = await ExecuteAsync(
            new StreamDocumentsCommand(startsWith, matches, start, pageSize, startAfter), cancellationToken)
            .ConfigureAwait(false);
        await using ConfiguredAsyncDisposable scope = lines!.ConfigureAwait(false);
        await foreach (JsonElement document in lines!.ReadAsync(cancellationToken).ConfigureAwait(false))
        {
            yield return ToStreamResult<T>(document);
        }
    }

    private protected SessionDocumentTimeSeries SeriesOf(string id, string name) =>
        new(this, id, SeriesNames.CheckPlain(name));

    private protected SessionDocumentTypedTimeSeries<TValues> SeriesOf<TValues>(string id, string? name)
        where TValues : new() => new(this, id, SeriesNames.CheckPlain(name ?? SeriesNames.Of<TValues>(Conventions)));

    private protected SessionDocumentRollupTypedTimeSeries<TValues> RollupOf<TValues>(
        string id, string policy, string? raw) where TValues : new() =>
        new(this, id, SeriesNames.Rollup(raw ?? SeriesNames.Of<TValues>(Conventions), policy));

    private protected SessionDocumentTimeSeries IncrementalOf(string id, string name) =>
        new(this, id, SeriesNames.CheckIncremental(name));

    private protected SessionDocumentTypedTimeSeries<TValues> IncrementalOf<TValues>(string id, string? name)
        where TValues : new() =>
        new(this, id, SeriesNames.CheckIncremental(
            name ?? SeriesNames.IncrementalPrefix + SeriesNames.Of<TValues>(Conventions)));

    private string? CollectionOf(Type type) =>
        Conventions.GetCollectionName(type) is var name && name == "@empty" ? null : name;

    /// <summary>The result of a conditional load whose document is in the session already; null if it is not.</summary>
    internal ConditionalLoadResult<T>? FindConditional<T>(string id) =>
        Documents.TryFind(id, out DocumentInfo? info) && !info.IsDeleted
            ? new ConditionalLoadResult<T>(GetLocal<T>(id), info.ChangeVector)
            : null;

    internal ConditionalLoadResult<T> TrackConditional<T>(ConditionalGetResult? result, string changeVector) =>
        result?.Document is { IsEmpty: false } document
            ? new ConditionalLoadResult<T>(Track<T>(document), DocumentHead.Of(document.Span).ChangeVector)
            : new ConditionalLoadResult<T>(default, result?.IsUnchanged == true ? changeVector : null);

    internal StreamResult<T> ToStreamResult<T>(JsonElement document)
    {
        string? id = IdOf(document);
        JsonElement? metadata = document.TryGetProperty("@metadata", out JsonElement value) ? value : null;
        return new StreamResult<T>(
            id, ChangeVectorOf(document), new MetadataDictionary(metadata), (T)Deserialize(document, typeof(T), id));
    }

    /// <summary>The entities of a page, without those that the session has deleted.</summary>
    internal List<T> TrackAll<T>(GetDocumentsResult result)
    {
        List<T> all = [];
        foreach (ReadOnlyMemory<byte> document in result.Results)
        {
            if (!document.IsEmpty && !IsDeleted(document))
            {
                all.Add(Track<T>(document));
            }
        }

        RegisterIncludes(result);
        return all;
    }

    private bool IsDeleted(ReadOnlyMemory<byte> document) => Documents.All.Count > 0
        && Documents.TryFind(DocumentHead.Of(document.Span).Id!, out DocumentInfo? info) && info.IsDeleted;

    internal async Task<Dictionary<string, T?>> LoadCoreAsync<T>(
        string[] ids, IncludeList includes, CancellationToken cancellationToken)
    {
        await FetchAsync(ids, includes, cancellationToken).ConfigureAwait(false);
        Dictionary<string, T?> loaded = new(StringComparer.OrdinalIgnoreCase);
        foreach (string id in ids.Where(id => !string.IsNullOrEmpty(id)))
        {
            loaded[id] = GetLocal<T>(id);
        }

        return loaded;
    }

    /// <summary>Loads the documents that the session does not have, in one request; in none if it has all.</summary>
    internal async Task FetchAsync(string[] ids, IncludeList includes, CancellationToken cancellationToken)
    {
        bool asksAll = !includes.IsEmpty || Options.NoTracking;
        string[] wanted =
        [
            .. ids.Where(id => !string.IsNullOrEmpty(id) && (asksAll || !Documents.IsKnown(id)))
                .Distinct(StringComparer.OrdinalIgnoreCase),
        ];
        if (wanted.Length == 0)
        {
            return;
        }

        GetDocumentsResult? result = await ExecuteAsync(
            new GetDocumentsCommand { Ids = wanted, Includes = includes }, cancellationToken).ConfigureAwait(false);
        RegisterDocuments(result!, wanted);
    }
}
