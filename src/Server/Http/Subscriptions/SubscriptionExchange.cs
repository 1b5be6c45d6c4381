using System.Runtime.CompilerServices;
using System.Text.Json;
using Microsoft.AspNetCore.Connections;
using Raven.Documents;
using Raven.Documents.Subscriptions;
using Raven.Server.Diagnostics;

namespace Raven.Server.Http.Subscriptions;

//   SOCK-2  One batch is open at a time. A message of the client at any other time ends the connection.
//   SOCK-3  Confirm is written after the acknowledgement is durable, and before the next batch.
//   SOCK-4  Whatever ends the connection frees the subscription at once, and says why if the client still reads.

/// <summary>
/// What a worker and the server say to each other once the worker is known, over a connection of its own or a
/// WebSocket: batches, acknowledgements, heartbeats, and why it ends. Used once.
/// </summary>
/// <param name="server">The server.</param>
/// <param name="writer">Writes to the client.</param>
/// <param name="ended">Cancelled when the connection ends, and by this when the exchange does.</param>
internal sealed class SubscriptionExchange(ServerState server, SocketWriter writer, CancellationTokenSource ended)
    : IHeartbeat
{
    /// <summary>The longest message of a client.</summary>
    internal const int MessageBytesMax = 4 * 1024;

    /// <summary>How long a client is waited for that has to hear why it ends.</summary>
    internal static readonly TimeSpan FarewellMax = TimeSpan.FromSeconds(2);

    private static readonly TimeSpan SilenceMax = TimeSpan.FromSeconds(7);

    /// <summary>How often each is looked after: whether it may go on, and whether it was silent for long.</summary>
    internal static readonly TimeSpan BeatEvery = TimeSpan.FromSeconds(2);

    private readonly Lock _beatGate = new();
    private Func<string?> _findEnd = static () => null;
    private Task _beating = Task.CompletedTask;
    private bool _isOver;
    private TaskCompletionSource<JsonDocument>? _acknowledgement;
    private Exception? _failure;

    /// <summary>Completes when nothing more is read of the client. Never fails.</summary>
    internal Task Reading { get; private set; } = Task.CompletedTask;

    /// <inheritdoc/>
    int IHeartbeat.Slot { get; set; }

    /// <summary>Sends batches until the worker has to end.</summary>
    /// <param name="subscriptions">The subscriptions of the database.</param>
    /// <param name="name">The subscription.</param>
    /// <param name="options">How the worker takes documents.</param>
    /// <param name="read">Reads the next message of the client; null if there are no more.</param>
    /// <param name="findEnd">Why the worker may not go on; null if it may.</param>
    internal async ValueTask RunAsync(
        DatabaseSubscriptions subscriptions, string name, SubscriptionWorkerOptions options,
        Func<ValueTask<JsonDocument?>> read, Func<string?> findEnd)
    {
        _findEnd = findEnd;
        Reading = ReadAsync(read);
        server.SubscriptionBeats.Add(this);
        try
        {
            await WorkAsync(subscriptions, name, options).ConfigureAwait(false);
        }
        catch (Exception e) when (e is OperationCanceledException or IOException && _failure is not null)
        {
            throw _failure;
        }
        finally
        {
            server.SubscriptionBeats.Remove(this);
            await ended.CancelAsync().ConfigureAwait(false);
            await EndBeats().ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    void IHeartbeat.OnHeartbeat()
    {
        if (ended.IsCancellationRequested)
        {
            return;
        }

        if (FindFailure() is { } failure)
        {
            Fail(failure);
            return;
        }

        lock (_beatGate)
        {
            if (!_isOver && _beating.IsCompleted && writer.Silence >= SilenceMax)
            {
                _beating = BeatAsync();
            }
        }
    }

    /// <inheritdoc/>
    void IHeartbeat.End(string reason) =>
        Fail(new SubscriptionException(SubscriptionProblem.Closed, reason) { CanReconnect = true });

    /// <summary>Has the exchange end for a reason, unless it has one already. Any thread.</summary>
    internal void Fail(Exception failure)
    {
        Interlocked.CompareExchange(ref _failure, failure, null);
        try
        {
            ended.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // It has ended by itself.
        }
    }

    /// <summary>Says why the connection ends.</summary>
    /// <returns>False if the client does not read.</returns>
    internal async ValueTask<bool> TrySayGoodbyeAsync(Exception end, string database)
    {
        if (end is OperationCanceledException)
        {
            end = new SubscriptionException(SubscriptionProblem.Closed, "The server is stopping.")
            {
                CanReconnect = true,
            };
        }

        using var late = new CancellationTokenSource(FarewellMax, server.Time);
        try
        {
            await writer.WriteAsync(Farewell(end, database), late.Token).ConfigureAwait(false);
            return true;
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or ConnectionAbortedException
            or InvalidOperationException)
        {
            return false;
        }
    }

    private async ValueTask WorkAsync(
        DatabaseSubscriptions subscriptions, string name, SubscriptionWorkerOptions options)
    {
        SubscriptionWorker worker = await subscriptions.ConnectAsync(name, options, ended.Token)
            .ConfigureAwait(false);
        await using ConfiguredAsyncDisposable owned = worker.ConfigureAwait(false);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(ended.Token, worker.Ending);
        try
        {
            await writer.WriteAsync(
                static json =>
                {
                    json.WriteString("Type"u8, "ConnectionStatus"u8);
                    json.WriteString("Status"u8, "Accepted"u8);
                },
                either.Token).ConfigureAwait(false);
            while (await worker.NextAsync(either.Token).ConfigureAwait(false) is { } batch)
            {
                await SendAsync(worker, batch, either.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (worker.End is not null && _failure is null)
        {
            throw worker.End;
        }

        throw new SubscriptionException(
            SubscriptionProblem.Closed, $"There are no more documents for '{name}'.");
    }

    private async ValueTask SendAsync(
        SubscriptionWorker worker, SubscriptionBatch batch, CancellationToken cancellation)
    {
        var acknowledged = new TaskCompletionSource<JsonDocument>(TaskCreationOptions.RunContinuationsAsynchronously);
        Volatile.Write(ref _acknowledgement, acknowledged);
        await writer.WriteAsync(batch, cancellation).ConfigureAwait(false);
        worker.FillAhead();
        using JsonDocument message = await acknowledged.Task.WaitAsync(cancellation).ConfigureAwait(false);
        string? vector = TcpHeader.Text(message.RootElement, "ChangeVector");
        if (!string.IsNullOrEmpty(vector) && vector != batch.LastChangeVector)
        {
            throw new SocketProtocolException(
                $"'{vector}' cannot be acknowledged: the last document of the batch has '{batch.LastChangeVector}'.");
        }

        await worker.AcknowledgeAsync().ConfigureAwait(false);
        await writer.WriteAsync(static json => json.WriteString("Type"u8, "Confirm"u8), cancellation)
            .ConfigureAwait(false);
    }

    /// <summary>Takes the messages of the client, and notices its end, whatever else goes on.</summary>
    private async Task ReadAsync(Func<ValueTask<JsonDocument?>> read)
    {
        try
        {
            while (await read().ConfigureAwait(false) is { } message)
            {
                string? type = TcpHeader.Text(message.RootElement, "Type");
                if (type != "Acknowledge")
                {
                    throw new SocketProtocolException($"A worker sends Acknowledge, and not '{type}'.");
                }

                if (Interlocked.Exchange(ref _acknowledgement, null) is not { } waiting)
                {
                    throw new SocketProtocolException("There is no batch that could be acknowledged.");
                }

                waiting.TrySetResult(message);
            }

            Fail(new IOException("The client has closed the connection."));
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or SocketProtocolException
            or ConnectionAbortedException)
        {
            Fail(e);
        }
    }

    /// <summary>Why it may not go on; null if it may. Never throws: it is called by the thread of all.</summary>
    private Exception? FindFailure()
    {
        try
        {
            return _findEnd() is { } reason ? new RightEndedException(reason) : null;
        }
#pragma warning disable CA1031 // Whatever it is: this worker ends for it, and the others go on.
        catch (Exception e)
#pragma warning restore CA1031
        {
            return e;
        }
    }

    /// <summary>Waits for a heartbeat that is being written; there are none after it.</summary>
    private Task EndBeats()
    {
        lock (_beatGate)
        {
            _isOver = true;
            return _beating;
        }
    }

    /// <summary>Writes a heartbeat. Never fails: the exchange does.</summary>
    private async Task BeatAsync()
    {
        try
        {
            await writer.BeatAsync(ended.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or ConnectionAbortedException)
        {
            Fail(e);
        }
    }

    private Action<Utf8JsonWriter> Farewell(Exception end, string database)
    {
        if (end is SubscriptionException subscription)
        {
            (string status, bool? canReconnect) = SubscriptionErrors.ConnectionOf(subscription);
            return json =>
            {
                json.WriteString("Type"u8, "ConnectionStatus"u8);
                json.WriteString("Status"u8, status);
                json.WriteString("Exception"u8, $"{SubscriptionErrors.TypeOf(subscription.Problem)}: {end.Message}");
                json.WriteString("Message"u8, end.Message);
                if (canReconnect is { } can)
                {
                    json.WriteStartObject("Data"u8);
                    json.WriteBoolean("CanReconnect"u8, can);
                    json.WriteEndObject();
                }
            };
        }

        string type = end switch
        {
            DatabaseDeletedException => ErrorType.DatabaseMissing,
            RightEndedException => ErrorType.Authorization,
            SocketProtocolException => SubscriptionErrors.TypeOf(SubscriptionProblem.BatchLost),
            _ => ErrorType.Raven,
        };
        string message = type != ErrorType.Raven ? end.Message : Describe(end, database);
        return json =>
        {
            json.WriteString("Type"u8, "Error"u8);
            json.WriteString("Exception"u8, $"{type}: {message}");
            json.WriteString("Message"u8, message);
        };
    }

    private string Describe(Exception end, string database)
    {
        FailureAnswer known = FailureMapping.Describe(server, end);
        if (known.StatusCode != 500)
        {
            return known.Message;
        }

        string id = server.NextErrorId();
        ServerLog.RequestFailed(server.Log, end, id, "subscription", database);
        return $"The server failed; its log tells more under error {id}.";
    }
}
