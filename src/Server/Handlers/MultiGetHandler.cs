using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.MultiGet;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The route of several reads in one request. Each has a snapshot and an answer of its own.</summary>
internal static class MultiGetHandler
{
    private const int RequestsMax = 1024;

    /// <summary>Reads that are sent as a POST because they can be too long for a url.</summary>
    private static readonly string[] PostedReads = ["/databases/*/docs", "/databases/*/queries"];

    [Route("POST", "/databases/*/multi_get", Access.Read, Place = Place.Any, Summary = "Several reads at once")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        BlittableObject body =
            await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        UnknownMembers.Warn(request, body, UnknownMembers.OfMultiGets);
        if (!body.TryGet("Requests"u8, out BlittableValue value) || !value.TryGetArray(out BlittableArray list))
        {
            throw new BadRequestException(400, ErrorType.Argument, "The body needs Requests, a list.");
        }

        if (list.Count > RequestsMax)
        {
            throw new BadRequestException(413, ErrorType.Argument, $"More than {RequestsMax} requests at once.");
        }

        InnerRequestFields?[] requests = new InnerRequestFields?[list.Count];
        for (int i = 0; i < requests.Length; i++)
        {
            requests[i] = list[i].IsNull ? null : InnerRequestFields.Parse(list[i], i);
        }

        // The values are in the fields: while one of the requests waits for its index, none holds memory (QRY-1).
        request.ReturnOperation();
        request.Response.Headers.ContentType = ContentType.Json;
        request.Response.Write("{\"Results\":["u8);
        for (int i = 0; i < requests.Length; i++)
        {
            request.Response.Write(i == 0 ? ""u8 : ","u8);
            if (requests[i] is not { } fields)
            {
                // The request is empty; the answers after it keep their places.
                request.Response.Write("null"u8);
                continue;
            }

            request.Aborted.ThrowIfCancellationRequested();
            request.Response.Write("{\"Result\":"u8);
            await AnswerAsync(request, fields).ConfigureAwait(false);
            request.Response.Write("}"u8);
            if (request.Response.BufferedBytes > request.Server.ResponseBufferBytesMax)
            {
                await request.Response.FlushAsync(request.Aborted).ConfigureAwait(false);
            }
        }

        request.Response.Write("]}"u8);
    }

    private static async ValueTask AnswerAsync(RequestContext outer, InnerRequestFields fields)
    {
        var inner = new InnerRequest(outer, fields.Method, fields.Path, fields.Query, fields.Content);
        foreach ((string name, string value) in fields.Headers)
        {
            inner.RequestHeaders[name] = value;
        }

        // Its answer is a part of the outer one, which is compressed as a whole.
        IHeaderDictionary headers = inner.RequestHeaders;
        headers.Remove("Accept-Encoding");
        headers.Host = outer.Headers.Host;
        var request = new RequestContext(outer.Server) { Caller = outer.Caller, Identity = outer.Identity };
        request.Begin(inner.Features);
        try
        {
            await RunAsync(outer, request).ConfigureAwait(false);
            if (inner.StatusCode == StatusCodes.Status404NotFound)
            {
                AnswerMissing(outer, request);
            }

            // Who may keep it is said by the outer answer.
            request.Response.Headers.CacheControl = default;
            await request.Response.CompleteAsync().ConfigureAwait(false);
        }
        finally
        {
            request.Release();
        }

        if (!inner.HasBody)
        {
            outer.Response.Write("null"u8);
        }

        WriteHead(outer.Response, inner);
    }

    /// <summary>
    /// Writes the answer for something missing, an empty list or null, which clients read too. They cache it, as any
    /// other, by its version: all missing things of a database share one, which nothing that exists can have.
    /// </summary>
    private static void AnswerMissing(RequestContext outer, RequestContext request)
    {
        request.Response.Clear();
        if (request.Route is null)
        {
            return;
        }

        string tag = EntityTag.OfMissing(outer.Database);
        request.Response.Headers.ETag = tag;
        if (EntityTag.IsKnown(request, tag))
        {
            request.Response.Status = 304;
        }
        else if (request.Route.Path == "/databases/*/docs")
        {
            request.Response.Write("{\"Results\":[null],\"Includes\":{}}"u8);
        }
    }

    private static async ValueTask RunAsync(RequestContext outer, RequestContext request)
    {
        try
        {
            if (IsRead(outer, request))
            {
                await request.Route!.Handler(request).ConfigureAwait(false);
            }
        }
        catch (Exception lost) when (lost is NotPrimaryException or DatabaseNotServingException
            && outer.Server.Placement != null && !outer.Response.HasStarted)
        {
            // One that wants a new index, on a node that does not write: all of them belong on the primary.
            throw;
        }
#pragma warning disable CA1031 // Any exception becomes the answer of this one.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            FailureMapping.Answer(outer.Server, request, exception);
        }
    }

    /// <summary>Finds the route; false if it is no read of this database, and the answer says so.</summary>
    private static bool IsRead(RequestContext outer, RequestContext request)
    {
        if (!outer.Server.Routes.TryFind(
            request.Verb, request.Path, ref request.Captures, out Route? route, out _))
        {
            ErrorResponse.Write(
                request, 404, ErrorType.RouteNotFound, $"There is no route {request.Method} {request.Path}.");
            return false;
        }

        bool isRead = route!.NeedsDatabase
            && request.Capture(0).Equals(outer.Capture(0), StringComparison.OrdinalIgnoreCase)
            && (route.Verb == HttpVerb.Post ? PostedReads.Contains(route.Path) : route.Verb == HttpVerb.Get)
            && !route.IsStream && !route.HoldsSecrets
            && (route.Place == Place.Any || !outer.Server.Cluster.IsClustered);
        if (!isRead)
        {
            ErrorResponse.Write(
                request, 400, ErrorType.Argument,
                $"{request.Method} {request.Path} is no read of database '{outer.Capture(0)}'.");
            return false;
        }

        request.Route = route;
        return outer.Server.Security.Gate.MayEnter(request) && request.OpenDatabase();
    }

    private static void WriteHead(ResponseWriter response, InnerRequest inner)
    {
        var json = new JsonOutput(response);
        json.Raw(",\"StatusCode\":"u8);
        json.Flush();
        response.Write(System.Text.Encoding.ASCII.GetBytes(
            inner.StatusCode.ToString(System.Globalization.CultureInfo.InvariantCulture)));
        response.Write(",\"Headers\":{"u8);
        bool isFirst = true;
        foreach ((string name, Microsoft.Extensions.Primitives.StringValues value) in inner.ResponseHeaders)
        {
            // Clients look for this header by exactly this name.
            string shown = name.Equals("ETag", StringComparison.OrdinalIgnoreCase) ? "ETag" : name;
            response.Write(isFirst ? "\""u8 : ",\""u8);
            response.Write(JsonEncodedText.Encode(shown).EncodedUtf8Bytes);
            response.Write("\":\""u8);
            response.Write(JsonEncodedText.Encode(value.ToString()).EncodedUtf8Bytes);
            response.Write("\""u8);
            isFirst = false;
        }

        // No further members: hand-written readers fail on unknown ones.
        response.Write("}"u8);
    }
}
