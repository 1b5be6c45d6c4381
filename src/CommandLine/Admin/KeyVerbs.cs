using System.CommandLine;
using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using Raven.CommandLine.Output;
using Raven.Server.Setup;

namespace Raven.CommandLine.Admin;

/// <summary><c>raven key</c>: API keys.</summary>
internal static class KeyVerbs
{
    private const string Keys = "/admin/api-keys";

    private static readonly Argument<string> Name = new("name")
    {
        Description = "A name for people",
    };

    private static readonly Argument<string> Id = new("id")
    {
        Description = "The id of the key, as the list has it",
    };

    private static readonly Option<DateTimeOffset?> Expires = new("--expires")
    {
        Description = "When it ends, as 2030-01-31; without it the key does not end",
    };

    private static readonly Option<bool> Monitoring = new("--monitoring")
    {
        Description = "It may read the metrics",
    };

    private static readonly Option<string[]> From = new("--from")
    {
        Description = "An address or network from which alone it counts; repeatable",
        DefaultValueFactory = _ => [],
    };

    private static readonly Option<string?> File = new("--out")
    {
        Description = "A new file for the key, which its owner alone can read; it is printed without it",
    };

    private static readonly Option<int> Grace = new("--grace")
    {
        Description = "For how many seconds the key before goes on counting",
    };

    /// <summary>The verb with those below it.</summary>
    internal static Command Create() => new("key", "API keys: for tools, and where no client certificate gets through")
    {
        AdminVerb.Of("list", "List them, without their secrets", [], ListAsync),
        AdminVerb.Of(
            "new", "Make one; it is shown this once", [Name, Expires, Monitoring, From, File, Grant.Clearance,
            Grant.Permission], NewAsync),
        AdminVerb.Of("rotate", "Give one another secret", [Id, Grace, File], RotateAsync),
        AdminVerb.Of("rm", "End one", [Id], RemoveAsync),
    };

    private static async Task<int> ListAsync(ParseResult parsed, AdminClient server, VerbOutput output)
    {
        JsonNode answer = await server.GetAsync(Keys);
        JsonArray all = answer["Results"]!.AsArray();
        foreach (JsonNode? one in all)
        {
            string state = (bool?)one!["Disabled"] == true ? "disabled"
                : one["ExpiresAt"] is { } ends ? $"ends {ends}" : "does not end";
            await output.Lines.WriteLineAsync($"{one["Id"]}  {state}  {one["Name"]}: {Grant.Describe(one)}");
        }

        output.Set("Keys", all.DeepClone());
        return ExitCode.Success;
    }

    private static async Task<int> NewAsync(ParseResult parsed, AdminClient server, VerbOutput output)
    {
        bool mayMonitor = parsed.GetValue(Monitoring);
        var body = new JsonObject
        {
            ["Name"] = parsed.GetRequiredValue(Name),
            ["ExpiresAt"] = parsed.GetValue(Expires) is { } ends
                ? ends.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ssZ", CultureInfo.InvariantCulture)
                : null,
            ["Scopes"] = new JsonArray(mayMonitor ? [JsonValue.Create("monitoring")] : []),
            ["AllowedAddresses"] = new JsonArray(
                [.. (parsed.GetValue(From) ?? []).Select(one => (JsonNode?)JsonValue.Create(one))]),
        };
        if (mayMonitor && parsed.GetValue(Grant.Clearance) is null && parsed.GetValue(Grant.Permission) is [])
        {
            body["SecurityClearance"] = "ValidUser";
        }
        else
        {
            Grant.AddTo(body, parsed);
        }

        using HttpResponseMessage answer = await server.SendAsync(HttpMethod.Post, Keys, body);
        return await ShowAsync(parsed, await AdminClient.ReadAsync(answer), output);
    }

    private static async Task<int> RotateAsync(ParseResult parsed, AdminClient server, VerbOutput output)
    {
        string grace = parsed.GetValue(Grace).ToString(CultureInfo.InvariantCulture);
        using HttpResponseMessage answer = await server.SendAsync(
            HttpMethod.Post, $"{Keys}/rotate?id={Uri.EscapeDataString(parsed.GetRequiredValue(Id))}&graceSec={grace}");
        return await ShowAsync(parsed, await AdminClient.ReadAsync(answer), output);
    }

    private static async Task<int> RemoveAsync(ParseResult parsed, AdminClient server, VerbOutput output)
    {
        string id = parsed.GetRequiredValue(Id);
        using HttpResponseMessage answer = await server.SendAsync(
            HttpMethod.Delete, $"{Keys}?id={Uri.EscapeDataString(id)}");
        await output.Lines.WriteLineAsync($"{id} does not count any more.");
        return ExitCode.Success;
    }

    /// <summary>The one time that a key is seen.</summary>
    private static async Task<int> ShowAsync(ParseResult parsed, JsonNode made, VerbOutput output)
    {
        output.Set("Id", (string?)made["Id"]);
        string key = (string)made["Key"]!;
        if (parsed.GetValue(File) is { } path)
        {
            OwnerFiles.Write(Path.GetFullPath(path), Encoding.ASCII.GetBytes(key + "\n"));
            output.Set("File", path);
            await output.Lines.WriteLineAsync($"{path} has the key {made["Id"]}, '{made["Name"]}'.");
        }
        else
        {
            output.Set("Key", key);
            await output.Lines.WriteLineAsync(key);
        }

        return ExitCode.Success;
    }
}
