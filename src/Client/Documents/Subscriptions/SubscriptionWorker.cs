using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Security.Authentication;
using System.Text.Json;
using Raven.Client.Documents.Operations;
using Raven.Client.Exceptions;
using Raven.Client.Exceptions.Documents.Subscriptions;
using Raven.Client.Http;
using Raven.Client.Json;

namespace Raven.Client.Documents.Subscriptions;

/// <summary>
/// Takes the documents of a subscription in batches: each is acknowledged when its handler has returned, and comes
/// again if it has not, so that every document is handled at least once. It connects again when the connection is lost.
/// It runs once.
/// </summary>
/// <typeparam name="T">The type of the documents.</typeparam>
public sealed class SubscriptionWorker<T> : IAsyncDisposable where T : class
{
    private readonly DocumentStore _store;
    private readonly string _database;
    private readonly SubscriptionWorkerOptions _options;
    private readonly Type? _revisedType;
    private readonly Func<object?, object?, T>? _newRevision;
    private readonly CancellationTokenSource _end;
    private SubscriptionConnection? _connection;
    private string _lastChangeVector = "";
    private string? _servedBy;
    private long _failingSince;
    private int _isStarted;

    internal SubscriptionWorker(
        DocumentStore store, string database, SubscriptionWorkerOptions options, Type? revisedType,
        Func<object?, object?, T>? newRevision)
    {
        _store = store;
        _database = database;
        _options = options;
        _revisedType = revisedType;
        _newRevision = newRevision;
        _end = CancellationTokenSource.CreateLinkedTokenSource(store.Context.End);
    }

    /// <summary>The subscription.</summary>
    public string SubscriptionName => _options.SubscriptionName;

    /// <summary>Its name among the workers of the subscription.</summary>
    public string WorkerId => _options.WorkerId;

    /// <summary>Raised when a batch was acknowledged, and that is durable.</summary>
    public event Action<SubscriptionBatch<T>>? AfterAcknowledgment;

    /// <summary>Raised when the connection was lost, and is tried again.</summary>
    public event Action<Exception>? OnSubscriptionConnectionRetry;

    /// <summary>Handles batches until the worker is ended, cancelled or disposed.</summary>
    /// <param name="processDocuments">Handles a batch.</param>
    /// <param name="cancellationToken">Ends it; the batch that is open comes again.</param>
    /// <exception cref="SubscriptionException">The server has ended the worker, or refuses it.</exception>
    /// <exception cref="SubscriberErrorException">The handler threw.</exception>
    public Task Run(Action<SubscriptionBatch<T>> processDocuments, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(processDocuments);
        return Run(
            batch =>
            {
                processDocuments(batch);
                return Task.CompletedTask;
            },
            cancellationToken);
    }

    /// <summary>Handles batches until the worker is ended, cancelled or disposed.</summary>
    /// <param name="processDocuments">Handles a batch.</param>
    /// <param name="cancellationToken">Ends it; the batch that is open comes again.</param>
    /// <exception cref="SubscriptionException">The server has ended the worker, or refuses it.</exception>
    /// <exception cref="SubscriberErrorException">The handler threw.</exception>
    public async Task Run(
        Func<SubscriptionBatch<T>, Task> processDocuments, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(processDocuments);
        Start();
        using var both = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _end.Token);
        try
        {
            while (true)
            {
                SubscriptionBatch<T> batch = await NextAsync(both.Token).ConfigureAwait(false);
                try
                {
                    await processDocuments(batch).ConfigureAwait(false);
                }
                catch (Exception e) when (!_options.IgnoreSubscriberErrors && !both.IsCancellationRequested)
                {
                    throw new SubscriberErrorException(
                        $"The handler of the subscription '{SubscriptionName}' threw: {e.Message}", e);
                }
                catch (Exception) when (_options.IgnoreSubscriberErrors && !both.IsCancellationRequested)
                {
                    // The options say so.
                }

                await AcknowledgeAsync(batch, both.Token).ConfigureAwait(false);
            }
        }
        finally
        {
            Disconnect();
        }
    }

    /// <summary>
    /// Gives batches one by one: each is acknowledged when the next one is asked for. It ends if the options say that
    /// the worker ends without documents.
    /// </summary>
    /// <param name="cancellationToken">Ends it; the batch that is open comes again.</param>
    /// <exception cref="SubscriptionException">The server has ended the worker, or refuses it.</exception>
    public async IAsyncEnumerable<SubscriptionBatch<T>> RunAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        Start();
        using var both = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _end.Token);
        try
        {
            while (true)
            {
                SubscriptionBatch<T> batch;
                try
                {
                    batch = await NextAsync(both.Token).ConfigureAwait(false);
                }
                catch (SubscriptionClosedException) when (_options.CloseWhenNoDocsLeft)
                {
                    yield break;
                }

                yield return batch;
                await AcknowledgeAsync(batch, both.Token).ConfigureAwait(false);
            }
        }
        finally
        {
            Disconnect();
        }
    }

    /// <summary>Ends it: what is open comes again.</summary>
    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync().ConfigureAwait(false);
        Disconnect();
    }

    private void Start()
    {
        if (Interlocked.Exchange(ref _isStarted, 1) != 0)
        {
            throw new InvalidOperationException("A worker runs once: make another one.");
        }
    }

    private async Task<SubscriptionBatch<T>> NextAsync(CancellationToken cancellation)
    {
        while (true)
        {
            try
            {
                _connection ??= await ConnectAsync(cancellation).ConfigureAwait(false);
                SubscriptionBatch<T> batch = await ReadBatchAsync(_connection, cancellation).ConfigureAwait(false);
                _failingSince = 0;
                return batch;
            }
            catch (SubscriptionClosedException e) when (e.ServedBy is { } tag && tag != _servedBy)
            {
                // It is served now, elsewhere. A node that sends it back may know less: then there is a pause.
                _servedBy = tag;
                Disconnect();
            }
            catch (Exception e) when (IsTransient(e) && !cancellation.IsCancellationRequested)
            {
                await RetryAsync(e, cancellation).ConfigureAwait(false);
            }
            catch (Exception e) when (IsEndOf(e, cancellation))
            {
                throw new OperationCanceledException("The worker was ended.", e, cancellation);
            }
        }
    }

    private async Task AcknowledgeAsync(SubscriptionBatch<T> batch, CancellationToken cancellation)
    {
        if (_connection is not { } connection)
        {
            return;
        }

        try
        {
            await connection.AcknowledgeAsync(_lastChangeVector, cancellation).ConfigureAwait(false);
            SubscriptionMessage answer = await connection.ReadAsync(cancellation).ConfigureAwait(false);
            if (answer.Type != "Confirm")
            {
                throw SubscriptionConnection.FailureOf(in answer);
            }
        }
        catch (Exception e) when (IsTransient(e) && !cancellation.IsCancellationRequested)
        {
            // Whether it counted is not known: if it did not, the batch comes again.
            await RetryAsync(e, cancellation).ConfigureAwait(false);
            return;
        }
        catch (Exception e) when (IsEndOf(e, cancellation))
        {
            throw new OperationCanceledException("The worker was ended.", e, cancellation);
        }

        AfterAcknowledgment?.Invoke(batch);
    }

    private async Task<SubscriptionConnection> ConnectAsync(CancellationToken cancellation)
    {
        RequestExecutor executor = _store.GetRequestExecutor(_database);
        TcpAnswer? where = await executor.ExecuteAsync(
            Requests.Get<TcpAnswer>(node => new UrlBuilder(new ServerNode(node.Url, null), "/info/remote-task/tcp")
                .Add("database", _database).Add("remote-task", SubscriptionName)
                .Add("tag", "Subscription/" + _database).Add("verify-database", "true")),
            await executor.IndexOfAsync(_servedBy, cancellation).ConfigureAwait(false),
            cancellation).ConfigureAwait(false);
        var connection = new SubscriptionConnection();
        try
        {
            await connection.OpenAsync(where!, _store.Certificate, _database, _options, cancellation)
                .ConfigureAwait(false);
            return connection;
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    private async Task<SubscriptionBatch<T>> ReadBatchAsync(
        SubscriptionConnection connection, CancellationToken cancellation)
    {
        List<SubscriptionItem<T>> items = [];
        List<ReadOnlyMemory<byte>> includes = [];
        List<ReadOnlyMemory<byte>> counters = [];
        List<ReadOnlyMemory<byte>> series = [];
        while (true)
        {
            SubscriptionMessage message = await connection.ReadAsync(cancellation).ConfigureAwait(false);
            switch (message.Type)
            {
                case "Data":
                    items.Add(ItemOf(in message));
                    break;
                case "Includes":
                    includes.Add(message.Data);
                    break;
                case "CounterIncludes":
                    counters.Add(message.Data);
                    break;
                case "TimeSeriesIncludes":
                    series.Add(message.Data);
                    break;
                case "EndOfBatch":
                    _lastChangeVector = items.Count > 0 ? items[^1].ChangeVector : "";
                    return new SubscriptionBatch<T>(_store, _database, items, includes, counters, series);
                default:
                    throw SubscriptionConnection.FailureOf(in message);
            }
        }
    }

    private SubscriptionItem<T> ItemOf(in SubscriptionMessage message)
    {
        DocumentHead head = DocumentHead.Of(message.Data.Span);
        T? result = null;
        if (message.Exception is null)
        {
            result = _revisedType is not null && _newRevision is not null && !head.IsProjection
                ? RevisionOf(message.Data, _revisedType, _newRevision, head.Id)
                : (T)_store.Conventions.Serializer.FromJson(message.Data.Span, typeof(T), head.Id);
        }

        return new SubscriptionItem<T>(
            head.Id ?? "", head.ChangeVector ?? "", result, message.Exception,
            head.IsProjection || _revisedType is not null, message.Data);
    }

    private T RevisionOf(
        ReadOnlyMemory<byte> data, Type type, Func<object?, object?, T> newRevision, string? id)
    {
        JsonElement json = JsonFormats.Parse(data);
        return newRevision(VersionOf("Previous"), VersionOf("Current"));

        object? VersionOf(string name) =>
            json.TryGetProperty(name, out JsonElement version) && version.ValueKind == JsonValueKind.Object
                ? _store.Conventions.Serializer.FromJson(version, type, id)
                : null;
    }

    private void Disconnect() => Interlocked.Exchange(ref _connection, null)?.Dispose();

    private async Task RetryAsync(Exception failure, CancellationToken cancellation)
    {
        Disconnect();
        _servedBy = null;
        TimeProvider clock = _store.Context.Conventions.Clock;
        _failingSince = _failingSince == 0 ? clock.GetTimestamp() : _failingSince;
        if (clock.GetElapsedTime(_failingSince) > _options.MaxErroneousPeriod)
        {
            throw new SubscriptionInvalidStateException(
                $"The subscription '{SubscriptionName}' could not be worked on for {_options.MaxErroneousPeriod}: "
                + failure.Message);
        }

        OnSubscriptionConnectionRetry?.Invoke(failure);
        await Task.Delay(_options.TimeToWaitBeforeConnectionRetry, clock, cancellation).ConfigureAwait(false);
    }

    /// <summary>Whether a failure is only that the worker was ended, and its socket closed.</summary>
    private static bool IsEndOf(Exception failure, CancellationToken cancellation) =>
        cancellation.IsCancellationRequested
        && failure is IOException or SocketException or ObjectDisposedException;

    /// <summary>Whether a failure may be gone when the worker connects again.</summary>
    private static bool IsTransient(Exception failure) => failure switch
    {
        SubscriptionClosedException closed => closed.CanReconnect,
        SubscriptionChangeVectorUpdateConcurrencyException => true,
        SubscriptionException => false,
        Exceptions.Security.SecurityException or AuthenticationException => false,
        Exceptions.Database.DatabaseDoesNotExistException => false,
        IOException or SocketException or RavenException or RavenTimeoutException => true,
        _ => false,
    };
}
