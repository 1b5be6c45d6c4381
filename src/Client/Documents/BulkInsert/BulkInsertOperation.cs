using System.IO.Pipelines;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;
using Raven.Client.Exceptions.Documents.BulkInsert;
using Raven.Client.Http;

namespace Raven.Client.Documents.BulkInsert;

/// <summary>
/// Inserts any number of documents through one request. The server commits them as they come, so it is not one
/// transaction; documents with the same ids are overwritten. A caller that is faster than the server waits in
/// <see cref="StoreAsync(object, CancellationToken)"/>. One thread at a time; dispose it at the end, which sends the
/// rest and waits until all of it is durable.
/// </summary>
public sealed class BulkInsertOperation : IAsyncDisposable, IDisposable
{
    private const int WaitingBytesMax = 1024 * 1024;
    private const int FlushBytesMin = 64 * 1024;
    private const int ProgressEvery = 1000;

    private readonly DocumentStore _store;
    private readonly string _database;
    private readonly RequestExecutor _executor;
    private readonly BulkInsertOptions _options;
    private readonly CancellationTokenSource _abort;
    private readonly Pipe _pipe = new(new PipeOptions(
        pauseWriterThreshold: WaitingBytesMax, resumeWriterThreshold: WaitingBytesMax / 2,
        minimumSegmentSize: 32 * 1024, useSynchronizationContext: false));

    private readonly BulkInsertWriter _writer;
    private Task? _request;
    private long _operationId;
    private long _documents;
    private long _flushed;
    private int _isBusy;
    private bool _isEnded;

    internal BulkInsertOperation(
        DocumentStore store, string database, BulkInsertOptions options, CancellationToken cancellationToken)
    {
        _store = store;
        _database = database;
        _executor = store.GetRequestExecutor(database);
        _options = options;
        _abort = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, store.Context.End);
        _writer = new BulkInsertWriter(store.Conventions, _pipe.Writer);
    }

    /// <summary>How many bytes were written; a partial write must be aborted.</summary>
    internal long Written => _writer.Written;

    private TimeSpan TimeMax => _store.Context.RequestTimeout.Value ?? _store.Conventions.RequestTimeout;

    /// <summary>The progress, raised every thousand documents and at the end.</summary>
    public event EventHandler<BulkInsertProgressEventArgs>? OnProgress;

    /// <summary>Inserts a document under the id of its entity; makes one if it has none.</summary>
    /// <returns>The id.</returns>
    public async ValueTask<string> StoreAsync(object entity, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(entity);
        string? id = _store.Conventions.Serializer.GetId(entity);
        if (string.IsNullOrEmpty(id))
        {
            id = await _store.NewIdAsync(_database, entity, cancellationToken).ConfigureAwait(false);
            _store.Conventions.Serializer.SetId(entity, id);
        }

        await StoreAsync(entity, id, null, cancellationToken).ConfigureAwait(false);
        return id;
    }

    /// <summary>Inserts a document.</summary>
    /// <param name="entity">The entity.</param>
    /// <param name="id">Its id.</param>
    /// <param name="metadata">Its metadata; null writes its collection and nothing else.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <exception cref="BulkInsertAbortedException">
    /// The server has ended it; the inner exception has the cause.
    /// </exception>
    public ValueTask StoreAsync(
        object entity, string id, IMetadataDictionary? metadata = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(entity);
        ArgumentException.ThrowIfNullOrEmpty(id);
        return WriteAsync((entity, id, metadata), static (writer, it) =>
            writer.WriteDocument(it.id, it.entity, it.metadata), countsAs: 1, cancellationToken);
    }

    /// <summary>Inserts a document under the id of its entity, blocking.</summary>
    public string Store(object entity) => StoreAsync(entity).AsTask().GetAwaiter().GetResult();

    /// <summary>Adds to counters of a document.</summary>
    public BulkInsertCounters CountersFor(string id) => new(this, id);

    /// <summary>Writes entries of a time series of a document; any number of them.</summary>
    /// <param name="id">The document, which is stored before.</param>
    /// <param name="name">The name of the series; those that begin with <c>INC:</c> take no entries.</param>
    public TimeSeriesBulkInsert TimeSeriesFor(string id, string name) => new(this, id, name);

    /// <summary>Writes entries of a time series of a document, whose values are objects; any number of them.</summary>
    /// <param name="id">The document, which is stored before.</param>
    /// <param name="name">The name of the series; null takes the plural of the type's.</param>
    public TypedTimeSeriesBulkInsert<TValues> TimeSeriesFor<TValues>(string id, string? name = null)
        where TValues : new() => new(this, id, name ?? SeriesNames.Of<TValues>(_store.Conventions));

    /// <summary>Stores attachments of a document.</summary>
    public BulkInsertAttachments AttachmentsFor(string id) => new(this, id);

    /// <summary>
    /// Ends the bulk insert without sending the rest. What was committed until then stays. A server that does not
    /// answer is not an error: its connection is closed, which ends the operation.
    /// </summary>
    public async Task AbortAsync()
    {
        if (_isEnded)
        {
            return;
        }

        _isEnded = true;
        await _abort.CancelAsync().ConfigureAwait(false);
        await _pipe.Writer.CompleteAsync(new OperationCanceledException("The bulk insert was aborted."))
            .ConfigureAwait(false);
        if (_request != null)
        {
            await KillAsync().ConfigureAwait(false);
            await _request.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    /// <summary>Sends the rest, and waits until the server has committed all of it.</summary>
    /// <exception cref="BulkInsertAbortedException">
    /// It failed; the inner exception has the cause. It also fails if the server reads nothing, or does not answer, for
    /// longer than the request timeout.
    /// </exception>
    public async ValueTask DisposeAsync()
    {
        if (!_isEnded)
        {
            _isEnded = true;
            try
            {
                if (_request != null)
                {
                    await EndAsync().ConfigureAwait(false);
                }
            }
            finally
            {
                Release();
            }
        }
        else
        {
            Release();
        }
    }

    /// <summary>Sends the rest and waits, blocking; see <see cref="DisposeAsync"/>.</summary>
    public void Dispose() => DisposeAsync().AsTask().GetAwaiter().GetResult();

    internal async ValueTask WriteAsync<TState>(
        TState state, Action<BulkInsertWriter, TState> write, int countsAs, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_isEnded, this);
        if (Interlocked.Exchange(ref _isBusy, 1) != 0)
        {
            throw new InvalidOperationException("A bulk insert belongs to one thread at a time: await each call.");
        }

        try
        {
            if (_request is null)
            {
                await BeginAsync(cancellationToken).ConfigureAwait(false);
            }

            write(_writer, state);
            _documents += countsAs;
            if (_writer.Written - _flushed >= FlushBytesMin)
            {
                await FlushAsync(cancellationToken).ConfigureAwait(false);
            }

            if (countsAs > 0 && _documents % ProgressEvery == 0)
            {
                OnProgress?.Invoke(this, new BulkInsertProgressEventArgs(_documents, _writer.Written));
            }
        }
        finally
        {
            Volatile.Write(ref _isBusy, 0);
        }
    }

    private async Task BeginAsync(CancellationToken cancellationToken)
    {
        _operationId = await _executor.ExecuteAsync(
            new SimpleCommand<long>(
                node => new UrlBuilder(node, "/operations/next-operation-id").ToRequest(HttpMethod.Get),
                response => response.ReadJson().GetProperty("Id").GetInt64(), isRead: true),
            cancellationToken).ConfigureAwait(false);
        var command = new BulkInsertCommand(_operationId, _pipe.Reader, _options)
        {
            Timeout = Timeout.InfiniteTimeSpan,
        };
        _request = _executor.ExecuteAsync(command, _abort.Token);
    }

    private async ValueTask FlushAsync(CancellationToken cancellationToken)
    {
        _flushed = _writer.Written;
        FlushResult result;
        try
        {
            result = await FlushInTimeAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (IsFailure(e))
        {
            throw await FailAsync(e).ConfigureAwait(false);
        }

        if (result.IsCompleted)
        {
            throw await FailAsync(null).ConfigureAwait(false);
        }
    }

    /// <summary>
    /// Passes what is written to the request, and waits no longer than the request timeout if the server reads nothing:
    /// the request itself has no timeout, as it may take hours.
    /// </summary>
    private ValueTask<FlushResult> FlushInTimeAsync(CancellationToken cancellationToken)
    {
        ValueTask<FlushResult> flush = _pipe.Writer.FlushAsync(cancellationToken);
        return flush.IsCompletedSuccessfully
            ? flush
            : new(flush.AsTask().WaitAsync(TimeMax, _store.Conventions.Clock, cancellationToken));
    }

    private async Task EndAsync()
    {
        try
        {
            _writer.WriteEnd();
            await FlushInTimeAsync(CancellationToken.None).ConfigureAwait(false);
            await _pipe.Writer.CompleteAsync().ConfigureAwait(false);
            await _request!.WaitAsync(TimeMax, _store.Conventions.Clock, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception e) when (IsFailure(e))
        {
            throw await FailAsync(e).ConfigureAwait(false);
        }

        OnProgress?.Invoke(this, new BulkInsertProgressEventArgs(_documents, _writer.Written));
    }

    private void Release()
    {
        _writer.Dispose();
        _abort.Dispose();
    }

    /// <summary>Whether it failed, and was not cancelled by the token of the caller.</summary>
    private bool IsFailure(Exception e) =>
        e is not OperationCanceledException || _store.Context.End.IsCancellationRequested;

    private async Task KillAsync()
    {
        try
        {
            await new Operation(_executor, _operationId).KillAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is RavenException or ObjectDisposedException)
        {
            // The connection of the request is closed: the server ends the operation without a request.
        }
    }

    /// <summary>
    /// The exception that says why the bulk insert ended: from the answer or, if the connection was closed first, from
    /// what the server reports of the operation.
    /// </summary>
    private async Task<BulkInsertAbortedException> FailAsync(Exception? seen)
    {
        _isEnded = true;
        Exception? cause = seen;
        if (_request!.IsFaulted || _request.IsCanceled || seen is null)
        {
            await _request.WaitAsync(TimeSpan.FromSeconds(5), _store.Conventions.Clock, CancellationToken.None)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            cause = _request.Exception?.InnerException ?? seen;
        }

        await _abort.CancelAsync().ConfigureAwait(false);
        await _pipe.Writer.CompleteAsync(seen).ConfigureAwait(false);
        if (_store.Context.End.IsCancellationRequested)
        {
            cause = new ObjectDisposedException(nameof(DocumentStore));
        }
        else if (cause is RequestFailedException or AllTopologyNodesDownException or null)
        {
            cause = await AskServerAsync().ConfigureAwait(false) ?? cause;
        }

        return new BulkInsertAbortedException(
            $"The bulk insert ended after {_documents} documents were given to it: "
            + (cause?.Message ?? "nobody said why"),
            cause);
    }

    private async Task<Exception?> AskServerAsync()
    {
        try
        {
            OperationState? state = await new Operation(_executor, _operationId).GetStateAsync().ConfigureAwait(false);
            return state is { Status: OperationStatus.Faulted } ? Operation.FailureOf(state) : null;
        }
        catch (RavenException)
        {
            // The server cannot be reached: the first failure is the only known cause.
            return null;
        }
    }
}
