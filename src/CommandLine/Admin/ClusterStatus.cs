using System.CommandLine;
using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;
using Raven.CommandLine.Import;
using Raven.CommandLine.Import.Server;
using Raven.CommandLine.Output;

namespace Raven.CommandLine.Admin;

/// <summary><c>raven cluster status</c>: the nodes and the groups, as the nodes of a cluster see them.</summary>
internal static class ClusterStatus
{
    private const string HealthPath = "/admin/cluster/health";
    private const int PageSize = 1024;
    private const int DatabasesMax = 12;

    private static readonly TimeSpan AnswerMax = TimeSpan.FromSeconds(30);

    private static readonly Option<string?> Url = new("--url")
    {
        Description = "Where a server of the cluster is; if not given, this machine's server by its local socket",
    };

    private static readonly Option<bool> All = new("--all")
    {
        Description = "List all databases, also those that are well, however many there are",
    };

    /// <summary>The verb. Its exit code is 0 if every node lives and every member is in sync.</summary>
    internal static Command Create()
    {
        Command verb = AdminVerb.Offline(
            "status", "The nodes of the cluster, who has which database, and what to do about what is wrong; the exit "
            + "code is 0 if all are well", [Url, All, AdminOptions.SocketPath], StatusAsync);
        CallerOptions.AddTo(verb);
        return verb;
    }

    private static async Task<int> StatusAsync(ParseResult parsed, VerbOutput output)
    {
        if (parsed.GetValue(Url) is not { } text)
        {
            using var server = new AdminClient(AdminOptions.SocketOf(parsed));
            return await ReportAsync(server.GetAsync, parsed.GetValue(All), output);
        }

        if (!Uri.TryCreate(text, UriKind.Absolute, out Uri? url) || url.Scheme is not ("http" or "https"))
        {
            throw new FormatException($"'{text}' is not the url of a server.");
        }

        using HttpClient http = CallerOptions.Read(parsed).Connect(url);
        http.Timeout = AnswerMax;
        try
        {
            return await ReportAsync(path => GetAsync(http, path), parsed.GetValue(All), output);
        }
        catch (HttpRequestException unreachable)
        {
            throw new ServerException(
                HttpStatusCode.ServiceUnavailable, "",
                $"No server answers at {url}: {(unreachable.InnerException ?? unreachable).Message}");
        }
    }

    /// <summary>Asks a server, and by way of it the other nodes, and prints what they say.</summary>
    internal static async Task<int> ReportAsync(
        Func<string, Task<JsonNode>> ask, bool isWhole, VerbOutput output)
    {
        JsonObject health = await ReadAsync(ask, "");
        if (!health["IsClustered"]!.GetValue<bool>())
        {
            await output.Lines.WriteLineAsync(
                "This server is in no cluster: its databases are on this machine alone (docs/cluster.md).");
            output.Set("Cluster", health);
            return ExitCode.ServerFailed;
        }

        Dictionary<string, JsonObject> others = [];
        foreach (JsonNode? node in health["Nodes"]!.AsArray())
        {
            string tag = $"{node!["NodeTag"]}";
            if (tag != $"{health["NodeTag"]}" && node["IsAlive"]!.GetValue<bool>())
            {
                try
                {
                    others[tag] = await ReadAsync(ask, "&node=" + tag);
                }
                catch (Exception silent) when (silent is ServerException or HttpRequestException or JsonException
                    or OperationCanceledException)
                {
                    // The report says that it is not known how far the others are.
                }
            }
        }

        var report = new ClusterReport(health, others);
        foreach (string line in report.Lines(isWhole ? int.MaxValue : DatabasesMax))
        {
            await output.Lines.WriteLineAsync(line);
        }

        output.Set("Cluster", report.Json);
        return report.IsWell ? ExitCode.Success : ExitCode.ServerFailed;
    }

    /// <summary>All databases, page by page.</summary>
    private static async Task<JsonObject> ReadAsync(Func<string, Task<JsonNode>> ask, string which)
    {
        JsonObject all = (await ask($"{HealthPath}?pageSize={PageSize}{which}")).AsObject();
        JsonArray databases = all["Databases"]!.AsArray();
        for (int count = databases.Count; count == PageSize;)
        {
            JsonArray more = (await ask($"{HealthPath}?pageSize={PageSize}&start={databases.Count}{which}"))
                ["Databases"]!.AsArray();
            count = more.Count;
            foreach (JsonNode? database in more)
            {
                databases.Add(database!.DeepClone());
            }
        }

        return all;
    }

    private static async Task<JsonNode> GetAsync(HttpClient http, string path)
    {
        using HttpResponseMessage answer = await http.GetAsync(new Uri(path, UriKind.Relative));
        return answer.IsSuccessStatusCode
            ? await AdminClient.ReadAsync(answer)
            : throw await ServerException.FromAsync(answer);
    }
}
