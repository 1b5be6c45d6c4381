using System.Text.Json;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Monitoring;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes of reports for people who look for a cause.</summary>
internal static class DebugHandler
{
    [Route("GET", "/debug/server-id", Access.ValidUser, Place = Place.Node,
        Summary = "The id of this run of the server")]
    internal static ValueTask GetServerIdAsync(RequestContext request)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteString("ServerId"u8, request.Server.Id.ToString());
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/debug/routes", Access.ValidUser, Place = Place.Node,
        Summary = "All routes, with the right that each needs")]
    internal static ValueTask GetRoutesAsync(RequestContext request)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Routes"u8);
        foreach (Route route in request.Server.Routes.Routes)
        {
            json.WriteStartObject();
            json.WriteString("Method"u8, HttpVerbs.Name(route.Verb));
            json.WriteString("Path"u8, route.Path);
            json.WriteString("Access"u8, route.Access.ToString());
            json.WriteString("Summary"u8, route.Summary);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/admin/debug/memory/stats", Access.Operator, Place = Place.Node,
        Summary = "Where the memory of the process is")]
    internal static ValueTask GetMemoryAsync(RequestContext request)
    {
        DebugReports.WriteMemory(request.Response.BeginJson(), request.Server);
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/admin/debug/cpu/stats", Access.Operator, Place = Place.Node, Summary = "What the processors do")]
    internal static ValueTask GetProcessorsAsync(RequestContext request)
    {
        DebugReports.WriteProcessors(request.Response.BeginJson(), request.Server);
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/admin/debug/threads/runaway", Access.Operator, Place = Place.Node,
        Summary = "The threads that have used the most processor time")]
    internal static ValueTask GetThreadsAsync(RequestContext request)
    {
        DebugReports.WriteThreads(request.Response.BeginJson());
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/admin/debug/databases/idle", Access.Operator, Place = Place.Node,
        Summary = "Which databases are open")]
    internal static ValueTask GetDatabasesAsync(RequestContext request)
    {
        DebugReports.WriteDatabases(request.Response.BeginJson(), request.Server);
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/admin/metrics", Access.Operator, Place = Place.Node,
        Summary = "Counters and rates of the server and its routes")]
    internal static ValueTask GetMetricsAsync(RequestContext request)
    {
        DebugReports.WriteMetrics(request.Response.BeginJson(), request.Server);
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/admin/stats", Access.Operator, Place = Place.Node, Summary = "Figures of the server")]
    internal static ValueTask GetStatsAsync(RequestContext request)
    {
        ServerReport.Write(request.Response.BeginJson(), request.Server);
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/admin/debug/info-package", Access.Operator, Place = Place.Node,
        Summary = "A zip file with all reports, for those who help")]
    internal static ValueTask GetPackageAsync(RequestContext request)
    {
        WriteZip(request, "raven-server", InfoPackage.OfServer(request.Server));
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/metrics", Access.DatabaseAdmin, Place = Place.Node,
        Summary = "Counters and rates of a database")]
    internal static ValueTask GetMetricsOfDatabaseAsync(RequestContext request)
    {
        DebugReports.WriteMetrics(request.Response.BeginJson(), request.Server, request.Database);
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/debug/io-metrics", Access.DatabaseAdmin, Place = Place.Node,
        Summary = "How fast the disk was for a database")]
    internal static ValueTask GetDiskAsync(RequestContext request)
    {
        DebugReports.WriteDisk(request.Response.BeginJson(), request.Database);
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/debug/documents/huge", Access.DatabaseAdmin, Place = Place.Any,
        Summary = "The large documents that were written last")]
    internal static ValueTask GetLargeDocumentsAsync(RequestContext request)
    {
        DebugReports.WriteLargeDocuments(request.Response.BeginJson(), request.Database);
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/debug/info-package", Access.DatabaseAdmin, Place = Place.Node,
        Summary = "A zip file with all reports of a database")]
    internal static ValueTask GetPackageOfDatabaseAsync(RequestContext request)
    {
        WriteZip(
            request, $"raven-{request.Database.Name}", InfoPackage.OfDatabase(request.Server, request.Database));
        return ValueTask.CompletedTask;
    }

    /// <summary>Answers with a file to be kept.</summary>
    internal static void WriteZip(RequestContext request, string name, byte[] zip)
    {
        string time = request.Server.Time.GetUtcNow()
            .ToString("yyyy-MM-dd-HH-mm-ss", System.Globalization.CultureInfo.InvariantCulture);
        request.Response.ForbidStoring();
        request.Response.Headers.ContentType = "application/zip";
        request.Response.Headers.ContentDisposition = $"attachment; filename=\"{name}-{time}.zip\"";
        request.Response.Write(zip);
    }
}
