using System.Globalization;
using System.IO.Hashing;
using System.Runtime.InteropServices;
using System.Text;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Documents;
using Raven.Documents.Queries;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Studio;

namespace Raven.Server.Handlers;

/// <summary>The routes of the Studio's table of documents: a page of rows from anywhere, and the fields that there are.
/// </summary>
internal static class StudioDocumentsHandler
{
    private const int PageSizeDefault = 50;
    private const int PageSizeMax = 100;
    private const int FieldsMax = 50;
    private const int SampleDefault = 256;
    private const int SampleMax = 1024;

    [Route("GET", "/databases/*/studio/documents", Access.Read, Place = Place.Any,
        Summary = "A page of rows: the last changed documents of a collection, or those around a place among all",
        Query = "collection, before:int, after:int, at, pageSize:int, field*")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        NativeSlice collection = request.QueryUtf8("collection");
        int size = Math.Min(PageSizeMax, request.Query.GetInt32("pageSize", PageSizeDefault, min: 1));
        List<string> fields = FieldsOf(request);
        using DocumentSnapshot snapshot = request.BeginRead();
        string tag = TagOf(request, snapshot, collection);
        request.Response.Headers.ETag = tag;
        if (EntityTag.IsKnown(request, tag))
        {
            request.Response.Status = 304;
            return ValueTask.CompletedTask;
        }

        (long first, long last, long count) = snapshot.EtagsOf(collection.Span);
        List<StoredDocument> found = Find(request, snapshot, collection, size, (first, last));
        request.Response.Headers.ContentType = ContentType.Json;
        var json = new JsonOutput(request.Response);
        json.StartObject();
        WriteCollection(ref json, collection);
        json.RawName("\"Total\":"u8);
        json.Number(count);
        json.RawName("\"FirstEtag\":"u8);
        json.Number(first);
        json.RawName("\"LastEtag\":"u8);
        json.Number(last);

        // A page behind an end is empty, and leads back to that end.
        bool isEmpty = found.Count == 0 && count > 0;
        bool isAbove = isEmpty && request.Query.GetInt64("after", -1) >= 0;
        json.RawName("\"NextBefore\":"u8);
        WriteEtag(ref json, isAbove ? last + 1 : found.Count > 0 && found[^1].Etag > first ? found[^1].Etag : null);
        json.RawName("\"NextAfter\":"u8);
        WriteEtag(
            ref json, isEmpty && !isAbove ? first - 1
                : found.Count > 0 && found[0].Etag < last ? found[0].Etag : null);
        json.RawName("\"Results\":"u8);
        json.StartArray();
        var rows = new DocumentRows(fields);
        foreach (StoredDocument document in found)
        {
            request.Aborted.ThrowIfCancellationRequested();
            rows.Write(ref json, in document);
        }

        json.EndArray();
        json.EndObject();
        json.Flush();
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/studio/collections/fields", Access.Read, Place = Place.Any,
        Summary = "The fields of the last changed documents of a collection, with kinds and an example",
        Query = "name, sample:int")]
    internal static ValueTask GetFieldsAsync(RequestContext request)
    {
        NativeSlice collection = request.QueryUtf8("name");
        int most = Math.Min(SampleMax, request.Query.GetInt32("sample", SampleDefault, min: 1));
        using DocumentSnapshot snapshot = request.BeginRead();
        var sample = new FieldSample(request.Aborted);
        DocumentCursor documents = Descending(snapshot, collection, long.MaxValue);
        while (sample.DocumentCount < most && !sample.IsFull && documents.MoveNext(out StoredDocument document))
        {
            sample.Add(in document);
        }

        request.Response.Headers.ContentType = ContentType.Json;
        var json = new JsonOutput(request.Response);
        json.StartObject();
        WriteCollection(ref json, collection);
        json.RawName("\"Documents\":"u8);
        json.Number(snapshot.EtagsOf(collection.Span).Count);
        json.RawName("\"Sampled\":"u8);
        json.Number(sample.DocumentCount);
        json.RawName("\"IsCut\":"u8);
        json.Boolean(sample.IsCut);
        json.RawName("\"Fields\":"u8);
        sample.Write(ref json);
        json.EndObject();
        json.Flush();
        return ValueTask.CompletedTask;
    }

    /// <summary>The rows of the page, the last change first.</summary>
    private static List<StoredDocument> Find(
        RequestContext request, DocumentSnapshot snapshot, NativeSlice collection, int size,
        (long First, long Last) etags)
    {
        long before = request.Query.GetInt64("before", -1);
        long after = request.Query.GetInt64("after", -1);
        double? at = PlaceOf(request);
        if ((before >= 0 ? 1 : 0) + (after >= 0 ? 1 : 0) + (at is null ? 0 : 1) > 1)
        {
            throw new BadRequestException(
                400, ErrorType.Argument, "Only one of 'before', 'after' and 'at' can say where the page is.");
        }

        if (after >= 0)
        {
            return Take(Ascending(snapshot, collection, Math.Min(after, long.MaxValue - 1) + 1), size, reverses: true);
        }

        long from = before >= 0 ? before - 1
            : at is { } place ? etags.Last - (long)(place * (etags.Last - etags.First))
            : long.MaxValue;
        List<StoredDocument> found = Take(Descending(snapshot, collection, from), size, reverses: false);
        return at is null || found.Count == size
            ? found
            : Take(Ascending(snapshot, collection, etags.First), size, reverses: true);
    }

    private static List<StoredDocument> Take(DocumentCursor cursor, int size, bool reverses)
    {
        List<StoredDocument> found = new(size);
        while (found.Count < size && cursor.MoveNext(out StoredDocument document))
        {
            found.Add(document);
        }

        if (reverses)
        {
            found.Reverse();
        }

        return found;
    }

    private static DocumentCursor Descending(DocumentSnapshot snapshot, NativeSlice collection, long from) =>
        collection.IsEmpty
            ? snapshot.DocumentsByEtagDescending(from)
            : snapshot.DocumentsOfCollectionDescending(collection.Span, from);

    private static DocumentCursor Ascending(DocumentSnapshot snapshot, NativeSlice collection, long from) =>
        collection.IsEmpty
            ? snapshot.DocumentsByEtag(from)
            : snapshot.DocumentsOfCollection(collection.Span, from);

    private static double? PlaceOf(RequestContext request) => request.Query.GetText("at") is not { } text ? null
        : double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double at)
            && at is >= 0 and <= 1
            ? at
        : throw new BadRequestException(
            400, ErrorType.Argument,
            $"The parameter 'at' must be a number from 0, the last change, to 1, the first one, not '{text}'.");

    private static List<string> FieldsOf(RequestContext request)
    {
        List<string> fields = [];
        foreach (QueryParameters.Parameter parameter in request.Query)
        {
            if (parameter.Is("field"))
            {
                fields.Add(Encoding.UTF8.GetString(request.Decode(parameter.Encoded, "field").Span));
            }
        }

        return fields.Count <= FieldsMax
            ? [.. fields.Distinct(StringComparer.Ordinal)]
            : throw new BadRequestException(
                400, ErrorType.Argument, $"There are {fields.Count} parameters 'field', and {FieldsMax} at most.");
    }

    /// <summary>Changes with the documents of the collection, and with what is asked.</summary>
    private static string TagOf(RequestContext request, DocumentSnapshot snapshot, NativeSlice collection)
    {
        string? name = collection.IsEmpty ? null : Encoding.UTF8.GetString(collection.Span);
        ulong asked = XxHash3.HashToUInt64(MemoryMarshal.AsBytes(request.QueryString.AsSpan()));
        return EntityTag.OfHash(request.Database, asked + (ulong)IndexScope.LastEtag(snapshot, name));
    }

    private static void WriteCollection(ref JsonOutput json, NativeSlice collection)
    {
        json.RawName("\"Collection\":"u8);
        if (collection.IsEmpty)
        {
            json.Null();
        }
        else
        {
            json.String(collection.Span);
        }
    }

    private static void WriteEtag(ref JsonOutput json, long? etag)
    {
        if (etag is { } known)
        {
            json.Number(known);
        }
        else
        {
            json.Null();
        }
    }
}
