using System.CommandLine;
using System.Text.Json.Nodes;
using Raven.CommandLine.Output;

namespace Raven.CommandLine.Admin;

/// <summary>An operation of the server that a verb starts and waits for.</summary>
internal static class AdminOperation
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(200);

    /// <summary>Starts it, and waits for its end, with a bar on a terminal.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="server">The server.</param>
    /// <param name="output">Takes its status and result.</param>
    /// <param name="path">What starts it.</param>
    /// <param name="body">The body of that; null for none.</param>
    /// <returns>Its result; null if it has failed, which is written then.</returns>
    internal static async Task<JsonNode?> RunAsync(
        ParseResult parsed, AdminClient server, VerbOutput output, string path, JsonNode? body)
    {
        using HttpResponseMessage answer = await server.SendAsync(HttpMethod.Post, path, body);
        JsonNode started = await AdminClient.ReadAsync(answer);
        string state = $"/operations/state?id={started["OperationId"]}";
        JsonNode now = await server.GetAsync(state);
        Progress progress = output.Begin(0);
        await progress.RunAsync("bytes", async () =>
        {
            while ((string?)now["Status"] == "InProgress")
            {
                await Task.Delay(Pause, TimeProvider.System);
                now = await server.GetAsync(state);
                long bytes = (long?)now["Progress"]?["Processed"] ?? 0;
                progress.Report(0, bytes, bytes);
            }

            return true;
        });
        JsonNode? result = now["Result"];
        output.Set("Status", now["Status"]?.DeepClone());
        output.Set("Result", result?.DeepClone());
        if ((string?)now["Status"] == "Completed")
        {
            return result ?? new JsonObject();
        }

        await parsed.InvocationConfiguration.Error.WriteLineAsync($"{result?["Message"]}");
        return null;
    }
}
