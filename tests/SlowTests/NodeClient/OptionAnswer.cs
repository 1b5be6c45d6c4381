using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

namespace SlowTests.NodeClient;

/// <summary>What a server answered, without what differs from one time to the next.</summary>
/// <param name="Request">The method and the path.</param>
/// <param name="Status">The status.</param>
/// <param name="Body">The body as JSON with its members in order, or as it is if it is no JSON.</param>
internal sealed partial record OptionAnswer(string Request, int Status, string Body)
{
    /// <summary>Times, and numbers that a server counts over all databases. Url and Error repeat the query string.
    /// The last line is of spatial options that one client spells out and the other leaves to the server.</summary>
    private static readonly HashSet<string> Passing =
    [
        "DurationInMs", "IndexTimestamp", "LastQueryTime", "ResultEtag", "RaftCommandIndex", "TransactionIndex",
        "@last-modified", "LastModified", "Url", "Error", "Etag",
        "TimeSeriesFields", // The Node client asks for them.
        "MaxTreeLevel", "MinX", "MaxX", "MinY", "MaxY",
    ];

    /// <summary>The answer of a request to a database, whose name is written as <c>DB</c>. An index in JavaScript is
    /// put on one of two paths, by each client on another.</summary>
    internal static OptionAnswer Of(string request, int status, string body, string database) =>
        new(
            request.Replace(database, "DB", StringComparison.Ordinal)
                .Replace("/admin/indexes", "/indexes", StringComparison.Ordinal),
            status, Plain(body, database));

    /// <summary>What clients ask for by themselves is no part of a scenario; a question twice counts once.</summary>
    internal static List<OptionAnswer> Compared(IEnumerable<OptionAnswer> answers)
    {
        List<OptionAnswer> compared = [];
        foreach (OptionAnswer answer in answers)
        {
            if (!answer.Request.Contains("/topology", StringComparison.Ordinal)
                && (compared.Count == 0 || compared[^1] != answer))
            {
                compared.Add(answer);
            }
        }

        return compared;
    }

    private static string Plain(string body, string database)
    {
        if (!body.StartsWith('{'))
        {
            return body;
        }

        string text = DatabaseId().Replace(body.Replace(database, "DB", StringComparison.Ordinal), "$1-ID");
        return Ordered(JsonNode.Parse(text))!.ToJsonString();
    }

    private static JsonNode? Ordered(JsonNode? node) => node switch
    {
        JsonObject it => new JsonObject(it
            .Where(member => !Passing.Contains(member.Key))
            .OrderBy(member => member.Key, StringComparer.Ordinal)
            .Select(member => KeyValuePair.Create(member.Key, Ordered(member.Value)))),
        JsonArray it => new JsonArray([.. it.Select(Ordered)]),
        _ => node?.DeepClone(),
    };

    [GeneratedRegex("(A:[0-9]+)-[A-Za-z0-9+/]{22}")]
    private static partial Regex DatabaseId();
}
