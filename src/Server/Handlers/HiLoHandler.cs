using System.Globalization;
using System.Text.Json;
using Raven.Blittable.Memory;
using Raven.Documents.Commands;
using Raven.Documents.Sweeps;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes of numbers that clients make ids of: ranges that are reserved, and identities that count one
/// by one.</summary>
internal static class HiLoHandler
{
    [Route("GET", "/databases/*/hilo/next", Access.ReadWrite, Place = Place.Primary,
        Summary = "Reserves a range of numbers",
        Query = "tag!, lastBatchSize:int, lastRangeAt, identityPartsSeparator, lastMax:int")]
    internal static async ValueTask NextAsync(RequestContext request)
    {
        NativeSlice tag = request.RequiredUtf8("tag");
        string separator = request.Query.GetText("identityPartsSeparator") ?? "/";
        if (separator.Contains('|', StringComparison.Ordinal))
        {
            // A tag that ends with it would make ids that ask for an identity, and could not be stored.
            throw new BadRequestException(
                400, ErrorType.Argument, "The parameter 'identityPartsSeparator' must not be '|'.");
        }

        var command = new HiLoNextCommand();
        QueryParameters query = request.Query;
        bool isSet = command.TryReset(
            request.Operation, tag.Span, query.GetInt64("lastBatchSize", 0), LastRangeAt(request),
            query.GetInt64("lastMax", 0));
        if (await SubmitAsync(request, command, isSet).ConfigureAwait(false))
        {
            WriteRange(request, command, tag, separator);
        }
    }

    [Route("PUT", "/databases/*/hilo/return", Access.ReadWrite, Place = Place.Primary,
        Summary = "Gives back the rest of a range", Query = "tag!, end:int, last:int")]
    internal static async ValueTask ReturnAsync(RequestContext request)
    {
        NativeSlice tag = request.RequiredUtf8("tag");
        var command = new HiLoReturnCommand();
        QueryParameters query = request.Query;
        bool isSet = command.TryReset(
            request.Operation, tag.Span, query.GetInt64("last", -1), query.GetInt64("end", -1));
        if (await SubmitAsync(request, command, isSet).ConfigureAwait(false))
        {
            request.Response.Status = 204;
        }
    }

    [Route("POST", "/databases/*/identity/next", Access.ReadWrite, Place = Place.Primary,
        Summary = "Takes the next number of an identity", Query = "name!, raft-request-id")]
    internal static async ValueTask NextIdentityAsync(RequestContext request)
    {
        var command = new IdentityNextCommand();
        bool isSet = command.TryReset(
            request.Operation, request.RequiredUtf8("name").Span, request.QueryUtf8("raft-request-id").Span);
        if (await SubmitAsync(request, command, isSet).ConfigureAwait(false))
        {
            WriteValue(request, "NewIdentityValue"u8, command.Value);
        }
    }

    [Route("POST", "/databases/*/identity/seed", Access.ReadWrite, Place = Place.Primary,
        Summary = "Sets an identity", Query = "name!, value:int, force:bool")]
    internal static async ValueTask SeedIdentityAsync(RequestContext request)
    {
        var command = new IdentitySeedCommand();
        QueryParameters query = request.Query;
        bool isSet = command.TryReset(
            request.Operation, request.RequiredUtf8("name").Span, query.GetInt64("value", -1), query.GetBool("force"));
        if (await SubmitAsync(request, command, isSet).ConfigureAwait(false))
        {
            WriteValue(request, "NewSeedValue"u8, command.Value);
        }
    }

    private static async ValueTask<bool> SubmitAsync(RequestContext request, DocumentCommand command, bool isSet)
    {
        if (isSet)
        {
            await request.Database.SubmitAsync(command).ConfigureAwait(false);
        }

        if (!command.Failure.IsNone)
        {
            CommandFailures.Answer(request, command.Failure);
        }

        return command.Failure.IsNone;
    }

    /// <summary>When the client's last range was reserved; null if the date cannot be read.</summary>
    private static DateTime? LastRangeAt(RequestContext request) =>
        DocumentTime.TryRead(request.Query.GetText("lastRangeAt"), out long ticks)
            ? new DateTime(ticks, DateTimeKind.Utc)
            : null;

    private static void WriteRange(RequestContext request, HiLoNextCommand command, NativeSlice tag, string separator)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteString("Prefix"u8, System.Text.Encoding.UTF8.GetString(tag.Span) + separator);
        json.WriteNumber("Low"u8, command.Range.Low);
        json.WriteNumber("High"u8, command.Range.High);
        json.WriteNumber("LastSize"u8, command.Range.High - command.Range.Low + 1);
        json.WriteString("ServerTag"u8, request.Server.Cluster.Tag);
        json.WriteString("LastRangeAt"u8, command.RangeAt.ToString("O", CultureInfo.InvariantCulture));
        json.WriteEndObject();
    }

    private static void WriteValue(RequestContext request, ReadOnlySpan<byte> name, long value)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber(name, value);
        json.WriteEndObject();
    }
}
