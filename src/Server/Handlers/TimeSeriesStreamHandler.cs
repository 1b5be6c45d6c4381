using System.Buffers;
using System.Globalization;
using System.Text.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Text;
using Raven.Documents;
using Raven.Documents.Rows.Series;
using Raven.Documents.Smuggler;
using Raven.Documents.TimeSeries;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Smuggler;
using Raven.Server.Http.TimeSeries;

namespace Raven.Server.Handlers;

/// <summary>A time series as lines, for programs that read and write tables: JSON or CSV, as much as there is.
/// </summary>
internal static class TimeSeriesStreamHandler
{
    private const string Csv = "csv";
    private static readonly SearchValues<byte> Special = SearchValues.Create("\",\r\n=+-@\t"u8);

    [Route("GET", "/databases/*/streams/timeseries", Access.Read, Place = Place.Any,
        IsStream = true, Audit = "data.streamed", Summary = "Streams the entries of a time series, one a line",
        Query = "docId!, name!, from, to, format")]
    internal static async ValueTask GetAsync(RequestContext request)
    {
        NativeSlice id = request.RequiredUtf8("docId");
        NativeSlice name = request.RequiredUtf8("name");
        NativeSlice documentKey = TimeSeriesHandler.KeyOf(request, id);
        NativeSlice seriesKey = TimeSeriesHandler.KeyOf(request, documentKey, name);
        TimeSeriesRange range = TimeSeriesHandler.RangeOf(request, name);
        string format = FormatOf(request);
        using DocumentSnapshot snapshot = request.BeginRead();
        if (!snapshot.TryGetTimeSeries(seriesKey.Span, out _))
        {
            TimeSeriesHandler.AnswerMissing(request, snapshot, documentKey, id, name);
            return;
        }

        request.Announce();
        bool isCsv = format == Csv;
        ResponseWriter response = request.Response;
        response.Headers.ContentType = isCsv ? ContentType.Csv : ContentType.JsonLines;
        var reader = new TimeSeriesReader(snapshot.Transaction);
        if (isCsv)
        {
            WriteHeader(response, WidthOf(reader, seriesKey, range));
        }

        reader.Begin(seriesKey.Span, range.First, range.Last);
        while (request.Verb != HttpVerb.Head && reader.MoveNext())
        {
            for (int i = reader.Start; i < reader.End; i++)
            {
                WriteLine(response, reader.Points, i, isCsv);
            }

            if (response.BufferedBytes > request.Server.ResponseBufferBytesMax)
            {
                await response.FlushAsync(CancellationToken.None).ConfigureAwait(false);
            }
        }
    }

    [Route("POST", "/databases/*/streams/timeseries", Access.ReadWrite, Place = Place.Primary,
        IsStream = true, Audit = "data.imported", Summary = "Writes the lines of a stream as entries of a time series",
        Query = "docId!, name!, format, operationId:int")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        NativeSlice id = request.RequiredUtf8("docId");
        NativeSlice name = request.RequiredUtf8("name");
        NativeSlice documentKey = TimeSeriesHandler.KeyOf(request, id);
        TimeSeriesHandler.KeyOf(request, documentKey, name);
        TimeSeriesBody.CheckName(name, "", "name");
        if (TimeSeriesBody.IsIncremental(name.Span))
        {
            throw new BadRequestException(
                400, ErrorType.Argument, "The series is incremental: it takes increments, and no entries as they are.");
        }

        bool isCsv = FormatOf(request) == Csv;
        using (DocumentSnapshot snapshot = request.BeginRead())
        {
            if (!snapshot.TryGetByKey(documentKey.Span, out _))
            {
                TimeSeriesHandler.AnswerMissing(request, snapshot, documentKey, id, name);
                return;
            }
        }

        var import = new SeriesImport(
            request.Database, request.Server.Queries, id.Span, name.Span, isCsv);
        SmugglerRun run = SmugglerRun.Begin(request);
        run.Told = () => $"{import.Entries} entries are in.";
        await run.RunAsync(async stop =>
        {
            request.Announce(detail: [new("format", isCsv ? "CSV" : "JSON lines")]);
            run.LiftLimits();
            UploadedFile file = await UploadedFile.BeginAsync(
                request.BeginBody(long.MaxValue), request.Server.Options.InflationRatioMax, stop).ConfigureAwait(false);
            await using (file.ConfigureAwait(false))
            {
                await import.RunAsync(file, stop).ConfigureAwait(false);
            }

            run.Operation.Processed = import.Entries;
        }).ConfigureAwait(false);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("Entries"u8, import.Entries);
        json.WriteEndObject();
    }

    /// <summary>The form of the lines.</summary>
    /// <exception cref="BadRequestException">It is not known.</exception>
    private static string FormatOf(RequestContext request)
    {
        string format = request.Query.GetText("format") ?? "jsonl";
        return format is "jsonl" or Csv
            ? format
            : throw new BadRequestException(
                400, ErrorType.Argument, $"The format must be jsonl or csv, not '{format}'.");
    }

    /// <summary>How many values an entry has at most, by what the segments say.</summary>
    private static int WidthOf(TimeSeriesReader reader, NativeSlice key, TimeSeriesRange range)
    {
        int width = 1;
        reader.Begin(key.Span, range.First, range.Last);
        while (reader.MoveNextSegment(out TimeSeriesSegment segment))
        {
            width = Math.Max(width, segment.Width);
        }

        return width;
    }

    private static void WriteHeader(ResponseWriter response, int width)
    {
        response.Write("Timestamp,Tag"u8);
        for (int i = 0; i < width; i++)
        {
            response.Write(",Value"u8);
            WriteNumber(response, i);
        }

        response.Write("\r\n"u8);
    }

    private static void WriteLine(ResponseWriter response, PointList points, int index, bool isCsv)
    {
        Span<byte> date = stackalloc byte[DateText.Length];
        DateText.TryFormat(SeriesTime.ToTicks(points.TimeAt(index)), date);
        ReadOnlySpan<byte> tag = points.TagAt(index);
        if (!isCsv)
        {
            WriteJson(response, date, tag, points.ValuesAt(index));
            return;
        }

        response.Write(date);
        response.Write(","u8);
        WriteField(response, tag);
        foreach (double value in points.ValuesAt(index))
        {
            response.Write(","u8);
            WriteNumber(response, value);
        }

        response.Write("\r\n"u8);
    }

    private static void WriteJson(
        ResponseWriter response, ReadOnlySpan<byte> date, ReadOnlySpan<byte> tag, ReadOnlySpan<double> values)
    {
        var json = new Blittable.Json.JsonOutput(response);
        json.StartObject();
        json.Name("Timestamp"u8);
        json.String(date);
        json.Name("Tag"u8);
        if (tag.IsEmpty)
        {
            json.Null();
        }
        else
        {
            json.String(tag);
        }

        json.Name("Values"u8);
        json.StartArray();
        foreach (double value in values)
        {
            json.Number(value);
        }

        json.EndArray();
        json.EndObject();
        json.Flush();
        response.Write("\n"u8);
    }

    /// <summary>A text in CSV: in quotes if it has a character that ends a field, or that a table program takes for the
    /// beginning of a formula.</summary>
    private static void WriteField(ResponseWriter response, ReadOnlySpan<byte> text)
    {
        if (!text.ContainsAny(Special))
        {
            response.Write(text);
            return;
        }

        response.Write("\""u8);
        foreach (byte one in text)
        {
            response.Write([one]);
            if (one == (byte)'"')
            {
                response.Write([one]);
            }
        }

        response.Write("\""u8);
    }

    private static void WriteNumber(ResponseWriter response, double value)
    {
        Span<byte> text = stackalloc byte[40];
        value.TryFormat(text, out int written, "R", CultureInfo.InvariantCulture);
        response.Write(text[..written]);
    }
}
