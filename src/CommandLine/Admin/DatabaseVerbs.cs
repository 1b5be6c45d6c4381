using System.CommandLine;
using System.Globalization;
using System.Text.Json.Nodes;
using Raven.CommandLine.Output;

namespace Raven.CommandLine.Admin;

/// <summary><c>raven databases</c>, <c>raven compact</c> and <c>raven stats</c>.</summary>
internal static class DatabaseVerbs
{
    private static readonly Argument<string> Name = new("database")
    {
        Description = "The name of the database",
    };

    private static readonly Argument<string?> AnyName = new("database")
    {
        Description = "The name of a database; the server if it is not given",
        Arity = ArgumentArity.ZeroOrOne,
    };

    private static readonly Option<bool> KeepsFiles = new("--keep-files")
    {
        Description = "Leave the files: a database that is created under the name later has them",
    };

    private static readonly Option<bool> Yes = new("--yes")
    {
        Description = "It is meant: without it nothing is deleted",
    };

    private static readonly Option<string[]> Index = new("--index")
    {
        Description = "An index to compact in place of the documents; repeatable",
        DefaultValueFactory = _ => [],
    };

    /// <summary>All of them.</summary>
    internal static IEnumerable<Command> Create() =>
    [
        new Command("databases", "The databases of this machine's server")
        {
            AdminVerb.Of("list", "List them, with what they hold if they are open", [], ListAsync),
            AdminVerb.Of("create", "Create one", [Name], CreateAsync),
            AdminVerb.Of("delete", "Delete one", [Name, KeepsFiles, Yes], DeleteAsync),
            AdminVerb.Of("enable", "Let one be used again", [Name], EnableAsync),
            AdminVerb.Of("disable", "Let one not be used", [Name], DisableAsync),
        },
        AdminVerb.Of(
            "compact", "Give the disk back what a database does not need any more", [Name, Index], CompactAsync),
        AdminVerb.Of("stats", "Figures of the server, or of a database", [AnyName], ShowStatsAsync),
    ];

    private static async Task<int> ListAsync(ParseResult parsed, AdminClient server, VerbOutput output)
    {
        JsonNode answer = await server.GetAsync("/admin/monitoring/v1/databases");
        JsonNode states = await server.GetAsync("/admin/debug/databases/idle");
        JsonArray all = answer["Results"]!.AsArray();
        foreach (JsonNode? one in all)
        {
            JsonNode? state = states["Databases"]!.AsArray()
                .FirstOrDefault(each => $"{each!["Name"]}" == $"{one!["DatabaseName"]}");
            string what = state?["Fault"] is { } fault ? $"does not work: {fault}"
                : (bool?)state?["IsDisabled"] == true ? "disabled"
                : (bool?)one!["IsLoaded"] == true
                    ? $"{one["Counts"]!["Documents"]} documents, {one["Indexes"]!["Count"]} indexes, "
                        + $"{one["Storage"]!["TotalAllocatedStorageFileInMb"]} MB"
                : "closed until it is used";
            await output.Lines.WriteLineAsync($"{one!["DatabaseName"]}: {what}");
        }

        output.Set("Databases", all.DeepClone());
        return ExitCode.Success;
    }

    private static async Task<int> CreateAsync(ParseResult parsed, AdminClient server, VerbOutput output)
    {
        string name = parsed.GetRequiredValue(Name);
        using HttpResponseMessage answer = await server.SendAsync(
            HttpMethod.Put, $"/admin/databases?name={Uri.EscapeDataString(name)}",
            new JsonObject { ["DatabaseName"] = name });
        await output.Lines.WriteLineAsync($"{name} is there.");
        return ExitCode.Success;
    }

    private static async Task<int> DeleteAsync(ParseResult parsed, AdminClient server, VerbOutput output)
    {
        string name = parsed.GetRequiredValue(Name);
        if (!parsed.GetValue(Yes))
        {
            throw new ArgumentException($"'{name}' would be deleted: say --yes if that is meant.");
        }

        using HttpResponseMessage answer = await server.SendAsync(HttpMethod.Delete, "/admin/databases", new JsonObject
        {
            ["DatabaseNames"] = new JsonArray(name),
            ["HardDelete"] = !parsed.GetValue(KeepsFiles),
        });
        await output.Lines.WriteLineAsync($"{name} is deleted.");
        return ExitCode.Success;
    }

    private static Task<int> EnableAsync(ParseResult parsed, AdminClient server, VerbOutput output) =>
        ToggleAsync(parsed, server, output, "enable");

    private static Task<int> DisableAsync(ParseResult parsed, AdminClient server, VerbOutput output) =>
        ToggleAsync(parsed, server, output, "disable");

    private static async Task<int> ToggleAsync(
        ParseResult parsed, AdminClient server, VerbOutput output, string what)
    {
        using HttpResponseMessage answer = await server.SendAsync(
            HttpMethod.Post, $"/admin/databases/{what}",
            new JsonObject { ["DatabaseNames"] = new JsonArray(parsed.GetRequiredValue(Name)) });
        JsonNode status = (await AdminClient.ReadAsync(answer))["Status"]![0]!;
        await output.Lines.WriteLineAsync($"{status["Reason"]}");
        return (bool?)status["Success"] == true ? ExitCode.Success : ExitCode.ServerFailed;
    }

    private static async Task<int> CompactAsync(ParseResult parsed, AdminClient server, VerbOutput output)
    {
        string[] indexes = parsed.GetValue(Index) ?? [];
        JsonNode? result = await AdminOperation.RunAsync(parsed, server, output, "/admin/compact", new JsonObject
        {
            ["DatabaseName"] = parsed.GetRequiredValue(Name),
            ["Documents"] = indexes.Length == 0,
            ["Indexes"] = new JsonArray([.. indexes.Select(one => (JsonNode?)JsonValue.Create(one))]),
        });
        if (result == null)
        {
            return ExitCode.ServerFailed;
        }

        await output.Lines.WriteLineAsync(string.Create(
            CultureInfo.InvariantCulture,
            $"{(double)result["SizeBeforeCompactionInMb"]!:0.0} MB before, "
            + $"{(double)result["SizeAfterCompactionInMb"]!:0.0} MB now"));
        return ExitCode.Success;
    }

    private static async Task<int> ShowStatsAsync(ParseResult parsed, AdminClient server, VerbOutput output)
    {
        JsonNode stats = await server.GetAsync(parsed.GetValue(AnyName) is { } name
            ? $"/databases/{Uri.EscapeDataString(name)}/stats/detailed"
            : "/admin/stats");
        await WriteAsync(output.Lines, stats.AsObject(), "");
        output.Set("Stats", stats.DeepClone());
        return ExitCode.Success;
    }

    /// <summary>Writes an object as lines, what is below it further in.</summary>
    private static async Task WriteAsync(TextWriter lines, JsonObject json, string indent)
    {
        foreach ((string name, JsonNode? value) in json)
        {
            if (value is JsonObject inner)
            {
                await lines.WriteLineAsync($"{indent}{name}:");
                await WriteAsync(lines, inner, indent + "  ");
            }
            else
            {
                string text = value is JsonArray list ? list.ToJsonString() : $"{value}";
                await lines.WriteLineAsync($"{indent}{name}: {text}");
            }
        }
    }
}
