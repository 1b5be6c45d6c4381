using System.Text.Json;
using Microsoft.Extensions.Logging;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Server.Http;
using Raven.Server.Routing;

namespace Raven.Server.Handlers;

/// <summary>
/// How much is logged, until the next start. The log goes to standard error: whoever runs the server keeps it, so that
/// paths and retention, which clients know too, are not ours.
/// </summary>
internal static class LogsHandler
{
    /// <summary>The names of levels that clients know, by the level's number.</summary>
    private static readonly string[] Names = ["Trace", "Debug", "Info", "Warn", "Error", "Fatal", "Off"];

    [Route("GET", "/admin/logs/configuration", Access = Access.Operator, Summary = "How much is logged")]
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
        json.WriteNull("RetentionTime"u8);
        json.WriteNull("RetentionSize"u8);
        json.WriteBoolean("Compress"u8, false);
        json.WriteStartObject("Logs"u8);
        json.WriteString("CurrentMinLevel"u8, Names[(int)current]);
        json.WriteString("MinLevel"u8, Names[(int)configured]);
        json.WriteEndObject();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("POST", "/admin/logs/configuration", Access = Access.Operator,
        Summary = "Says how much is logged, until the next start")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        BlittableObject body = await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        if (body.TryGet("Logs"u8, out BlittableValue value) && value.TryGetObject(out BlittableObject logs)
            && logs.TryGet("MinLevel"u8, out value) && value.TryGetString(out string name)
            && Array.IndexOf(Names, name) is >= 0 and int level)
        {
            request.Server.LogSwitch.Level = (LogLevel)level;
        }
        else if (body.TryGet("Mode"u8, out value) && value.TryGetString(out string mode)
            && mode is "None" or "Operations" or "Information")
        {
            request.Server.LogSwitch.Level = mode switch
            {
                "None" => LogLevel.None,
                "Operations" => LogLevel.Warning,
                _ => LogLevel.Information,
            };
        }
        else
        {
            throw new BadRequestException(
                400, ErrorType.Argument,
                $"Either Logs.MinLevel must be one of {string.Join(", ", Names)}, or Mode one of None, Operations and "
                + "Information.");
        }

        request.Response.Status = 204;
    }

    /// <summary>The older name of a level, of which there are three.</summary>
    private static string ModeOf(LogLevel level) =>
        level == LogLevel.None ? "None" : level >= LogLevel.Warning ? "Operations" : "Information";
}
