using System.CommandLine;
using System.Globalization;
using System.Text.Json.Nodes;
using Raven.CommandLine.Output;

namespace Raven.CommandLine.Admin;

/// <summary><c>raven cluster status</c>: the nodes and the groups, as the server of this machine sees them.</summary>
internal static class ClusterStatus
{
    private const int GapWidth = 2;

    /// <summary>The verb. Its exit code is 0 if every node lives and every member is in sync.</summary>
    internal static Command Create() => AdminVerb.Of(
        "status", "The nodes of the cluster, and who has which database; the exit code is 0 if all are well", [],
        StatusAsync);

    private static async Task<int> StatusAsync(ParseResult parsed, AdminClient server, VerbOutput output)
    {
        JsonNode health = await server.GetAsync("/admin/cluster/health");
        if (!health["IsClustered"]!.GetValue<bool>())
        {
            await output.Lines.WriteLineAsync("This server is in no cluster.");
            output.Set("Cluster", health.DeepClone());
            return ExitCode.ServerFailed;
        }

        List<string[]> nodes = [["NODE", "URL", "ALIVE", "WHY NOT"]];
        bool isWell = true;
        foreach (JsonNode? node in health["Nodes"]!.AsArray())
        {
            bool isAlive = node!["IsAlive"]!.GetValue<bool>();
            string hindrance = $"{node["Hindrance"]}";
            isWell &= isAlive && hindrance.Length == 0;
            nodes.Add([
                $"{node["NodeTag"]}{($"{node["NodeTag"]}" == $"{health["NodeTag"]}" ? " (here)" : "")}",
                $"{node["Url"]}", isAlive ? "yes" : "no", hindrance,
            ]);
        }

        List<string[]> groups = [["DATABASE", "EPOCH", "NODE", "ROLE", "BEHIND", "WHY NOT IN SYNC"]];
        foreach (JsonNode? group in health["Databases"]!.AsArray())
        {
            isWell &= AddGroup(groups, group!);
        }

        await WriteTableAsync(output, nodes);
        await output.Lines.WriteLineAsync();
        await WriteTableAsync(output, groups);
        output.Set("Cluster", health.DeepClone());
        return isWell ? ExitCode.Success : ExitCode.ServerFailed;
    }

    private static bool AddGroup(List<string[]> rows, JsonNode group)
    {
        string hindrance = $"{group["Hindrance"]}";
        bool isWell = hindrance.Length == 0;
        string name = $"{group["Name"]}";
        foreach (JsonNode? node in group["Nodes"]?.AsArray() ?? [])
        {
            string role = $"{node!["Role"]}";
            string why = $"{node["Why"]}";
            isWell &= role is "Primary" or "Member";
            rows.Add([
                name, $"{group["Epoch"]}", $"{node["NodeTag"]}", role, LagOf(node), why.Length > 0 ? why : hindrance,
            ]);
            name = "";
        }

        return isWell;
    }

    private static string LagOf(JsonNode node) => node["LagSizeInBytes"] is { } bytes
        ? string.Create(CultureInfo.InvariantCulture, $"{bytes.GetValue<long>():N0} bytes")
        : "";

    private static async Task WriteTableAsync(VerbOutput output, List<string[]> rows)
    {
        int[] widths = [.. Enumerable.Range(0, rows[0].Length).Select(
            column => rows.Max(row => row[column].Length) + GapWidth)];
        foreach (string[] row in rows)
        {
            await output.Lines.WriteLineAsync(
                string.Concat(row.Select((cell, column) => cell.PadRight(widths[column]))).TrimEnd());
        }
    }
}
