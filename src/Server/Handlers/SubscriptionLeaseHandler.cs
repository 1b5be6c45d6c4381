using System.Globalization;
using System.Text;
using System.Text.Json;
using Raven.Documents.Subscriptions;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;

namespace Raven.Server.Handlers;

/// <summary>
/// Batches of subscriptions for clients without a connection: each is leased for a time, and acknowledged, given back
/// or extended by its name.
/// </summary>
internal static class SubscriptionLeaseHandler
{
    private const int CountDefault = 256;

    private static readonly TimeSpan RightEvery = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan WaitMax = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan LeaseDefault = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan LeaseMax = TimeSpan.FromDays(1);

    [Route("POST", "/databases/*/subscriptions/batch", Access.ReadWrite, Place = Place.Primary, IsStream = true,
        Summary = "Takes the next documents of a subscription for a time",
        Query = "name!, max:int, wait, lease, worker")]
    internal static async ValueTask TakeAsync(RequestContext request)
    {
        (string name, SubscriptionWorkerOptions options, TimeSpan time) = Read(request);
        TimeSpan wait = Span(request.Query.GetText("wait"), "wait", TimeSpan.Zero, WaitMax);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(request.Aborted, request.Server.Stopping);
        SubscriptionLease? lease = await Of(request).Leases.TakeAsync(
            name, options, wait, time, ended.Token).ConfigureAwait(false);
        if (lease is null)
        {
            request.Response.Status = 204;
            return;
        }

        if (request.Server.Security.IsSecured)
        {
            _ = EndWithRightAsync(
                request.Server, Of(request).Leases, lease, OperationStarter.Of(request), request.Database.Name);
        }

        Write(request, lease);
    }

    [Route("POST", "/databases/*/subscriptions/batch/ack", Access.ReadWrite, Place = Place.Primary,
        Summary = "Says that the documents of a batch are done with", Query = "batch!")]
    internal static async ValueTask AcknowledgeAsync(RequestContext request)
    {
        string batch = Required(request.Query.GetText("batch"), "batch");
        await Of(request).Leases.AcknowledgeAsync(batch).ConfigureAwait(false);
        request.Response.Status = 204;
    }

    [Route("POST", "/databases/*/subscriptions/batch/nack", Access.ReadWrite, Place = Place.Primary,
        Summary = "Gives documents of a batch back: those with the ids, or all", Query = "batch!, id*, delay")]
    internal static async ValueTask GiveBackAsync(RequestContext request)
    {
        string batch = Required(request.Query.GetText("batch"), "batch");
        List<string> ids = [];
        foreach (QueryParameters.Parameter parameter in request.Query)
        {
            if (parameter.Is("id"))
            {
                ids.Add(Encoding.UTF8.GetString(request.Decode(parameter.Encoded, "id").Span));
            }
        }

        TimeSpan delay = Span(request.Query.GetText("delay"), "delay", TimeSpan.Zero, LeaseMax);
        await Of(request).Leases.GiveBackAsync(batch, ids.Count == 0 ? null : ids, delay).ConfigureAwait(false);
        request.Response.Status = 204;
    }

    [Route("POST", "/databases/*/subscriptions/batch/extend", Access.ReadWrite, Place = Place.Primary,
        Summary = "Has the lease of a batch end later", Query = "batch!, lease")]
    internal static ValueTask ExtendAsync(RequestContext request)
    {
        DateTimeOffset until = Of(request).Leases.Extend(
            Required(request.Query.GetText("batch"), "batch"),
            Span(request.Query.GetText("lease"), "lease", LeaseDefault, LeaseMax));
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteTime("LeaseUntil"u8, until);
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    /// <summary>Reads what is to be leased, and for how long.</summary>
    internal static (string Name, SubscriptionWorkerOptions Options, TimeSpan Time) Read(RequestContext request) => (
        Required(request.Query.GetText("name"), "name"),
        new SubscriptionWorkerOptions
        {
            BatchCountMax = Math.Clamp(
                request.Query.GetInt32("max", CountDefault, 1), 1, Http.Subscriptions.SocketOptions.BatchCountMax),
            WorkerId = request.Query.GetText("worker"),
            Address = request.Caller?.ToString(),
        },
        Span(request.Query.GetText("lease"), "lease", LeaseDefault, LeaseMax));

    /// <summary>Writes a document of a batch.</summary>
    internal static void WriteItem(Utf8JsonWriter json, SubscriptionBatch batch, int index)
    {
        json.WriteStartObject();
        json.WriteString("Id"u8, batch.IdOf(index));
        json.WriteString("ChangeVector"u8, batch.ChangeVectorOf(index));
        json.WritePropertyName("Data"u8);
        json.WriteRawValue(batch.DataOf(index), skipInputValidation: true);
        if (batch.ErrorOf(index) is { } error)
        {
            json.WriteString("Exception"u8, error);
        }

        json.WriteEndObject();
    }

    /// <summary>Writes the members of what is sent along.</summary>
    internal static void WriteIncludes(Utf8JsonWriter json, SubscriptionBatch batch)
    {
        WriteRaw(json, "Includes"u8, batch.Includes);
        if (batch.HasCounters)
        {
            WriteRaw(json, "CounterIncludes"u8, batch.Counters);
            WriteRaw(json, "IncludedCounterNames"u8, batch.CounterNames);
        }

        if (batch.HasTimeSeries)
        {
            WriteRaw(json, "TimeSeriesIncludes"u8, batch.TimeSeries);
        }
    }

    /// <summary>A span of time such as <c>30s</c>, <c>500ms</c>, <c>5m</c> or <c>00:00:30</c>.</summary>
    /// <param name="text">The parameter; null if it is absent.</param>
    /// <param name="name">Its name, for the error.</param>
    /// <param name="otherwise">What it is if it is absent.</param>
    /// <param name="max">The longest that it may be.</param>
    internal static TimeSpan Span(string? text, string name, TimeSpan otherwise, TimeSpan max)
    {
        if (string.IsNullOrEmpty(text))
        {
            return otherwise;
        }

        (string unit, double seconds)[] units = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)];
        foreach ((string unit, double seconds) in units)
        {
            if (text.EndsWith(unit, StringComparison.Ordinal) && double.TryParse(
                text.AsSpan(0, text.Length - unit.Length), NumberStyles.AllowDecimalPoint,
                CultureInfo.InvariantCulture, out double number) && number * seconds <= max.TotalSeconds)
            {
                return TimeSpan.FromSeconds(number * seconds);
            }
        }

        return TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan span) && text.Contains(':')
            && span >= TimeSpan.Zero && span <= max
            ? span
            : throw new BadRequestException(
                400, ErrorType.Argument, $"{name} must be a span of time such as 30s or 00:00:30, at most {max}.");
    }

    /// <summary>Ends a lease when the right of its holder ends: nobody waits for who may not acknowledge it.</summary>
    private static async Task EndWithRightAsync(
        ServerState server, SubscriptionLeases leases, SubscriptionLease lease, OperationStarter holder,
        string database)
    {
        try
        {
            while (!lease.Over.IsCompleted)
            {
                await lease.Over.WaitAsync(RightEvery, server.Time, server.Stopping)
                    .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                server.Stopping.ThrowIfCancellationRequested();
                if (!lease.Over.IsCompleted && !holder.MayGoOn(server.Security.Gate, database))
                {
                    holder.Ended(
                        server.Security.Audit, $"the lease {lease.Id} of {database}",
                        "The right ReadWrite, which this needs, was taken away, or has ended.");
                    await leases.EndAsync(lease).ConfigureAwait(false);
                }
            }
        }
        catch (OperationCanceledException)
        {
            // The server stops, and leases end with it.
        }
    }

    private static void Write(RequestContext request, SubscriptionLease lease)
    {
        SubscriptionBatch batch = lease.Batch;
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteString("BatchId"u8, lease.Id);
        json.WriteTime("LeaseUntil"u8, lease.Until);
        json.WriteString("Position"u8, lease.Position);
        json.WriteStartArray("Items"u8);
        for (int i = 0; i < batch.Count; i++)
        {
            WriteItem(json, batch, i);
        }

        json.WriteEndArray();
        WriteIncludes(json, batch);
        json.WriteEndObject();
    }

    private static void WriteRaw(Utf8JsonWriter json, ReadOnlySpan<byte> name, ReadOnlySpan<byte> members)
    {
        json.WritePropertyName(name);
        json.WriteRawValue((ReadOnlySpan<byte>)[(byte)'{', .. members, (byte)'}'], skipInputValidation: true);
    }

    private static DatabaseSubscriptions Of(RequestContext request) =>
        request.Database.Subscriptions(request.Server.Queries);

    private static string Required(string? text, string name) =>
        text is { Length: > 0 }
            ? text
            : throw new BadRequestException(400, ErrorType.Argument, $"The parameter '{name}' is missing.");
}
