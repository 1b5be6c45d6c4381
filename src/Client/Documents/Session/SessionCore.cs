using System.Text.Json;
using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Commands.Batches;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Entities;
using Raven.Client.Http;
using Raven.Client.Json;

namespace Raven.Client.Documents.Session;

/// <summary>
/// The state of a session: the entities that it tracks, what <c>SaveChanges</c> will send, and how many requests it has
/// made. The public methods are in derived classes. One thread at a time.
/// </summary>
internal abstract class SessionCore : IDisposable
{
    private readonly RequestLimit _limit;
    private readonly int _firstNode;
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
        Events = new SessionEvents(store.SessionEvents);
        _limit = new RequestLimit(Conventions.MaxNumberOfRequestsPerSession);
        _firstNode = executor.NextStart();
    }

    public RequestExecutor RequestExecutor { get; }

    public int NumberOfRequests => _limit.Count;

    public int MaxNumberOfRequestsPerSession
    {
        get => _limit.Max;
        set => _limit.Max = value;
    }

    public bool UseOptimisticConcurrency
    {
        get => OptimisticConcurrencyMode != OptimisticConcurrencyMode.None;
        set => OptimisticConcurrencyMode = !value ? OptimisticConcurrencyMode.None
            : OptimisticConcurrencyMode == OptimisticConcurrencyMode.None ? OptimisticConcurrencyMode.Writes
            : OptimisticConcurrencyMode;
    }

    public OptimisticConcurrencyMode OptimisticConcurrencyMode { get; set; }

    public IDictionary<string, object?> ExternalState => field ??= new Dictionary<string, object?>();

    internal DocumentStore Owner { get; }

    internal string Database { get; }

    internal SessionOptions Options { get; }

    internal DocumentConventions Conventions => RequestExecutor.Conventions;

    internal SessionDocuments Documents { get; } = new();

    internal SessionEvents Events { get; }

    internal DocumentJsonWriter Writer => field ??= new DocumentJsonWriter(Conventions);

    internal List<ICommandData> Deferred { get; } = [];

    internal SessionCounterCache Counters => field ??= new();

    internal SessionSeriesCache Series => field ??= new();

    internal Dictionary<string, JsonElement> CompareExchange => field ??= new(StringComparer.OrdinalIgnoreCase);

    internal BatchWait? IndexWait { get; set; }

    internal TransactionMode Mode { get; set; }

    internal abstract IAdvancedSessionOperations Self { get; }

    protected bool IsDisposed { get; private set; }

    /// <summary>Sends a request of the session, and counts it.</summary>
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
            return await RequestExecutor.ExecuteAsync(command, _firstNode, cancellationToken).ConfigureAwait(false);
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

    /// <summary>
    /// Adds the documents of an answer to the session, which makes entities of them when they are requested.
    /// </summary>
    /// <param name="result">The content of the answer.</param>
    /// <param name="asked">The requested ids, in the order of the results.</param>
    internal void RegisterDocuments(GetDocumentsResult result, IReadOnlyList<string> asked)
    {
        for (int i = 0; i < asked.Count; i++)
        {
            if (i < result.Results.Count)
            {
                Documents.Include(asked[i], result.Results[i]);
            }
            else
            {
                Documents.SetMissing(asked[i]);
            }
        }

        RegisterIncludes(result);
    }

    internal void RegisterIncludes(GetDocumentsResult result)
    {
        if (result.Includes is { } documents)
        {
            foreach ((string id, ReadOnlyMemory<byte> document) in documents)
            {
                Documents.Include(id, document);
            }
        }

        if (result.Counters is { } counters)
        {
            foreach ((string id, Dictionary<string, long?> values) in counters)
            {
                Counters.Set(id, values, isAll: false);
            }
        }

        if (result.TimeSeries is { } series)
        {
            Series.Add(series);
        }

        if (result.CompareExchange is { } compareExchange)
        {
            foreach ((string key, JsonElement value) in compareExchange)
            {
                CompareExchange[key] = value;
            }
        }
    }

    /// <summary>
    /// The entity of an id that the session knows; null if the document does not exist or is deleted.
    /// </summary>
    internal T? GetLocal<T>(string id)
    {
        if (Documents.TryFind(id, out DocumentInfo? info))
        {
            return info.IsDeleted ? default : Cast<T>(info);
        }

        return !Documents.DeletedIds.ContainsKey(id) && Documents.TryGetIncluded(id, out ReadOnlyMemory<byte> document)
            ? Track<T>(document)
            : default;
    }

    /// <summary>The entity of a document that the server sent: the tracked entity with its id, or a new one.</summary>
    internal T Track<T>(ReadOnlyMemory<byte> document)
    {
        Utf8JsonReader reader = AnswerBody.Open(document.Span);
        return ReadAndTrack(
            Conventions.Serializer.ReaderOf<T>(), ref reader, document, isUntracked: false, isProjection: false);
    }

    /// <summary>The entity of a document inside an answer: the tracked entity with its id, or a new one.</summary>
    /// <param name="entities">Reads entities of the type.</param>
    /// <param name="reader">At the first token of the document; at its last one afterwards.</param>
    /// <param name="body">What the reader reads; the session keeps it as long as it tracks the document.</param>
    /// <param name="isUntracked">Whether the session does not track the entity.</param>
    /// <param name="isProjection">Whether the result is known to be a projection, which is never tracked.</param>
    internal T ReadAndTrack<T>(
        EntityReader<T> entities, ref Utf8JsonReader reader, ReadOnlyMemory<byte> body, bool isUntracked,
        bool isProjection)
    {
        T entity = entities.Read(ref reader, body, out DocumentHead head, out ReadOnlyMemory<byte> document);
        return TrackRead(entity, in head, document, isUntracked, isProjection);
    }

    /// <summary>Sets the id of an entity that was read, and tracks it. If an entity with that id is tracked already,
    /// that one is returned instead.</summary>
    internal T TrackRead<T>(
        T read, in DocumentHead head, ReadOnlyMemory<byte> document, bool isUntracked, bool isProjection)
    {
        object entity = read!;
        if (isProjection || head.IsProjection)
        {
            Conventions.Serializer.SetId(entity, head.Id);
            return (T)entity;
        }

        bool isTracked = head.Id != null && !isUntracked && !Options.NoTracking;
        if (isTracked && Documents.TryFind(head.Id!, out DocumentInfo? known))
        {
            return Cast<T>(known);
        }

        Conventions.Serializer.SetId(entity, head.Id);
        Events.OnAfterConversion(this, Self, head.Id, entity);
        if (isTracked)
        {
            var info = new DocumentInfo(head.Id!, entity);
            info.SetStored(document);
            Documents.Add(info);
        }

        return (T)entity;
    }

    internal object Deserialize(JsonElement document, Type type, string? id)
    {
        object entity = Conventions.Serializer.FromJson(document, type, id);
        Events.OnAfterConversion(this, Self, id, entity);
        return entity;
    }

    /// <summary>Gives a tracked entity the state of a document that was read again.</summary>
    internal void Overwrite(DocumentInfo info, ReadOnlyMemory<byte> document)
    {
        object fresh = Conventions.Serializer.FromJson(document.Span, info.Entity.GetType(), info.Id);
        Conventions.Serializer.Copy(fresh, info.Entity);
        Conventions.Serializer.SetId(info.Entity, info.Id);
        info.SetStored(document);
    }

    /// <summary>The state of a tracked entity.</summary>
    /// <exception cref="InvalidOperationException">The session does not track the entity.</exception>
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
