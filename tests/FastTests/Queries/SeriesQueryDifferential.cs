using System.Globalization;
using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;
using FastTests.Server;

namespace FastTests.Queries;

/// <summary>Random queries of a time series, asked of a server and of a naive evaluator.</summary>
internal static class SeriesQueryDifferential
{
    /// <summary>Makes a series of so many entries, and compares so many queries of it.</summary>
    internal static async Task CheckAsync(int seed, int entries, int queries)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        var naive = new NaiveSeries(new Random(seed));
        naive.Make(entries);
        await PrepareAsync(server, naive);
        for (int query = 0; query < queries; query++)
        {
            await CheckAsync(server, naive, $"seed {seed}, query {query}");
        }
    }

    private static async Task CheckAsync(TestServer server, NaiveSeries naive, string where)
    {
        (string text, int count, List<object?[]> rows, string[] columns) = naive.Next();
        HttpAnswer answer = await server.SendAsync(
            "POST", "~/queries", $"{{\"Query\":{JsonSerializer.Serialize(text)}}}");
        Assert.True(answer.Status == 200, $"{where}: {text}: {answer.Text}");
        JsonNode result = Assert.Single(answer.Json["Results"]!.AsArray())!;
        JsonArray actual = result["Results"]!.AsArray();
        Assert.True((int)result["Count"]! == count, $"{where}: {text}: {result["Count"]} entries, not {count}");
        Assert.True(actual.Count == rows.Count, $"{where}: {text}: {actual.Count} rows, not {rows.Count}");
        for (int i = 0; i < rows.Count; i++)
        {
            object?[] found = columns.Length == 0 ? Raw(actual[i]!) : Group(actual[i]!, columns);
            Assert.True(
                found.Length == rows[i].Length && found.Zip(rows[i]).All(pair => IsSame(pair.First, pair.Second)),
                $"{where}: {text}: row {i} is {actual[i]!.ToJsonString()}, not {string.Join(", ", rows[i])}");
        }
    }

    private static object?[] Raw(JsonNode entry) =>
        [TimeOf(entry["Timestamp"]!), (string?)entry["Tag"],
            .. entry["Values"]!.AsArray().Select(value => (object)(double)value!)];

    private static object?[] Group(JsonNode group, string[] columns) =>
        [TimeOf(group["From"]!), TimeOf(group["To"]!), (string?)group["Key"],
            .. columns.SelectMany(column => group[column]!.AsArray().Select(value => (object)(double)value!))];

    private static DateTime TimeOf(JsonNode time) => DateTime.Parse(
        (string)time!, CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal);

    private static bool IsSame(object? found, object? expected) => (found, expected) switch
    {
        (double one, double other) => Math.Abs(one - other) <= 1e-9 * Math.Max(1, Math.Abs(other)),
        _ => Equals(found, expected),
    };

    private static async Task PrepareAsync(TestServer server, NaiveSeries naive)
    {
        foreach ((string id, string json) in NaiveSeries.Documents)
        {
            await server.SendAsync("PUT", $"~/docs?id={Uri.EscapeDataString(id)}", json);
        }

        await server.PutAsync("users/1", """{"@metadata":{"@collection":"Users"}}""");
        foreach (NaiveSeries.Entry[] piece in naive.Entries.Chunk(400))
        {
            string appends = string.Join(',', piece.Select(entry => JsonSerializer.Serialize(
                new { Timestamp = entry.Time.ToString("O"), entry.Values, entry.Tag })));
            (await server.SendAsync(
                "POST", "~/timeseries?docId=users/1", $$"""{"Name":"Heart","Appends":[{{appends}}]}"""))
                .Expect(HttpStatusCode.NoContent);
        }
    }
}
