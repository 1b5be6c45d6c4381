using System.Globalization;
using System.Text.Json;
using Microsoft.Extensions.Logging;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Security.Rights;
using Raven.Server.Diagnostics;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>
/// The routes of the log level, which holds until the next start. The log goes to standard error, and the operator's
/// system keeps it: how long and how much, which clients may set too, is answered as it was set and has no effect.
/// </summary>
internal static class LogsHandler
{
    /// <summary>The names of levels that clients know, indexed by the level's number.</summary>
    private static readonly string[] Names = ["Trace", "Debug", "Info", "Warn", "Error", "Fatal", "Off"];

    /// <summary>The names of levels, for an error.</summary>
    internal static string LevelNames => string.Join(", ", Names);

    /// <summary>The name of a level, as clients know it.</summary>
    internal static string NameOf(LogLevel level) => Names[(int)level];

    /// <summary>The level of a name; null if it is none.</summary>
    internal static LogLevel? LevelOf(string name) => Array.FindIndex(
        Names, one => one.Equals(name, StringComparison.OrdinalIgnoreCase)) is >= 0 and int level
        ? (LogLevel)level
        : null;

    [Route("GET", "/admin/logs/configuration", Access.Operator, Place = Place.Node, Summary = "How much is logged")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        LogLevel current = request.Server.LogSwitch.Level;
        LogLevel configured = request.Server.Options.LogLevel;
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteString("CurrentMode"u8, ModeOf(current));
        json.WriteString("Mode"u8, ModeOf(configured));
        json.WriteString("Path"u8, ""u8);
        json.WriteBoolean("UseUtcTime"u8, true);
        LogRetention retention = request.Server.LogRetention;
        json.WriteString("RetentionTime"u8, retention.Time.ToString("c", CultureInfo.InvariantCulture));
        if (retention.SizeBytes is { } size)
        {
            json.WriteNumber("RetentionSize"u8, size);
        }
        else
        {
            json.WriteNull("RetentionSize"u8);
        }

        json.WriteBoolean("Compress"u8, retention.IsCompressed);
        json.WriteStartObject("Logs"u8);
        json.WriteString("CurrentMinLevel"u8, Names[(int)current]);
        json.WriteString("MinLevel"u8, Names[(int)configured]);
        json.WriteEndObject();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("POST", "/admin/logs/configuration", Access.Operator, Place = Place.Node,
        Audit = "server.logs.configured", IsAuditNote = true,
        Summary = "Says how much is logged, until the next start")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        BlittableObject body = await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        LogRetention retention = RetentionIn(body, request.Server.LogRetention);
        LogLevel level = LevelIn(body);
        request.Announce(detail: DatabaseEvents.Of("level", Names[(int)level]));
        request.Server.LogSwitch.Level = level;
        request.Server.LogRetention = retention;
        request.Response.Status = 204;
    }

    /// <summary>The level that a body asks for, by either of its names.</summary>
    private static LogLevel LevelIn(BlittableObject body)
    {
        if (body.TryGet("Logs"u8, out BlittableValue value) && value.TryGetObject(out BlittableObject logs)
            && logs.TryGet("MinLevel"u8, out value) && value.TryGetString(out string name)
            && Array.IndexOf(Names, name) is >= 0 and int level)
        {
            return (LogLevel)level;
        }

        string? mode = body.TryGet("Mode"u8, out value) && value.TryGetString(out string text) ? text : null;
        return mode switch
        {
            "None" => LogLevel.None,
            "Operations" => LogLevel.Warning,
            "Information" => LogLevel.Information,
            _ => throw new BadRequestException(
                400, ErrorType.Argument,
                $"Either Logs.MinLevel must be one of {string.Join(", ", Names)}, or Mode one of None, Operations and "
                + "Information."),
        };
    }

    /// <summary>Reads how long the log is to be kept from a body; other members stay as they were.</summary>
    private static LogRetention RetentionIn(BlittableObject body, LogRetention retention)
    {
        if (body.TryGet("RetentionTime"u8, out BlittableValue value) && !value.IsNull)
        {
            retention = value.TryGetString(out string text)
                && TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan time) && time >= TimeSpan.Zero
                ? retention with { Time = time }
                : throw new BadRequestException(
                    400, ErrorType.Argument, "RetentionTime must be a span of time such as 3.00:00:00.");
        }

        if (body.TryGet("RetentionSize"u8, out value) && !value.IsNull)
        {
            retention = value.TryGetInt64(out long size) && size >= 0
                ? retention with { SizeBytes = size }
                : throw new BadRequestException(
                    400, ErrorType.Argument, "RetentionSize must be a whole number of bytes.");
        }

        return body.TryGet("Compress"u8, out value) && value.TryGetBoolean(out bool isCompressed)
            ? retention with { IsCompressed = isCompressed }
            : retention;
    }

    /// <summary>The older name of a level; there are three.</summary>
    private static string ModeOf(LogLevel level) =>
        level == LogLevel.None ? "None" : level >= LogLevel.Warning ? "Operations" : "Information";
}
