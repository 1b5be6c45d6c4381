using System.Buffers;
using System.Net.WebSockets;
using System.Text.Json;
using System.Threading.Channels;
using Raven.Client.Http;

namespace Raven.Client.Documents.Changes;

/// <summary>
/// One WebSocket, from its opening to its end. It waits for what the server says and for what there is to say, and is
/// not runnable otherwise; pings keep it alive and find out where the other side is gone.
/// </summary>
internal sealed class ChangesConnection(Action<JsonElement> onMessage)
{
    private static readonly TimeSpan KeepAlive = TimeSpan.FromSeconds(30);

    private readonly Channel<byte[]> _outgoing = Channel.CreateUnbounded<byte[]>(
        new UnboundedChannelOptions { SingleReader = true });

    internal void Send(byte[] message) => _outgoing.Writer.TryWrite(message);

    /// <summary>Opens it, runs it to its end, and throws why it ended.</summary>
    internal async Task RunAsync(ServerNode node, Action onOpen, CancellationToken cancellationToken)
    {
        using var socket = new ClientWebSocket();
        socket.Options.KeepAliveInterval = KeepAlive;
        socket.Options.KeepAliveTimeout = KeepAlive;
        var url = new UriBuilder(node.BaseUrl + "/changes");
        url.Scheme = url.Scheme == "https" ? "wss" : "ws";
        await socket.ConnectAsync(url.Uri, cancellationToken).ConfigureAwait(false);
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
            // Nothing is held while nothing comes: the buffer is taken once there is something to read.
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
        if (json.RootElement.ValueKind != JsonValueKind.Array)
        {
            onMessage(json.RootElement.Clone());
            return;
        }

        foreach (JsonElement element in json.RootElement.EnumerateArray())
        {
            onMessage(element.Clone());
        }
    }
}
