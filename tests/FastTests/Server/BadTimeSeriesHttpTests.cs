using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>
/// Time series at their limits, and beyond: names, numbers, times and counts that are refused with their place and
/// change nothing, and those that are just right.
/// </summary>
public sealed class BadTimeSeriesHttpTests
{
    private const string First = "0001-01-01T00:00:00.0000000Z";
    private const string Last = "9999-12-31T23:59:59.9990000Z";

    [Theory]
    [InlineData("a\u001eb", "Name")]
    [InlineData("a\u0000b", "Name")]
    [InlineData("\u001f", "Name")]
    [InlineData("a@b", "has an @")]
    [InlineData("@", "has an @")]
    [InlineData("INC:@", "has an @")]
    [InlineData("", "Name")]
    [InlineData("<513>", "Name")]
    public async Task A_name_that_cannot_be_is_refused_on_every_way_in(string name, string says)
    {
        using TestServer server = await WithDocumentAsync();
        string text = JsonSerializer.Serialize(name.Replace("<513>", new string('n', 513), StringComparison.Ordinal));
        string kind = name.StartsWith("INC:", StringComparison.Ordinal) ? "Increments" : "Appends";
        string change = $$"""{"Name":{{text}},"{{kind}}":[{"Timestamp":"2026-01-01","Values":[1]}]}""";
        (await server.SendAsync("POST", "~/timeseries?docId=a", change)).ExpectError(400, says);
        (await BatchAsync(server, Put("b"), Change("a", change))).ExpectError(400, says);
        if (name.Length > 0)
        {
            // Without a name a copy has that of its source.
            (await BatchAsync(server, Put("b"), Copy("x", text, ""))).ExpectError(400, "");
        }

        (await server.SendAsync("POST", "~/bulk_insert", $$"""
            [{"Id":"a","Type":"TimeSeriesBulkInsert","TimeSeries":{"Name":{{text}},"TimeFormat":"UnixTimeInMs",
              "Appends":[[1,1,1]]} }]
            """)).ExpectError(400, "");
        (await PatchAsync(server, $"timeseries(this, {text}).append('2026-01-01', [1])")).ExpectError(400, "");
        await AssertUntouchedAsync(server);
    }

    [Theory]
    [InlineData("NaN")]
    [InlineData("Infinity")]
    [InlineData("-Infinity")]
    [InlineData("1e309")]
    [InlineData("-1e309")]
    [InlineData("\"NaN\"")]
    [InlineData("\"1\"")]
    [InlineData("true")]
    [InlineData("[1]")]
    public async Task A_value_that_is_no_finite_number_is_refused_on_every_way_in(string value)
    {
        using TestServer server = await WithDocumentAsync();
        string appends = $$"""{"Name":"x","Appends":[{"Timestamp":"2026-01-01","Values":[1,{{value}}]}]}""";
        (await server.SendAsync("POST", "~/timeseries?docId=a", appends)).ExpectError(400, "");
        (await BatchAsync(server, Put("b"), Change("a", appends))).ExpectError(400, "");
        (await BatchAsync(server, Put("b"), Change("a", $$"""
            {"Name":"INC:x","Increments":[{"Timestamp":"2026-01-01","Values":[{{value}}]}]}
            """))).ExpectError(400, "");
        (await server.SendAsync("POST", "~/bulk_insert", $$"""
            [{"Id":"a","Type":"TimeSeriesBulkInsert","TimeSeries":{"Name":"x","TimeFormat":"UnixTimeInMs",
              "Appends":[[1,2,1,{{value}}]]} }]
            """)).ExpectError(400, "");
        (await PatchAsync(server, $"timeseries(this, 'x').append('2026-01-01', [{value}])")).ExpectError(400, "");
        (await PatchAsync(server, $"timeseries(this, 'INC:x').increment('2026-01-01', [{value}])"))
            .ExpectError(400, "");
        await AssertUntouchedAsync(server);
    }

    [Fact]
    public async Task Increments_that_add_up_to_more_than_a_double_holds_are_refused_and_nothing_of_their_batch_stays()
    {
        using TestServer server = await WithDocumentAsync();
        string large = Increment(1, "1e308");
        const string Says = "'INC:n' of document 'a': the values at 2026-01-01T00:00:01.0000000Z would add up to more";
        await PostAsync(server, $$"""{"Name":"INC:n","Increments":[{{large}},{{Increment(2, "-1e308")}}]}""");
        (await server.SendAsync("POST", "~/timeseries?docId=a", $$"""
            {"Name":"INC:n","Increments":[{{Increment(3, "7")}},{{large}}]}
            """)).ExpectError(400, Says);
        (await server.SendAsync("POST", "~/timeseries?docId=a", $$"""
            {"Name":"INC:n","Increments":[{{Increment(0, "7")}},{{Increment(1, "-1e308")}},{{large}}]}
            """)).Expect(HttpStatusCode.NoContent);
        (await BatchAsync(
            server, Put("b"), Change("a", """{"Name":"y","Appends":[{"Timestamp":"2026-01-01","Values":[1]}]}"""),
            Change("a", $$"""{"Name":"INC:n","Increments":[{{large}}]}"""))).ExpectError(400, Says);
        (await PatchAsync(server, "timeseries(this, 'INC:n').increment('2026-01-01T00:00:01Z', 1e308); this.X = 1;"))
            .ExpectError(400, Says);
        (await server.SendAsync("POST", "~/timeseries?docId=a", $$"""
            {"Name":"INC:new","Increments":[{{large}},{{large}}]}
            """)).ExpectError(400, "'INC:new'");
        Assert.Equal(404, (await server.SendAsync("GET", "~/docs?id=b")).Status);
        JsonNode document = (await server.SendAsync("GET", "~/docs?id=a")).Json["Results"]![0]!;
        Assert.Null(document["X"]);
        Assert.Equal("""["INC:n"]""", document["@metadata"]!["@timeseries"]!.ToJsonString());
        JsonNode all = (await server.SendAsync("GET", "~/timeseries?docId=a&name=INC:n")).Json;
        Assert.Equal(
            [7, 1e308, -1e308], all["Entries"]!.AsArray().Select(entry => (double)entry!["Values"]![0]!));
    }

    [Theory]
    [InlineData("0000-12-31T23:59:59Z")]
    [InlineData("9999-12-31T23:59:59-00:01")]
    [InlineData("10000-01-01T00:00:00Z")]
    [InlineData("-0001-01-01T00:00:00Z")]
    [InlineData("2026-02-29T00:00:00Z")]
    [InlineData("2026-01-01T24:00:01Z")]
    [InlineData("1767225600000")]
    public async Task A_time_that_is_none_is_refused(string time)
    {
        using TestServer server = await WithDocumentAsync();
        (await server.SendAsync("POST", "~/timeseries?docId=a", $$"""
            {"Name":"x","Appends":[{"Timestamp":"2026-01-01","Values":[1]},{"Timestamp":"{{time}}","Values":[1]}]}
            """)).ExpectError(400, "Appends[1].Timestamp");
        (await server.SendAsync("POST", "~/timeseries?docId=a", $$"""{"Name":"x","Deletes":[{"From":"{{time}}"}]}"""))
            .ExpectError(400, "Deletes[0].From");
        (await server.SendAsync("GET", $"~/timeseries?docId=a&name=x&to={Uri.EscapeDataString(time)}"))
            .ExpectError(400, "to must be a time");
        await AssertUntouchedAsync(server);
    }

    [Theory]
    [InlineData("~/timeseries?docId=a&name=x&from=2026-02-01&to=2026-01-01")]
    [InlineData("~/timeseries/ranges?docId=a&name=x&from=2026-02-01&to=2026-01-01")]
    [InlineData("~/streams/timeseries?docId=a&name=x&from=2026-02-01&to=2026-01-01")]
    [InlineData("~/docs?id=a&timeseries=x&from=2026-02-01&to=2026-01-01")]
    public async Task A_range_that_ends_before_it_begins_is_refused(string path)
    {
        using TestServer server = await WithDocumentAsync();
        await PostAsync(server, """{"Name":"x","Appends":[{"Timestamp":"2026-01-15","Values":[1]}]}""");
        (await server.SendAsync("GET", path)).ExpectError(400, "ends before it begins");
    }

    [Fact]
    public async Task A_change_of_a_range_that_ends_before_it_begins_changes_nothing()
    {
        using TestServer server = await WithDocumentAsync();
        await PostAsync(server, """{"Name":"x","Appends":[{"Timestamp":"2026-01-15","Values":[1]}]}""");
        const string Range = """ ,"From":"2026-02-01","To":"2026-01-01" """;
        (await BatchAsync(server, Put("b"), Copy("x", "\"y\"", Range))).ExpectError(400, "ends before it begins");
        (await server.SendAsync("POST", "~/queries", """
            {"Query":"from @all_docs include timeseries('x', '2026-02-01', '2026-01-01')"}
            """)).ExpectError(400, "ends before it begins");
        (await PatchAsync(server, "timeseries(this, 'x').delete('2026-02-01', '2026-01-01')"))
            .ExpectError(400, "ends before it begins");
        await AssertTimesAsync(server, "", "2026-01-15T00:00:00.0000000Z");
        Assert.Equal(404, (await server.SendAsync("GET", "~/docs?id=b")).Status);
    }

    [Fact]
    public async Task Entries_at_both_ends_of_time_are_kept_found_grouped_and_deleted()
    {
        using TestServer server = await WithDocumentAsync();
        await PostAsync(server, """
            {"Name":"x","Appends":[{"Timestamp":"9999-12-31T23:59:59.9999999Z","Values":[3]},
             {"Timestamp":"0001-01-01T00:00:00","Values":[1]},{"Timestamp":"2026-01-01","Values":[2]}]}
            """);
        await AssertTimesAsync(server, "", First, "2026-01-01T00:00:00.0000000Z", Last);
        (await PatchAsync(server, $"""
            const s = timeseries(this, 'x'); const all = s.get('{First}', '{Last}');
            s.append(all[0].Timestamp, all[0].Values); s.append(new Date('{Last}'), 3); this.N = all.length;
            """)).Expect(HttpStatusCode.OK);
        await AssertTimesAsync(server, "", First, "2026-01-01T00:00:00.0000000Z", Last);
        await AssertTimesAsync(server, $"&from={Last}", Last);
        await AssertTimesAsync(server, $"&to={First}", First);
        await AssertTimesAsync(server, $"&from={First}&to={Last}&start=1&pageSize=1", "2026-01-01T00:00:00.0000000Z");
        foreach (string period in new[] { "1 ms", "'7 weeks'", "1 month", "9 years", "9999 years", "3000000 d" })
        {
            JsonArray groups = await GroupsAsync(server, $"group by {period} select sum()");
            Assert.Equal(6, groups.Sum(group => (double)group!["Sum"]![0]!));
            Assert.Equal(Last[..10], ((string)groups[^1]!["To"]!)[..10]);
        }

        Assert.Equal((double[])[1], await SumsAsync(server, "first 2000 years group by 1 y select sum()"));
        Assert.Equal((double[])[2, 3], await SumsAsync(server, "last 9998 years group by 1 y select sum()"));
        Assert.Equal(3, (await GroupsAsync(server, "last 9999 years offset '10000000.00:00'")).Count);
        Assert.Equal(3, (await GroupsAsync(server, "first 9999 years offset '-10000000.00:00'")).Count);
        await PostAsync(
            server, $$"""{"Name":"x","Deletes":[{"From":"{{Last}}","To":"{{Last}}"},{"To":"{{First}}"}]}""");
        await AssertTimesAsync(server, "", "2026-01-01T00:00:00.0000000Z");
    }

    [Fact]
    public async Task Of_two_entries_at_one_time_the_later_one_stays_and_increments_are_added_up()
    {
        using TestServer server = await WithDocumentAsync();
        await PostAsync(server, """
            {"Name":"x","Appends":[{"Timestamp":"2026-01-01T00:00:01.0001Z","Values":[1,2],"Tag":"t"},
             {"Timestamp":"2026-01-01T00:00:00Z","Values":[9]},{"Timestamp":"2026-01-01T00:00:01.0009Z","Values":[3]}]}
            """);
        JsonArray entries = (await server.SendAsync("GET", "~/timeseries?docId=a&name=x")).Json["Entries"]!.AsArray();
        Assert.Equal(2, entries.Count);
        Assert.Equal("[3]", entries[1]!["Values"]!.ToJsonString());
        Assert.Null(entries[1]!["Tag"]);
        (await BatchAsync(
            server, Change("a", $$"""{"Name":"INC:n","Increments":[{{Increment(1, "1")}},{{Increment(1, "2,5")}}]}"""),
            Change("a", $$"""{"Name":"INC:n","Increments":[{{Increment(1, "4")}}]}"""))).Expect(HttpStatusCode.Created);
        entries = (await server.SendAsync("GET", "~/timeseries?docId=a&name=INC:n")).Json["Entries"]!.AsArray();
        Assert.Equal("[7,5]", Assert.Single(entries)!["Values"]!.ToJsonString());
    }

    [Fact]
    public async Task Entries_of_one_series_may_have_any_number_of_values()
    {
        using TestServer server = await WithDocumentAsync();
        int[] counts = [3, 1, 32, 2, 1];
        string appends = string.Join(',', counts.Select((count, i) =>
        {
            string values = string.Join(',', Enumerable.Repeat(i, count));
            return $$"""{"Timestamp":"2026-01-01T00:00:0{{i}}Z","Values":[{{values}}]}""";
        }));
        await PostAsync(server, $$"""{"Name":"x","Appends":[{{appends}}]}""");
        JsonArray entries = (await server.SendAsync("GET", "~/timeseries?docId=a&name=x")).Json["Entries"]!.AsArray();
        Assert.Equal(counts, entries.Select(entry => entry!["Values"]!.AsArray().Count));
        JsonNode group = Assert.Single(await GroupsAsync(
            server, "group by 1 h select count(), first(), last(), slope()"))!;
        Assert.Equal("[5,3,2,", group["Count"]!.ToJsonString()[..7]);
        Assert.Equal("[0,0,0,2", group["First"]!.ToJsonString()[..8]);
        Assert.Equal("[4,3,2,2", group["Last"]!.ToJsonString()[..8]);
        Assert.Equal("[0.001,0.001,0.001,0", group["Slope"]!.ToJsonString()[..20]);
    }

    [Theory]
    [InlineData("percentile(-1)", null)]
    [InlineData("percentile(100.1)", null)]
    [InlineData("percentile($p)", "-0.001")]
    [InlineData("percentile($p)", "1e300")]
    [InlineData("percentile($p)", "\"50\"")]
    [InlineData("percentile($p)", "null")]
    [InlineData("percentile($p)", "[50]")]
    public async Task A_percentile_outside_of_0_to_100_is_refused_with_its_place(string call, string? value)
    {
        using TestServer server = await WithDocumentAsync();
        await PostAsync(server, """{"Name":"x","Appends":[{"Timestamp":"2026-01-01","Values":[1]}]}""");
        HttpAnswer answer = await server.SendAsync("POST", "~/queries", $$"""
            {"Query":"from @all_docs as d select timeseries(from d.x select {{call}})",
             "QueryParameters":{"p":{{value ?? "0"}} } }
            """);
        answer.ExpectError(400, "percent");
        answer.ExpectError(400, "line 1, column ");
    }

    private static async Task<TestServer> WithDocumentAsync()
    {
        TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        return server;
    }

    private static async Task AssertUntouchedAsync(TestServer server)
    {
        JsonNode document = (await server.SendAsync("GET", "~/docs?id=a")).Json["Results"]![0]!;
        Assert.Null(document["@metadata"]!["@timeseries"]);
        Assert.Empty((await server.SendAsync("GET", "~/timeseries/stats?docId=a")).Json["TimeSeries"]!.AsArray());
        Assert.Equal(404, (await server.SendAsync("GET", "~/docs?id=b")).Status);
    }

    private static async Task AssertTimesAsync(TestServer server, string range, params string[] times)
    {
        JsonNode answer = (await server.SendAsync("GET", "~/timeseries?docId=a&name=x" + range)).Json;
        Assert.Equal(times, answer["Entries"]!.AsArray().Select(entry => (string)entry!["Timestamp"]!));
    }

    private static async Task<JsonArray> GroupsAsync(TestServer server, string rest)
    {
        HttpAnswer answer = await server.SendAsync(
            "POST", "~/queries",
            JsonSerializer.Serialize(new { Query = $"from @all_docs as d select timeseries(from d.x {rest})" }));
        Assert.True(answer.Status == 200, answer.Text);
        return answer.Json["Results"]![0]!["Results"]!.AsArray();
    }

    private static async Task<double[]> SumsAsync(TestServer server, string rest) =>
        [.. (await GroupsAsync(server, rest)).Select(group => (double)group!["Sum"]![0]!)];

    private static string Increment(int second, string values) =>
        $$"""{"Timestamp":"2026-01-01T00:00:0{{second}}Z","Values":[{{values}}]}""";

    private static string Put(string id) => $$"""{"Id":"{{id}}","Type":"PUT","Document":{} }""";

    private static string Copy(string name, string destination, string more) => $$"""
        {"Id":"a","Type":"TimeSeriesCopy","Name":"{{name}}","DestinationId":"a",
         "DestinationName":{{destination}}{{more}} }
        """;

    private static string Change(string id, string change) =>
        $$"""{"Id":"{{id}}","Type":"TimeSeries","TimeSeries":{{change}} }""";

    private static Task<HttpAnswer> BatchAsync(TestServer server, params string[] commands) =>
        server.SendAsync("POST", "~/bulk_docs", $$"""{"Commands":[{{string.Join(',', commands)}}]}""");

    private static async Task PostAsync(TestServer server, string body) =>
        (await server.SendAsync("POST", "~/timeseries?docId=a", body)).Expect(HttpStatusCode.NoContent);

    private static Task<HttpAnswer> PatchAsync(TestServer server, string script) => server.SendAsync(
        "PATCH", "~/docs?id=a",
        new JsonObject { ["Patch"] = new JsonObject { ["Script"] = script } }.ToJsonString());
}
