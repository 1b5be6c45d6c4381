using System.Globalization;
using System.Text.Unicode;
using Raven.Blittable.Json;
using Raven.Documents.Queries;

namespace Raven.Server.Http.Queries;

/// <summary>Writes what an answer to a query says beside its results.</summary>
/// <param name="request">The request.</param>
/// <param name="session">The query.</param>
/// <param name="began">When it came.</param>
internal readonly struct AnswerEnvelope(RequestContext request, QuerySession session, long began)
{
    /// <summary>More than the fields around the name of the index take.</summary>
    private const int HeadSizeBytesMax = 512;

    /// <summary>Writes what a stream begins with.</summary>
    internal void WriteHead(long total)
    {
        ResponseWriter response = request.Response;
        Utf8.TryWrite(
            response.GetSpan(HeadSizeBytesMax), CultureInfo.InvariantCulture,
            $"{{\"ResultEtag\":{(long)(session.Tag() >> 1)},\"IsStale\":{(session.IsStale ? "true" : "false")},"
            + $"\"IndexName\":", out int length);
        response.Advance(length);
        var json = new JsonOutput(response);
        json.String(session.Plan.Name.AsSpan());
        json.Flush();
        Utf8.TryWrite(
            response.GetSpan(HeadSizeBytesMax), CultureInfo.InvariantCulture,
            $",\"TotalResults\":{Math.Min(total, int.MaxValue)},\"IndexTimestamp\":\"{IndexedAt():O}\",\"Results\":[",
            out length);
        response.Advance(length);
    }

    private DateTime IndexedAt() =>
        (session.Plan.Index?.Statistics.LastIndexingTime ?? request.Server.Time.GetUtcNow()).UtcDateTime;

    /// <summary>Writes what there is to know of an answer, as members of an object.</summary>
    /// <param name="total">How many results there are.</param>
    /// <param name="skipped">How many were passed over.</param>
    /// <param name="scanned">How many a filter has seen; null if there is none.</param>
    internal void Write(long total, long skipped, long? scanned)
    {
        ResponseWriter response = request.Response;
        DateTime now = request.Server.Time.GetUtcNow().UtcDateTime;
        Span<byte> room = response.GetSpan(HeadSizeBytesMax);
        Utf8.TryWrite(
            room, CultureInfo.InvariantCulture,
            $"\"TotalResults\":{Math.Min(total, int.MaxValue)},\"LongTotalResults\":{total},"
            + $"\"SkippedResults\":{skipped},", out int length);
        response.Advance(length);
        if (scanned is { } seen)
        {
            Utf8.TryWrite(
                response.GetSpan(HeadSizeBytesMax), CultureInfo.InvariantCulture,
                $"\"ScannedResults\":{seen},", out length);
            response.Advance(length);
        }

        Utf8.TryWrite(
            response.GetSpan(HeadSizeBytesMax), CultureInfo.InvariantCulture,
            $"\"DurationInMs\":{Milliseconds()},\"IndexName\":", out length);
        response.Advance(length);
        var json = new JsonOutput(response);
        json.String(session.Plan.Name.AsSpan());
        json.Flush();
        room = response.GetSpan(HeadSizeBytesMax);
        Utf8.TryWrite(
            room, CultureInfo.InvariantCulture,
            $",\"IndexTimestamp\":\"{IndexedAt():O}\",\"LastQueryTime\":\"{now:O}\","
            + $"\"IsStale\":{(session.IsStale ? "true" : "false")},\"ResultEtag\":{(long)(session.Tag() >> 1)},"
            + $"\"NodeTag\":\"{request.Server.Cluster.Tag}\"", out length);
        response.Advance(length);
        if (request.Query.GetBool("addTimeSeriesNames"))
        {
            response.Write(",\"TimeSeriesFields\":"u8);
            response.Write(System.Text.Json.JsonSerializer.SerializeToUtf8Bytes(
                session.Input.TimeSeriesFields.ToArray()));
        }
    }

    private long Milliseconds() => (long)request.Server.Time.GetElapsedTime(began).TotalMilliseconds;
}
