using System.Globalization;
using System.Net;
using System.Runtime.CompilerServices;
using System.Text.Json;
using Microsoft.AspNetCore.Connections;
using Raven.Documents;
using Raven.Documents.Subscriptions;
using Raven.Security.Rights;
using Raven.Server.Diagnostics;
using Raven.Server.Http.Security;
using Raven.Server.Options;

namespace Raven.Server.Http.Subscriptions;

//   SOCK-1  Nothing of a database is looked for before the caller's right to it is known.
//   SOCK-2  One batch is open at a time. A message of the client at any other time ends the connection.
//   SOCK-3  Confirm is written after the acknowledgement is durable, and before the next batch.
//   SOCK-4  Whatever ends the connection frees the subscription at once, and says why if the client still reads.

/// <summary>A connection of a worker, from its first byte to its end. Used once.</summary>
internal sealed class SubscriptionSocket : IDisposable
{
    internal const int HeaderBytesMax = 4 * 1024;
    internal const int OptionsBytesMax = 64 * 1024;
    internal const int MessageBytesMax = 4 * 1024;

    internal static readonly TimeSpan HeaderMax = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan SilenceMax = TimeSpan.FromSeconds(7);
    private static readonly TimeSpan BeatEvery = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan FarewellMax = TimeSpan.FromSeconds(2);

    private readonly ServerState _server;
    private readonly ConnectionContext _connection;
    private readonly SocketReader _reader;
    private readonly SocketWriter _writer;
    private readonly CancellationTokenSource _ended;
    private readonly Caller _caller;
    private Identity _identity = Identity.Unsecured;
    private TaskCompletionSource<JsonDocument>? _acknowledgement;
    private Exception? _failure;
    private string _database = "";

    internal SubscriptionSocket(ServerState server, ConnectionContext connection)
    {
        _server = server;
        _connection = connection;
        _reader = new SocketReader(connection.Transport.Input);
        _writer = new SocketWriter(connection.Transport.Output, server.Time);
        _caller = new Caller(connection);
        _ended = CancellationTokenSource.CreateLinkedTokenSource(connection.ConnectionClosed, server.Stopping);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _ended.Dispose();
        _writer.Dispose();
    }

    /// <summary>Serves the connection to its end.</summary>
    internal async Task RunAsync()
    {
        using SubscriptionSocket owned = this;
        try
        {
            if (await NegotiateAsync().ConfigureAwait(false))
            {
                await ServeAsync().ConfigureAwait(false);
            }
        }
#pragma warning disable CA1031 // Any failure is reported to the client, if it still reads, and ends the connection.
        catch (Exception e)
#pragma warning restore CA1031
        {
            await SayGoodbyeAsync(e).ConfigureAwait(false);
        }
        finally
        {
            await _ended.CancelAsync().ConfigureAwait(false);
            await CloseAsync().ConfigureAwait(false);
        }
    }

    private async ValueTask CloseAsync()
    {
        try
        {
            await _connection.Transport.Output.CompleteAsync().ConfigureAwait(false);
            await _connection.Transport.Input.CompleteAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or InvalidOperationException or OperationCanceledException)
        {
            // It is closed already.
        }
    }

    /// <summary>Answers headers until a version is agreed on; false if the client wants nothing more.</summary>
    private async ValueTask<bool> NegotiateAsync()
    {
        const int headersMax = 4;
        for (int i = 0; i < headersMax; i++)
        {
            using JsonDocument? message = await ReadInTimeAsync(HeaderBytesMax).ConfigureAwait(false);
            if (message is null)
            {
                return false;
            }

            TcpHeader header = TcpHeader.Read(message.RootElement);
            if (header.Operation == "Drop")
            {
                return false;
            }

            if (WhyNot(header) is { } reason)
            {
                await AnswerAsync("AuthorizationFailed", reason, TcpHeader.NoVersion).ConfigureAwait(false);
                return false;
            }

            if (header.Operation != "Subscription")
            {
                await AnswerAsync(
                    "TcpVersionMismatch", $"'{header.Operation}' is not served by this server.",
                    TcpHeader.NoVersion).ConfigureAwait(false);
            }
            else if (!header.IsKnown)
            {
                await AnswerAsync(
                    "TcpVersionMismatch",
                    $"Version {header.Version.ToString(CultureInfo.InvariantCulture)} is not known.", header.Lower)
                    .ConfigureAwait(false);
            }
            else
            {
                _database = header.Database;
                await AnswerAsync("Ok", null, header.Version).ConfigureAwait(false);
                return true;
            }
        }

        return false;
    }

    private ValueTask AnswerAsync(string status, string? message, int version) => _writer.WriteAsync(
        json =>
        {
            json.WriteString("Status"u8, status);
            json.WriteString("Message"u8, message);
            json.WriteNumber("Version"u8, version);
            json.WriteStartObject("LicensedFeatures"u8);
            json.WriteBoolean("DataCompression"u8, false);
            json.WriteEndObject();
        },
        _ended.Token);

    /// <summary>Why the caller may not work on the database; null if it may.</summary>
    private string? WhyNot(TcpHeader header)
    {
        if (!_server.Start.Peers.Contains((_connection.RemoteEndPoint as IPEndPoint)?.Address))
        {
            return "This server does not answer other machines.";
        }

        if (_server.Security.Gate.Identify(_caller, _connection.Features, out string reason) is not { } identity)
        {
            return reason;
        }

        _identity = identity;
        if (identity.May(Access.ReadWrite, header.Database))
        {
            return null;
        }

        return $"'{identity.Name}' may not do this: it needs the right ReadWrite to the database '{header.Database}'.";
    }

    private async ValueTask<JsonDocument?> ReadInTimeAsync(int sizeBytesMax)
    {
        using var late = new CancellationTokenSource(HeaderMax, _server.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(late.Token, _ended.Token);
        try
        {
            return await _reader.ReadAsync(sizeBytesMax, either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (late.IsCancellationRequested)
        {
            throw new SocketProtocolException($"The message did not come within {HeaderMax}.");
        }
    }

    private async ValueTask ServeAsync()
    {
        using JsonDocument? message = await ReadInTimeAsync(OptionsBytesMax).ConfigureAwait(false);
        if (message is null)
        {
            return;
        }

        (string name, SubscriptionWorkerOptions options) = SocketOptions.Read(
            message.RootElement, _connection.RemoteEndPoint?.ToString());
        if (!_server.Databases.TryGet(_database, out Database? database))
        {
            throw new DatabaseDeletedException(_database);
        }

        if (database.IsDisabled)
        {
            throw new SubscriptionException(SubscriptionProblem.Closed, $"Database '{_database}' is disabled.")
            {
                CanReconnect = true,
            };
        }

        Task beating = BeatAsync();
        Task reading = ReadAsync();
        try
        {
            await WorkAsync(database.Subscriptions(_server.Queries), name, options).ConfigureAwait(false);
        }
        catch (Exception e) when (e is OperationCanceledException or IOException && _failure is not null)
        {
            throw _failure;
        }
        finally
        {
            await _ended.CancelAsync().ConfigureAwait(false);
            await Task.WhenAll(beating, reading).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private async ValueTask WorkAsync(
        DatabaseSubscriptions subscriptions, string name, SubscriptionWorkerOptions options)
    {
        SubscriptionWorker worker = await subscriptions.ConnectAsync(name, options, _ended.Token)
            .ConfigureAwait(false);
        await using ConfiguredAsyncDisposable owned = worker.ConfigureAwait(false);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(_ended.Token, worker.Ending);
        try
        {
            await _writer.WriteAsync(
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
        await _writer.WriteAsync(batch, cancellation).ConfigureAwait(false);
        using JsonDocument message = await acknowledged.Task.WaitAsync(cancellation).ConfigureAwait(false);
        string? vector = TcpHeader.Text(message.RootElement, "ChangeVector");
        if (!string.IsNullOrEmpty(vector) && vector != batch.LastChangeVector)
        {
            throw new SocketProtocolException(
                $"'{vector}' cannot be acknowledged: the last document of the batch has '{batch.LastChangeVector}'.");
        }

        await worker.AcknowledgeAsync().ConfigureAwait(false);
        await _writer.WriteAsync(static json => json.WriteString("Type"u8, "Confirm"u8), cancellation)
            .ConfigureAwait(false);
    }

    /// <summary>Takes the messages of the client, and notices its end, whatever else goes on.</summary>
    private async Task ReadAsync()
    {
        try
        {
            while (await _reader.ReadAsync(MessageBytesMax, _ended.Token).ConfigureAwait(false) is { } message)
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

    /// <summary>Writes heartbeats, and looks whether the right still holds.</summary>
    private async Task BeatAsync()
    {
        using var timer = new PeriodicTimer(BeatEvery, _server.Time);
        long version = _server.Security.Trust.Current.Version;
        try
        {
            while (await timer.WaitForNextTickAsync(_ended.Token).ConfigureAwait(false))
            {
                if (!KeepsRight(ref version))
                {
                    string reason = "The right ReadWrite, which this needs, was taken away, or has ended.";
                    _server.Security.Audit.Ended(_identity, _caller, $"a subscription of {_database}", reason);
                    Fail(new RightEndedException(reason));
                    return;
                }

                if (_writer.Silence >= SilenceMax)
                {
                    await _writer.BeatAsync(_ended.Token).ConfigureAwait(false);
                }
            }
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or ConnectionAbortedException)
        {
            Fail(e);
        }
    }

    private bool KeepsRight(ref long version)
    {
        if (!_server.Security.IsSecured)
        {
            return true;
        }

        long now = _server.Security.Trust.Current.Version;
        if (now == version && _identity.IsValidAt(_server.Time.GetUtcNow()))
        {
            return true;
        }

        version = now;
        return _server.Security.Gate.MayGoOn(_caller, header: null, _identity, Access.ReadWrite, _database);
    }

    private void Fail(Exception failure)
    {
        Interlocked.CompareExchange(ref _failure, failure, null);
        try
        {
            _ended.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // It has ended by itself.
        }
    }

    /// <summary>Says why the connection ends, if the client may still read.</summary>
    private async ValueTask SayGoodbyeAsync(Exception end)
    {
        if (end is IOException or ConnectionAbortedException || _connection.ConnectionClosed.IsCancellationRequested)
        {
            return;
        }

        if (end is OperationCanceledException)
        {
            end = new SubscriptionException(SubscriptionProblem.Closed, "The server is stopping.")
            {
                CanReconnect = true,
            };
        }

        using var late = new CancellationTokenSource(FarewellMax, _server.Time);
        try
        {
            await _writer.WriteAsync(Farewell(end), late.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or ConnectionAbortedException
            or InvalidOperationException)
        {
            _connection.Abort();
        }
    }

    private Action<Utf8JsonWriter> Farewell(Exception end)
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
        string message = type != ErrorType.Raven ? end.Message : Describe(end);
        return json =>
        {
            json.WriteString("Type"u8, "Error"u8);
            json.WriteString("Exception"u8, $"{type}: {message}");
            json.WriteString("Message"u8, message);
        };
    }

    private string Describe(Exception end)
    {
        FailureAnswer known = FailureMapping.Describe(_server, end);
        if (known.StatusCode != 500)
        {
            return known.Message;
        }

        string id = _server.NextErrorId();
        ServerLog.RequestFailed(_server.Log, end, id, "subscription", _database);
        return $"The server failed; its log tells more under error {id}.";
    }
}
