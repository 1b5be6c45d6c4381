using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes of all documents, or those of a prefix, as one long answer in bounded memory.</summary>
/// <remarks>
/// A stream reads from one snapshot as long as that is young; then it goes on from a new one behind the last document
/// it sent, so that a slow client does not hold storage back. By prefix the order is that of the ids. Else it is that
/// of the changes: no document is missed, and one that is changed meanwhile may come a second time, in its new version.
/// </remarks>
internal static class StreamsHandler
{
    private const long BufferedBytesMax = 256 * 1024;

    [Route("GET", "/databases/*/streams/docs", Access.Read, Place = Place.Any,
        IsStream = true, Audit = "data.streamed", Summary = "Streams all documents, or of a prefix",
        Query = "format, startsWith, matches, exclude, startAfter, start:int, pageSize:int, "
            + "startEtag:int, metadataOnly:bool, skipDamaged:bool")]
    internal static async ValueTask GetAsync(RequestContext request)
    {
        string? format = request.Query.GetText("format");
        if (format is not (null or "json" or "jsonl"))
        {
            throw new BadRequestException(
                400, ErrorType.Argument, $"The format must be json or jsonl, not '{format}'.");
        }

        bool isLines = format == "jsonl";
        ResponseWriter response = request.Response;
        response.Headers.ContentType = isLines ? ContentType.JsonLines : ContentType.Json;
        if (request.Verb == HttpVerb.Head)
        {
            return;
        }

        DocumentsRequest wanted = DocumentsRequest.Parse(request);
        bool skipsDamaged = request.Query.GetBool("skipDamaged");
        if (skipsDamaged && (!isLines || wanted.IsById))
        {
            throw new BadRequestException(
                400, ErrorType.Argument,
                "skipDamaged is for format=jsonl and all documents in the order of their changes: without startsWith.");
        }

        if (!wanted.IsById)
        {
            request.Announce();
        }

        if (!isLines)
        {
            response.Write("{\"Results\":["u8);
        }

        var stream = new DocumentStream(
            request, in wanted, wanted.IsById ? DocumentOrder.ById : DocumentOrder.ByChange)
        {
            IsLines = isLines,
            SkipsDamaged = skipsDamaged,
            BufferedBytesMax = BufferedBytesMax,
            SnapshotAgeMax = ClientBackpressure.SnapshotAgeMax,
        };
        await stream.RunAsync().ConfigureAwait(false);
        if (!isLines)
        {
            response.Write("]}"u8);
        }
    }
}
