using System.Text.Json;
using Raven.Documents.Indexing;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The route of how long batches of indexes took.</summary>
internal static class IndexBatchesHandler
{
    [Route("GET", "/databases/*/indexes/performance", Access.Read, Place = Place.Node,
        Summary = "How long batches of indexes took: all of them, and each of the last",
        Query = "name*, start:int, pageSize:int")]
    internal static async ValueTask GetAsync(RequestContext request)
    {
        DatabaseIndex[] indexes = [.. IndexStatsHandler.Named(request)];
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        foreach (DatabaseIndex index in indexes)
        {
            Write(json, index);
            json.Flush();
            if (request.Response.BufferedBytes > request.Server.ResponseBufferBytesMax)
            {
                await request.Response.FlushAsync(request.Aborted).ConfigureAwait(false);
            }
        }

        json.WriteEndArray();
        json.WriteEndObject();
        json.Flush();
    }

    private static void Write(Utf8JsonWriter json, DatabaseIndex index)
    {
        IndexStatistics statistics = index.Statistics;
        json.WriteStartObject();
        json.WriteString("Name"u8, index.Name);
        json.WriteNumber("Batches"u8, statistics.BatchCount);
        json.WriteNumber("Entries"u8, statistics.EntryCount);
        json.WriteNumber("TotalDurationInMs"u8, statistics.BatchTime.TotalMilliseconds);
        json.WriteNumber("LastDurationInMs"u8, statistics.LastBatchTime.TotalMilliseconds);
        json.WriteNumber("LastDocuments"u8, statistics.LastBatchDocuments);
        json.WriteStartArray("Performance"u8);
        foreach (BatchFigures batch in statistics.Batches.List())
        {
            json.WriteStartObject();
            json.WriteNumber("Id"u8, batch.Id);
            json.WriteTime("Started"u8, batch.StartedAt);
            json.WriteTime("Completed"u8, batch.StartedAt + batch.Time);
            json.WriteNumber("DurationInMs"u8, batch.Time.TotalMilliseconds);
            json.WriteNumber("InputCount"u8, batch.Documents);
            json.WriteNumber("OutputCount"u8, batch.Entries);
            json.WriteNumber("FailedCount"u8, batch.Failed);
            json.WriteNumber("SuccessCount"u8, batch.Documents - batch.Failed);
            json.WriteStartObject("Details"u8);
            json.WriteString("Name"u8, "Indexing"u8);
            json.WriteNumber("DurationInMs"u8, batch.Time.TotalMilliseconds);
            json.WriteStartArray("Operations"u8);
            WritePart(json, "Map"u8, batch.MapTime);
            WritePart(json, "Reduce"u8, batch.ReduceTime);
            WritePart(json, "Commit"u8, batch.CommitTime);
            WritePart(json, "Merge"u8, batch.MergeTime);
            json.WriteEndArray();
            json.WriteEndObject();
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void WritePart(Utf8JsonWriter json, ReadOnlySpan<byte> name, TimeSpan time)
    {
        json.WriteStartObject();
        json.WriteString("Name"u8, name);
        json.WriteNumber("DurationInMs"u8, time.TotalMilliseconds);
        json.WriteEndObject();
    }
}
