using System.Text.Json;
using Raven.Client.Documents.Commands;

namespace Raven.Client.Documents.Queries;

/// <summary>The answer of a query.</summary>
internal sealed class QueryAnswer
{
    internal List<JsonElement> Results { get; private init; } = [];

    internal GetDocumentsResult Included { get; } = new();

    internal QueryStatistics Statistics { get; private init; } = new();

    internal static QueryAnswer Parse(JsonElement json)
    {
        var answer = new QueryAnswer
        {
            Results = [.. json.GetProperty(nameof(Results)).EnumerateArray()],
            Statistics = new QueryStatistics
            {
                IsStale = json.TryGetProperty("IsStale", out JsonElement stale)
                    && stale.ValueKind == JsonValueKind.True,
                TotalResults = Number(json, "TotalResults"),
                SkippedResults = Number(json, "SkippedResults"),
                DurationInMs = Number(json, "DurationInMs"),
                IndexName = json.TryGetProperty("IndexName", out JsonElement name) ? name.GetString() : null,
                ResultEtag = Number(json, "ResultEtag"),
            },
        };
        answer.Included.ReadIncludes(json);
        return answer;
    }

    private static long Number(JsonElement json, string name) =>
        json.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.Number
        && value.TryGetInt64(out long number)
            ? number
            : 0;
}
