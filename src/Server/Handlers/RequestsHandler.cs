using System.Globalization;
using System.Text.Json;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Monitoring;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes that list the requests that run now, and end one.</summary>
internal static class RequestsHandler
{
    [Route("GET", "/admin/requests/running", Access.Operator, Place = Place.Node,
        Summary = "The requests that run now")]
    internal static ValueTask GetRunningAsync(RequestContext request)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        foreach (RunningRequest running in request.Server.Running.List())
        {
            TimeSpan age = request.Server.Time.GetElapsedTime(running.StartedTimestamp);
            json.WriteStartObject();
            json.WriteNumber("Id"u8, running.Id);
            json.WriteString("Method"u8, running.Method);
            json.WriteString("Path"u8, running.Path);
            json.WriteString("Query"u8, running.Query);
            json.WriteString("Detail"u8, running.Detail);
            json.WriteNumber("Milliseconds"u8, (long)age.TotalMilliseconds);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/admin/requests/slow", Access.Operator, Place = Place.Node,
        Summary = "The last requests that took long")]
    internal static ValueTask GetSlowAsync(RequestContext request)
    {
        DebugReports.WriteSlow(request.Response.BeginJson(), request.Server.Slow, null);
        return ValueTask.CompletedTask;
    }

    [Route("POST", "/admin/requests/kill", Access.Operator, Place = Place.Node,
        Audit = "request.killed", IsAuditNote = true, Summary = "Ends a request that runs", Query = "id:int")]
    internal static ValueTask KillAsync(RequestContext request)
    {
        long id = request.Query.GetInt64("id", -1);
        request.Announce(resource: id.ToString(CultureInfo.InvariantCulture));
        bool isKilled = request.Server.Running.Kill(id);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteBoolean("Killed"u8, isKilled);
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }
}
