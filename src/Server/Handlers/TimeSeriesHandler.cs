using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Commands;
using Raven.Documents.Ids;
using Raven.Documents.Rows.Series;
using Raven.Documents.TimeSeries;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Http.TimeSeries;

namespace Raven.Server.Handlers;

/// <summary>The routes of time series: values of a document by their times.</summary>
internal static class TimeSeriesHandler
{
    [Route("GET", "/databases/*/timeseries", Access.Read, Place = Place.Any,
        Summary = "Reads a range of a time series of a document",
        Query = "docId!, name!, from, to, start:int, pageSize:int, includeDocument:bool, includeTags:bool, full:bool")]
    internal static async ValueTask GetAsync(RequestContext request)
    {
        NativeSlice id = request.RequiredUtf8("docId");
        NativeSlice name = request.RequiredUtf8("name");
        NativeSlice documentKey = KeyOf(request, id);
        NativeSlice seriesKey = KeyOf(request, documentKey, name);
        QueryParameters query = request.Query;
        TimeSeriesRange range = RangeOf(request, name);
        bool hasDocument = query.GetBool("includeDocument");
        bool hasTags = query.GetBool("includeTags");
        bool isFull = query.GetBool("full");
        long start = query.GetInt64("start", 0);
        int pageSize = query.GetInt32("pageSize", int.MaxValue);
        using DocumentSnapshot snapshot = request.BeginRead();
        if (!snapshot.TryGetTimeSeries(seriesKey.Span, out StoredSeries series))
        {
            AnswerMissing(request, snapshot, documentKey, id, name);
            return;
        }

        // Documents that are sent along may change without the series.
        ulong version = (ulong)(hasDocument || hasTags ? snapshot.LastEtag : series.Etag);
        string tag = EntityTag.OfHash(request.Database, version);
        request.Response.Headers.ETag = tag;
        if (EntityTag.IsKnown(request, tag))
        {
            request.Response.Status = 304;
            return;
        }

        DistinctIds included = Included(request, hasDocument ? id : default);
        request.Response.Headers.ContentType = ContentType.Json;
        var writer = new TimeSeriesRangeWriter(request, snapshot)
        {
            DocumentKey = documentKey,
            IsFull = isFull,
            Tags = hasTags ? included : null,
        };
        bool hasIncludes = hasDocument || hasTags;
        await writer.WriteAsync(range, start, pageSize, isClosed: !hasIncludes).ConfigureAwait(false);
        if (hasIncludes)
        {
            WriteIncludes(request, writer, included);
        }
    }

    [Route("GET", "/databases/*/timeseries/ranges", Access.Read, Place = Place.Any,
        Summary = "Reads several ranges of time series of a document",
        Query = "docId!, name*, from*, to*, start:int, pageSize:int, includeDocument:bool, includeTags:bool, "
            + "full:bool")]
    internal static async ValueTask RangesAsync(RequestContext request)
    {
        NativeSlice id = request.RequiredUtf8("docId");
        NativeSlice documentKey = KeyOf(request, id);
        List<TimeSeriesRange> ranges = RangesOf(request, documentKey);
        QueryParameters query = request.Query;
        bool hasDocument = query.GetBool("includeDocument");
        bool hasTags = query.GetBool("includeTags");
        bool isFull = query.GetBool("full");
        long start = query.GetInt64("start", 0);
        long left = query.GetInt32("pageSize", int.MaxValue);
        using DocumentSnapshot snapshot = request.BeginRead();
        if (!snapshot.TryGetByKey(documentKey.Span, out _))
        {
            AnswerMissing(request, snapshot, documentKey, id, default);
            return;
        }

        request.Response.Headers.ContentType = ContentType.Json;
        DistinctIds included = Included(request, hasDocument ? id : default);
        var writer = new TimeSeriesRangeWriter(request, snapshot)
        {
            DocumentKey = documentKey,
            IsFull = isFull,
            Tags = hasTags ? included : null,
        };
        BeginRanges(request, id);
        var done = new bool[ranges.Count];
        bool isFirst = true;
        for (int i = 0; i < ranges.Count; i++)
        {
            if (done[i])
            {
                continue;
            }

            BeginSeries(request, ranges[i].Name, isFirst);
            isFirst = false;
            string key = DocumentId.FoldedText(ranges[i].Name.Span);
            for (int j = i; j < ranges.Count; j++)
            {
                if (DocumentId.FoldedText(ranges[j].Name.Span) != key)
                {
                    continue;
                }

                done[j] = true;
                request.Response.Write(j == i ? default : ","u8);
                bool isClosed = !(hasDocument || hasTags);
                left -= await writer.WriteAsync(ranges[j], start, left, isClosed).ConfigureAwait(false);
                if (!isClosed)
                {
                    WriteIncludes(request, writer, included);
                }
            }

            request.Response.Write("]"u8);
        }

        request.Response.Write("}}"u8);
    }

    [Route("GET", "/databases/*/timeseries/stats", Access.Read, Place = Place.Any,
        Summary = "The time series of a document, with their first and last times", Query = "docId!")]
    internal static ValueTask StatsAsync(RequestContext request)
    {
        NativeSlice id = request.RequiredUtf8("docId");
        NativeSlice documentKey = KeyOf(request, id);
        using DocumentSnapshot snapshot = request.BeginRead();
        if (!snapshot.TryGetByKey(documentKey.Span, out _))
        {
            AnswerMissing(request, snapshot, documentKey, id, default);
            return ValueTask.CompletedTask;
        }

        request.Response.Headers.ContentType = ContentType.Json;
        var json = new JsonOutput(request.Response);
        json.StartObject();
        json.Name("DocumentId"u8);
        json.String(id.Span);
        json.Name("TimeSeries"u8);
        json.StartArray();
        var watch = new ScanCancellation(request.Aborted);
        TimeSeriesCursor all = snapshot.TimeSeriesOf(documentKey.Span);
        while (all.MoveNext(out StoredSeries series))
        {
            watch.Step();
            json.StartObject();
            json.Name("Name"u8);
            json.String(series.Name.Span);
            json.Name("NumberOfEntries"u8);
            json.Number(series.Count);
            TimeSeriesRangeWriter.WriteTime(ref json, "StartDate"u8, series.First);
            TimeSeriesRangeWriter.WriteTime(ref json, "EndDate"u8, series.Last);
            json.EndObject();
        }

        json.EndArray();
        json.EndObject();
        json.Flush();
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/timeseries/debug/segments-summary", Access.Read, Place = Place.Any,
        Summary = "How a time series lies in storage", Query = "docId!, name!, from, to")]
    internal static ValueTask SegmentsAsync(RequestContext request)
    {
        NativeSlice id = request.RequiredUtf8("docId");
        NativeSlice name = request.RequiredUtf8("name");
        NativeSlice documentKey = KeyOf(request, id);
        NativeSlice seriesKey = KeyOf(request, documentKey, name);
        TimeSeriesRange range = RangeOf(request, name);
        using DocumentSnapshot snapshot = request.BeginRead();
        if (!snapshot.TryGetTimeSeries(seriesKey.Span, out _))
        {
            AnswerMissing(request, snapshot, documentKey, id, name);
            return ValueTask.CompletedTask;
        }

        request.Response.Headers.ContentType = ContentType.Json;
        var json = new JsonOutput(request.Response);
        json.StartObject();
        json.Name("Results"u8);
        json.StartArray();
        var watch = new ScanCancellation(request.Aborted);
        var reader = new TimeSeriesReader(snapshot.Transaction);
        reader.Begin(seriesKey.Span, range.First, range.Last);
        while (reader.MoveNextSegment(out TimeSeriesSegment segment))
        {
            watch.Step();
            json.StartObject();
            json.Name("DocumentId"u8);
            json.String(id.Span);
            json.Name("Name"u8);
            json.String(name.Span);
            json.Name("ChangeVector"u8);
            json.String(segment.ChangeVector.Span);
            TimeSeriesRangeWriter.WriteTime(ref json, "StartTime"u8, segment.First);
            TimeSeriesRangeWriter.WriteTime(ref json, "EndTime"u8, segment.Last);
            json.Name("NumberOfEntries"u8);
            json.Number(segment.Count);
            json.Name("NumberOfValues"u8);
            json.Number(segment.Width);
            json.Name("SizeInBytes"u8);
            json.Number(segment.SizeBytes);
            json.Name("IsOpen"u8);
            json.Boolean(segment.IsOpen);
            json.EndObject();
        }

        json.EndArray();
        json.EndObject();
        json.Flush();
        return ValueTask.CompletedTask;
    }

    [Route("POST", "/databases/*/timeseries", Access.ReadWrite, Place = Place.Primary,
        Summary = "Appends, increments and deletes entries of a time series", Query = "docId!")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        NativeSlice id = request.RequiredUtf8("docId");
        BlittableObject body =
            await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        UnknownMembers.Warn(request, body, UnknownMembers.OfTimeSeries);
        BatchCommand batch = request.Batch;
        if (TimeSeriesBody.TryAdd(batch, id, body, ""))
        {
            await request.Database.SubmitAsync(batch).ConfigureAwait(false);
        }

        if (!batch.Failure.IsNone)
        {
            CommandFailures.Answer(request, batch.Failure);
            return;
        }

        request.Response.Status = 204;
    }

    /// <summary>The folded id of a document.</summary>
    internal static NativeSlice KeyOf(RequestContext request, NativeSlice id)
    {
        DocumentReadHandler.CheckId(id);
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        DocumentId.TryFold(id.Span, key, out int length, out _);
        return Keep(request, key[..length]);
    }

    /// <summary>The key of a series.</summary>
    internal static NativeSlice KeyOf(RequestContext request, NativeSlice documentKey, NativeSlice name)
    {
        Span<byte> key = stackalloc byte[SeriesKey.SizeBytesMax];
        return SeriesKey.TryWrite(key, documentKey.Span, name.Span, out int length, out DocumentIdError error)
            ? Keep(request, key[..length])
            : throw new BadRequestException(400, ErrorType.Argument, $"Bad name: {error.Describe()}");
    }

    private static NativeSlice Keep(RequestContext request, ReadOnlySpan<byte> bytes)
    {
        NativeSlice kept = request.Operation.Arena.Allocate(bytes.Length);
        bytes.CopyTo(kept.WritableSpan);
        return kept;
    }

    /// <summary>The range of a series that a query asks for.</summary>
    internal static TimeSeriesRange RangeOf(RequestContext request, NativeSlice name)
    {
        var range = new TimeSeriesRange(name, TimeOf(request, "from"), TimeOf(request, "to"));
        CheckOrder(range, "from");
        return range;
    }

    private static long? TimeOf(RequestContext request, string name) =>
        request.Query.TryGet(name, out ReadOnlySpan<char> encoded)
            ? TimeSeriesRange.ReadTime(request, encoded, name)
            : null;

    private static void CheckOrder(TimeSeriesRange range, string name)
    {
        if (range.First > range.Last)
        {
            throw new BadRequestException(400, ErrorType.Argument, $"{name}: the range ends before it begins.");
        }
    }

    /// <summary>The ranges in their order: a name, and the bounds that follow it.</summary>
    private static List<TimeSeriesRange> RangesOf(RequestContext request, NativeSlice documentKey)
    {
        List<TimeSeriesRange> ranges = [];
        foreach (QueryParameters.Parameter parameter in request.Query)
        {
            if (parameter.Is("name"))
            {
                NativeSlice name = request.Decode(parameter.Encoded, "name");
                KeyOf(request, documentKey, name);
                ranges.Add(new TimeSeriesRange(name, null, null));
            }
            else if (parameter.Is("from") || parameter.Is("to"))
            {
                bool isFrom = parameter.Is("from");
                long? time = TimeSeriesRange.ReadTime(request, parameter.Encoded, isFrom ? "from" : "to");
                if (ranges.Count == 0)
                {
                    throw new BadRequestException(
                        400, ErrorType.Argument, $"{(isFrom ? "from" : "to")} must follow the name that it is of.");
                }

                ranges[^1] = isFrom ? ranges[^1] with { From = time } : ranges[^1] with { To = time };
            }
        }

        if (ranges.Count == 0)
        {
            throw new BadRequestException(400, ErrorType.Argument, "The parameter 'name' is missing.");
        }

        for (int i = 0; i < ranges.Count; i++)
        {
            CheckOrder(ranges[i], $"Range {i}");
        }

        return ranges;
    }

    private static DistinctIds Included(RequestContext request, NativeSlice id)
    {
        var ids = new DistinctIds(request.Server.HashSeed);
        ids.Reset(request.Operation);
        if (!id.IsEmpty)
        {
            ids.Add(id.Span);
        }

        return ids;
    }

    private static void BeginRanges(RequestContext request, NativeSlice id)
    {
        request.Response.Write("{\"Id\":"u8);
        var json = new JsonOutput(request.Response);
        json.String(id.Span);
        json.Flush();
        request.Response.Write(",\"Values\":{"u8);
    }

    private static void BeginSeries(RequestContext request, NativeSlice name, bool isFirst)
    {
        request.Response.Write(isFirst ? default : ","u8);
        var json = new JsonOutput(request.Response);
        json.String(name.Span);
        json.Flush();
        request.Response.Write(":["u8);
    }

    private static void WriteIncludes(RequestContext request, TimeSeriesRangeWriter writer, DistinctIds included)
    {
        request.Response.Write(","u8);
        var json = new JsonOutput(request.Response);
        json.Name("Includes"u8);
        writer.WriteDocuments(ref json, included);
        json.Flush();
        request.Response.Write("}"u8);
    }

    /// <summary>Answers that the document, or its series, is not there.</summary>
    internal static void AnswerMissing(
        RequestContext request, DocumentSnapshot snapshot, NativeSlice documentKey, NativeSlice id, NativeSlice name)
    {
        string document = Encoding.UTF8.GetString(id.Span);
        string what = snapshot.TryGetByKey(documentKey.Span, out _)
            ? $"Document '{document}' has no time series '{Encoding.UTF8.GetString(name.Span)}'."
            : $"Document '{document}' does not exist.";
        ErrorResponse.Write(request, 404, ErrorType.DocumentMissing, what);
    }
}
