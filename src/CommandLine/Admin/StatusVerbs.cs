using System.CommandLine;
using System.Text.Json.Nodes;
using Raven.CommandLine.Output;

namespace Raven.CommandLine.Admin;

/// <summary><c>raven status</c> and <c>raven health</c>: how the server of this machine is.</summary>
internal static class StatusVerbs
{
    private static readonly TimeSpan HealthLimit = TimeSpan.FromSeconds(5);

    /// <summary>Both.</summary>
    internal static IEnumerable<Command> Create() =>
    [
        AdminVerb.Of("status", "Which server this is, how it is, and its databases", [], StatusAsync),
        AdminVerb.Offline(
            "health", "One word; the exit code is 0 if all is well", [AdminOptions.SocketPath], HealthAsync),
    ];

    private static async Task<int> StatusAsync(ParseResult parsed, AdminClient server, VerbOutput output)
    {
        JsonNode version = await server.GetAsync("/build/version");
        using HttpResponseMessage answer = await server.SendAsync(
            HttpMethod.Get, "/healthz", isFailureWanted: true);
        JsonNode health = await AdminClient.ReadAsync(answer);
        JsonNode caller = await server.GetAsync("/certificates/whoami");
        JsonNode databases = await server.GetAsync("/databases");
        string[] names =
            [.. databases["Databases"]!.AsArray().Select(one => $"{one!["Name"]}").Order(StringComparer.Ordinal)];
        await output.Lines.WriteLineAsync($"{health["Status"]}: a server of the version {version["FullVersion"]}");
        foreach (KeyValuePair<string, JsonNode?> fault in health["Faults"]?.AsObject() ?? [])
        {
            await output.Lines.WriteLineAsync($"  {fault.Key}: {fault.Value}");
        }

        await output.Lines.WriteLineAsync($"{names.Length} databases: {string.Join(", ", names)}");
        await output.Lines.WriteLineAsync($"You are {caller["Name"]}: {Grant.Describe(caller)}");
        output.Set("Version", version.DeepClone());
        output.Set("Health", health.DeepClone());
        output.Set("Databases", new JsonArray([.. names.Select(name => (JsonNode?)JsonValue.Create(name))]));
        output.Set("Caller", caller.DeepClone());
        return answer.IsSuccessStatusCode ? ExitCode.Success : ExitCode.ServerFailed;
    }

    /// <summary>What is asked every few seconds gets an answer, or an end, within a few seconds.</summary>
    private static async Task<int> HealthAsync(ParseResult parsed, VerbOutput output)
    {
        using var server = new AdminClient(AdminOptions.SocketOf(parsed), HealthLimit);
        using HttpResponseMessage answer = await server.SendAsync(HttpMethod.Get, "/healthz", isFailureWanted: true);
        JsonNode health = await AdminClient.ReadAsync(answer);
        await output.Lines.WriteLineAsync($"{health["Status"]}");
        output.Set("Health", health.DeepClone());
        return answer.IsSuccessStatusCode ? ExitCode.Success : ExitCode.ServerFailed;
    }
}
