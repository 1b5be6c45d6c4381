using System.Text.Json;
using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Commands.Batches;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Session;

/// <summary>
/// The state of a session, without the calls: what it tracks, what it will send, how many requests it has made. One
/// thread at a time.
/// </summary>
internal abstract class SessionCore : IDisposable
{
    private readonly RequestLimit _limit;
    private readonly int _start;
    private int _isBusy;

    protected SessionCore(DocumentStore store, RequestExecutor executor, SessionOptions options)
    {
        Owner = store;
        RequestExecutor = executor;
        Options = options;
        Database = options.Database ?? store.Database
            ?? throw new InvalidOperationException("Neither the store nor the session names a database.");
        Mode = options.TransactionMode;
        UseOptimisticConcurrency = Conventions.UseOptimisticConcurrency;
        Writer = new DocumentJsonWriter(Conventions);
        Events = new SessionEvents(store.SessionEvents);
        _limit = new RequestLimit(Conventions.MaxNumberOfRequestsPerSession);
        _start = executor.NextStart();
    }

    public RequestExecutor RequestExecutor { get; }

    public int NumberOfRequests => _limit.Count;

    public int MaxNumberOfRequestsPerSession
    {
        get => _limit.Max;
        set => _limit.Max = value;
    }

    public bool UseOptimisticConcurrency { get; set; }

    public IDictionary<string, object?> ExternalState { get; } = new Dictionary<string, object?>();

    internal DocumentStore Owner { get; }

    internal string Database { get; }

    internal SessionOptions Options { get; }

    internal DocumentConventions Conventions => RequestExecutor.Conventions;

    internal SessionDocuments Documents { get; } = new();

    internal SessionEvents Events { get; }

    internal DocumentJsonWriter Writer { get; }

    internal List<ICommandData> Deferred { get; } = [];

    internal SessionCounterCache Counters { get; } = new();

    internal Dictionary<string, JsonElement> CompareExchange { get; } = new(StringComparer.OrdinalIgnoreCase);

    internal BatchWait? IndexWait { get; set; }

    internal TransactionMode Mode { get; set; }

    internal abstract IAdvancedSessionOperations Self { get; }

    protected bool IsDisposed { get; private set; }

    /// <summary>Sends a request of the session, counted.</summary>
    internal async Task<TResult?> ExecuteAsync<TResult>(
        RavenCommand<TResult> command, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(IsDisposed, typeof(IAsyncDocumentSession));
        if (Interlocked.Exchange(ref _isBusy, 1) != 0)
        {
            throw new InvalidOperationException(
                "The session is in the middle of another request: a session belongs to one thread at a time. Await "
                + "each call before the next one, or make them lazy to send them together.");
        }

        try
        {
            _limit.Add(command.Kind);
            command.DisableCaching |= Options.NoCaching;
            return await RequestExecutor.ExecuteAsync(command, _start, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            Volatile.Write(ref _isBusy, 0);
        }
    }

    public void Dispose()
    {
        if (!IsDisposed)
        {
            Owner.OnSessionDisposingOf(Self);
            IsDisposed = true;
        }
    }

    /// <summary>Keeps what a load brought.</summary>
    /// <param name="result">What it brought.</param>
    /// <param name="asked">The ids that were asked for.</param>
    internal void Absorb(GetDocumentsResult result, IEnumerable<string> asked)
    {
        foreach (JsonElement document in result.Results)
        {
            if (document.ValueKind == JsonValueKind.Object)
            {
                Documents.Include(IdOf(document)!, document);
            }
        }

        foreach (string id in asked)
        {
            if (!Documents.TryGetIncluded(id, out _))
            {
                Documents.SetMissing(id);
            }
        }

        AbsorbIncludes(result);
    }

    internal void AbsorbIncludes(GetDocumentsResult result)
    {
        foreach ((string id, JsonElement document) in result.Includes)
        {
            Documents.Include(id, document);
        }

        foreach ((string id, Dictionary<string, long?> values) in result.Counters)
        {
            Counters.Set(id, values, isAll: false);
        }

        foreach ((string key, JsonElement value) in result.CompareExchange)
        {
            CompareExchange[key] = value;
        }
    }

    /// <summary>The entity of an id that is in the session; null where it is missing or deleted.</summary>
    internal T? GetLocal<T>(string id)
    {
        if (Documents.TryFind(id, out DocumentInfo? info))
        {
            return info.IsDeleted ? default : Cast<T>(info);
        }

        return !Documents.DeletedIds.ContainsKey(id) && Documents.TryGetIncluded(id, out JsonElement document)
            ? Track<T>(document)
            : default;
    }

    /// <summary>The entity of a document that came from the server: the one that the session has, or a new
    /// one.</summary>
    internal T Track<T>(JsonElement document)
    {
        string? id = IdOf(document);
        if (id is null || Options.NoTracking)
        {
            return (T)Materialize(document, typeof(T), id);
        }

        if (Documents.TryFind(id, out DocumentInfo? known))
        {
            return Cast<T>(known);
        }

        object entity = Materialize(document, typeof(T), id);
        var info = new DocumentInfo(id, entity);
        info.SetRead(document, ChangeVectorOf(document));
        Documents.Add(info);
        return (T)entity;
    }

    internal object Materialize(JsonElement document, Type type, string? id)
    {
        object entity = Conventions.Serializer.FromJson(document, type, id);
        Events.OnAfterConversion(this, new AfterConversionToEntityEventArgs(Self, id ?? "", entity));
        return entity;
    }

    /// <summary>Gives a tracked entity the state of a document that was read again.</summary>
    internal void Overwrite(DocumentInfo info, JsonElement document)
    {
        object fresh = Conventions.Serializer.FromJson(document, info.Entity.GetType(), info.Id);
        Conventions.Serializer.Copy(fresh, info.Entity);
        Conventions.Serializer.SetId(info.Entity, info.Id);
        info.SetRead(document, ChangeVectorOf(document));
    }

    /// <summary>What the session knows of an entity.</summary>
    /// <exception cref="InvalidOperationException">It does not know it.</exception>
    internal DocumentInfo InfoOf(object entity)
    {
        ArgumentNullException.ThrowIfNull(entity);
        return Documents.Find(entity) ?? throw new InvalidOperationException(
            $"This {entity.GetType().Name} is not of this session: load it or store it first.");
    }

    internal static string? IdOf(JsonElement document) => MetadataText(document, "@id");

    internal static string? ChangeVectorOf(JsonElement document) => MetadataText(document, "@change-vector");

    private static string? MetadataText(JsonElement document, string name) =>
        document.ValueKind == JsonValueKind.Object && document.TryGetProperty("@metadata", out JsonElement metadata)
        && metadata.TryGetProperty(name, out JsonElement value)
            ? value.GetString()
            : null;

    private static T Cast<T>(DocumentInfo info) => info.Entity is T entity
        ? entity
        : throw new InvalidOperationException(
            $"The session has '{info.Id}' as {info.Entity.GetType().Name}; it cannot be a {typeof(T).Name} too.");
}
