using System.Globalization;
using System.Net;
using System.Text.Json;
using Microsoft.AspNetCore.Connections;
using Raven.Documents;
using Raven.Documents.Subscriptions;
using Raven.Security.Rights;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Security;
using Raven.Server.Options;

namespace Raven.Server.Http.Subscriptions;

//   SOCK-1  Nothing of a database is looked for before the caller's right to it is known.

/// <summary>A connection of a worker, from its first byte to its end. Used once.</summary>
internal sealed class SubscriptionSocket : IDisposable
{
    internal const int HeaderBytesMax = 4 * 1024;
    internal const int OptionsBytesMax = 64 * 1024;

    internal static readonly TimeSpan HeaderMax = TimeSpan.FromSeconds(5);

    private readonly ServerState _server;
    private readonly ConnectionContext _connection;
    private readonly SocketReader _reader;
    private readonly SocketWriter _writer;
    private readonly CancellationTokenSource _ended;
    private readonly SubscriptionExchange _exchange;
    private readonly Caller _caller;
    private Identity _identity = Identity.Unsecured;
    private long _trustVersion;
    private string _database = "";

    internal SubscriptionSocket(ServerState server, ConnectionContext connection)
    {
        _server = server;
        _connection = connection;
        _reader = new SocketReader(connection.Transport.Input);
        _writer = new SocketWriter(connection.Transport.Output, server.Time);
        _caller = new Caller(connection);
        _ended = CancellationTokenSource.CreateLinkedTokenSource(connection.ConnectionClosed, server.Stopping);
        _exchange = new SubscriptionExchange(server, _writer, _ended);
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

        // Before it: a right that ends between this and the options is looked for again.
        _trustVersion = _server.Security.Trust.Current.Version;
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
        await KnowAsync().ConfigureAwait(false);
        if (_server.Cluster.TryGetGroup(_database, out GroupView? group) && group.Role != GroupRole.Primary)
        {
            await RedirectAsync(name, group).ConfigureAwait(false);
            return;
        }

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

        try
        {
            await _exchange.RunAsync(
                database.Subscriptions(_server.Queries), name, options,
                () => _reader.ReadAsync(SubscriptionExchange.MessageBytesMax, _ended.Token), WhyNoMore)
                .ConfigureAwait(false);
        }
        finally
        {
            await _exchange.Reading.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    /// <summary>Waits until this node knows the databases of its cluster, as it does soon after its start.</summary>
    private async ValueTask KnowAsync()
    {
        try
        {
            await _server.Cluster.Known.WaitAsync(HeaderMax, _server.Time, _ended.Token).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            throw new SubscriptionException(
                SubscriptionProblem.Closed, "This server has not learned yet which databases its cluster has.")
            {
                CanReconnect = true,
            };
        }
    }

    /// <summary>Sends a worker to the primary of the group. Without one it is told none, and asks again.</summary>
    private ValueTask RedirectAsync(string name, GroupView group)
    {
        string? tag = group.Primary is { IsAlive: true } primary && primary.Tag != _server.Cluster.Tag
            ? primary.Tag
            : null;
        string message = $"The subscription '{name}' is served by the primary of the database '{group.Database}', "
            + (tag == null ? "and it has none now." : $"node {tag}.");
        return _writer.WriteAsync(
            json =>
            {
                json.WriteString("Type"u8, "ConnectionStatus"u8);
                json.WriteString("Status"u8, "Redirect"u8);
                json.WriteString("Message"u8, message);
                json.WriteStartObject("Data"u8);
                json.WriteString("CurrentTag"u8, _server.Cluster.Tag);
                json.WriteString("RedirectedTag"u8, tag);
                json.WriteStartArray("Reasons"u8);
                json.WriteStringValue(message);
                json.WriteEndArray();
                json.WriteEndObject();
            },
            _ended.Token);
    }

    /// <summary>Why the caller may not go on; null if it may.</summary>
    private string? WhyNoMore()
    {
        if (!_server.Security.IsSecured)
        {
            return null;
        }

        long now = _server.Security.Trust.Current.Version;
        if (now == _trustVersion && _identity.IsValidAt(_server.Time.GetUtcNow()))
        {
            return null;
        }

        _trustVersion = now;
        if (_server.Security.Gate.MayGoOn(
            _caller, header: null, session: null, _identity, Access.ReadWrite, _database))
        {
            return null;
        }

        const string reason = "The right ReadWrite, which this needs, was taken away, or has ended.";
        _server.Security.Audit.Ended(_identity, _caller, $"a subscription of {_database}", reason);
        return reason;
    }

    /// <summary>Says why the connection ends, if the client may still read.</summary>
    private async ValueTask SayGoodbyeAsync(Exception end)
    {
        if (end is IOException or ConnectionAbortedException || _connection.ConnectionClosed.IsCancellationRequested)
        {
            return;
        }

        if (!await _exchange.TrySayGoodbyeAsync(end, _database).ConfigureAwait(false))
        {
            _connection.Abort();
        }
    }
}
