using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using Raven.Tools.Bench.Suites.Documents;

namespace Raven.Tools.Bench.Suites.Operations;

/// <summary>What the parts of the suite <c>operations</c> have in common.</summary>
internal static class OperationsServer
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(10);

    /// <summary>How many documents of 1 KB there are: a million, or as many as DEV_BENCH_OPERATIONS says.</summary>
    internal static int DocumentCount { get; } = int.TryParse(
        Environment.GetEnvironmentVariable("DEV_BENCH_OPERATIONS"), NumberStyles.None, CultureInfo.InvariantCulture,
        out int count)
        ? count
        : 1_000_000;

    /// <summary>Sends a request, and gives its answer.</summary>
    internal static JsonNode Send(this BenchDatabase ours, string method, string path, string body = "")
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), new Uri(path, UriKind.Relative))
        {
            Content = new StringContent(body, Encoding.UTF8, "application/json"),
        };
        using HttpResponseMessage answer = ours.Client.SendAsync(request).GetAwaiter().GetResult();
        string text = answer.Content.ReadAsStringAsync().GetAwaiter().GetResult();
        return answer.IsSuccessStatusCode
            ? text.StartsWith('{') ? JsonNode.Parse(text)! : new JsonObject()
            : throw new InvalidOperationException($"{method} {path}: {(int)answer.StatusCode} {text}");
    }

    /// <summary>Begins an operation, and waits for its end: its result.</summary>
    internal static JsonNode RunOperation(this BenchDatabase ours, string path, string body = "")
    {
        long id = (long)ours.Send("POST", path, body)["OperationId"]!;
        while (true)
        {
            JsonNode state = ours.Send(
                "GET", string.Create(CultureInfo.InvariantCulture, $"/operations/state?id={id}"));
            switch ((string?)state["Status"])
            {
                case "Completed":
                    return state["Result"]!;
                case "InProgress":
                    Thread.Sleep(Pause);
                    break;
                default:
                    throw new InvalidOperationException(state.ToJsonString());
            }
        }
    }

    /// <summary>The checkout that this program was built in.</summary>
    internal static string RepositoryRoot()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Raven.sln")))
            {
                return folder.FullName;
            }
        }

        throw new InvalidOperationException("This program was not built in a checkout.");
    }

    /// <summary>Has the next reads come from the disk, where that may be done.</summary>
    internal static void DropCaches()
    {
        Run("sync");
        try
        {
            File.WriteAllText("/proc/sys/vm/drop_caches", "1");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Both sides find what is cached then.
        }
    }

    /// <summary>Runs a program to its end.</summary>
    internal static string Run(string program, params string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            RedirectStandardOutput = true, RedirectStandardError = true,
        })!;
        Task<string> error = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0
            ? output
            : throw new InvalidOperationException(
                $"{program} ended with {process.ExitCode}: {error.GetAwaiter().GetResult()}");
    }
}
