using System.Runtime.CompilerServices;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Ids;
using Raven.Documents.Json;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>Reads of documents: by ids, by prefix, or the last changed ones.</summary>
internal static class DocumentReadHandler
{
    [Route("GET", "/databases/*/docs", Access.Read, Place = Place.Any,
        Summary = "Reads documents by ids, by prefix or by their last change",
        Query = "id*, include*, counter*, cmpxchg*, revisions*, revisionsBefore, timeseries*, from*, to*, "
            + "timeseriestime*, timeType*, timeValue*, timeUnit*, timeseriescount*, countType*, countValue*, "
            + "startsWith, matches, exclude, startAfter, start:int, pageSize:int, metadataOnly:bool")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        DocumentsRequest wanted = DocumentsRequest.Parse(request);
        return wanted.Ids.Count > 0 ? ByIdsAsync(request, wanted)
            : ListAsync(request, wanted);
    }

    [Route("POST", "/databases/*/docs", Access.Read, Place = Place.Any,
        Summary = "Reads documents by ids that are too many for a url",
        Query = "include*, counter*, cmpxchg*, revisions*, revisionsBefore, timeseries*, from*, to*, timeseriestime*, "
            + "timeType*, timeValue*, timeUnit*, timeseriescount*, countType*, countValue*, metadataOnly:bool")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        DocumentsRequest wanted = DocumentsRequest.Parse(request);
        BlittableObject body = await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        if (!body.TryGet("Ids"u8, out BlittableValue ids) || !ids.TryGetArray(out BlittableArray list))
        {
            throw new BadRequestException(400, ErrorType.Argument, "The body must have Ids, a list of texts.");
        }

        for (int i = 0; i < list.Count; i++)
        {
            if (list[i].Kind == ValueKind.String)
            {
                wanted.Ids.Add(list[i].GetUtf8(request.Operation.Arena));
            }
            else if (list[i].IsNull)
            {
                wanted.Ids.Add(default);
            }
            else
            {
                throw new BadRequestException(400, ErrorType.Argument, $"Ids[{i}] is not a text.");
            }
        }

        await ByIdsAsync(request, wanted).ConfigureAwait(false);
    }

    [Route("HEAD", "/databases/*/docs", Access.Read, Place = Place.Any, Summary = "The change vector of a document",
        Query = "id!")]
    internal static ValueTask HeadAsync(RequestContext request)
    {
        NativeSlice id = request.RequiredUtf8("id");
        CheckId(id);
        using DocumentSnapshot snapshot = request.BeginRead();
        if (!snapshot.TryGet(id.Span, out StoredDocument document))
        {
            request.Response.Status = 404;
            return ValueTask.CompletedTask;
        }

        string tag = EntityTag.OfChangeVector(document.ChangeVector.Span);
        request.Response.Headers.ETag = tag;
        if (EntityTag.IsKnown(request, tag))
        {
            request.Response.Status = 304;
        }

        return ValueTask.CompletedTask;
    }

    /// <summary>Refuses a text that is no valid id: a read of it is an error, not a missing document.</summary>
    internal static void CheckId(NativeSlice id)
    {
        if (!DocumentId.TryValidate(id.Span, out DocumentIdError error))
        {
            throw new BadRequestException(400, ErrorType.Argument, $"Bad id: {error.Describe()}");
        }
    }

    private static ValueTask ByIdsAsync(RequestContext request, DocumentsRequest wanted)
    {
        // An invalid id in a list is answered with null in its place: clients count on the places.
        bool isList = wanted.Ids.Count > 1 || request.Verb == HttpVerb.Post;
        foreach (NativeSlice id in wanted.Ids)
        {
            if (!isList || !id.IsEmpty)
            {
                CheckId(id);
            }
        }

        bool isOne = wanted.Ids.Count == 1 && !wanted.Ids[0].IsEmpty && !wanted.HasIncludes;
        return isOne ? OneAsync(request, wanted) : ManyAsync(request, wanted);
    }

    private static ValueTask OneAsync(RequestContext request, DocumentsRequest wanted)
    {
        using DocumentSnapshot snapshot = request.BeginRead();
        if (!snapshot.TryGet(wanted.Ids[0].Span, out StoredDocument document))
        {
            AnswerMissing(request, wanted.Ids[0]);
            return ValueTask.CompletedTask;
        }

        string tag = EntityTag.OfChangeVector(document.ChangeVector.Span);
        request.Response.Headers.ETag = tag;
        if (EntityTag.IsKnown(request, tag))
        {
            request.Response.Status = 304;
            return ValueTask.CompletedTask;
        }

        request.Response.Headers.ContentType = ContentType.Json;
        var json = new JsonOutput(request.Response);
        json.StartObject();
        json.Name("Results"u8);
        json.StartArray();
        DocumentJson.Write(ref json, in document, wanted.IsMetadataOnly);
        json.EndArray();
        json.Name("Includes"u8);
        json.StartObject();
        json.EndObject();
        json.EndObject();
        json.Flush();
        return ValueTask.CompletedTask;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private static async ValueTask ManyAsync(RequestContext request, DocumentsRequest wanted)
    {
        using DocumentSnapshot snapshot = request.BeginRead();
        var page = DocumentsPage.Rent(request.Server.HashSeed);
        try
        {
            page.Collect(request.Operation, snapshot, wanted);
            if (page.FoundCount == 0 && wanted.Ids.Count == 1)
            {
                AnswerMissing(request, wanted.Ids[0]);
                return;
            }

            // Increments change no document: with counters in the answer, its hash has the last change of all.
            ulong hash = page.Hash(wanted.IsMetadataOnly) + (wanted.HasMore ? (ulong)snapshot.LastEtag : 0);
            string tag = EntityTag.OfHash(request.Database, hash);
            request.Response.Headers.ETag = tag;
            if (EntityTag.IsKnown(request, tag))
            {
                request.Response.Status = 304;
                return;
            }

            await page.WriteAsync(request, wanted.IsMetadataOnly).ConfigureAwait(false);
            page.WriteEnd(request, snapshot, in wanted);
        }
        finally
        {
            page.Return();
        }
    }

    private static async ValueTask ListAsync(RequestContext request, DocumentsRequest wanted)
    {
        if (!wanted.IsById && IsKnown(request))
        {
            request.Response.Status = 304;
            return;
        }

        request.Response.Headers.ContentType = ContentType.Json;
        request.Response.Write("{\"Results\":["u8);
        var stream = new DocumentStream(
            request, in wanted, wanted.IsById ? DocumentOrder.ById : DocumentOrder.ByLastChange)
        {
            BufferedBytesMax = request.Server.ResponseBufferBytesMax,
            SnapshotAgeMax = TimeSpan.MaxValue,
        };
        await stream.RunAsync().ConfigureAwait(false);
        DocumentListWriter.End(request.Response, stream.IsMore ? wanted.Start + stream.Count : -1);
    }

    /// <summary>Whether nothing has changed since the client last read the last changed documents.</summary>
    private static bool IsKnown(RequestContext request)
    {
        using DocumentSnapshot snapshot = request.BeginRead();
        string tag = EntityTag.OfHash(request.Database, (ulong)snapshot.LastEtag);
        request.Response.Headers.ETag = tag;
        return EntityTag.IsKnown(request, tag);
    }

    private static void AnswerMissing(RequestContext request, NativeSlice id) => ErrorResponse.Write(
        request, 404, ErrorType.DocumentMissing,
        $"Document '{System.Text.Encoding.UTF8.GetString(id.Span)}' does not exist.");
}
