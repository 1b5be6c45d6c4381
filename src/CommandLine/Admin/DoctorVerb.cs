using System.CommandLine;
using System.Globalization;
using System.Text.Json.Nodes;
using Raven.CommandLine.Output;
using Raven.Server.Options;

namespace Raven.CommandLine.Admin;

/// <summary>
/// <c>raven doctor</c>: looks at what goes wrong most often, of the server of this machine and of its options, and says
/// what to do. It changes nothing.
/// </summary>
internal static class DoctorVerb
{
    private const int CertificateDaysMin = 14;
    private const double DiskShareMin = 0.1;

    /// <summary>The verb.</summary>
    internal static Command Create() => AdminVerb.Offline(
        "doctor", "Look for what is wrong; the exit code is 0 if nothing is", [AdminOptions.SocketPath], RunAsync);

    private static async Task<int> RunAsync(ParseResult parsed, VerbOutput output)
    {
        List<(string Check, string? Problem)> checks = [];
        ServerOptions options = AdminOptions.Read(parsed);
        checks.Add(("options", ProblemOf(options)));
        string socket = AdminOptions.SocketOf(parsed);
        if (!await AdminClient.AnswersAsync(socket))
        {
            checks.Add((
                "server",
                $"No server answers at {socket}. Start it, or give --DataDir or --socket; its log says why it ended."));
        }
        else
        {
            using var server = new AdminClient(socket);
            await AskAsync(server, checks);
        }

        foreach ((string check, string? problem) in checks)
        {
            await output.Lines.WriteLineAsync(problem == null ? $"ok    {check}" : $"WRONG {check}: {problem}");
        }

        output.Set("Checks", new JsonArray([.. checks.Select(one => (JsonNode?)new JsonObject
        {
            ["Name"] = one.Check,
            ["Problem"] = one.Problem,
        })]));
        return checks.Any(one => one.Problem != null) ? ExitCode.ServerFailed : ExitCode.Success;
    }

    private static string? ProblemOf(ServerOptions options)
    {
        try
        {
            options.Check();
            return options.Warnings.Count == 0 ? null : string.Join(" ", options.Warnings);
        }
        catch (ServerOptionException e)
        {
            return e.Message;
        }
    }

    private static async Task AskAsync(AdminClient server, List<(string Check, string? Problem)> checks)
    {
        using HttpResponseMessage answer = await server.SendAsync(HttpMethod.Get, "/healthz", isFailureWanted: true);
        JsonNode health = await AdminClient.ReadAsync(answer);
        string faults = string.Join(
            "; ", (health["Faults"]?.AsObject() ?? []).Select(one => $"{one.Key}: {one.Value}"));
        checks.Add(("server", answer.IsSuccessStatusCode ? null : $"{health["Status"]}. {faults}".Trim()));
        double free = (double)health["Disk"]!["FreeBytes"]!;
        double size = (double)health["Disk"]!["TotalBytes"]!;
        checks.Add((
            "disk",
            free < size * DiskShareMin
                ? string.Create(CultureInfo.InvariantCulture, $"{free / 1e9:0.0} of {size / 1e9:0.0} GB are free.")
                : null));
        if (health["Certificate"] is { } certificate)
        {
            int days = (int)certificate["DaysLeft"]!;
            checks.Add((
                "certificate",
                (bool?)certificate["IsReloadFailing"] == true ? "The new one cannot be used; the log says why."
                : days < CertificateDaysMin ? $"It lasts {days} more days."
                : null));
        }

        JsonNode memory = await server.GetAsync("/admin/debug/memory/stats");
        checks.Add((
            "memory",
            (bool?)memory["IsRefusingRequests"] == true
                ? "The server refuses requests: Limits.MemoryBytesMax, or the memory of the machine, is used up."
                : null));
        await AskDatabasesAsync(server, checks);
    }

    private static async Task AskDatabasesAsync(AdminClient server, List<(string Check, string? Problem)> checks)
    {
        JsonNode alerts = await server.GetAsync("/server/notifications");
        checks.Add(("alerts", Join(alerts)));
        JsonNode databases = await server.GetAsync("/admin/debug/databases/idle");
        foreach (JsonNode? one in databases["Databases"]!.AsArray())
        {
            // A closed or disabled one is not opened for it.
            if ((bool?)one!["IsLoaded"] == true && (bool?)one["IsDisabled"] == false && one["Fault"] is null)
            {
                JsonNode found = await server.GetAsync(
                    $"/databases/{Uri.EscapeDataString($"{one["Name"]}")}/notifications");
                checks.Add(($"database {one["Name"]}", Join(found)));
            }
            else
            {
                checks.Add(($"database {one["Name"]}", one["Fault"] is { } fault ? $"{fault}" : null));
            }
        }
    }

    private static string? Join(JsonNode alerts)
    {
        string text = string.Join(
            " ", alerts["Results"]!.AsArray().Select(one =>
                $"{one!["Title"]}{(one["Source"] is { } source && $"{source}".Length > 0 ? $" ({source})" : "")}: "
                + $"{one["Message"]}"));
        return text.Length == 0 ? null : text;
    }
}
