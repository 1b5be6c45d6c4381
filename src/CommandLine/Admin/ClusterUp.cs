using System.CommandLine;
using System.ComponentModel;
using System.Globalization;
using System.Net.Http.Json;
using System.Text.Json;
using System.Text.Json.Nodes;
using Raven.Cluster.Etcd;
using Raven.CommandLine.Output;

namespace Raven.CommandLine.Admin;

/// <summary>
/// <c>raven cluster up</c>: some servers on this machine, each with its own etcd, as processes of their own below this
/// one. They end with it.
/// </summary>
internal static class ClusterUp
{
    /// <summary>The word.</summary>
    internal const string Name = "up";

    private const int PortStep = 10;
    private const int NodesMax = 9;

    /// <summary>What is added to the number of a signal that has ended a process.</summary>
    private const int SignalBase = 128;
    private const int SignalsMax = 65;

    /// <summary>How long the servers may take to end.</summary>
    internal static readonly TimeSpan StopMax = TimeSpan.FromSeconds(90);

    private static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan AnswerMax = TimeSpan.FromSeconds(2);

    private static readonly Option<int> Nodes = new("--nodes")
    {
        Description = "How many servers: 1, 3 or 5 make sense, as more than half of them decide",
        DefaultValueFactory = _ => 3,
    };

    private static readonly Option<string> Data = new("--data")
    {
        Description = "The folder of all of them; a folder for each is made in it",
        DefaultValueFactory = _ => "raven-cluster",
    };

    private static readonly Option<int> Port = new("--port")
    {
        Description = "The port of the first server; the others follow in steps of ten, and each has two more for etcd",
        DefaultValueFactory = _ => 8080,
    };

    private static readonly Option<string[]> More = new("--option")
    {
        Description = "An option for each server, as Key=Value; may be given several times",
        DefaultValueFactory = _ => [],
    };

    /// <summary>The verb.</summary>
    internal static Command Create()
    {
        var up = new Command(Name, "Run a cluster on this machine, until Ctrl+C") { Nodes, Data, Port, More };
        up.SetAction(async (parsed, stop) => await RunAsync(parsed, stop));
        return up;
    }

    private static async Task<int> RunAsync(ParseResult parsed, CancellationToken stop)
    {
        TextWriter lines = parsed.InvocationConfiguration.Output;
        int count = parsed.GetValue(Nodes);
        int port = parsed.GetValue(Port);
        if (count is < 1 or > NodesMax || port < 1 || port + (count * PortStep) > 65_535)
        {
            await parsed.InvocationConfiguration.Error.WriteLineAsync(
                $"There are 1 to {NodesMax} servers, and their ports are below 65536.");
            return ExitCode.WrongUsage;
        }

        (EtcdProgram? etcd, string? problem) = await EtcdProgram.FindAsync(
            EtcdProgram.PlacesFrom(AppContext.BaseDirectory), stop);
        if (etcd is null)
        {
            await parsed.InvocationConfiguration.Error.WriteLineAsync(problem);
            return ExitCode.ServerFailed;
        }

        string folder = Path.GetFullPath(parsed.GetRequiredValue(Data));
        List<ClusterUpNode> nodes = [];
        for (int i = 0; i < count; i++)
        {
            nodes.Add(new ClusterUpNode(
                ((char)('A' + i)).ToString(), port + (i * PortStep),
                Path.Combine(folder, ((char)('A' + i)).ToString())));
        }

        try
        {
            foreach (ClusterUpNode node in nodes)
            {
                node.Start(nodes, etcd.Path, parsed.GetValue(More) ?? []);
            }

            await WatchAsync(nodes, lines, stop);
            return nodes.Exists(node => node.HasEnded) && !stop.IsCancellationRequested
                ? ExitCode.ServerFailed
                : ExitCode.Success;
        }
        catch (Exception failed) when (failed is Win32Exception or IOException or UnauthorizedAccessException)
        {
            await parsed.InvocationConfiguration.Error.WriteLineAsync($"A server cannot be started: {failed.Message}");
            return ExitCode.ServerFailed;
        }
        finally
        {
            await Task.WhenAll(nodes.Select(node => node.StopAsync(StopMax)));
            nodes.ForEach(node => node.Dispose());
            await lines.WriteLineAsync("All have ended.");
        }
    }

    /// <summary>Prints a line for each server whenever what it does is another thing.</summary>
    private static async Task WatchAsync(List<ClusterUpNode> nodes, TextWriter lines, CancellationToken stop)
    {
        using var http = new HttpClient { Timeout = AnswerMax };
        Dictionary<ClusterUpNode, string> shown = [];
        while (!stop.IsCancellationRequested && nodes.Exists(node => !node.HasEnded))
        {
            foreach (ClusterUpNode node in nodes)
            {
                string state = node.HasEnded
                    ? $"{EndOf(node.ExitCode, node.LastLine())} Its log is {node.LogFile}."
                    : await StateOfAsync(http, node, stop);
                if (shown.GetValueOrDefault(node) != state)
                {
                    shown[node] = state;
                    await lines.WriteLineAsync(string.Create(
                        CultureInfo.InvariantCulture, $"{node.Tag}  {node.Url}  process {node.ProcessId}  {state}"));
                }
            }

            await Task.Delay(LookEvery, TimeProvider.System, stop)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    /// <summary>How a server has ended, in a sentence. One that ended by itself has said why in its last line; one that
    /// was killed has said nothing of it.</summary>
    internal static string EndOf(int exitCode, string lastLine)
    {
        int signal = exitCode - SignalBase;
        if (signal is > 0 and < SignalsMax)
        {
            string name = signal switch
            {
                2 => " (SIGINT)",
                6 => " (SIGABRT)",
                9 => " (SIGKILL)",
                11 => " (SIGSEGV)",
                15 => " (SIGTERM)",
                _ => "",
            };
            return string.Create(CultureInfo.InvariantCulture, $"was ended by signal {signal}{name}.");
        }

        string code = exitCode.ToString(CultureInfo.InvariantCulture);
        return exitCode == 0 ? "has ended in order."
            : lastLine.Length == 0 ? $"has ended with code {code}."
            : $"has ended with code {code}: {lastLine.TrimEnd('.')}.";
    }

    private static async Task<string> StateOfAsync(HttpClient http, ClusterUpNode node, CancellationToken stop)
    {
        try
        {
            JsonNode? health = await http.GetFromJsonAsync<JsonNode>(node.Url + "/admin/cluster/health", stop);
            JsonNode? own = health?["Nodes"]?.AsArray().FirstOrDefault(each => $"{each!["NodeTag"]}" == node.Tag);
            string hindrance = $"{own?["Hindrance"]}";
            return own is null ? "serves, and waits for its cluster"
                : hindrance.Length > 0 ? hindrance
                : own["IsAlive"]!.GetValue<bool>() ? "is in the cluster"
                : "serves, and is not in the cluster yet";
        }
        catch (Exception e) when (e is HttpRequestException or JsonException or OperationCanceledException
            or NotSupportedException)
        {
            return "starts";
        }
    }
}
