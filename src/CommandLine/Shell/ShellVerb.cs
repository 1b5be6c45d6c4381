using System.CommandLine;
using System.Text.Json;
using Raven.CommandLine.Import;
using Raven.CommandLine.Import.Server;
using Raven.CommandLine.Output;

namespace Raven.CommandLine.Shell;

/// <summary><c>raven shell</c>: queries typed by a person, or one given on the command line.</summary>
internal static class ShellVerb
{
    private static readonly Argument<string> Server = new("url")
    {
        Description = "The url of the server",
        DefaultValueFactory = _ => "http://127.0.0.1:8080",
    };

    private static readonly Option<string?> Database = new("--database", "-d")
    {
        Description = "The database to begin with",
    };

    private static readonly Option<string[]> Execute = new("--execute", "-e")
    {
        Description = "A query, or a command such as .databases, in place of those that are typed; repeatable",
        DefaultValueFactory = _ => [],
    };

    /// <summary>The verb.</summary>
    internal static Command Create()
    {
        var verb = new Command("shell", "Query a server: RQL with completion, tables or JSON; .help says the rest")
        {
            Server, Database, Execute, Verb.Json,
        };
        CallerOptions.AddTo(verb);
        verb.SetAction(RunAsync);
        return verb;
    }

    private static async Task<int> RunAsync(ParseResult parsed)
    {
        TextWriter error = parsed.InvocationConfiguration.Error;
        try
        {
            if (!Uri.TryCreate(parsed.GetValue(Server), UriKind.Absolute, out Uri? url)
                || url.Scheme is not ("http" or "https"))
            {
                throw new FormatException($"'{parsed.GetValue(Server)}' is not the url of a server.");
            }

            TextWriter output = parsed.InvocationConfiguration.Output;
            using HttpClient http = CallerOptions.Read(parsed).Connect(url);
            bool isTyped = ReferenceEquals(output, Console.Out) && !Console.IsInputRedirected
                && !Console.IsOutputRedirected;
            var session = new ShellSession(
                new ShellServer(http), output, parsed.GetValue(Verb.Json),
                isTyped ? Math.Max(40, Console.WindowWidth) : int.MaxValue)
            {
                Database = parsed.GetValue(Database),
            };
            string[] given = parsed.GetValue(Execute) ?? [];
            return given.Length > 0
                ? await RunGivenAsync(session, given, error)
                : await RunTypedAsync(session, isTyped, output, error);
        }
        catch (FormatException wrong)
        {
            await error.WriteLineAsync(wrong.Message);
            return ExitCode.WrongUsage;
        }
    }

    /// <summary>The first that fails ends it.</summary>
    private static async Task<int> RunGivenAsync(ShellSession session, string[] lines, TextWriter error)
    {
        foreach (string line in lines)
        {
            if (!await TryRunAsync(session, line, error))
            {
                return ExitCode.ServerFailed;
            }
        }

        return ExitCode.Success;
    }

    private static async Task<int> RunTypedAsync(
        ShellSession session, bool isTyped, TextWriter output, TextWriter error)
    {
        LineEditor? editor = isTyped
            ? new LineEditor(() => Console.ReadKey(intercept: true), output, session.CompleteAsync)
            : null;
        bool hasFailed = false;
        while (true)
        {
            string? line = editor == null
                ? await Console.In.ReadLineAsync()
                : await editor.ReadAsync($"{session.Database ?? "raven"}> ");
            if (line == null || line.Trim() is ".exit" or ".quit")
            {
                return hasFailed && !isTyped ? ExitCode.ServerFailed : ExitCode.Success;
            }

            hasFailed |= line.Trim().Length > 0 && !await TryRunAsync(session, line, error);
        }
    }

    private static async Task<bool> TryRunAsync(ShellSession session, string line, TextWriter error)
    {
        try
        {
            await session.RunAsync(line.Trim());
            return true;
        }
        catch (Exception failed) when (failed is ServerException or HttpRequestException or JsonException
            or ArgumentException or OperationCanceledException)
        {
            await error.WriteLineAsync(failed.Message);
            return false;
        }
    }
}
