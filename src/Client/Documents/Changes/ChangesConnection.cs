using System.Buffers;
using System.Net;
using System.Net.WebSockets;
using System.Text.Json;
using System.Threading.Channels;
using Raven.Client.Exceptions;
using Raven.Client.Exceptions.Security;
using Raven.Client.Http;

namespace Raven.Client.Documents.Changes;

/// <summary>
/// One WebSocket, from its opening to its end. It waits for messages of the server and for commands to send, and uses
/// no thread otherwise; pings keep it alive and detect a dead peer.
/// </summary>
internal sealed class ChangesConnection(Action<IEnumerable<JsonElement>> onMessages)
{
    private static readonly TimeSpan KeepAlive = TimeSpan.FromSeconds(30);

    private readonly Channel<byte[]> _outgoing = Channel.CreateUnbounded<byte[]>(
        new UnboundedChannelOptions { SingleReader = true });

    internal void Send(byte[] message) => _outgoing.Writer.TryWrite(message);

    /// <summary>Opens the connection, runs it until it ends, and throws the cause of the end.</summary>
    /// <param name="node">The server.</param>
    /// <param name="context">The store's: its connections, and how long one may take to open.</param>
    /// <param name="onOpen">Called once it is open.</param>
    /// <param name="cancellationToken">Cancels it.</param>
    internal async Task RunAsync(
        ServerNode node, ExecutorContext context, Action onOpen, CancellationToken cancellationToken)
    {
        using var socket = new ClientWebSocket();
        socket.Options.KeepAliveInterval = KeepAlive;
        socket.Options.KeepAliveTimeout = KeepAlive;
        socket.Options.CollectHttpResponseDetails = true;
        var url = new UriBuilder(node.BaseUrl + "/changes");
        url.Scheme = url.Scheme == "https" ? "wss" : "ws";
        await OpenAsync(socket, url.Uri, context, cancellationToken).ConfigureAwait(false);
        onOpen();
        using var both = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task sending = SendAsync(socket, both.Token);
        Task receiving = ReceiveAsync(socket, both.Token);
        Task first = await Task.WhenAny(sending, receiving).ConfigureAwait(false);
        await both.CancelAsync().ConfigureAwait(false);
        await Task.WhenAll(sending, receiving).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await first.ConfigureAwait(false);
        throw new WebSocketException(
            WebSocketError.ConnectionClosedPrematurely,
            "The server ended the connection that tells changes: "
            + (socket.CloseStatusDescription ?? "it gave no reason"));
    }

    private static async Task OpenAsync(
        ClientWebSocket socket, Uri url, ExecutorContext context, CancellationToken cancellationToken)
    {
        TimeSpan timeMax = context.Conventions.RequestTimeout;
        using var late = new CancellationTokenSource(timeMax, context.Conventions.Clock);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(late.Token, cancellationToken);
        try
        {
            await socket.ConnectAsync(url, context.Sockets, either.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (late.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            throw new RavenTimeoutException($"{url} was not opened within {timeMax}.", e);
        }
        catch (WebSocketException e) when (Refusal(socket, url, context, e) is { } refusal)
        {
            throw refusal;
        }
    }

    /// <summary>What a failure to open it says of identity and trust; null if it is another failure.</summary>
    private static SecurityException? Refusal(
        ClientWebSocket socket, Uri url, ExecutorContext context, WebSocketException failure) =>
        socket.HttpStatusCode switch
        {
            HttpStatusCode.Unauthorized => new AuthenticationException(
                $"{url} was answered 401: the server does not take the API key.", failure),
            HttpStatusCode.Forbidden => new AuthorizationException(
                $"{url} was answered 403: the caller may not read this database, or has not shown who it is.", failure),
            _ => context.Security.Explain(url, failure),
        };

    private async Task SendAsync(ClientWebSocket socket, CancellationToken cancellationToken)
    {
        await foreach (byte[] message in _outgoing.Reader.ReadAllAsync(cancellationToken).ConfigureAwait(false))
        {
            await socket.SendAsync(
                message, WebSocketMessageType.Text, WebSocketMessageFlags.EndOfMessage, cancellationToken)
                .ConfigureAwait(false);
        }
    }

    private async Task ReceiveAsync(ClientWebSocket socket, CancellationToken cancellationToken)
    {
        var buffer = new ArrayBufferWriter<byte>(1024);
        while (true)
        {
            // No buffer is held while nothing arrives: it is taken once there is something to read.
            ValueWebSocketReceiveResult result =
                await socket.ReceiveAsync(Memory<byte>.Empty, cancellationToken).ConfigureAwait(false);
            while (!result.EndOfMessage || buffer.WrittenCount == 0)
            {
                if (result.MessageType == WebSocketMessageType.Close)
                {
                    return;
                }

                result = await socket.ReceiveAsync(buffer.GetMemory(1024), cancellationToken).ConfigureAwait(false);
                buffer.Advance(result.Count);
            }

            Dispatch(buffer.WrittenMemory);
            buffer.ResetWrittenCount();
        }
    }

    private void Dispatch(ReadOnlyMemory<byte> message)
    {
        using JsonDocument json = JsonDocument.Parse(message);
        onMessages(json.RootElement.ValueKind == JsonValueKind.Array
            ? json.RootElement.EnumerateArray().Select(element => element.Clone())
            : [json.RootElement.Clone()]);
    }
}
