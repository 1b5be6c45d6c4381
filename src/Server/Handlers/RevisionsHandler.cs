using System.Globalization;
using System.Text.Json;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Server.Documents;
using Raven.Server.Documents.Revisions;
using Raven.Server.Http;
using Raven.Server.Routing;

namespace Raven.Server.Handlers;

/// <summary>Reads of earlier versions of documents, and their deletion.</summary>
internal static class RevisionsHandler
{
    private const int DefaultPageSize = 128;

    [Route("GET", "/databases/*/revisions", Summary = "Reads earlier versions by id, by change vector or by time",
        Query = "id, changeVector*, before, start:int, pageSize:int, metadataOnly:bool")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        List<NativeSlice> vectors = request.Slices;
        foreach (QueryParameters.Parameter parameter in request.Query)
        {
            if (parameter.Is("changeVector"))
            {
                vectors.Add(request.Decode(parameter.Encoded, "changeVector"));
            }
        }

        using DocumentSnapshot snapshot = request.Database.BeginRead();
        return vectors.Count > 0 ? ByVectors(request, snapshot, vectors) : ById(request, snapshot);
    }

    [Route("GET", "/databases/*/revisions/count", Summary = "How many earlier versions a document has",
        Query = "id!")]
    internal static ValueTask GetCountAsync(RequestContext request)
    {
        NativeSlice id = request.RequiredUtf8("id");
        using DocumentSnapshot snapshot = request.Database.BeginRead();
        long count = new RevisionReader(snapshot).List(id.Span, 0, 0, []);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("RevisionsCount"u8, count);
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/revisions/bin", Summary = "Deleted documents that have earlier versions",
        Query = "start:int, pageSize:int")]
    internal static ValueTask GetBinAsync(RequestContext request)
    {
        (long start, long pageSize) = Page(request);
        using DocumentSnapshot snapshot = request.Database.BeginRead();
        List<StoredDocument> found = [];
        new RevisionReader(snapshot).ListBin(start, pageSize, found);
        Write(request, found, total: -1);
        return ValueTask.CompletedTask;
    }

    [Route("DELETE", "/databases/*/admin/revisions", Access = Access.DatabaseAdmin,
        Summary = "Deletes earlier versions of documents")]
    internal static async ValueTask DeleteAsync(RequestContext request)
    {
        BlittableObject body = await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        List<byte[]> ids = Texts(body, "DocumentIds"u8, request.Operation.Arena);
        List<long> etags = [];
        foreach (byte[] vector in Texts(body, "RevisionsChangeVectors"u8, request.Operation.Arena))
        {
            etags.Add(ChangeVector.TryReadLocalEtag(vector, out long etag)
                ? etag
                : throw new BadRequestException(400, ErrorType.Argument, "RevisionsChangeVectors: one is none."));
        }

        var command = new RevisionPurgeCommand(ids, etags);
        await request.Database.SubmitAsync(command).ConfigureAwait(false);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("TotalDeletes"u8, command.Deleted);
        json.WriteEndObject();
    }

    private static ValueTask ByVectors(RequestContext request, DocumentSnapshot snapshot, List<NativeSlice> vectors)
    {
        var reader = new RevisionReader(snapshot);
        List<StoredDocument> found = [];
        bool isAny = false;
        foreach (NativeSlice vector in vectors)
        {
            isAny |= reader.TryGet(vector.Span, out StoredDocument revision);
            found.Add(revision);
        }

        if (!isAny && vectors.Count == 1)
        {
            ErrorResponse.Write(
                request, 404, ErrorType.DocumentMissing, "There is no earlier version of that change vector.");
            return ValueTask.CompletedTask;
        }

        Write(request, found, total: -1);
        return ValueTask.CompletedTask;
    }

    private static ValueTask ById(RequestContext request, DocumentSnapshot snapshot)
    {
        NativeSlice id = request.RequiredUtf8("id");
        DocumentReadHandler.CheckId(id);
        var reader = new RevisionReader(snapshot);
        List<StoredDocument> found = [];
        if (request.Query.GetText("before") is { Length: > 0 } before)
        {
            if (reader.TryGetAt(id.Span, Time(before, "before"), out StoredDocument revision))
            {
                found.Add(revision);
            }

            Write(request, found, total: found.Count);
            return ValueTask.CompletedTask;
        }

        (long start, long pageSize) = Page(request);
        long total = reader.List(id.Span, start, pageSize, found);
        Write(request, found, total);
        return ValueTask.CompletedTask;
    }

    /// <summary>A time as clients write it, UTC.</summary>
    internal static long Time(string text, string name) =>
        DateTime.TryParse(
            text, CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal | DateTimeStyles.AssumeUniversal,
            out DateTime time)
            ? time.Ticks
            : throw new BadRequestException(400, ErrorType.Argument, $"{name} must be a time, not '{text}'.");

    private static (long Start, long PageSize) Page(RequestContext request) =>
        (request.Query.GetInt64("start", 0), Math.Max(0, request.Query.GetInt64("pageSize", DefaultPageSize)));

    private static List<byte[]> Texts(BlittableObject body, ReadOnlySpan<byte> name, Arena arena)
    {
        List<byte[]> texts = [];
        if (body.TryGet(name, out BlittableValue value) && value.TryGetArray(out BlittableArray list))
        {
            for (int i = 0; i < list.Count; i++)
            {
                texts.Add(list[i].Kind == ValueKind.String
                    ? list[i].GetUtf8(arena).Span.ToArray()
                    : throw new BadRequestException(400, ErrorType.Argument, $"Entry {i} of a list is not a text."));
            }
        }

        return texts;
    }

    private static void Write(RequestContext request, List<StoredDocument> found, long total)
    {
        bool isMetadataOnly = request.Query.GetBool("metadataOnly");
        request.Response.Headers.ContentType = ContentType.Json;
        var json = new JsonOutput(request.Response);
        json.StartObject();
        json.Name("Results"u8);
        json.StartArray();
        foreach (StoredDocument revision in found)
        {
            if (revision.Etag == 0)
            {
                json.Null();
            }
            else
            {
                DocumentJson.Write(ref json, in revision, isMetadataOnly);
            }
        }

        json.EndArray();
        if (total >= 0)
        {
            json.Name("TotalResults"u8);
            json.Number(total);
        }

        json.EndObject();
        json.Flush();
    }
}
