using System.CommandLine;
using System.Globalization;
using System.Text.Json.Nodes;
using Raven.CommandLine.Output;

namespace Raven.CommandLine.Admin;

/// <summary><c>raven logs</c>: the last lines of the server's log, and those that follow.</summary>
internal static class LogVerbs
{
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    private static readonly Option<bool> Follow = new("--follow")
    {
        Description = "Go on with the lines that are written, until it is interrupted",
    };

    private static readonly Option<string?> Level = new("--level")
    {
        Description = "The lowest level: Trace, Debug, Info, Warn, Error or Fatal",
    };

    private static readonly Option<int> Count = new("--lines")
    {
        Description = "How many lines there are to begin with",
        DefaultValueFactory = _ => 100,
    };

    /// <summary>The verb.</summary>
    internal static Command Create() =>
        AdminVerb.Of("logs", "The last lines of the server's log", [Follow, Level, Count], RunAsync);

    private static async Task<int> RunAsync(ParseResult parsed, AdminClient server, VerbOutput output)
    {
        JsonArray lines = await ReadAsync(parsed, server, parsed.GetValue(Count));
        string last = await WriteAsync(output, lines, "");
        output.Set("Lines", lines.DeepClone());
        while (parsed.GetValue(Follow) && !parsed.GetValue(Verb.Json))
        {
            await Task.Delay(Pause, TimeProvider.System);
            last = await WriteAsync(output, await ReadAsync(parsed, server, 4096), last);
        }

        return ExitCode.Success;
    }

    private static async Task<JsonArray> ReadAsync(ParseResult parsed, AdminClient server, int count)
    {
        string level = parsed.GetValue(Level) is { } given ? $"&level={Uri.EscapeDataString(given)}" : "";
        string path = string.Create(CultureInfo.InvariantCulture, $"/admin/logs/lines?count={count}{level}");
        return (await server.GetAsync(path))["Results"]!.AsArray();
    }

    /// <summary>Writes the lines behind the last that was written; gives the last.</summary>
    private static async Task<string> WriteAsync(VerbOutput output, JsonArray lines, string last)
    {
        string[] texts = [.. lines.Select(line =>
            $"{line!["Date"]} {line["Level"]} {line["Source"]} {line["Message"]}"
            + (line["Exception"] is { } trace ? $"\n{trace}" : ""))];
        foreach (string text in texts.Skip(Array.LastIndexOf(texts, last) + 1))
        {
            await output.Lines.WriteLineAsync(text);
        }

        return texts.Length == 0 ? last : texts[^1];
    }
}
