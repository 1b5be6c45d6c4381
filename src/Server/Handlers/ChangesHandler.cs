using System.Buffers;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Connections;
using Raven.Blittable.Contexts;
using Raven.Blittable.Json;
using Raven.Documents.Changes;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Changes;
using Raven.Server.Http.Routing;
using Raven.Server.Http.WebSockets;

namespace Raven.Server.Handlers;

/// <summary>Notifies clients of changes while they happen, over WebSockets.</summary>
internal static class ChangesHandler
{
    private const int MessageSizeBytesMax = 64 * 1024;
    private const int WatchesMax = 100_000;

    /// <summary>
    /// The first message, which says that anything may have changed before it: the client reads the topology anew and
    /// drops its cache. Some clients wait for it before they cache.
    /// </summary>
    private static ReadOnlySpan<byte> Opening => """{"TopologyChange":true,"AggressiveCachingChange":true}"""u8;

    [Route("GET", "/databases/*/changes", Access.Read, Place = Place.Primary, IsStream = true,
        Summary = "Tells of changes over a WebSocket")]
    internal static async ValueTask GetAsync(RequestContext request)
    {
        ServerState server = request.Server;
        ChangesHub hub = request.Database.Hub;
        Stream stream = await WebSocketHandshake.AcceptAsync(request).ConfigureAwait(false);
        await using (stream.ConfigureAwait(false))
        {
            var connection = new ChangesConnection(
                server.NextConnectionNumber(), server.Options.ChangesWaitingSizeBytesMax, request.Abort);
            request.Ending = reason => connection.Close(WebSocketCloseStatus.PolicyViolation, reason);
            connection.Offer(Opening);
            hub.Add(connection);
            server.Heartbeats.Add(connection);
            Task sending = SendAsync(connection, stream);
            try
            {
                await ReadAsync(server, hub, connection, stream).ConfigureAwait(false);
            }
            catch (Exception e) when (e is IOException or OperationCanceledException or ConnectionAbortedException)
            {
                // The client closed the connection without a message, or the server cut it: nothing can be sent.
            }
            finally
            {
                connection.Close(WebSocketCloseStatus.Normal, "");
                try
                {
                    await sending.ConfigureAwait(false);
                }
                finally
                {
                    server.Heartbeats.Remove(connection);
                    hub.Remove(connection);
                    connection.Release();
                }
            }
        }
    }

    [Route("GET", "/databases/*/changes/debug", Access.DatabaseAdmin, Place = Place.Node,
        Summary = "Who watches which changes")]
    internal static ValueTask GetDebugAsync(RequestContext request)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Connections"u8);
        foreach ((ChangeSink sink, ChangeWatch[] watches) in request.Database.Hub.List())
        {
            var connection = (ChangesConnection)sink;
            json.WriteStartObject();
            json.WriteNumber("Id"u8, connection.Number);
            json.WriteNumber("WaitingSizeInBytes"u8, connection.WaitingBytes);
            json.WriteStartArray("Watches"u8);
            foreach (ChangeWatch watch in watches)
            {
                json.WriteStartObject();
                json.WriteString("Kind"u8, watch.Kind.ToString());
                json.WriteString("Key"u8, watch.Key);
                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    private static async Task SendAsync(ChangesConnection connection, Stream stream)
    {
        try
        {
            await connection.SendAsync(stream).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or ObjectDisposedException)
        {
            // The reading side gets the error as well, and ends the connection.
        }
    }

    private static async ValueTask ReadAsync(
        ServerState server, ChangesHub hub, ChangesConnection connection, Stream stream)
    {
        using var reader = new WebSocketReader(stream, MessageSizeBytesMax);
        while (await reader.ReadAsync().ConfigureAwait(false) is { } opcode)
        {
            connection.NoteReceived();
            switch (opcode)
            {
                case WebSocketOpcode.Text:
                    Apply(server, hub, connection, reader.Payload);
                    break;
                case WebSocketOpcode.Ping:
                    connection.AnswerPing(reader.Payload);
                    break;
                case WebSocketOpcode.Close:
                    return;
            }
        }

        if (reader.Error is { } error)
        {
            connection.Close(reader.ErrorStatus, error);
        }
    }

    private static void Apply(
        ServerState server, ChangesHub hub, ChangesConnection connection, ReadOnlySpan<byte> message)
    {
        OperationContext context = server.RentContext();
        try
        {
            if (!ChangesCommand.TryParse(context, message, out ChangesCommand command, out string? error))
            {
                Refuse(connection, error!);
                return;
            }

            if (command.IsUnwatch)
            {
                hub.Unwatch(connection, command.Watch);
            }
            else if (connection.Watches.Count >= WatchesMax)
            {
                Refuse(connection, $"A connection has at most {WatchesMax} watches.");
                return;
            }
            else
            {
                hub.Watch(connection, command.Watch);
            }

            Confirm(connection, command.Id);
        }
        finally
        {
            server.Contexts.Return(context);
        }
    }

    private static void Confirm(ChangesConnection connection, long id)
    {
        Span<byte> json = stackalloc byte[64];
        System.Text.Unicode.Utf8.TryWrite(json, $"{{\"Type\":\"Confirm\",\"CommandId\":{id}}}", out int length);
        connection.Offer(json[..length]);
    }

    private static void Refuse(ChangesConnection connection, string error)
    {
        var buffer = new ArrayBufferWriter<byte>();
        var json = new JsonOutput(buffer);
        json.StartObject();
        json.Name("Type"u8);
        json.String("Error"u8);
        json.Name("Exception"u8);
        json.String(Encoding.UTF8.GetBytes(error));
        json.EndObject();
        json.Flush();
        connection.Offer(buffer.WrittenSpan);
    }
}
