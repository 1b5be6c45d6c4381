using System.Collections.Concurrent;
using System.Net;
using System.Security.Cryptography.X509Certificates;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Changes;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Session;
using Raven.Client.Documents.Operations.TimeSeries;
using Raven.Client.Documents.Smuggler;
using Raven.Client.Documents.Subscriptions;
using Raven.Client.Http;

namespace Raven.Client.Documents;

/// <summary>See <see cref="IDocumentStore"/>. Set the properties, then call <see cref="Initialize"/>.</summary>
/// <remarks>
/// Documents are read and written by reflection: an application that is trimmed has to keep their types, for example by
/// <c>TrimmerRootAssembly</c> in its project. Otherwise its entities lose the trimmed properties without an error.
/// </remarks>
public sealed class DocumentStore : IDocumentStore
{
    private readonly ConcurrentDictionary<string, DatabaseClient> _databases = new(StringComparer.OrdinalIgnoreCase);
    private readonly SessionEvents _sessionEvents = new();
    private readonly CancellationTokenSource _end = new();
    private readonly Lock _lock = new();
    private ExecutorContext? _context;
    private HttpMessageInvoker? _http;
    private HttpMessageInvoker? _sockets;
    private RequestExecutor? _server;
    private bool _isDisposed;

    /// <inheritdoc/>
    public IReadOnlyList<string> Urls
    {
        get;
        set => field = Unfrozen<IReadOnlyList<string>>([.. value.Select(url => url.TrimEnd('/'))]);
    } = [];

    /// <inheritdoc/>
    public string? Database { get; set => field = Unfrozen(value); }

    /// <inheritdoc/>
    /// <remarks>
    /// With its private key, and only for https urls. It is the caller's: the store does not dispose it.
    /// </remarks>
    /// <exception cref="ArgumentException">It has no private key.</exception>
    public X509Certificate2? Certificate
    {
        get;
        set => field = Unfrozen(ClientSecurity.CheckCertificate(value));
    }

    /// <summary>
    /// The API key that shows servers who the application is; null if there is none. It goes with each request, and if
    /// there is a certificate too the server looks at the key alone. Over plain http it is sent to this machine only.
    /// No log and no exception has it.
    /// </summary>
    /// <exception cref="ArgumentException">It has signs that no key has, such as spaces.</exception>
    public string? ApiKey { get; set => field = Unfrozen(ClientSecurity.CheckKey(value)); }

    /// <summary>
    /// The authorities whose certificates of servers are accepted, or the self-signed certificates of servers; the
    /// names in them must fit the url. If there are any, no others count; without any, those that the system trusts.
    /// </summary>
    public X509Certificate2Collection CertificateAuthorities { get; set => field = Unfrozen(value); } = [];

    /// <inheritdoc/>
    public DocumentConventions Conventions { get; set => field = Unfrozen(value); } = new();

    /// <inheritdoc/>
    public OperationExecutor Operations => new(this, null);

    /// <inheritdoc/>
    public MaintenanceOperationExecutor Maintenance => new(this, null);

    /// <inheritdoc/>
    public DatabaseSmuggler Smuggler => new(this, null);

    /// <inheritdoc/>
    public TimeSeriesOperations TimeSeries => new(this, null);

    /// <inheritdoc/>
    public DocumentSubscriptions Subscriptions => new(this);

    internal SessionEvents SessionEvents => _sessionEvents;

    internal ExecutorContext Context => _context ?? throw new InvalidOperationException(
        "The store is not initialized: call Initialize() once, before anything else.");

    /// <inheritdoc/>
    public event EventHandler<BeforeStoreEventArgs> OnBeforeStore
    {
        add => _sessionEvents.BeforeStore += value;
        remove => _sessionEvents.BeforeStore -= value;
    }

    /// <inheritdoc/>
    public event EventHandler<AfterSaveChangesEventArgs> OnAfterSaveChanges
    {
        add => _sessionEvents.AfterSaveChanges += value;
        remove => _sessionEvents.AfterSaveChanges -= value;
    }

    /// <inheritdoc/>
    public event EventHandler<BeforeDeleteEventArgs> OnBeforeDelete
    {
        add => _sessionEvents.BeforeDelete += value;
        remove => _sessionEvents.BeforeDelete -= value;
    }

    /// <inheritdoc/>
    public event EventHandler<BeforeQueryEventArgs> OnBeforeQuery
    {
        add => _sessionEvents.BeforeQuery += value;
        remove => _sessionEvents.BeforeQuery -= value;
    }

    /// <inheritdoc/>
    public event EventHandler<AfterConversionToEntityEventArgs> OnAfterConversionToEntity
    {
        add => _sessionEvents.AfterConversionToEntity += value;
        remove => _sessionEvents.AfterConversionToEntity -= value;
    }

    /// <inheritdoc/>
    public event EventHandler? AfterDispose;

    /// <inheritdoc/>
    public event EventHandler<SessionCreatedEventArgs>? OnSessionCreated;

    /// <inheritdoc/>
    public event EventHandler<SessionDisposingEventArgs>? OnSessionDisposing;

    /// <inheritdoc/>
    public event EventHandler<BeforeRequestEventArgs> OnBeforeRequest
    {
        add => Context.BeforeRequest += value;
        remove => Context.BeforeRequest -= value;
    }

    /// <inheritdoc/>
    public event EventHandler<SucceedRequestEventArgs> OnSucceedRequest
    {
        add => Context.SucceedRequest += value;
        remove => Context.SucceedRequest -= value;
    }

    /// <inheritdoc/>
    public event EventHandler<FailedRequestEventArgs> OnFailedRequest
    {
        add => Context.FailedRequest += value;
        remove => Context.FailedRequest -= value;
    }

    /// <inheritdoc/>
    public event EventHandler<TopologyUpdatedEventArgs> OnTopologyUpdated
    {
        add => Context.TopologyUpdated += value;
        remove => Context.TopologyUpdated -= value;
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">
    /// There are no urls, or they do not go together: some are http and others https, or over http a certificate or, to
    /// another machine, an API key would be sent.
    /// </exception>
    public IDocumentStore Initialize()
    {
        if (_context != null)
        {
            return this;
        }

        if (Urls.Count == 0)
        {
            throw new InvalidOperationException("The store has no Urls.");
        }

        foreach (string url in Urls)
        {
            if (!Uri.TryCreate(url, UriKind.Absolute, out Uri? uri) || uri.Scheme is not ("http" or "https"))
            {
                throw new InvalidOperationException($"'{url}' is no http url of a server.");
            }
        }

        var security = new ClientSecurity(Urls, Certificate, ApiKey, CertificateAuthorities);
        Conventions.Freeze();
        _http = new HttpMessageInvoker(security.SetUp(CreateHandler()));
        _sockets = new HttpMessageInvoker(security.SetUp(new SocketsHttpHandler { UseCookies = false }));
        _context = new ExecutorContext(Conventions, security, _http, _sockets, this, _end.Token);
        return this;
    }

    /// <inheritdoc/>
    public IAsyncDocumentSession OpenAsyncSession() => OpenAsyncSession(new SessionOptions());

    /// <inheritdoc/>
    public IAsyncDocumentSession OpenAsyncSession(string database) =>
        OpenAsyncSession(new SessionOptions { Database = database });

    /// <inheritdoc/>
    public IAsyncDocumentSession OpenAsyncSession(SessionOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        var session = new AsyncDocumentSession(this, ExecutorOf(options), options);
        OnSessionCreated?.Invoke(this, new SessionCreatedEventArgs(session));
        return session;
    }

    /// <inheritdoc/>
    public IDocumentSession OpenSession() => OpenSession(new SessionOptions());

    /// <inheritdoc/>
    public IDocumentSession OpenSession(string database) => OpenSession(new SessionOptions { Database = database });

    /// <inheritdoc/>
    public IDocumentSession OpenSession(SessionOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        var session = new DocumentSession(this, ExecutorOf(options), options);
        OnSessionCreated?.Invoke(this, new SessionCreatedEventArgs(session));
        return session;
    }

    /// <inheritdoc/>
    public BulkInsertOperation BulkInsert(
        string? database = null, BulkInsertOptions? options = null, CancellationToken cancellationToken = default) =>
        new(this, DatabaseOf(database), options ?? new BulkInsertOptions(), cancellationToken);

    /// <inheritdoc/>
    public IDatabaseChanges Changes(string? database = null) => ClientOf(DatabaseOf(database)).Changes;

    /// <inheritdoc/>
    public RequestExecutor GetRequestExecutor(string? database = null) => ClientOf(DatabaseOf(database)).Executor;

    /// <inheritdoc/>
    public IDisposable AggressivelyCacheFor(
        TimeSpan duration, AggressiveCacheMode mode = AggressiveCacheMode.TrackChanges, string? database = null)
    {
        bool tracks = mode == AggressiveCacheMode.TrackChanges;
        if (tracks)
        {
            ClientOf(DatabaseOf(database)).TrackChanges();
        }

        return new AggressiveCacheScope(Context.AggressiveCache, duration, tracks);
    }

    /// <inheritdoc/>
    public IDisposable DisableAggressiveCaching() =>
        new AggressiveCacheScope(Context.AggressiveCache, TimeSpan.Zero, tracksChanges: false);

    /// <inheritdoc/>
    public IDisposable SetRequestTimeout(TimeSpan timeout) => new TimeoutScope(Context.RequestTimeout, timeout);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        lock (_lock)
        {
            if (_isDisposed)
            {
                return;
            }

            _isDisposed = true;
        }

        try
        {
            await _end.CancelAsync().ConfigureAwait(false);

            // All of them, even if an observer of one throws.
            await Task.WhenAll(_databases.Values.Select(database => database.DisposeAsync().AsTask()))
                .ConfigureAwait(false);
        }
        finally
        {
            _http?.Dispose();
            _sockets?.Dispose();
            _end.Dispose();
            AfterDispose?.Invoke(this, EventArgs.Empty);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => DisposeAsync().AsTask().GetAwaiter().GetResult();

    /// <summary>The executor of the server itself.</summary>
    internal RequestExecutor ServerExecutor() => _server ??= new RequestExecutor(Context, Urls, null);

    internal string DatabaseOf(string? database) => database ?? Database ?? throw new InvalidOperationException(
        "Neither the store nor the call names a database: set DocumentStore.Database.");

    internal async Task<string> NewIdAsync(string database, object entity, CancellationToken cancellationToken)
    {
        Func<string, object, Task<string>>? make =
            Conventions.IdConventionOf(entity.GetType()) ?? Conventions.AsyncDocumentIdGenerator;
        if (make != null)
        {
            return await make(database, entity).ConfigureAwait(false);
        }

        string collection = Conventions.GetCollectionName(entity.GetType());
        string tag = Conventions.TransformTypeCollectionNameToDocumentIdPrefix(collection);
        return await ClientOf(database).Ids.NextAsync(tag, cancellationToken).ConfigureAwait(false);
    }

    internal void OnSessionDisposingOf(IAdvancedSessionOperations session) =>
        OnSessionDisposing?.Invoke(this, new SessionDisposingEventArgs(session));

    private HttpMessageHandler CreateHandler() => Conventions.CreateHttpMessageHandler?.Invoke()
        ?? new SocketsHttpHandler
        {
            PooledConnectionIdleTimeout = TimeSpan.FromSeconds(100),
            ConnectTimeout = TimeSpan.FromSeconds(15),
            UseCookies = false,
            UseProxy = false,
            AutomaticDecompression =
                Conventions.UseHttpDecompression ? DecompressionMethods.All : DecompressionMethods.None,
        };

    private RequestExecutor ExecutorOf(SessionOptions options) =>
        options.RequestExecutor ?? ClientOf(DatabaseOf(options.Database)).Executor;

    private DatabaseClient ClientOf(string database)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (_databases.TryGetValue(database, out DatabaseClient? known))
        {
            return known;
        }

        lock (_lock)
        {
            // None may be made after the disposal: it would never be ended.
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            return _databases.GetOrAdd(
                database,
                static (name, store) => new DatabaseClient(new RequestExecutor(store.Context, store.Urls, name)), this);
        }
    }

    private T Unfrozen<T>(T value) => _context is null
        ? value
        : throw new InvalidOperationException("The store is initialized: set its properties before.");

    /// <summary>Sets the timeout of the calls in this asynchronous flow.</summary>
    private sealed class TimeoutScope : IDisposable
    {
        private readonly AsyncLocal<TimeSpan?> _current;
        private readonly TimeSpan? _outer;

        internal TimeoutScope(AsyncLocal<TimeSpan?> current, TimeSpan timeout)
        {
            _current = current;
            _outer = current.Value;
            current.Value = timeout;
        }

        public void Dispose() => _current.Value = _outer;
    }
}
