using System.Text.Json;
using Raven.Client.Documents.Commands;

namespace Raven.Client.Documents.Queries;

/// <summary>The answer of a query.</summary>
internal sealed class QueryAnswer
{
    internal List<JsonElement> Results { get; private init; } = [];

    internal GetDocumentsResult Included { get; } = new();

    internal QueryStatistics Statistics { get; private init; } = new();

    /// <summary>Pieces of texts by field and document; not there where none were asked for.</summary>
    internal JsonElement Highlightings { get; private init; }

    internal static QueryAnswer Parse(JsonElement json)
    {
        var answer = new QueryAnswer
        {
            Results = [.. json.GetProperty(nameof(Results)).EnumerateArray()],
            Statistics = StatisticsOf(json),
            Highlightings = json.TryGetProperty(nameof(Highlightings), out JsonElement found) ? found : default,
        };
        answer.Included.ReadIncludes(json);
        return answer;
    }

    /// <summary>What the first line of a stream says.</summary>
    internal static QueryAnswer OfStream(JsonElement facts) => new() { Statistics = StatisticsOf(facts) };

    private static QueryStatistics StatisticsOf(JsonElement json) => new()
    {
        IsStale = json.TryGetProperty("IsStale", out JsonElement stale) && stale.ValueKind == JsonValueKind.True,
        TotalResults = Math.Max(Number(json, "TotalResults"), Number(json, "LongTotalResults")),
        SkippedResults = Number(json, "SkippedResults"),
        DurationInMs = Number(json, "DurationInMs"),
        IndexName = json.TryGetProperty("IndexName", out JsonElement name) ? name.GetString() : null,
        ResultEtag = Number(json, "ResultEtag"),
    };

    private static long Number(JsonElement json, string name) =>
        json.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.Number
        && value.TryGetInt64(out long number)
            ? number
            : 0;
}
