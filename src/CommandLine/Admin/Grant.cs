using System.CommandLine;
using System.Text.Json.Nodes;

namespace Raven.CommandLine.Admin;

/// <summary>What an identity is given on a command line: a clearance, or rights to databases.</summary>
internal static class Grant
{
    internal static readonly Option<bool> Admin = new("--admin")
    {
        Description = "It administers the whole server (ClusterAdmin)",
    };

    internal static readonly Option<string?> Clearance = new("--clearance")
    {
        Description = "ValidUser, Operator, ClusterNode or ClusterAdmin",
    };

    internal static readonly Option<string[]> Permission = new("--permission")
    {
        Description = "DATABASE=Read, DATABASE=ReadWrite or DATABASE=Admin; repeatable",
        DefaultValueFactory = _ => [],
    };

    /// <summary>The members of a request that say it. Nothing stands for more than was typed.</summary>
    /// <exception cref="FormatException">It is not said, or twice.</exception>
    internal static void AddTo(JsonObject body, ParseResult parsed)
    {
        string[] permissions = parsed.GetValue(Permission) ?? [];
        string? clearance = parsed.GetValue(Clearance);
        if (parsed.GetValue(Admin))
        {
            clearance = clearance is null or "ClusterAdmin"
                ? "ClusterAdmin"
                : throw new FormatException($"--admin is ClusterAdmin, and --clearance says {clearance}.");
        }

        body["SecurityClearance"] = clearance ?? (permissions.Length > 0
            ? "ValidUser"
            : throw new FormatException("Say what it may do: --permission DATABASE=RIGHT, --clearance or --admin."));
        var rights = new JsonObject();
        foreach (string permission in permissions)
        {
            int equals = permission.LastIndexOf('=');
            string database = equals > 0
                ? permission[..equals]
                : throw new FormatException($"--permission takes DATABASE=RIGHT, not '{permission}'.");
            if (!rights.TryAdd(database, permission[(equals + 1)..]))
            {
                throw new FormatException($"--permission names '{database}' twice.");
            }
        }

        body["Permissions"] = rights;
    }

    /// <summary>What an answer says of the rights of an identity, in one text.</summary>
    internal static string Describe(JsonNode identity)
    {
        string rights = string.Join(
            ' ', identity["Permissions"]?.AsObject().Select(one => $"{one.Key}={one.Value}") ?? []);
        return rights.Length == 0 ? $"{identity["SecurityClearance"]}" : $"{identity["SecurityClearance"]} {rights}";
    }
}
