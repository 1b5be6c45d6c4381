using System.Globalization;
using System.Text.Json;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Monitoring;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>
/// The routes of the queries of a database that run, or have taken long. Their parameters are shown to nobody.
/// </summary>
internal static class RunningQueriesHandler
{
    [Route("GET", "/databases/*/debug/queries/running", Access.Read, Place = Place.Node,
        Summary = "The queries of a database that run now")]
    internal static ValueTask GetRunningAsync(RequestContext request)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        foreach (RunningRequest one in request.Server.Running.List().Where(one => IsQueryOf(one, request)))
        {
            TimeSpan age = request.Server.Time.GetElapsedTime(one.StartedTimestamp);
            json.WriteStartObject();
            json.WriteNumber("QueryId"u8, one.Id);
            json.WriteString("IndexName"u8, one.QueryOf);
            json.WriteTime("StartTime"u8, request.Server.Time.GetUtcNow() - age);
            json.WriteString("Duration"u8, age.ToString("c", CultureInfo.InvariantCulture));
            json.WriteNumber("DurationInMs"u8, (long)age.TotalMilliseconds);
            json.WriteBoolean(
                "IsStreaming"u8, one.Path.Contains("/streams/", StringComparison.OrdinalIgnoreCase));
            json.WriteString("Query"u8, one.Detail);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("POST", "/databases/*/debug/queries/kill", Access.DatabaseAdmin, Place = Place.Node,
        Audit = "query.killed", IsAuditNote = true, Summary = "Ends a query that runs", Query = "id!:int, indexName")]
    internal static ValueTask KillAsync(RequestContext request)
    {
        string? index = request.Query.GetText("indexName");
        long id = request.Query.GetInt64("id", -1);
        request.Announce(resource: id.ToString(CultureInfo.InvariantCulture));
        bool isKilled = request.Server.Running.Kill(id, one => IsQueryOf(one, request)
            && (index == null || index.Equals(one.QueryOf, StringComparison.OrdinalIgnoreCase)));
        if (!isKilled)
        {
            ErrorResponse.Write(
                request, 404, ErrorType.BadRequest, $"No query {id} of '{request.Database.Name}' runs.");
            return ValueTask.CompletedTask;
        }

        request.Response.Status = 204;
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/debug/queries/slow", Access.DatabaseAdmin, Place = Place.Node,
        Summary = "The last queries of a database that took long")]
    internal static ValueTask GetSlowAsync(RequestContext request)
    {
        DebugReports.WriteSlow(request.Response.BeginJson(), request.Server.SlowQueries, request.Database.Name);
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/debug/queries/cache/list", Access.Read, Place = Place.Node,
        Summary = "The plans of queries that are kept: none are, each query is planned anew")]
    internal static ValueTask GetCacheAsync(RequestContext request)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("TotalCachedQueries"u8, 0);
        json.WriteStartArray("Results"u8);
        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    private static bool IsQueryOf(RunningRequest one, RequestContext request) =>
        one.QueryOf != null && one.Database == request.Database.Name;
}
