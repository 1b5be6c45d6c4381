using System.Globalization;
using System.Text.Json;
using Raven.CommandLine.Import.Server;

namespace Raven.CommandLine.Import.Verbs;

/// <summary>What a database has besides its documents, and an export does not.</summary>
internal static class LeftOut
{
    private static readonly (string Member, string Name)[] Counts =
    [
        ("CountOfAttachments", "attachments"),
        ("CountOfRevisionDocuments", "revisions"),
        ("CountOfCounterEntries", "documents with counters"),
        ("CountOfTimeSeriesSegments", "segments of time series"),
        ("CountOfCompareExchange", "compare-exchange values"),
        ("CountOfIdentities", "identities"),
    ];

    private static readonly (string Path, string Name)[] Configurations =
    [
        ("revisions/config", "the configuration of revisions"),
        ("expiration/config", "the configuration of expiration"),
        ("refresh/config", "the configuration of refresh"),
        ("schema-validation/config", "schemas"),
        ("unique-constraints/config", "unique constraints"),
    ];

    /// <summary>All of it in words; null if there is nothing.</summary>
    internal static async Task<string?> DescribeAsync(ServerClient server)
    {
        List<string> parts = [];
        using (JsonDocument? statistics = await server.TryGetAsync("stats/detailed"))
        {
            if (statistics is not null)
            {
                AddCounts(statistics.RootElement, parts);
            }
        }

        foreach ((string path, string name) in Configurations)
        {
            using JsonDocument? configuration = await server.TryGetAsync(path);
            if (configuration is not null)
            {
                parts.Add(name);
            }
        }

        return parts.Count == 0 ? null : string.Join(", ", parts);
    }

    private static void AddCounts(JsonElement statistics, List<string> parts)
    {
        foreach ((string member, string name) in Counts)
        {
            if (statistics.TryGetProperty(member, out JsonElement value) && value.TryGetInt64(out long count)
                && count > 0)
            {
                parts.Add(string.Create(CultureInfo.InvariantCulture, $"{count} {name}"));
            }
        }

        // Those that queries make are made again when they are asked for.
        int indexes = statistics.TryGetProperty("Indexes", out JsonElement list)
            && list.ValueKind == JsonValueKind.Array
                ? list.EnumerateArray().Count(index => index.TryGetProperty("Name", out JsonElement name)
                    && name.GetString()?.StartsWith("Auto/", StringComparison.Ordinal) == false)
                : 0;
        if (indexes > 0)
        {
            parts.Add(string.Create(CultureInfo.InvariantCulture, $"{indexes} definitions of indexes"));
        }
    }
}
