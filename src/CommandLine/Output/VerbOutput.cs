using System.Text.Json;
using System.Text.Json.Nodes;
using Spectre.Console;

namespace Raven.CommandLine.Output;

/// <summary>
/// Where a verb writes: lines for people, or one JSON object at its end, which holds the lines as <c>Messages</c> and
/// what the verb says by name.
/// </summary>
internal sealed class VerbOutput
{
    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true };

    private readonly TextWriter _writer;
    private readonly JsonObject? _json;

    /// <summary>Begins the output of a verb.</summary>
    /// <param name="writer">Takes it.</param>
    /// <param name="isJson">Whether it is JSON.</param>
    /// <param name="isInteractive">Whether it is seen on a terminal, which can show bars.</param>
    internal VerbOutput(TextWriter writer, bool isJson = false, bool isInteractive = false)
    {
        _writer = writer;
        _json = isJson ? [] : null;
        Lines = isJson ? new StringWriter() : writer;
        IsInteractive = isInteractive && !isJson;
    }

    /// <summary>Takes lines for people.</summary>
    internal TextWriter Lines { get; }

    /// <summary>Whether a bar can be shown.</summary>
    internal bool IsInteractive { get; }

    /// <summary>Shows how far a run is.</summary>
    /// <param name="totalBytes">The length of what is read; 0 if it is not known.</param>
    internal Progress Begin(long totalBytes) =>
        new(Lines, IsInteractive, totalBytes, _json is null ? null : TimeSpan.MaxValue);

    /// <summary>Does something of which nothing says how far it is: a terminal shows that it goes on.</summary>
    internal T Wait<T>(string title, Func<T> work) =>
        IsInteractive ? AnsiConsole.Status().Start(title, _ => work()) : work();

    /// <summary>Says something by name, for those that read the JSON.</summary>
    internal void Set(string name, JsonNode? value)
    {
        if (_json is not null)
        {
            _json[name] = value;
        }
    }

    /// <summary>Ends the output.</summary>
    /// <returns>The exit code that it was given.</returns>
    internal int End(int exitCode)
    {
        if (_json is not null)
        {
            string text = Lines.ToString()!.ReplaceLineEndings("\n").TrimEnd('\n');
            var messages = new JsonArray();
            foreach (string line in text.Length == 0 ? [] : text.Split('\n'))
            {
                messages.Add(line);
            }

            _json.Insert(0, "ExitCode", exitCode);
            _json["Messages"] = messages;
            _writer.WriteLine(_json.ToJsonString(Indented));
        }

        return exitCode;
    }
}
