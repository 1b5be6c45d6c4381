using System.IO.Pipelines;
using System.Text.Json;
using Microsoft.AspNetCore.Connections;
using Raven.Server.Diagnostics;
using Raven.Server.Http.Subscriptions;
using Raven.Server.Http.WebSockets;

namespace Raven.Server.Http.Monitoring;

/// <summary>Sends what happens over a WebSocket, one JSON object each, until the client closes.</summary>
internal static class WatchSocket
{
    private const int MessageSizeBytesMax = 64 * 1024;

    private static readonly TimeSpan FarewellMax = TimeSpan.FromSeconds(2);

    /// <summary>Serves one who watches.</summary>
    /// <param name="request">The request for a WebSocket.</param>
    /// <param name="source">What is watched.</param>
    /// <param name="isWanted">Whether one is sent.</param>
    /// <param name="write">Writes the members of one.</param>
    internal static async ValueTask ServeAsync<T>(
        RequestContext request, Broadcast<T> source, Func<T, bool> isWanted, Action<Utf8JsonWriter, T> write)
        where T : class
    {
        WatchQueue<T> queue = source.TryWatch()
            ?? throw new BadRequestException(
                503, ErrorType.InvalidOperation,
                $"{Broadcast<T>.WatchesMax} watch this already: one of them must end first.");
        try
        {
            await ServeAsync(request, queue, isWanted, write).ConfigureAwait(false);
        }
        finally
        {
            source.Unwatch(queue);
        }
    }

    private static async ValueTask ServeAsync<T>(
        RequestContext request, WatchQueue<T> queue, Func<T, bool> isWanted, Action<Utf8JsonWriter, T> write)
        where T : class
    {
        Stream stream = await WebSocketHandshake.AcceptAsync(request).ConfigureAwait(false);
        await using (stream.ConfigureAwait(false))
        {
            PipeWriter output = PipeWriter.Create(stream, new StreamPipeWriterOptions(leaveOpen: true));
            using var writer = new SocketWriter(output, request.Server.Time, isFramed: true);
            using var reader = new WebSocketReader(stream, MessageSizeBytesMax);
            using var ended = CancellationTokenSource.CreateLinkedTokenSource(
                request.Aborted, request.Server.Stopping);
            request.Ending = _ => ended.Cancel();
            Task reading = ReadAsync(reader, writer, ended);
            try
            {
                await SendAsync(request, queue, isWanted, write, writer, ended.Token).ConfigureAwait(false);
            }
            catch (Exception e) when (IsOfLeaving(e))
            {
                // The client is gone, or the server ends.
            }
            finally
            {
                request.Ending = null;
                await LeaveAsync(request, reading, writer).ConfigureAwait(false);
            }
        }
    }

    private static async Task SendAsync<T>(
        RequestContext request, WatchQueue<T> queue, Func<T, bool> isWanted, Action<Utf8JsonWriter, T> write,
        SocketWriter writer, CancellationToken ended)
        where T : class
    {
        while (true)
        {
            using var pause = CancellationTokenSource.CreateLinkedTokenSource(ended);
            Task beat = Task.Delay(request.Server.Options.ChangesHeartbeat, request.Server.Time, pause.Token);
            Task first = await Task.WhenAny(queue.WhenNews(), beat).ConfigureAwait(false);
            ended.ThrowIfCancellationRequested();
            await pause.CancelAsync().ConfigureAwait(false);
            if (first == beat)
            {
                await writer.BeatAsync(ended).ConfigureAwait(false);
                continue;
            }

            T[] all = queue.Take(out long lost);
            if (lost > 0)
            {
                await writer.WriteAsync(json => json.WriteNumber("Lost"u8, lost), ended).ConfigureAwait(false);
            }

            foreach (T one in all.Where(isWanted))
            {
                await writer.WriteAsync(json => write(json, one), ended).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Answers pings; what else the client says is not needed.</summary>
    private static async Task ReadAsync(WebSocketReader reader, SocketWriter writer, CancellationTokenSource ended)
    {
        try
        {
            while (await reader.ReadAsync().ConfigureAwait(false) is { } opcode && opcode != WebSocketOpcode.Close)
            {
                if (opcode == WebSocketOpcode.Ping)
                {
                    await writer.PongAsync(reader.Payload.ToArray(), CancellationToken.None).ConfigureAwait(false);
                }
            }
        }
        catch (Exception e) when (IsOfLeaving(e))
        {
            // As above.
        }

        await ended.CancelAsync().ConfigureAwait(false);
    }

    /// <summary>Closes, and waits for the client to do so, but not for long.</summary>
    private static async Task LeaveAsync(RequestContext request, Task reading, SocketWriter writer)
    {
        using var late = new CancellationTokenSource(FarewellMax, request.Server.Time);
        try
        {
            WebSocketCloseStatus status = request.Server.Stopping.IsCancellationRequested
                ? WebSocketCloseStatus.GoingAway
                : WebSocketCloseStatus.Normal;
            await writer.CloseAsync(status, late.Token).ConfigureAwait(false);
            await reading.WaitAsync(late.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (IsOfLeaving(e))
        {
            request.Abort();
            await reading.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private static bool IsOfLeaving(Exception e) =>
        e is IOException or OperationCanceledException or ConnectionAbortedException or InvalidOperationException;
}
