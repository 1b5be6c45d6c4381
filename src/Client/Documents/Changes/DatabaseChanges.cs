using System.Collections.Concurrent;
using System.Text.Json;
using Raven.Client.Exceptions;
using Raven.Client.Exceptions.Security;
using Raven.Client.Http;

namespace Raven.Client.Documents.Changes;

/// <summary>See <see cref="IDatabaseChanges"/>.</summary>
internal sealed class DatabaseChanges(RequestExecutor executor)
    : DatabaseWatches(executor.Conventions), IDatabaseChanges, IAsyncDisposable
{
    private static readonly TimeSpan PauseMin = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan PauseMax = TimeSpan.FromSeconds(5);

    private readonly ConcurrentDictionary<string, ChangesWatch> _watches = new(StringComparer.OrdinalIgnoreCase);
    private readonly ConcurrentDictionary<long, ChangesWatch?> _unconfirmed = new();
    private readonly CancellationTokenSource _end = new();
    private readonly Lock _lock = new();
    private readonly AsyncLocal<bool> _isNotifying = new();
    private TaskCompletionSource _connected = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private ChangesConnection? _connection;
    private Task? _loop;
    private Task _telling = Task.CompletedTask;
    private long _commandId;
    private long _lostAt;
    private string[] _lost = [];
    private Exception? _lastFailure;
    private bool _isDisposed;

    public event EventHandler<ChangesConnectionEventArgs>? ConnectionStatusChanged;

    public bool Connected => _connected.Task.IsCompletedSuccessfully;

    private TimeSpan TimeMax => executor.Context.RequestTimeout.Value ?? executor.Conventions.RequestTimeout;

    public async Task<IDatabaseChanges> EnsureConnectedNow(CancellationToken cancellationToken = default)
    {
        Start();
        await WaitAsync(
            _connected.Task, $"No connection to the changes of '{executor.Database}'", cancellationToken)
            .ConfigureAwait(false);
        return this;
    }

    /// <summary>Ends the connection and all waits on it. No observer is notified of a change after that.</summary>
    public async ValueTask DisposeAsync()
    {
        ChangesWatch[] watches;
        lock (_lock)
        {
            if (_isDisposed)
            {
                return;
            }

            _isDisposed = true;
            watches = [.. _watches.Values];
            _watches.Clear();
            var cause = new ObjectDisposedException(nameof(DocumentStore));
            foreach (ChangesWatch watch in watches)
            {
                watch.SetFailed(cause);
            }

            if (!_connected.TrySetException(cause))
            {
                _connected = new TaskCompletionSource();
                _connected.SetException(cause);
            }

            _ = _connected.Task.Exception; // It need not be awaited.
        }

        await _end.CancelAsync().ConfigureAwait(false);
        if (_loop != null && !_isNotifying.Value)
        {
            // An observer may dispose the store; the loop that called it cannot end before it returns.
            await _loop.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        foreach (ChangesWatch watch in watches)
        {
            watch.End(null);
        }
    }

    /// <summary>The watch that has observers now; null if there is none.</summary>
    internal ChangesWatch? Find(string key) => _watches.GetValueOrDefault(key);

    /// <summary>Waits until the server has confirmed a watch.</summary>
    /// <exception cref="RavenTimeoutException">It was not confirmed within the request timeout.</exception>
    /// <exception cref="RavenException">The server refused it.</exception>
    /// <exception cref="ObjectDisposedException">The store was disposed meanwhile.</exception>
    internal Task WaitAsync(ChangesWatch watch, CancellationToken cancellationToken) => WaitAsync(
        watch.Confirmed, $"'{watch.Name}' of '{executor.Database}' was not confirmed", cancellationToken);

    /// <summary>
    /// Adds an observer to the watch of an observable, which begins it on the server if it is the first.
    /// </summary>
    internal ObservedWatch<T> Begin<T>(ChangesObservable<T> observable, IObserver<T> observer)
    {
        Start();
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, typeof(DocumentStore));
            bool isNew = !_watches.TryGetValue(observable.Key, out ChangesWatch? known);
            var watch = (ObservedWatch<T>)(known ?? observable.NewWatch());
            watch.Add(observer);
            if (isNew)
            {
                _watches[observable.Key] = watch;
                if (_connection != null)
                {
                    SendWatch(watch);
                }
            }

            return watch;
        }
    }

    /// <summary>Removes an observer, and ends the watch on the server if it was the last.</summary>
    internal void End<T>(ObservedWatch<T> watch, IObserver<T> observer)
    {
        lock (_lock)
        {
            // A watch that ended before may have a successor of the same name: that one stays.
            if (watch.Remove(observer) && _watches.TryRemove(KeyValuePair.Create(watch.Key, (ChangesWatch)watch)))
            {
                _connection?.Send(Write("un" + watch.Command, watch.Parameters, null));
            }
        }
    }

    private protected override ChangesObservable<T> NewObservable<T>(
        string command, string[] parameters, string messageType, Func<JsonElement, T> parse,
        Func<T, bool> concerns) => new(this, command, parameters, messageType, parse, concerns);

    private async Task WaitAsync(Task what, string failure, CancellationToken cancellationToken)
    {
        TimeSpan timeMax = TimeMax;
        try
        {
            await what.WaitAsync(timeMax, executor.Conventions.Clock, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException e)
        {
            Exception? cause = Connected ? null : _lastFailure;
            throw new RavenTimeoutException(
                $"{failure} within {timeMax}{(cause is null ? "." : $": {cause.Message}")}", cause ?? e);
        }
    }

    private void Start()
    {
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, typeof(DocumentStore));
            _loop ??= Task.Run(RunAsync);
        }
    }

    /// <summary>Connects, and reconnects with longer pauses while no server can be reached.</summary>
    private async Task RunAsync()
    {
        TimeSpan pause = PauseMin;
        while (!_end.IsCancellationRequested)
        {
            pause = await TryServersAsync().ConfigureAwait(false) ? PauseMin : pause;
            await Task.Delay(pause, executor.Conventions.Clock, _end.Token)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            pause = TimeSpan.FromTicks(Math.Min(pause.Ticks * 2, PauseMax.Ticks));
        }
    }

    /// <summary>Runs a connection to the first server that accepts one, until it ends.</summary>
    /// <returns>Whether there was one.</returns>
    private async Task<bool> TryServersAsync()
    {
        bool wasOpen = false;
        try
        {
            NodeList nodes = await executor.NodesAsync(_end.Token).ConfigureAwait(false);
            foreach (ServerNode node in nodes.InOrder(0))
            {
                wasOpen = await TryServerAsync(nodes, node).ConfigureAwait(false);
                if (wasOpen || _end.IsCancellationRequested)
                {
                    break;
                }
            }
        }
#pragma warning disable CA1031 // Any error becomes the cause for those that wait, and the connection is tried again.
        catch (Exception e)
#pragma warning restore CA1031
        {
            OnLost(e);
        }

        return wasOpen;
    }

    private async Task<bool> TryServerAsync(NodeList nodes, ServerNode node)
    {
        bool wasOpen = false;
        try
        {
            var connection = new ChangesConnection(OnMessages);
            await connection.RunAsync(node, executor.Context, () =>
            {
                wasOpen = true;
                nodes.SetWell(node);
                OnOpen(connection);
            }, _end.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_end.IsCancellationRequested)
        {
            return wasOpen;
        }
#pragma warning disable CA1031 // Also an observer's error: it becomes the cause, and the connection is opened again.
        catch (Exception e)
#pragma warning restore CA1031
        {
            OnLost(e);
        }

        if (!wasOpen)
        {
            nodes.SetFailed(node);
        }

        return wasOpen;
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
            ChangesWatch[] watches = [.. _watches.Values];
            foreach (ChangesWatch watch in watches)
            {
                SendWatch(watch);
            }

            confirmations = [.. watches.Select(watch => watch.Confirmed)];
            RenewIfRefused();
            _connected.TrySetResult();
        }

        _ = isAgain
            ? RaiseReconnectedAsync(confirmations)
            : RaiseConnectionChangedAsync(new ChangesConnectionEventArgs { IsConnected = true });
    }

    private async Task RaiseReconnectedAsync(Task[] confirmations)
    {
        await Task.WhenAll(confirmations).WaitAsync(_end.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await RaiseConnectionChangedAsync(new ChangesConnectionEventArgs
        {
            IsConnected = true,
            MayHaveMissed = _lost,
            Gap = executor.Conventions.Clock.GetElapsedTime(_lostAt),
        }).ConfigureAwait(false);
    }

    /// <summary>Notifies the listeners, in the order of events and not on the thread that reads.</summary>
    private Task RaiseConnectionChangedAsync(ChangesConnectionEventArgs args)
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
            if (_isDisposed)
            {
                return;
            }

            if (!_connected.Task.IsCompletedSuccessfully)
            {
                RenewIfRefused();
                if (cause is SecurityException)
                {
                    // Each try ends so until an administrator lets the caller in: those that wait get to know it now.
                    _connected.SetException(cause);
                    _ = _connected.Task.Exception; // It need not be awaited.
                }

                return;
            }

            _connected = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _lostAt = executor.Conventions.Clock.GetTimestamp();
            ChangesWatch[] watches = [.. _watches.Values];
            _lost = [.. watches.Select(watch => watch.Name)];
            foreach (ChangesWatch watch in watches)
            {
                watch.SetLost();
            }
        }

        _ = RaiseConnectionChangedAsync(new ChangesConnectionEventArgs { IsConnected = false, Cause = cause });
    }

    /// <summary>Lets others wait anew after a refusal; under the lock.</summary>
    private void RenewIfRefused()
    {
        if (_connected.Task.IsFaulted && !_isDisposed)
        {
            _connected = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }
    }

    private void SendWatch(ChangesWatch watch) => _connection!.Send(Write(watch.Command, watch.Parameters, watch));

    /// <summary>Writes a command; under the lock, so that the numbers are in the order of the commands.</summary>
    private byte[] Write(string command, string[] parameters, ChangesWatch? watch)
    {
        long id = ++_commandId;
        _unconfirmed[id] = watch;

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

    private void OnMessages(IEnumerable<JsonElement> messages)
    {
        _isNotifying.Value = true;
        try
        {
            foreach (JsonElement message in messages)
            {
                if (_end.IsCancellationRequested)
                {
                    return;
                }

                OnMessage(message);
            }
        }
        finally
        {
            _isNotifying.Value = false;
        }
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
        else if (type == "Error")
        {
            OnRefused(new RavenException(
                $"The server refuses a watch: {ChangeMessages.Text(message, "Exception") ?? "it does not say why"}"));
        }
        else if (type != null && message.TryGetProperty("Value", out JsonElement value))
        {
            foreach (ChangesWatch watch in _watches.Values)
            {
                watch.Notify(type, value);
            }
        }
    }

    /// <summary>
    /// A refusal does not name its command. As commands are answered in their order, it belongs to the oldest one
    /// without an answer.
    /// </summary>
    private void OnRefused(RavenException cause)
    {
        ChangesWatch? watch = null;
        lock (_lock)
        {
            if (_unconfirmed.IsEmpty || !_unconfirmed.TryRemove(_unconfirmed.Keys.Min(), out watch))
            {
                // It concerns the whole connection: later answers cannot be assigned to commands.
                throw cause;
            }

            if (watch is null)
            {
                return;
            }

            _watches.TryRemove(KeyValuePair.Create(watch.Key, watch));
            watch.SetFailed(cause);
        }

        watch.End(cause);
    }
}
