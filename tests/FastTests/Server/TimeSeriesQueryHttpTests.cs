using System.Net;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Queries over time series, with the answers that clients read.</summary>
public sealed class TimeSeriesQueryHttpTests
{
    private const string Two = "2026-01-01T02:00:00.0000000Z";

    [Fact]
    public async Task Entries_are_the_row_itself_if_nothing_else_is_selected()
    {
        using TestServer server = await WithSeriesAsync();
        JsonNode row = Assert.Single(await RowsAsync(
            server, "from Users as u where id() = 'users/1' select timeseries(from u.Heart where Value > 60)"))!;
        Assert.Equal(2, (int)row["Count"]!);
        Assert.Equal(
            $$"""{"Timestamp":"{{Two}}","Tag":"watches/2","Values":[70,7],"IsRollup":false}""",
            row["Results"]![0]!.ToJsonString());
        Assert.True((bool)row["@metadata"]!["@projection"]!);
        Assert.Equal("users/1", (string?)row["@metadata"]!["@id"]);
    }

    [Fact]
    public async Task Groups_have_all_that_needs_no_argument_unless_the_query_says_what()
    {
        using TestServer server = await WithSeriesAsync();
        JsonNode row = Assert.Single(await RowsAsync(
            server, "from Users as u where id() = 'users/1' select timeseries(from u.Heart group by '2 hours') as H"))!;
        Assert.Equal(
            "{\"From\":\"2026-01-01T00:00:00.0000000Z\",\"To\":\"" + Two
            + "\",\"Count\":[2],\"First\":[50],\"Last\":[60],"
            + "\"Min\":[50],\"Max\":[60],\"Sum\":[110],\"Average\":[55]}",
            row["H"]!["Results"]![0]!.ToJsonString());
        Assert.Equal(
            "{\"From\":\"" + Two + "\",\"To\":\"2026-01-01T04:00:00.0000000Z\",\"Count\":[2,1],"
            + "\"First\":[70,7],\"Last\":[90,7],"
            + "\"Min\":[70,7],\"Max\":[90,7],\"Sum\":[160,7],\"Average\":[80,7]}",
            row["H"]!["Results"]![1]!.ToJsonString());
        Assert.Equal(4, (int)row["H"]!["Count"]!);
    }

    [Fact]
    public async Task Keys_scale_offset_and_statistics_are_applied()
    {
        using TestServer server = await WithSeriesAsync();
        JsonNode row = Assert.Single(await RowsAsync(server, """
            declare timeseries f(x, first) {
                from x.Heart between first and '2026-01-02' load Tag as w where w.Kind != null
                group by 1 day, w.Kind select count(), stddev(), slope(), percentile(50) scale 10 offset '01:00'
            }
            from Users as u where id() = 'users/1' select f(u, '2026-01-01') as H, u.Name
            """))!;
        JsonNode group = row["H"]!["Results"]![0]!;
        Assert.Equal("Ada", (string?)row["Name"]);
        Assert.Equal("2026-01-01T01:00:00.0000000Z", (string?)group["From"]);
        Assert.Equal("sport", (string?)group["Key"]);
        Assert.Equal("[2]", group["Count"]!.ToJsonString());
        Assert.Equal(200, (double)group["Standard Deviation"]![0]!);
        Assert.Equal(700, (double)group["Percentile"]![0]!);
        Assert.Equal(10 * 40.0 / 12_600_000, (double)group["Slope"]![0]!, 1e-15);
        Assert.Equal("old", (string?)row["H"]!["Results"]![1]!["Key"]);
    }

    [Fact]
    public async Task Frames_without_entries_are_filled_if_that_is_asked()
    {
        using TestServer server = await WithSeriesAsync();
        string query = "from Users as u where id() = 'users/2' select timeseries("
            + "from u.Heart group by 1 hour with interpolation(@) select max())";
        Assert.Equal((double[])[10, 20, 30, 40], await MaximaAsync(server, query, "linear"));
        Assert.Equal((double[])[10, 10, 40, 40], await MaximaAsync(server, query, "nearest"));
        Assert.Equal((double[])[10, 10, 10, 40], await MaximaAsync(server, query, "last"));
        Assert.Equal((double[])[10, 40, 40, 40], await MaximaAsync(server, query, "next"));
    }

    [Fact]
    public async Task Scripts_call_a_declared_series_and_go_on_with_it()
    {
        using TestServer server = await WithSeriesAsync();
        const string Declared = "declare timeseries f(x) { from x.Heart } declare function g(x) { const r = f(x); "
            + "return { N: r.Count, Last: r.Results[r.Results.length - 1].Values[0] }; } ";
        JsonNode row = Assert.Single(await RowsAsync(
            server, Declared + "from Users as u where id() = 'users/1' select g(u)"))!;
        Assert.Equal((4, 90), ((int)row["N"]!, (int)row["Last"]!));
        row = Assert.Single(await RowsAsync(
            server, Declared + "from Users as u where id() = 'users/1' select { A: f(u).Results[0].Tag, B: g(u) }"))!;
        Assert.Equal("watches/1", (string?)row["A"]);
        Assert.Equal(90, (int)row["B"]!["Last"]!);
    }

    [Fact]
    public async Task Named_values_stand_for_their_columns()
    {
        using TestServer server = await WithSeriesAsync();
        (await server.SendAsync("POST", "~/timeseries/names/config", """
            {"Collection":"Users","TimeSeries":"Heart","ValueNames":["Rate","Effort"]}
            """)).Expect(HttpStatusCode.OK);
        JsonNode row = Assert.Single(await RowsAsync(
            server, "from Users as u where id() = 'users/1' "
            + "select timeseries(from Heart where effort = 7 or Rate < 55)"))!;
        Assert.Equal(2, (int)row["Count"]!);
    }

    [Fact]
    public async Task A_document_without_the_series_has_an_empty_result_and_names_are_told_on_demand()
    {
        using TestServer server = await WithSeriesAsync();
        HttpAnswer answer = await server.SendAsync(
            "POST", "~/queries?addTimeSeriesNames=true",
            Body("from Users as u select timeseries(from u.Other) as A, timeseries(from u.Heart last 1 h) as B"));
        Assert.Equal("""["A","B"]""", answer.Json["TimeSeriesFields"]!.ToJsonString());
        JsonArray rows = answer.Json["Results"]!.AsArray();
        Assert.Equal(3, rows.Count);
        Assert.All(rows, row => Assert.Equal("""{"Results":[],"Count":0}""", row!["A"]!.ToJsonString()));
        Assert.Equal([1, 1, 0], rows.Select(row => (int)row!["B"]!["Count"]!).OrderDescending());
    }

    [Fact]
    public async Task A_stream_has_the_same_rows()
    {
        using TestServer server = await WithSeriesAsync();
        const string Query = "from Users as u select timeseries(from u.Heart group by 1 h select avg()) as H";
        JsonArray rows = await RowsAsync(server, Query);
        JsonNode stream = (await server.SendAsync("POST", "~/streams/queries", Body(Query))).Json;
        Assert.Equal(rows.ToJsonString(), stream["Results"]!.ToJsonString());
    }

    [Fact]
    public async Task Series_are_sent_along_with_results()
    {
        using TestServer server = await WithSeriesAsync();
        HttpAnswer answer = await server.SendAsync("POST", "~/queries", Body("""
            from Users as u where id() = 'users/1'
            include timeseries('Heart', last(1)), timeseries(u.Friend, 'Heart', '2026-01-01T03:00:00Z', null)
            """));
        JsonNode includes = answer.Json["TimeSeriesIncludes"]!;
        JsonNode own = Assert.Single(includes["users/1"]!["Heart"]!.AsArray())!;
        Assert.Equal("[90]", Assert.Single(own["Entries"]!.AsArray())!["Values"]!.ToJsonString());
        JsonNode friend = Assert.Single(includes["users/2"]!["Heart"]!.AsArray())!;
        Assert.Equal("2026-01-01T03:00:00.0000000Z", (string?)friend["From"]);
        Assert.Equal("[40]", Assert.Single(friend["Entries"]!.AsArray())!["Values"]!.ToJsonString());
    }

    [Fact]
    public async Task An_answer_of_series_is_never_taken_for_known_after_a_change_of_one()
    {
        using TestServer server = await WithSeriesAsync();
        string body = Body("from Users as u select timeseries(from u.Heart)");
        HttpAnswer first = await server.SendAsync("POST", "~/queries", body);
        string tag = first.ETag!;
        Assert.Equal(304, (await server.SendAsync("POST", "~/queries", body, $"If-None-Match: {tag}")).Status);
        await AppendAsync(server, "users/1", ("2026-01-01T05:00:00Z", "[1]", null));
        Assert.Equal(200, (await server.SendAsync("POST", "~/queries", body, $"If-None-Match: {tag}")).Status);
    }

    [Fact]
    public async Task A_result_is_bounded()
    {
        using TestServer server = await WithSeriesAsync();
        await AppendAsync(server, "users/2", ("1926-01-01T00:00:00Z", "[1]", null));
        (await server.SendAsync("POST", "~/queries", Body(
            "from Users as u where id() = 'users/2' select timeseries("
            + "from u.Heart group by 1 ms with interpolation(linear))"))).ExpectError(400, "no more than 1048576");
    }

    [Fact]
    public async Task A_sum_that_is_finite_entry_by_entry_is_found_also_by_runs_and_heads()
    {
        using TestServer server = await WithSeriesAsync();
        var random = new Random(3);
        double[] values = [.. Enumerable.Range(0, 6000).Select(_ => random.NextDouble())];
        values[0] = -1.5e308;
        values[3000] = values[3001] = 1.2e308;
        double[] turns = [.. Enumerable.Range(0, 64).Select(i => i % 2 == 0 ? 1e308 : -1e308)];
        double[][] all = [values, turns];
        for (int i = 0; i < all.Length; i++)
        {
            string lines = string.Join('\n', all[i].Select(
                (value, k) => FormattableString.Invariant($"{k * 1000L},{value:R}")));
            using var file = new ByteArrayContent(Encoding.UTF8.GetBytes($"Timestamp,V\n{lines}"));
            (await server.SendAsync("POST", $"~/streams/timeseries?docId=users/3&name=S{i}&format=csv", file))
                .Expect(HttpStatusCode.OK);
            JsonNode row = Assert.Single(await RowsAsync(
                server, $"from Users as u where id() = 'users/3' select timeseries(from u.S{i} select sum())"))!;
            double sum = 0;
            Array.ForEach(all[i], value => sum += value);
            Assert.Equal(sum, (double)row["Results"]![0]!["Sum"]![0]!);
            Assert.Equal(all[i].Length, (int)row["Count"]!);
        }

        // From the second entry on, which is not what a head tells: two lanes of the same sign.
        JsonNode rest = Assert.Single(await RowsAsync(
            server,
            "from Users as u where id() = 'users/3' select timeseries("
            + "from u.S1 between '1970-01-01T00:00:01Z' and '1970-01-02' select sum())"))!;
        Assert.Equal(-1e308, (double)rest["Results"]![0]!["Sum"]![0]!);
    }

    [Fact]
    public async Task What_roll_ups_of_a_dump_count_ends_at_the_greatest_number()
    {
        using TestServer server = await WithSeriesAsync();
        string entries = string.Join(',', Enumerable.Range(0, 40).Select(i => $"[{i * 3_600_000L},6,1,1,1,1,1,1e300]"));
        using var dump = new ByteArrayContent(Encoding.UTF8.GetBytes(
            $$$"""{"TimeSeries":[{"DocId":"users/3","Name":"Rate@ByHour","Entries":[{{{entries}}}]}]}"""));
        (await server.SendAsync("POST", "~/smuggler/import", dump)).Expect(HttpStatusCode.OK);
        foreach (string range in new[] { "", " between '1970-01-01T01:00:00Z' and '1970-01-01T03:00:00Z'" })
        {
            JsonNode row = Assert.Single(await RowsAsync(
                server,
                "from Users as u where id() = 'users/3' select timeseries("
                + $"from 'Rate@ByHour'{range} group by '1 day' select sum())"))!;
            Assert.Equal(long.MaxValue, (long)row["Count"]!);
        }
    }

    private static async Task<double[]> MaximaAsync(TestServer server, string query, string mode) =>
        [.. Assert.Single(await RowsAsync(server, query.Replace("@", mode, StringComparison.Ordinal)))!["Results"]!
            .AsArray()
            .Select(group => (double)group!["Max"]![0]!)];

    private static async Task<JsonArray> RowsAsync(TestServer server, string query)
    {
        HttpAnswer answer = await server.SendAsync("POST", "~/queries", Body(query));
        Assert.True(answer.Status == 200, answer.Text);
        return answer.Json["Results"]!.AsArray();
    }

    private static string Body(string query) => $"{{\"Query\":{JsonSerializer.Serialize(query)}}}";

    private static async Task<TestServer> WithSeriesAsync()
    {
        TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("watches/1", """{"Kind":"sport","@metadata":{"@collection":"Watches"}}""");
        await server.PutAsync("watches/2", """{"Kind":"old","@metadata":{"@collection":"Watches"}}""");
        string user = """{"Name":"Ada","Friend":"users/2","@metadata":{"@collection":"Users"}}""";
        foreach (string id in new[] { "users/1", "users/2", "users/3" })
        {
            await server.PutAsync(id, user);
        }

        await AppendAsync(
            server, "users/1", ("2026-01-01T00:00:00Z", "[50]", "watches/1"), ("2026-01-01T01:00:00Z", "[60]", null),
            ("2026-01-01T02:00:00Z", "[70,7]", "watches/2"), ("2026-01-01T03:30:00Z", "[90]", "watches/1"));
        await AppendAsync(server, "users/1", ("2026-01-01T01:00:00Z", "[60]", null));
        await AppendAsync(
            server, "users/2", ("2026-01-01T00:10:00Z", "[10]", null), ("2026-01-01T03:10:00Z", "[40]", null));
        return server;
    }

    private static async Task AppendAsync(
        TestServer server, string id, params (string Time, string Values, string? Tag)[] entries)
    {
        string appends = string.Join(',', entries.Select(entry => $"{{\"Timestamp\":\"{entry.Time}\","
            + $"\"Values\":{entry.Values},\"Tag\":{JsonSerializer.Serialize(entry.Tag)}}}"));
        (await server.SendAsync(
            "POST", $"~/timeseries?docId={Uri.EscapeDataString(id)}", $$"""{"Name":"Heart","Appends":[{{appends}}]}"""))
            .Expect(HttpStatusCode.NoContent);
    }
}
