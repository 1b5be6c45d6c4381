using System.Globalization;
using System.Text.Json;
using Microsoft.Extensions.Logging;
using Raven.Security.Rights;
using Raven.Server.Diagnostics;
using Raven.Server.Http;
using Raven.Server.Http.Monitoring;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes of those who watch the log or the traffic of the server, and of the log as a file.</summary>
internal static class WatchHandler
{
    private const int DetailLengthMax = 4096;

    [Route("GET", "/admin/logs/watch", Access.Operator, Place = Place.Node, IsStream = true,
        Audit = "server.logs.watched", IsAuditNote = true,
        Summary = "The lines of the log over a WebSocket", Query = "level, source")]
    internal static async ValueTask WatchLogAsync(RequestContext request)
    {
        LogLevel level = LevelOf(request.Query.GetText("level"));
        string? source = request.Query.GetText("source");
        request.Announce();
        await WatchSocket.ServeAsync(
            request, request.Server.LogSwitch.Lines.Watches,
            line => line.Level >= level
                && (source == null || line.Source.Contains(source, StringComparison.OrdinalIgnoreCase)),
            WriteLine).ConfigureAwait(false);
    }

    [Route("GET", "/admin/logs/lines", Access.Operator, Place = Place.Node,
        Summary = "The last lines of the log", Query = "level, source, count:int")]
    internal static ValueTask GetLinesAsync(RequestContext request)
    {
        LogLevel level = LevelOf(request.Query.GetText("level"));
        string? source = request.Query.GetText("source");
        int count = request.Query.GetInt32("count", LogLines.CountMax);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        foreach (LogLine line in request.Server.LogSwitch.Lines.List()
            .Where(line => line.Level >= level
                && (source == null || line.Source.Contains(source, StringComparison.OrdinalIgnoreCase)))
            .TakeLast(count))
        {
            json.WriteStartObject();
            WriteLine(json, line);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/admin/logs/download", Access.Operator, Place = Place.Node,
        Audit = "server.logs.downloaded", IsAuditNote = true,
        Summary = "The last lines of the log as a zip file", Query = "from, to")]
    internal static ValueTask DownloadLogAsync(RequestContext request)
    {
        DateTimeOffset? from = TimeOf(request, "from");
        DateTimeOffset? to = TimeOf(request, "to");
        request.Announce();
        DebugHandler.WriteZip(
            request, "raven-log", InfoPackage.Of("log.txt", InfoPackage.LogText(request.Server, from, to)));
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/admin/traffic-watch", Access.Operator, Place = Place.Node, IsStream = true,
        Audit = "server.traffic.watched", IsAuditNote = true,
        Summary = "The requests that end, over a WebSocket", Query = "resourceName")]
    internal static async ValueTask WatchTrafficAsync(RequestContext request)
    {
        string? database = request.Query.GetText("resourceName");
        request.Announce(database: database);
        await WatchSocket.ServeAsync(
            request, request.Server.Traffic,
            one => database == null || one.Database.Equals(database, StringComparison.OrdinalIgnoreCase),
            WriteRequest).ConfigureAwait(false);
    }

    private static void WriteLine(Utf8JsonWriter json, LogLine line)
    {
        json.WriteTime("Date"u8, line.At);
        json.WriteString("Level"u8, LogsHandler.NameOf(line.Level));
        json.WriteString("Source"u8, line.Source);
        json.WriteNumber("Event"u8, line.Event);
        json.WriteString("Message"u8, line.Text);
        if (line.Trace.Length > 0)
        {
            json.WriteString("Exception"u8, line.Trace);
        }
    }

    private static void WriteRequest(Utf8JsonWriter json, SeenRequest one)
    {
        json.WriteTime("TimeStamp"u8, one.At);
        json.WriteString("RequestId"u8, one.Id);
        json.WriteString("HttpMethod"u8, one.Method);
        json.WriteNumber("ElapsedMilliseconds"u8, (long)one.Milliseconds);
        json.WriteNumber("ResponseStatusCode"u8, one.Status);
        json.WriteString("RequestUri"u8, one.Path);
        json.WriteString("DatabaseName"u8, one.Database);
        json.WriteString("CustomInfo"u8, one.Detail.AsSpan(0, Math.Min(one.Detail.Length, DetailLengthMax)));
        json.WriteString("Type"u8, one.Database.Length == 0 ? "None"u8 : "Database"u8);
        json.WriteString("ClientIP"u8, one.Address);
        json.WriteString("Identity"u8, one.Caller);
    }

    private static LogLevel LevelOf(string? name) => name == null
        ? LogLevel.Trace
        : LogsHandler.LevelOf(name) ?? throw new BadRequestException(
            400, ErrorType.Argument, $"The parameter 'level' must be one of {LogsHandler.LevelNames}.");

    private static DateTimeOffset? TimeOf(RequestContext request, string name) => request.Query.GetText(name) switch
    {
        null => null,
        { } text when DateTimeOffset.TryParse(
            text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time) => time,
        _ => throw new BadRequestException(
            400, ErrorType.Argument, $"The parameter '{name}' must be a time such as 2026-11-27T08:00:00Z."),
    };
}
