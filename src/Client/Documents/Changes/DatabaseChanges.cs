using System.Collections.Concurrent;
using System.Globalization;
using System.Text.Json;
using Raven.Client.Exceptions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Changes;

/// <summary>See <see cref="IDatabaseChanges"/>.</summary>
internal sealed class DatabaseChanges(RequestExecutor executor) : IDatabaseChanges, IAsyncDisposable
{
    private static readonly TimeSpan PauseMin = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan PauseMax = TimeSpan.FromSeconds(5);

    private readonly ConcurrentDictionary<string, ChangesWatch> _watches = new(StringComparer.OrdinalIgnoreCase);
    private readonly ConcurrentDictionary<long, ChangesWatch?> _unconfirmed = new();
    private readonly CancellationTokenSource _end = new();
    private readonly Lock _lock = new();
    private TaskCompletionSource _connected = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private ChangesConnection? _connection;
    private Task? _loop;
    private Task _telling = Task.CompletedTask;
    private long _commandId;
    private long _lostAt;
    private string[] _lost = [];
    private Exception? _lastFailure;

    public event EventHandler<ChangesConnectionEventArgs>? ConnectionStatusChanged;

    public bool Connected => _connected.Task.IsCompletedSuccessfully;

    public async Task<IDatabaseChanges> EnsureConnectedNow(CancellationToken cancellationToken = default)
    {
        Start();
        try
        {
            await _connected.Task.WaitAsync(
                executor.Conventions.RequestTimeout, executor.Conventions.Clock, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (TimeoutException e)
        {
            throw new RavenTimeoutException(
                $"No connection to the changes of '{executor.Database}': {_lastFailure?.Message}", _lastFailure ?? e);
        }

        return this;
    }

    public IChangesObservable<DocumentChange> ForDocument(string documentId) => Documents(
        "watch-doc", [documentId], change => change.Id.Equals(documentId, StringComparison.OrdinalIgnoreCase));

    public IChangesObservable<DocumentChange> ForDocumentsInCollection(string collectionName) => Documents(
        "watch-collection", [collectionName],
        change => string.Equals(change.CollectionName, collectionName, StringComparison.OrdinalIgnoreCase));

    public IChangesObservable<DocumentChange> ForDocumentsInCollection<T>() =>
        ForDocumentsInCollection(executor.Conventions.GetCollectionName(typeof(T)));

    public IChangesObservable<DocumentChange> ForDocumentsStartingWith(string documentIdPrefix) => Documents(
        "watch-prefix", [documentIdPrefix],
        change => change.Id.StartsWith(documentIdPrefix, StringComparison.OrdinalIgnoreCase));

    public IChangesObservable<DocumentChange> ForAllDocuments() => Documents("watch-docs", [], _ => true);

    public IChangesObservable<IndexChange> ForIndex(string indexName) => Get(
        "watch-index", [indexName], "IndexChange", ChangeMessages.ReadIndex,
        change => change.Name.Equals(indexName, StringComparison.OrdinalIgnoreCase));

    public IChangesObservable<IndexChange> ForAllIndexes() =>
        Get("watch-indexes", [], "IndexChange", ChangeMessages.ReadIndex, _ => true);

    public IChangesObservable<OperationStatusChange> ForOperationId(long operationId) => Get(
        "watch-operation", [operationId.ToString(CultureInfo.InvariantCulture)], "OperationStatusChange",
        ChangeMessages.ReadOperation, change => change.OperationId == operationId);

    public IChangesObservable<OperationStatusChange> ForAllOperations() => Get(
        "watch-operations", [], "OperationStatusChange", ChangeMessages.ReadOperation, _ => true);

    public IChangesObservable<CounterChange> ForCounter(string counterName) => Counters(
        "watch-counter", [counterName], change => IsSame(change.Name, counterName));

    public IChangesObservable<CounterChange> ForCounterOfDocument(string documentId, string counterName) => Counters(
        "watch-document-counter", [documentId, counterName],
        change => IsSame(change.DocumentId, documentId) && IsSame(change.Name, counterName));

    public IChangesObservable<CounterChange> ForCountersOfDocument(string documentId) => Counters(
        "watch-document-counters", [documentId], change => IsSame(change.DocumentId, documentId));

    public IChangesObservable<CounterChange> ForAllCounters() => Counters("watch-counters", [], _ => true);

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync().ConfigureAwait(false);
        if (_loop != null)
        {
            await _loop.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        foreach (ChangesWatch watch in _watches.Values)
        {
            watch.End();
        }

        _end.Dispose();
    }

    internal void Begin(ChangesWatch watch)
    {
        Start();
        lock (_lock)
        {
            if (!watch.Confirmed.IsCompleted && _connection != null && Connected
                && !_unconfirmed.Values.Contains(watch))
            {
                SendWatch(watch);
            }
        }
    }

    internal void EndWatch(ChangesWatch watch)
    {
        lock (_lock)
        {
            if (!watch.HasObservers)
            {
                _watches.TryRemove(ChangesWatch.KeyOf(watch.Command, watch.Parameters), out _);
                watch.SetLost();
                _connection?.Send(Write("un" + watch.Command, watch.Parameters, null));
            }
        }
    }

    private static bool IsSame(string left, string right) => left.Equals(right, StringComparison.OrdinalIgnoreCase);

    private ChangesObservable<DocumentChange> Documents(
        string command, string[] parameters, Func<DocumentChange, bool> concerns) =>
        Get(command, parameters, "DocumentChange", ChangeMessages.ReadDocument, concerns);

    private ChangesObservable<CounterChange> Counters(
        string command, string[] parameters, Func<CounterChange, bool> concerns) =>
        Get(command, parameters, "CounterChange", ChangeMessages.ReadCounter, concerns);

    private ChangesObservable<T> Get<T>(
        string command, string[] parameters, string messageType, Func<JsonElement, T> parse, Func<T, bool> concerns)
    {
        foreach (string parameter in parameters)
        {
            ArgumentException.ThrowIfNullOrEmpty(parameter);
        }

        return (ChangesObservable<T>)_watches.GetOrAdd(
            ChangesWatch.KeyOf(command, parameters),
            _ => new ChangesObservable<T>(this, command, parameters, messageType, parse, concerns));
    }

    private void Start()
    {
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_end.IsCancellationRequested, this);
            _loop ??= Task.Run(RunAsync);
        }
    }

    /// <summary>Connects, again and again, with longer pauses while that fails.</summary>
    private async Task RunAsync()
    {
        TimeSpan pause = PauseMin;
        while (!_end.IsCancellationRequested)
        {
            try
            {
                ServerNode node = await executor.PreferredNodeAsync(_end.Token).ConfigureAwait(false);
                var connection = new ChangesConnection(OnMessage);
                await connection.RunAsync(node, () =>
                {
                    pause = PauseMin;
                    OnOpen(connection);
                }, _end.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (_end.IsCancellationRequested)
            {
                return;
            }
#pragma warning disable CA1031 // Also what an observer throws: it is told as the cause, and the connection begins anew.
            catch (Exception e)
#pragma warning restore CA1031
            {
                OnLost(e);
            }

            await Task.Delay(pause, executor.Conventions.Clock, _end.Token)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            pause = TimeSpan.FromTicks(Math.Min(pause.Ticks * 2, PauseMax.Ticks));
        }
    }

    private void OnOpen(ChangesConnection connection)
    {
        Task[] confirmations;
        bool isAgain;
        lock (_lock)
        {
            _connection = connection;
            _unconfirmed.Clear();
            isAgain = _lostAt != 0;
            ChangesWatch[] watches = [.. _watches.Values.Where(watch => watch.HasObservers)];
            foreach (ChangesWatch watch in watches)
            {
                SendWatch(watch);
            }

            confirmations = [.. watches.Select(watch => watch.Confirmed)];
            _connected.TrySetResult();
        }

        _ = isAgain ? TellBackAsync(confirmations) : TellAsync(new ChangesConnectionEventArgs { IsConnected = true });
    }

    private async Task TellBackAsync(Task[] confirmations)
    {
        await Task.WhenAll(confirmations).WaitAsync(_end.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await TellAsync(new ChangesConnectionEventArgs
        {
            IsConnected = true,
            MayHaveMissed = _lost,
            Gap = executor.Conventions.Clock.GetElapsedTime(_lostAt),
        }).ConfigureAwait(false);
    }

    /// <summary>Tells the listeners, in the order of what happened and not on the thread that reads.</summary>
    private Task TellAsync(ChangesConnectionEventArgs args)
    {
        lock (_lock)
        {
            _telling = _telling.ContinueWith(
                _ => ConnectionStatusChanged?.Invoke(this, args), CancellationToken.None, TaskContinuationOptions.None,
                TaskScheduler.Default);
            return _telling;
        }
    }

    private void OnLost(Exception cause)
    {
        lock (_lock)
        {
            _lastFailure = cause;
            _connection = null;
            if (!_connected.Task.IsCompleted)
            {
                return;
            }

            _connected = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _lostAt = executor.Conventions.Clock.GetTimestamp();
            ChangesWatch[] watches = [.. _watches.Values.Where(watch => watch.HasObservers)];
            _lost = [.. watches.Select(watch => watch.Name)];
            foreach (ChangesWatch watch in watches)
            {
                watch.SetLost();
            }
        }

        _ = TellAsync(new ChangesConnectionEventArgs { IsConnected = false, Cause = cause });
    }

    private void SendWatch(ChangesWatch watch) => _connection!.Send(Write(watch.Command, watch.Parameters, watch));

    private byte[] Write(string command, string[] parameters, ChangesWatch? watch)
    {
        long id = Interlocked.Increment(ref _commandId);
        if (watch != null)
        {
            _unconfirmed[id] = watch;
        }

        using var stream = new MemoryStream();
        using (var writer = new Utf8JsonWriter(stream))
        {
            writer.WriteStartObject();
            writer.WriteNumber("CommandId"u8, id);
            writer.WriteString("Command"u8, command);
            if (parameters.Length > 0)
            {
                writer.WriteString("Param"u8, parameters[0]);
            }

            if (parameters.Length > 1)
            {
                writer.WriteStartArray("Params"u8);
                foreach (string parameter in parameters)
                {
                    writer.WriteStringValue(parameter);
                }

                writer.WriteEndArray();
            }

            writer.WriteEndObject();
        }

        return stream.ToArray();
    }

    private void OnMessage(JsonElement message)
    {
        string? type = ChangeMessages.Text(message, "Type");
        if (type == "Confirm")
        {
            if (_unconfirmed.TryRemove(message.GetProperty("CommandId").GetInt64(), out ChangesWatch? watch))
            {
                watch?.SetConfirmed();
            }
        }
        else if (type != null && message.TryGetProperty("Value", out JsonElement value))
        {
            foreach (ChangesWatch watch in _watches.Values)
            {
                watch.Tell(type, value);
            }
        }
    }
}
