using System.Buffers;
using System.Text;
using System.Text.Json;
using Raven.Documents.Subscriptions;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Subscriptions;

namespace Raven.Server.Handlers;

/// <summary>
/// Batches of a subscription as server-sent events, for clients that can read a stream and send a request: each batch
/// is a lease, which is acknowledged by a request of its own, and only then the next one is sent.
/// </summary>
internal static class SubscriptionStreamHandler
{
    private static readonly TimeSpan BeatDefault = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan BeatMin = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan BeatMax = TimeSpan.FromMinutes(5);

    [Route("GET", "/databases/*/subscriptions/stream", Access.ReadWrite, Place = Place.Primary, IsStream = true,
        Summary = "The batches of a subscription as server-sent events",
        Query = "name!, max:int, lease, heartbeat, worker")]
    internal static async ValueTask GetAsync(RequestContext request)
    {
        (string name, SubscriptionWorkerOptions options, TimeSpan time) = SubscriptionLeaseHandler.Read(request);
        TimeSpan beat = SubscriptionLeaseHandler.Span(
            request.Query.GetText("heartbeat"), "heartbeat", BeatDefault, BeatMax);
        beat = beat > BeatMin ? beat : BeatMin;
        DatabaseSubscriptions subscriptions = request.Database.Subscriptions(request.Server.Queries);
        subscriptions.Get(name);
        string? reason = null;
        using var asked = new CancellationTokenSource();
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(
            request.Aborted, request.Server.Stopping, asked.Token);
        request.Ending = why =>
        {
            reason = why;
            asked.Cancel();
        };
        request.Response.Headers.ContentType = "text/event-stream";
        request.Response.ForbidStoring();
        try
        {
            await request.Response.FlushAsync(ended.Token).ConfigureAwait(false);
            await RunAsync(request, subscriptions.Leases, name, options, time, beat, ended.Token).ConfigureAwait(false);
        }
        catch (SubscriptionException e)
        {
            WriteError(request.Response, SubscriptionErrors.TypeOf(e.Problem), e.Message);
        }
        catch (OperationCanceledException) when (!request.Aborted.IsCancellationRequested)
        {
            if (reason is not null)
            {
                WriteError(request.Response, "Raven.Client.Exceptions.Security.AuthorizationException", reason);
            }
        }
        finally
        {
            request.Ending = null;
        }
    }

    private static async ValueTask RunAsync(
        RequestContext request, SubscriptionLeases leases, string name, SubscriptionWorkerOptions options,
        TimeSpan time, TimeSpan beat, CancellationToken cancellation)
    {
        ResponseWriter response = request.Response;
        while (true)
        {
            cancellation.ThrowIfCancellationRequested();
            SubscriptionLease? lease = await leases.TakeAsync(name, options, beat, time, cancellation)
                .ConfigureAwait(false);
            if (lease is null)
            {
                await BeatAsync(response, cancellation).ConfigureAwait(false);
                continue;
            }

            try
            {
                Write(response, lease);
                await response.FlushAsync(cancellation).ConfigureAwait(false);
                await WaitAsync(request, lease, beat, cancellation).ConfigureAwait(false);
            }
            finally
            {
                // If the reader is gone, others get what it has not acknowledged.
                await leases.EndAsync(lease).ConfigureAwait(false);
            }

            if (lease.End is { CanReconnect: false, Problem: not SubscriptionProblem.Changed } end)
            {
                throw end;
            }
        }
    }

    /// <summary>Waits until a batch was acknowledged, given back, or is over.</summary>
    private static async ValueTask WaitAsync(
        RequestContext request, SubscriptionLease lease, TimeSpan beat, CancellationToken cancellation)
    {
        while (!lease.Over.IsCompleted)
        {
            try
            {
                await lease.Over.WaitAsync(beat, request.Server.Time, cancellation).ConfigureAwait(false);
            }
            catch (TimeoutException)
            {
                await BeatAsync(request.Response, cancellation).ConfigureAwait(false);
            }
        }
    }

    private static async ValueTask BeatAsync(ResponseWriter response, CancellationToken cancellation)
    {
        response.Write(":\n\n"u8);
        await response.FlushAsync(cancellation).ConfigureAwait(false);
    }

    private static void Write(ResponseWriter response, SubscriptionLease lease)
    {
        for (int i = 0; i < lease.Batch.Count; i++)
        {
            int index = i;
            WriteEvent(
                response, "data", lease.Batch.ChangeVectorOf(i),
                json => SubscriptionLeaseHandler.WriteItem(json, lease.Batch, index));
        }

        WriteEvent(response, "endofbatch", lease.Position, json =>
        {
            json.WriteStartObject();
            json.WriteString("BatchId"u8, lease.Id);
            json.WriteTime("LeaseUntil"u8, lease.Until);
            SubscriptionLeaseHandler.WriteIncludes(json, lease.Batch);
            json.WriteEndObject();
        });
    }

    private static void WriteError(ResponseWriter response, string type, string message) =>
        WriteEvent(response, "error", null, json =>
        {
            json.WriteStartObject();
            json.WriteString("Type"u8, type);
            json.WriteString("Message"u8, message);
            json.WriteEndObject();
        });

    private static void WriteEvent(ResponseWriter response, string name, string? id, Action<Utf8JsonWriter> write)
    {
        var data = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(data))
        {
            write(json);
        }

        response.Write(Encoding.UTF8.GetBytes($"event: {name}\n{(id is null ? "" : $"id: {id}\n")}data: "));
        response.Write(data.WrittenSpan);
        response.Write("\n\n"u8);
    }
}
