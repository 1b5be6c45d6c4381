using System.Globalization;
using System.Text.Json.Nodes;

namespace Raven.CommandLine.Admin;

/// <summary>What nodes of a cluster have said of it, as lines for people that fit on a screen.</summary>
internal sealed class ClusterReport
{
    private const int GapWidth = 2;
    private const string StoreWell = "well";
    private const string StoreUnknown = "not known";

    private readonly JsonObject _health;
    private readonly List<string> _advice = [];

    /// <summary>Puts together what the nodes have said.</summary>
    /// <param name="health">What the server that was asked says of all databases.</param>
    /// <param name="others">What other nodes say, by their tags; one that did not answer is not there.</param>
    internal ClusterReport(JsonObject health, IReadOnlyDictionary<string, JsonObject> others)
    {
        _health = health;
        foreach (JsonObject node in Items(health, "Nodes"))
        {
            string tag = $"{node["NodeTag"]}";
            node["Store"] = (tag == $"{health["NodeTag"]}" ? health : others.GetValueOrDefault(tag))?["Store"]
                ?.DeepClone();
        }

        // By name and primary: there may be thousands.
        Dictionary<(string Name, string Tag), JsonObject> led = [];
        foreach ((string tag, JsonObject said) in others)
        {
            foreach (JsonObject group in Items(said, "Databases").Where(group => $"{group["Role"]}" == "Primary"))
            {
                led[($"{group["Name"]}", tag)] = group;
            }
        }

        JsonArray databases = [];
        foreach (JsonObject own in Items(health, "Databases"))
        {
            bool isTold = led.TryGetValue(($"{own["Name"]}", $"{own["Primary"]}"), out JsonObject? told)
                && Number(told["Epoch"]) >= Number(own["Epoch"]);
            databases.Add((isTold ? told! : own).DeepClone());
        }

        health["Databases"] = databases;
    }

    /// <summary>All of it: each database as its primary tells of it, if that answered; each node with how it finds the
    /// store.</summary>
    internal JsonObject Json => (JsonObject)_health.DeepClone();

    /// <summary>Whether every node lives and finds etcd well, and every member of every database is in sync.</summary>
    internal bool IsWell { get; private set; } = true;

    /// <summary>The lines.</summary>
    /// <param name="databasesMax">Databases that are well are counted, and not listed, if there are more than that.
    /// </param>
    internal List<string> Lines(int databasesMax)
    {
        List<string[]> nodes = [["NODE", "URL", "STATE", "VERSION", "ETCD"]];
        foreach (JsonObject node in Items(_health, "Nodes"))
        {
            nodes.Add(RowOf(node));
        }

        List<JsonObject> all = [.. Items(_health, "Databases")];
        List<string[]> groups = [["DATABASE", "EPOCH", "IN SYNC", "NODE", "ROLE", "BEHIND"]];
        int hidden = 0;
        foreach (JsonObject group in all)
        {
            bool isWell = IsGroupWell(group);
            IsWell &= isWell;
            if (isWell && all.Count > databasesMax)
            {
                hidden++;
                continue;
            }

            AddRows(groups, group);
            AddAdvice($"{group["Name"]}", group, "Hindrance");
        }

        List<string> lines = [.. Table(nodes), ""];
        lines.AddRange(groups.Count > 1 ? Table(groups) : []);
        lines.AddRange(all.Count == 0 ? ["There is no database yet."]
            : hidden > 0 ? [$"{hidden} databases, of which each member is in sync, are not shown (--all)."]
            : []);
        if (_advice.Count > 0)
        {
            lines.AddRange(["", "WHAT TO DO", .. _advice]);
        }

        return lines;
    }

    private static IEnumerable<JsonObject> Items(JsonNode of, string name) =>
        (of[name]?.AsArray() ?? []).Select(item => item!.AsObject());

    private static bool IsGroupWell(JsonObject group) => $"{group["Hindrance"]}".Length == 0
        && Items(group, "Nodes").All(node => $"{node["Role"]}" is "Primary" or "Member" && IsTrue(node["IsAlive"]));

    private static void AddRows(List<string[]> rows, JsonObject group)
    {
        List<JsonObject> nodes = [.. Items(group, "Nodes")];
        int inSync = nodes.Count(node => $"{node["Role"]}" is "Primary" or "Member" && IsTrue(node["IsAlive"]));
        string[] head = [$"{group["Name"]}", $"{group["Epoch"]}", $"{inSync} of {nodes.Count}"];
        foreach (JsonObject node in nodes)
        {
            rows.Add([
                .. head, $"{node["NodeTag"]}", $"{node["Role"]}{(IsTrue(node["IsAlive"]) ? "" : ", away")}",
                LagOf(node),
            ]);
            head = ["", "", ""];
        }
    }

    private static string LagOf(JsonObject node)
    {
        if (node["LagInRecords"] is not { } records)
        {
            return $"{node["Role"]}" == "Primary" ? "" : "not known";
        }

        return Number(records) == 0
            ? "nothing"
            : string.Create(
                CultureInfo.InvariantCulture,
                $"{Number(records):N0} records, {Number(node["LagSizeInBytes"]):N0} bytes, "
                + $"{Number(node["LagInMs"]) / 1000.0:0.0} s");
    }

    private static string StoreOf(JsonNode? store)
    {
        if (store is null)
        {
            return StoreUnknown;
        }

        return IsTrue(store["IsFull"]) ? "full"
            : store["HasLeader"] is { } leader && !IsTrue(leader) ? "no leader"
            : $"{store["Problem"]}".Length > 0 ? "not reached"
            : StoreWell;
    }

    private static IEnumerable<string> Table(List<string[]> rows)
    {
        int[] widths = [.. Enumerable.Range(0, rows[0].Length).Select(
            column => rows.Max(row => row[column].Length) + GapWidth)];
        return rows.Select(row =>
            string.Concat(row.Select((cell, column) => cell.PadRight(widths[column]))).TrimEnd());
    }

    private static long Number(JsonNode? node) => node?.GetValue<long>() ?? 0;

    private static bool IsTrue(JsonNode? node) => node?.GetValue<bool>() == true;

    private string[] RowOf(JsonObject node)
    {
        string tag = $"{node["NodeTag"]}";
        bool isAlive = IsTrue(node["IsAlive"]);
        bool isHindered = $"{node["Hindrance"]}".Length > 0;
        string store = StoreOf(node["Store"]);
        IsWell &= isAlive && !isHindered && (store is StoreWell or StoreUnknown);
        AddAdvice($"node {tag}", node, "Hindrance");
        if (node["Store"] is JsonObject known)
        {
            AddAdvice($"etcd of {tag}", known, "Problem");
        }

        return
        [
            tag + (tag == $"{_health["NodeTag"]}" ? " (here)" : ""), $"{node["Url"]}",
            isHindered ? "takes no part" : isAlive ? "alive" : "away", $"{node["Version"]}",
            node["Store"]?["Version"] is { } version ? $"{version}, {store}" : store,
        ];
    }

    /// <summary>What is wrong, and what to do about it.</summary>
    private void AddAdvice(string what, JsonObject of, string problem)
    {
        string[] said = [.. ((string[])[$"{of[problem]}", $"{of["Advice"]}"]).Where(text => text.Length > 0)];
        if (said.Length > 0)
        {
            _advice.Add($"{what}: {string.Join(' ', said)}");
        }
    }
}
