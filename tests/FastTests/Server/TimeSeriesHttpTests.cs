using System.Globalization;
using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Time series over HTTP, with the answers that clients read.</summary>
public sealed class TimeSeriesHttpTests
{
    private const string Day = "2026-01-01T";

    [Fact]
    public async Task Entries_come_back_with_their_times_values_and_tags()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string before = await server.PutAsync("users/1", "{}");
        await AppendAsync(server, "users/1", "HeartRate", (1, "[59.5]", "watches/1"), (2, "[60,-0.1]", null));
        JsonNode range = (await ReadAsync(server, "users/1", "heartrate", "")).Json;
        Assert.Null(range["From"]);
        Assert.Null(range["To"]);
        Assert.Equal(2, (int)range["TotalResults"]!);
        Assert.Equal(
            """{"Timestamp":"2026-01-01T00:00:01.0000000Z","Tag":"watches/1","Values":[59.5],"IsRollup":false}""",
            range["Entries"]![0]!.ToJsonString());
        Assert.Equal("[60,-0.1]", range["Entries"]![1]!["Values"]!.ToJsonString());
        Assert.Null(range["Entries"]![1]!["Tag"]);
        JsonNode metadata = await MetadataAsync(server, "users/1");
        Assert.Equal("HasTimeSeries", (string?)metadata["@flags"]);
        Assert.Equal("""["HeartRate"]""", metadata["@timeseries"]!.ToJsonString());
        Assert.NotEqual(before, (string?)metadata["@change-vector"]);
    }

    [Fact]
    public async Task Only_the_first_and_the_last_entry_of_a_series_change_its_document()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        await AppendAsync(server, "a", "x", (1, "[1]", null));
        string version = (string)(await MetadataAsync(server, "a"))["@change-vector"]!;
        await AppendAsync(server, "a", "X", (1, "[2]", null), (2, "[3]", null));
        Assert.Equal(version, (string?)(await MetadataAsync(server, "a"))["@change-vector"]);
        await PostAsync(server, "a", """{"Name":"x","Deletes":[{"From":null,"To":"2026-01-01T00:00:01Z"}]}""");
        Assert.Equal(version, (string?)(await MetadataAsync(server, "a"))["@change-vector"]);
        Assert.Equal(1, Count(await ReadAsync(server, "a", "x", "")));
        await PostAsync(server, "a", """{"Name":"x","Deletes":[{}]}""");
        JsonNode metadata = await MetadataAsync(server, "a");
        Assert.NotEqual(version, (string?)metadata["@change-vector"]);
        Assert.Null(metadata["@flags"]);
        Assert.Null(metadata["@timeseries"]);
        (await ReadAsync(server, "a", "x", "")).ExpectError(404, "no time series 'x'");
    }

    [Fact]
    public async Task The_time_series_of_a_document_are_deleted_with_it()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        await server.PutAsync("ab", "{}");
        await AppendAsync(server, "a", "x", (1, "[1]", null));
        await AppendAsync(server, "ab", "x", (1, "[1]", null));
        (await server.SendAsync("DELETE", "~/docs?id=a")).Expect(HttpStatusCode.NoContent);
        await server.PutAsync("a", "{}");
        Assert.Null((await MetadataAsync(server, "a"))["@flags"]);
        Assert.Equal(404, (await ReadAsync(server, "a", "x", "")).Status);
        Assert.Equal(1, Count(await ReadAsync(server, "ab", "x", "")));
    }

    [Fact]
    public async Task A_page_that_is_cut_ends_at_its_last_entry()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        await AppendAsync(server, "a", "x", [.. Enumerable.Range(0, 50).Select(i => (i, $"[{i}]", (string?)null))]);
        JsonNode page = (await ReadAsync(server, "a", "x", "&start=10&pageSize=5")).Json;
        Assert.Equal("2026-01-01T00:00:10.0000000Z", (string?)page["From"]);
        Assert.Equal("2026-01-01T00:00:14.0000000Z", (string?)page["To"]);
        Assert.Equal(5, page["Entries"]!.AsArray().Count);
        Assert.Null(page["TotalResults"]);
        string bounds = $"&from={Day}00:00:48Z&to={Day}01:00:00Z";
        JsonNode end = (await ReadAsync(server, "a", "x", bounds + "&pageSize=5")).Json;
        Assert.Equal("2026-01-01T01:00:00.0000000Z", (string?)end["To"]);
        Assert.Equal(2, end["Entries"]!.AsArray().Count);
        Assert.Equal(0, Count(await ReadAsync(server, "a", "x", $"&from={Day}05:00:00Z")));
    }

    [Fact]
    public async Task A_series_that_has_not_changed_is_not_sent_again()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        await AppendAsync(server, "a", "x", (1, "[1]", null));
        string tag = (await ReadAsync(server, "a", "x", "")).ETag!;
        await AppendAsync(server, "a", "y", (1, "[1]", null));
        Assert.Equal(304, await StatusAsync(server, tag));
        await AppendAsync(server, "a", "x", (0, "[1]", null));
        Assert.Equal(200, await StatusAsync(server, tag));
    }

    [Fact]
    public async Task Several_ranges_and_the_statistics_are_read_at_once()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("watches/1", """{"Maker":"M"}""");
        await server.PutAsync("a", "{}");
        await AppendAsync(server, "a", "x", (1, "[1]", "watches/1"), (2, "[2]", null), (3, "[3]", null));
        await AppendAsync(server, "a", "y", (9, "[4]", null));
        JsonNode ranges = (await server.SendAsync(
            "GET",
            $"~/timeseries/ranges?docId=a&name=x&from=&to={Day}00:00:01Z&name=none&from=&to="
            + $"&name=X&from={Day}00:00:03Z&to=&includeTags=true&includeDocument=true")).Json;
        Assert.Equal("a", (string?)ranges["Id"]);
        JsonArray x = ranges["Values"]!["x"]!.AsArray();
        Assert.Equal([1, 1], x.Select(range => range!["Entries"]!.AsArray().Count));
        Assert.Equal("M", (string?)x[0]!["Includes"]!["watches/1"]!["Maker"]);
        Assert.NotNull(x[0]!["Includes"]!["a"]);
        Assert.Empty(ranges["Values"]!["none"]![0]!["Entries"]!.AsArray());
        JsonNode stats = (await server.SendAsync("GET", "~/timeseries/stats?docId=a")).Json;
        Assert.Equal("a", (string?)stats["DocumentId"]);
        Assert.Equal(
            """{"Name":"x","NumberOfEntries":3,"StartDate":"2026-01-01T00:00:01.0000000Z","""
            + "\"EndDate\":\"2026-01-01T00:00:03.0000000Z\"}",
            stats["TimeSeries"]![0]!.ToJsonString());
        Assert.Equal("y", (string?)stats["TimeSeries"]![1]!["Name"]);
        JsonNode segments = (await server.SendAsync(
            "GET", "~/timeseries/debug/segments-summary?docId=a&name=x")).Json["Results"]!;
        Assert.Equal(3, (int)segments[0]!["NumberOfEntries"]!);
        JsonNode all = (await server.SendAsync("GET", "~/stats/detailed")).Json;
        Assert.Equal(2, (int)all["CountOfTimeSeriesSegments"]!);
    }

    [Fact]
    public async Task Batches_write_copy_and_increment_series_as_one_transaction()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        HttpAnswer answer = await BatchAsync(
            server,
            """{"Id":"a","Type":"PUT","Document":{}}""",
            Change("a", """{"Name":"x","Appends":[{"Timestamp":"2026-01-01T00:00:01Z","Values":[1],"Tag":"t"}]}"""),
            Change("a", """{"Name":"inc:n","Increments":[{"Timestamp":"2026-01-01T00:00:01Z","Values":[2]}]}"""),
            Change("a", """{"Name":"INC:N","Increments":[{"Timestamp":"2026-01-01T00:00:01Z","Values":[3]}]}"""),
            """{"Id":"a","Type":"TimeSeriesCopy","Name":"x","DestinationId":"a","DestinationName":"z","From":null}""");
        Assert.Equal(201, answer.Status);
        Assert.Equal(
            ["PUT", "TimeSeries", "TimeSeries", "TimeSeries", "TimeSeriesCopy"],
            answer.Json["Results"]!.AsArray().Select(result => (string)result!["Type"]!));
        JsonNode full = (await ReadAsync(server, "a", "inc:n", "&full=true")).Json["Entries"]![0]!;
        Assert.Equal("[5]", full["Values"]!.ToJsonString());
        Assert.Equal("[5]", full["NodeValues"]!.AsObject().Single().Value!.ToJsonString());
        JsonNode copy = (await ReadAsync(server, "a", "z", "")).Json["Entries"]![0]!;
        Assert.Equal("t", (string?)copy["Tag"]);
        Assert.Equal("""["inc:n","x","z"]""", (await MetadataAsync(server, "a"))["@timeseries"]!.ToJsonString());
        (await BatchAsync(
            server,
            """{"Id":"b","Type":"PUT","Document":{}}""",
            Change("missing", """{"Name":"x","Deletes":[{}]}"""))).ExpectError(400, "Document 'missing'");
        Assert.Equal(404, (await server.SendAsync("GET", "~/docs?id=b")).Status);
    }

    [Fact]
    public async Task Bulk_inserts_write_entries_in_the_form_of_clients()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        const long start = 1_767_225_600_000;
        string appends = string.Join(
            ',', Enumerable.Range(0, 1000).Select(i => $"[{start + (i * 1000)},2,{i},0.5{(i == 0 ? ",\"t\"" : "")}]"));
        (await server.SendAsync(
            "POST",
            "~/bulk_insert?id=3",
            """[{"Id":"a","Type":"PUT","Document":{}},"""
            + """{"Id":"a","Type":"TimeSeriesBulkInsert","TimeSeries":{"Name":"x","""
            + $"\"TimeFormat\":\"UnixTimeInMs\",\"Appends\":[{appends}]}}}}]")).Expect(HttpStatusCode.OK);
        JsonNode range = (await ReadAsync(server, "a", "x", "")).Json;
        Assert.Equal(1000, (int)range["TotalResults"]!);
        Assert.Equal("t", (string?)range["Entries"]![0]!["Tag"]);
        Assert.Equal("[999,0.5]", range["Entries"]![999]!["Values"]!.ToJsonString());
        Assert.Equal("2026-01-01T00:16:39.0000000Z", (string?)range["Entries"]![999]!["Timestamp"]);
    }

    [Fact]
    public async Task Ranges_are_sent_along_with_documents()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        await AppendAsync(server, "a", "x", [.. Enumerable.Range(0, 9).Select(i => (i, $"[{i}]", (string?)null))]);
        await AppendAsync(server, "a", "y", (1, "[1]", null));
        string url = $"~/docs?id=a&timeseries=x&from={Day}00:00:07Z&to=&timeseriescount=x&countType=Last&countValue=3"
            + "&timeseriestime=x&timeType=Last&timeValue=4&timeUnit=Second&timeseries=none&from=&to=";
        JsonNode series = (await server.SendAsync("GET", url)).Json["TimeSeriesIncludes"]!["a"]!;
        Assert.Equal([2, 3, 5], series["x"]!.AsArray().Select(range => range!["Entries"]!.AsArray().Count));
        Assert.Equal("2026-01-01T00:00:06.0000000Z", (string?)series["x"]![1]!["From"]);
        Assert.Empty(series["none"]![0]!["Entries"]!.AsArray());
        JsonNode all = (await server.SendAsync("GET", "~/docs?id=a&timeseries=@all_timeseries&from=&to=")).Json;
        Assert.Equal(["x", "y"], all["TimeSeriesIncludes"]!["a"]!.AsObject().Select(each => each.Key));
    }

    [Fact]
    [Trait("Invariant", "TS-6")]
    public async Task A_revision_says_what_the_time_series_were()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("POST", "~/admin/revisions/config", """{"Default":{"Disabled":false}}"""))
            .Expect(HttpStatusCode.OK);
        await server.PutAsync("a", "{}");
        await AppendAsync(server, "a", "x", (1, "[1]", null), (5, "[1]", null));
        await AppendAsync(server, "a", "x", (9, "[1]", null));
        await AppendAsync(server, "a", "y", (2, "[1]", null));
        JsonArray revisions = (await server.SendAsync("GET", "~/revisions?id=a")).Json["Results"]!.AsArray();
        Assert.Equal(
            [Snapshot("x", 3, 1, 9)[..^1] + "," + Snapshot("y", 1, 2, 2)[1..], Snapshot("x", 2, 1, 5),
                null],
            revisions.Select(each => each!["@metadata"]!["@timeseries-snapshot"]?.ToJsonString()));
        (await server.SendAsync("DELETE", "~/docs?id=a")).Expect(HttpStatusCode.NoContent);
        (await server.SendAsync("DELETE", "~/admin/revisions", """{"DocumentIds":["a"]}""")).Expect(HttpStatusCode.OK);
    }

    [Fact]
    public async Task A_series_is_streamed_as_lines()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        await AppendAsync(server, "a", "x", (1, "[1.5]", "a,b"), (2, "[2,-3]", null));
        Assert.Equal(
            "Timestamp,Tag,Value0,Value1\r\n2026-01-01T00:00:01.0000000Z,\"a,b\",1.5\r\n"
            + "2026-01-01T00:00:02.0000000Z,,2,-3\r\n",
            (await server.SendAsync("GET", "~/streams/timeseries?docId=a&name=x&format=csv")).Text);
        HttpAnswer lines = await server.SendAsync("GET", $"~/streams/timeseries?docId=a&name=x&from={Day}00:00:02Z");
        Assert.Equal("""{"Timestamp":"2026-01-01T00:00:02.0000000Z","Tag":null,"Values":[2,-3]}""" + "\n", lines.Text);
        (await server.SendAsync("GET", "~/streams/timeseries?docId=a&name=x&format=xml")).ExpectError(400, "xml");
        (await server.SendAsync("GET", "~/streams/timeseries?docId=a&name=z")).ExpectError(404, "'z'");
    }

    [Fact]
    public async Task Scripts_append_increment_delete_and_read()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        await AppendAsync(server, "a", "x", (1, "[1]", null));
        await PatchAsync(
            server,
            """
            var s = timeseries(this, 'x');
            s.append('2026-01-01T00:00:02Z', [2, 3], 'tag');
            s.append(new Date(Date.UTC(2026, 0, 1, 0, 0, 3)), 4);
            s.delete('2026-01-01T00:00:01Z', '2026-01-01T00:00:01Z');
            timeseries(this, 'INC:n').increment('2026-01-01T00:00:01Z', [5]);
            timeseries(this, 'INC:n').increment('2026-01-01T00:00:01Z', 6);
            this.Seen = s.get().map(e => [e.Timestamp, e.Values, e.Tag]);
            this.N = timeseries(this, 'INC:n').get()[0].Values;
            """);
        JsonNode document = (await server.SendAsync("GET", "~/docs?id=a")).Json["Results"]![0]!;
        Assert.Equal(2, document["Seen"]!.AsArray().Count);
        Assert.Equal("[2,3]", document["Seen"]![0]![1]!.ToJsonString());
        Assert.Equal("[11]", document["N"]!.ToJsonString());
        JsonNode range = (await ReadAsync(server, "a", "x", "")).Json;
        Assert.Equal(2, (int)range["TotalResults"]!);
        Assert.Equal("tag", (string?)range["Entries"]![0]!["Tag"]);
        JsonNode sums = (await ReadAsync(server, "a", "INC:n", "")).Json;
        Assert.Equal("[11]", sums["Entries"]![0]!["Values"]!.ToJsonString());
    }

    [Theory]
    [InlineData("""{}""", "Name must be a text")]
    [InlineData("""{"Name":""}""", "Name")]
    [InlineData("""{"Name":"a@b","Appends":[]}""", "has an @")]
    [InlineData("""{"Name":"x","Appends":7}""", "Appends must be a list")]
    [InlineData("""{"Name":"x","Appends":[7]}""", "Appends[0] must be an object")]
    [InlineData("""{"Name":"x","Appends":[{"Values":[1]}]}""", "Appends[0].Timestamp")]
    [InlineData("""{"Name":"x","Appends":[{"Timestamp":"soon","Values":[1]}]}""", "Appends[0].Timestamp")]
    [InlineData("""{"Name":"x","Appends":[{"Timestamp":"2026-01-01","Values":[]}]}""", "Appends[0].Values")]
    [InlineData("""{"Name":"x","Appends":[{"Timestamp":"2026-01-01","Values":[1,null]}]}""", "Values[1]")]
    [InlineData("""{"Name":"x","Appends":[{"Timestamp":"2026-01-01","Values":[1e999]}]}""", "Values[0]")]
    [InlineData("""{"Name":"x","Appends":[{"Timestamp":"2026-01-01","Values":[1],"Tag":7}]}""", "Appends[0].Tag")]
    [InlineData("""{"Name":"x","Increments":[{"Timestamp":"2026-01-01","Values":[1]}]}""", "INC:")]
    [InlineData("""{"Name":"INC:x","Appends":[{"Timestamp":"2026-01-01","Values":[1]}]}""", "Increments")]
    [InlineData("""{"Name":"x","Deletes":[{"From":"2026-01-02","To":"2026-01-01"}]}""", "Deletes[0]")]
    [InlineData("""{"Name":"x","TimeFormat":"UnixTimeInMs","Appends":[[1e15,1,1]]}""", "Appends[0][0]")]
    [InlineData("""{"Name":"x","TimeFormat":"UnixTimeInMs","Appends":[[1,2,1]]}""", "Appends[0][1]")]
    public async Task A_wrong_change_is_refused_with_its_place_and_changes_nothing(string body, string says)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        (await server.SendAsync("POST", "~/timeseries?docId=a", body)).ExpectError(400, says);
        (await BatchAsync(server, Change("a", body))).ExpectError(400, says);
        Assert.Null((await MetadataAsync(server, "a"))["@timeseries"]);
    }

    [Fact]
    public async Task Values_and_tags_over_the_limits_and_missing_documents_are_refused()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        string many = string.Join(',', Enumerable.Repeat("1", 33));
        (await AppendTextAsync(server, "a", $"[{many}]", "t")).ExpectError(400, "1 to 32 values, not 33");
        (await AppendTextAsync(server, "a", "[1]", new string('t', 256))).ExpectError(400, "255 bytes");
        (await AppendTextAsync(server, "b", "[1]", "t")).ExpectError(400, "Document 'b' does not exist");
        Assert.Equal(204, (await AppendTextAsync(server, "a", $"[{many[2..]}]", new string('t', 255))).Status);
        Assert.Equal(
            32, (await ReadAsync(server, "a", "x", "")).Json["Entries"]![0]!["Values"]!.AsArray().Count);
        (await ReadAsync(server, "b", "x", "")).ExpectError(404, "Document 'b'");
        (await ReadAsync(server, "a", "x", "&from=2027-01-01&to=2026-01-01")).ExpectError(400, "ends before");
        (await ReadAsync(server, "a", "x", "&from=x")).ExpectError(400, "from must be a time");
        (await server.SendAsync("GET", "~/timeseries/ranges?docId=a&from=")).ExpectError(400, "must follow the name");
    }

    private static async Task<int> StatusAsync(TestServer server, string known) =>
        (await server.SendAsync("GET", "~/timeseries?docId=a&name=x", (string?)null, $"If-None-Match: {known}"))
            .Status;

    private static string Snapshot(string name, int count, int start, int end) =>
        $"{{\"{name}\":{{\"Count\":{count},\"Start\":\"{Day}00:00:0{start}.0000000Z\","
        + $"\"End\":\"{Day}00:00:0{end}.0000000Z\"}}}}";

    private static string Change(string id, string change) =>
        $$"""{"Id":"{{id}}","Type":"TimeSeries","TimeSeries":{{change}}}""";

    private static Task<HttpAnswer> BatchAsync(TestServer server, params string[] commands) =>
        server.SendAsync("POST", "~/bulk_docs", $$"""{"Commands":[{{string.Join(',', commands)}}]}""");

    private static Task<HttpAnswer> AppendTextAsync(TestServer server, string id, string values, string tag) =>
        server.SendAsync(
            "POST",
            $"~/timeseries?docId={id}",
            $$"""{"Name":"x","Appends":[{"Timestamp":"2026-01-01","Values":{{values}},"Tag":"{{tag}}"}]}""");

    private static Task AppendAsync(
        TestServer server, string id, string name, params (int Second, string Values, string? Tag)[] points)
    {
        string appends = string.Join(',', points.Select(point =>
        {
            string time = new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddSeconds(point.Second)
                .ToString("yyyy-MM-ddTHH:mm:ss.fffffffZ", CultureInfo.InvariantCulture);
            string tag = point.Tag is null ? "" : $",\"Tag\":\"{point.Tag}\"";
            return $"{{\"Timestamp\":\"{time}\",\"Values\":{point.Values}{tag}}}";
        }));
        return PostAsync(server, id, $"{{\"Name\":\"{name}\",\"Appends\":[{appends}],\"Deletes\":null}}");
    }

    private static async Task PostAsync(TestServer server, string id, string body) =>
        (await server.SendAsync("POST", $"~/timeseries?docId={id}", body)).Expect(HttpStatusCode.NoContent);

    private static async Task PatchAsync(TestServer server, string script)
    {
        var body = new JsonObject { ["Patch"] = new JsonObject { ["Script"] = script } };
        (await server.SendAsync("PATCH", "~/docs?id=a", body.ToJsonString())).Expect(HttpStatusCode.OK);
    }

    private static Task<HttpAnswer> ReadAsync(TestServer server, string id, string name, string more) =>
        server.SendAsync("GET", $"~/timeseries?docId={id}&name={name}{more}");

    private static int Count(HttpAnswer answer) =>
        answer.Expect(HttpStatusCode.OK).Json["Entries"]!.AsArray().Count;

    private static async Task<JsonNode> MetadataAsync(TestServer server, string id) =>
        (await server.SendAsync("GET", $"~/docs?id={id}")).Json["Results"]![0]!["@metadata"]!;
}
