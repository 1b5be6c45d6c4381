using System.Globalization;
using System.Text.Json;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Revisions;
using Raven.Documents.Rows;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes that read and delete earlier versions of documents.</summary>
internal static class RevisionsHandler
{
    private const int DefaultPageSize = 128;

    [Route("GET", "/databases/*/revisions", Access.Read, Place = Place.Any,
        Summary = "Reads earlier versions by id, by change vector or by time",
        Query = "id, changeVector*, before, start:int, pageSize:int, metadataOnly:bool")]
    internal static async ValueTask GetAsync(RequestContext request)
    {
        List<NativeSlice> vectors = Vectors(request);
        using var snapshot = new RenewedSnapshot(request);
        List<StoredDocument> found = [];
        long total = vectors.Count > 0 ? -1 : FindById(request, snapshot.Current, found);
        if (vectors.Count > 0 && !TryFind(snapshot.Current, vectors, found) && vectors.Count == 1)
        {
            ErrorResponse.Write(
                request, 404, ErrorType.DocumentMissing, "There is no earlier version of that change vector.");
            return;
        }

        await WriteAsync(request, snapshot, found, total).ConfigureAwait(false);
    }

    [Route("GET", "/databases/*/revisions/count", Access.Read, Place = Place.Any,
        Summary = "How many earlier versions a document has", Query = "id!")]
    internal static ValueTask GetCountAsync(RequestContext request)
    {
        NativeSlice id = request.RequiredUtf8("id");
        using DocumentSnapshot snapshot = request.BeginRead();
        long count = new RevisionReader(snapshot, request.Aborted).List(id.Span, 0, 0, []);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("RevisionsCount"u8, count);
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/revisions/bin", Access.Read, Place = Place.Any,
        Summary = "Deleted documents that have earlier versions",
        Query = "start:int, pageSize:int, continuationToken:int")]
    internal static async ValueTask GetBinAsync(RequestContext request)
    {
        (long start, long pageSize) = Page(request);
        long below = request.Query.GetInt64("continuationToken", long.MaxValue);
        using var snapshot = new RenewedSnapshot(request);
        List<StoredDocument> found = [];
        long last = new RevisionReader(snapshot.Current, request.Aborted).ListBin(below, start, pageSize, found);
        await WriteAsync(request, snapshot, found, total: -1, continueBelow: last).ConfigureAwait(false);
    }

    [Route("DELETE", "/databases/*/admin/revisions", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "revisions.deleted", Summary = "Deletes earlier versions of documents")]
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

        request.Announce(detail:
        [
            new("documents", ids.Count.ToString(CultureInfo.InvariantCulture)),
            new("versions", etags.Count.ToString(CultureInfo.InvariantCulture)),
        ]);
        var command = new RevisionPurgeCommand(ids, etags);
        await request.Database.SubmitAsync(command).ConfigureAwait(false);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("TotalDeletes"u8, command.Deleted);
        json.WriteEndObject();
    }

    private static List<NativeSlice> Vectors(RequestContext request)
    {
        List<NativeSlice> vectors = request.Slices;
        foreach (QueryParameters.Parameter parameter in request.Query)
        {
            if (parameter.Is("changeVector"))
            {
                vectors.Add(request.Decode(parameter.Encoded, "changeVector"));
            }
        }

        return vectors;
    }

    /// <summary>Finds versions, with an empty entry for each that is missing; false if none is found.</summary>
    private static bool TryFind(DocumentSnapshot snapshot, List<NativeSlice> vectors, List<StoredDocument> found)
    {
        var reader = new RevisionReader(snapshot);
        bool isAny = false;
        foreach (NativeSlice vector in vectors)
        {
            isAny |= reader.TryGet(vector.Span, out StoredDocument revision);
            found.Add(revision);
        }

        return isAny;
    }

    /// <summary>Finds the versions of a document; returns how many there are in all.</summary>
    private static long FindById(RequestContext request, DocumentSnapshot snapshot, List<StoredDocument> found)
    {
        NativeSlice id = request.RequiredUtf8("id");
        DocumentReadHandler.CheckId(id);
        var reader = new RevisionReader(snapshot, request.Aborted);
        if (request.Query.GetText("before") is { Length: > 0 } before)
        {
            if (reader.TryGetAt(id.Span, TimeParser.Read(before, "before"), out StoredDocument revision))
            {
                found.Add(revision);
            }

            return found.Count;
        }

        (long start, long pageSize) = Page(request);
        return reader.List(id.Span, start, pageSize, found);
    }

    private static (long Start, long PageSize) Page(RequestContext request)
    {
        // The Node.js client sends these texts if its caller gave no size.
        bool isAbsent = request.Query.GetText("pageSize") is "undefined" or "null";
        return (
            request.Query.GetInt64("start", 0),
            isAbsent ? DefaultPageSize : request.Query.GetInt64("pageSize", DefaultPageSize));
    }

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

    /// <summary>Writes versions. They never change; one that is purged during a wait for the client is
    /// a null.</summary>
    private static async ValueTask WriteAsync(
        RequestContext request, RenewedSnapshot snapshot, List<StoredDocument> found, long total,
        long continueBelow = 0)
    {
        var list = new DocumentListWriter(request, request.Query.GetBool("metadataOnly"));
        List<long> etags = [];
        for (int i = 0; i < found.Count; i++)
        {
            if (snapshot.IsRenewed)
            {
                new RevisionReader(snapshot.Current).TryGet(etags[i], out StoredDocument again);
                found[i] = again;
            }

            StoredDocument written = found[i];
            if (written.Etag == 0)
            {
                list.WriteNull();
            }
            else
            {
                list.Write(in written);
            }

            if (snapshot.IsFull)
            {
                await snapshot.SendAsync(() => etags = found.ConvertAll(one => one.Etag)).ConfigureAwait(false);
            }
        }

        WriteEnd(request, total, continueBelow);
    }

    private static void WriteEnd(RequestContext request, long total, long continueBelow)
    {
        var json = new JsonOutput(request.Response);
        json.Raw("]"u8);
        if (total >= 0)
        {
            json.Name("TotalResults"u8);
            json.Number(total);
        }

        if (continueBelow != 0)
        {
            // A text, as clients send it back: they must not calculate with it.
            json.Name("ContinuationToken"u8);
            json.String(continueBelow.ToString(CultureInfo.InvariantCulture));
        }

        json.Flush();
        request.Response.Write("}"u8);
    }
}
