using System.IO.Pipelines;
using System.Text.Json;
using Microsoft.AspNetCore.Connections;
using Raven.Documents.Subscriptions;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Subscriptions;
using Raven.Server.Http.WebSockets;

namespace Raven.Server.Handlers;

/// <summary>
/// Workers of subscriptions over a WebSocket: the messages of the official clients' workers, each in a text frame, for
/// languages without such a client.
/// </summary>
internal static class SubscriptionWebSocketHandler
{
    [Route("GET", "/databases/*/subscriptions/ws", Access.ReadWrite, Place = Place.Primary, IsStream = true,
        Summary = "The batches of a subscription over a WebSocket",
        Query = "name!, strategy, max:int, worker, closeWhenEmpty:bool")]
    internal static async ValueTask GetAsync(RequestContext request)
    {
        (string name, SubscriptionWorkerOptions options) = Read(request);
        DatabaseSubscriptions subscriptions = request.Database.Subscriptions(request.Server.Queries);
        string database = request.Database.Name;
        subscriptions.Get(name);
        Stream stream = await WebSocketHandshake.AcceptAsync(request).ConfigureAwait(false);
        await using (stream.ConfigureAwait(false))
        {
            PipeWriter output = PipeWriter.Create(stream, new StreamPipeWriterOptions(leaveOpen: true));
            using var writer = new SocketWriter(output, request.Server.Time, isFramed: true);
            using var reader = new WebSocketReader(stream, SubscriptionExchange.MessageBytesMax);
            using var ended = CancellationTokenSource.CreateLinkedTokenSource(
                request.Aborted, request.Server.Stopping);
            var exchange = new SubscriptionExchange(request.Server, writer, ended);
            request.Ending = reason => exchange.Fail(new RightEndedException(reason));
            try
            {
                await ServeAsync(exchange, subscriptions, name, options, reader, writer, database)
                    .ConfigureAwait(false);
                await LeaveAsync(request, exchange, reader, writer).ConfigureAwait(false);
            }
            finally
            {
                request.Ending = null;
            }
        }
    }

    private static (string Name, SubscriptionWorkerOptions Options) Read(RequestContext request)
    {
        (string name, SubscriptionWorkerOptions options, _) = SubscriptionLeaseHandler.Read(request);
        try
        {
            return (name, options with
            {
                Strategy = SocketOptions.StrategyOf(request.Query.GetText("strategy")),
                EndsWhenEmpty = request.Query.GetBool("closeWhenEmpty"),
            });
        }
        catch (SocketProtocolException e)
        {
            throw new BadRequestException(400, ErrorType.Argument, e.Message);
        }
    }

    /// <summary>Sends batches until there is a reason to end, and says which.</summary>
    private static async ValueTask ServeAsync(
        SubscriptionExchange exchange, DatabaseSubscriptions subscriptions, string name,
        SubscriptionWorkerOptions options, WebSocketReader reader, SocketWriter writer, string database)
    {
        try
        {
            // The route's right is looked after for all requests, and ends this one by its Ending.
            await exchange.RunAsync(
                subscriptions, name, options, () => ReadAsync(reader, writer), static () => null)
                .ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or ConnectionAbortedException)
        {
            // The client is gone, or closes: it reads no reason.
        }
#pragma warning disable CA1031 // Any failure is reported to the client, if it still reads, and ends the connection.
        catch (Exception e)
#pragma warning restore CA1031
        {
            await exchange.TrySayGoodbyeAsync(e, database).ConfigureAwait(false);
        }
    }

    /// <summary>The next message of the client; null if it closes.</summary>
    private static async ValueTask<JsonDocument?> ReadAsync(WebSocketReader reader, SocketWriter writer)
    {
        while (await reader.ReadAsync().ConfigureAwait(false) is { } opcode)
        {
            switch (opcode)
            {
                case WebSocketOpcode.Text:
                    return Parse(reader.Payload);
                case WebSocketOpcode.Ping:
                    await writer.PongAsync(reader.Payload.ToArray(), CancellationToken.None).ConfigureAwait(false);
                    break;
                case WebSocketOpcode.Close:
                    return null;
            }
        }

        return reader.Error is null
            ? null
            : throw new SocketProtocolException($"This is no WebSocket: {reader.Error}.");
    }

    private static JsonDocument Parse(ReadOnlySpan<byte> message)
    {
        JsonDocument json;
        try
        {
            json = JsonDocument.Parse(message.ToArray());
        }
        catch (JsonException e)
        {
            throw new SocketProtocolException($"A message is no JSON: {e.Message}");
        }

        if (json.RootElement.ValueKind == JsonValueKind.Object)
        {
            return json;
        }

        json.Dispose();
        throw new SocketProtocolException("A message must be a JSON object.");
    }

    /// <summary>Closes, and waits for the client to do so, but not for long.</summary>
    private static async ValueTask LeaveAsync(
        RequestContext request, SubscriptionExchange exchange, WebSocketReader reader, SocketWriter writer)
    {
        using var late = new CancellationTokenSource(SubscriptionExchange.FarewellMax, request.Server.Time);
        try
        {
            WebSocketCloseStatus status = reader.Error is not null ? reader.ErrorStatus
                : request.Server.Stopping.IsCancellationRequested ? WebSocketCloseStatus.GoingAway
                : WebSocketCloseStatus.Normal;
            await writer.CloseAsync(status, late.Token).ConfigureAwait(false);
            await exchange.Reading.WaitAsync(late.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or ConnectionAbortedException
            or InvalidOperationException)
        {
            request.Abort();
            await exchange.Reading.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }
}
