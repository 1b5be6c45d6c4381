using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Values that a query takes from elsewhere, places of dynamic queries, and what explains an answer.</summary>
public sealed class QueryFunctionsHttpTests
{
    [Fact]
    public async Task A_query_that_compares_with_the_time_or_a_compare_exchange_value_follows_its_changes()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a/past", """{"At":"2001-01-01T00:00:00.0000000Z","@metadata":{"@collection":"As"}}""");
        await server.PutAsync("a/future", """{"At":"2990-01-01T00:00:00.0000000Z","@metadata":{"@collection":"As"}}""");
        Assert.Equal(["a/past"], await IdsAsync(server, "from As where At < now()"));
        Assert.Equal(["a/future"], await IdsAsync(server, "from As where At > today()"));
        Assert.Equal(["a/future"], await IdsAsync(server, "from As filter At > today()"));
        Assert.Empty(await IdsAsync(server, "from As where id() = cmpxchg('who')"));
        foreach ((string who, long index) in new[] { ("a/past", 0L), ("a/future", 1L) })
        {
            string body = QueryHttpTests.Body("from As where id() = cmpxchg('who')");
            HttpAnswer before = await server.SendAsync("POST", "~/queries", body);
            string current = (await server.SendAsync("GET", "~/cmpxchg?key=who")).Text;
            long at = index == 0 ? 0 : (long)JsonNode.Parse(current)!["Results"]![0]!["Index"]!;
            (await server.SendAsync("PUT", $"~/cmpxchg?key=who&index={at}", $"{{\"Object\":\"{who}\"}}"))
                .Expect(HttpStatusCode.OK);
            HttpAnswer after = await server.SendAsync("POST", "~/queries", body, $"If-None-Match: {before.ETag}");
            Assert.Equal([who], QueryHttpTests.Ids(after.Expect(HttpStatusCode.OK).Json));
        }

        (await server.SendAsync("POST", "~/queries", QueryHttpTests.Body("from As where At < now(1)")))
            .ExpectError(400, "line 1, column 20: expected now(), today() or cmpxchg(key)");
    }

    [Fact]
    public async Task A_spatial_query_makes_the_automatic_index_that_it_needs()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        foreach ((string id, string place) in new[]
        {
            ("p/haifa", "\"Lat\":32.8,\"Lng\":35.0,\"Shape\":\"POINT (35.0 32.8)\""),
            ("p/telaviv", "\"Lat\":32.07,\"Lng\":34.78,\"Shape\":\"POINT (34.78 32.07)\""),
            ("p/london", "\"Lat\":51.5,\"Lng\":-0.12,\"Shape\":\"POLYGON ((-1 51, 1 51, 1 52, -1 52, -1 51))\""),
            ("p/wrong", "\"Lat\":932,\"Lng\":\"x\",\"Shape\":\"no shape\",\"Name\":\"wrong\""),
            ("p/nowhere", "\"Name\":\"nowhere\""),
        })
        {
            await server.PutAsync(id, $"{{{place},\"@metadata\":{{\"@collection\":\"Places\"}}}}");
        }

        JsonNode near = await QueryHttpTests.QueryAsync(
            server, "from Places as p where spatial.within(spatial.point(p.Lat, p.Lng), "
            + "spatial.circle($r, $lat, $lng, 'Miles'))", "{\"r\":100,\"lat\":32.8,\"lng\":35}");
        Assert.Equal(["p/haifa", "p/telaviv"], QueryHttpTests.Ids(near).Order(StringComparer.Ordinal));
        Assert.Equal("Auto/Places/BySpatial.point(Lat|Lng)", (string?)near["IndexName"]);
        Assert.Equal(["p/london"], await IdsAsync(
            server, "from Places where spatial.intersects(spatial.wkt(Shape), spatial.point(51.5, 0))"));
        Assert.Equal(["p/london", "p/haifa", "p/telaviv"], (await IdsAsync(
            server, "from Places order by spatial.distance(spatial.point(Lat, Lng), spatial.point(51, 0)) "
            + "nulls last"))[..3]);
        Assert.Equal(["p/telaviv", "p/haifa", "p/london"], (await IdsAsync(
            server, "from Places order by spatial.distance(spatial.point(Lat, Lng), spatial.wkt('POINT (34.7 32)')) "
            + "nulls last"))[..3]);
        Assert.Equal(["p/haifa", "p/telaviv"], (await IdsAsync(
            server, "from Places order by spatial.distance(spatial.point(Lat, Lng), spatial.point(32, 34.7), 500) "
            + "nulls last, id()"))[..2]);

        // What is no place is found by its other fields all the same.
        Assert.Equal(["p/wrong"], await IdsAsync(server, "from Places where Name = 'wrong'"));
        JsonNode errors = (await server.SendAsync("GET", "~/indexes/errors")).Json;
        Assert.All(errors["Results"]!.AsArray(), one => Assert.Empty(one!["Errors"]!.AsArray()));
        string definitions = (await server.SendAsync("GET", "~/indexes")).Text;
        Assert.Contains("\"WellKnownText\":\"Shape\"", definitions, StringComparison.Ordinal);
        (await server.SendAsync("POST", "~/queries", QueryHttpTests.Body(
            "from Places where spatial.within(Lat, spatial.circle(1, 2, 3))")))
            .ExpectError(400, "line 1, column 34: expected spatial.point(latitude, longitude)");
    }

    [Fact]
    public async Task Explanations_and_timings_are_answered_if_the_query_includes_them()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        JsonNode answer = await QueryHttpTests.QueryAsync(
            server, "from Users where search(Text, 'fox') or boost(Name = 'bert', 3) "
            + "include explanations($o), timings()", "{\"o\":{\"GroupKey\":null}}");
        string[] lines = [.. answer["Explanations"]!["users/bert"]!.AsArray().Select(line => (string)line!)];
        Assert.Equal(3, lines.Length);
        double[] scores = [.. lines.Select(line => double.Parse(
            line.Split('=')[0], System.Globalization.CultureInfo.InvariantCulture))];
        Assert.Equal(scores[0], scores[1] + scores[2], 4);
        Assert.EndsWith("search(Text, 'fox')", lines[1], StringComparison.Ordinal);
        Assert.Contains("not met: boost(Name = 'bert', 3)", (string)answer["Explanations"]!["users/anna"]![2]!,
            StringComparison.Ordinal);
        Assert.Equal(
            ["Parse", "Wait", "Search", "Results", "Includes"],
            answer["Timings"]!["Timings"]!.AsObject().Select(one => one.Key));
        Assert.Null((await QueryHttpTests.QueryAsync(server, "from Users where Age = 30"))["Explanations"]);
    }

    [Fact]
    public async Task The_explanation_of_a_group_is_keyed_by_the_field_of_the_option()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        const string query = "from Users group by Age where count() > 1 or Age = 40 select Age, count() as Count "
            + "include explanations($o)";
        JsonNode answer = await QueryHttpTests.QueryAsync(server, query, "{\"o\":{\"GroupKey\":\"Age\"}}");
        JsonObject told = answer["Explanations"]!.AsObject();
        Assert.Equal(["30", "40"], told.Select(one => one.Key).Order());
        Assert.EndsWith(" = count() > 1", (string?)told["30"]![1], StringComparison.Ordinal);
        Assert.Equal("  not met: Age = 40", (string?)told["30"]![2]);
        Assert.Equal("  not met: count() > 1", (string?)told["40"]![1]);
        Assert.EndsWith(" = Age = 40", (string?)told["40"]![2], StringComparison.Ordinal);
        (await server.SendAsync("POST", "~/queries", QueryHttpTests.Body(
            query.Replace("$o", "", StringComparison.Ordinal))))
            .ExpectError(400, "line 1, column 92: results of groups are explained by a field");
        (await server.SendAsync("POST", "~/queries", QueryHttpTests.Body(
            "from Users where Age = 30 include explanations('x')")))
            .ExpectError(400, "line 1, column 48: expected options: an object");
    }

    [Fact]
    public async Task Explain_names_the_index_that_answers_and_why_and_what_it_reads()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        JsonNode made = await QueryHttpTests.QueryAsync(server, "explain from Users where Age = 30");
        Assert.StartsWith("It would be made", (string?)made["Results"]![0]!["Reason"], StringComparison.Ordinal);
        Assert.Empty((await server.SendAsync("GET", "~/indexes")).Json["Results"]!.AsArray());
        await QueryHttpTests.QueryAsync(server, "from Users where Age = 30 and Name = 'x'");
        JsonNode asked = await QueryHttpTests.QueryAsync(server, "explain from Users where Age = 30 and Name = 'anna'");
        Assert.Equal("Auto/Users/ByAgeAndName", (string?)asked["IndexName"]);
        Assert.Equal(0, (int)asked["Behind"]!["Etags"]!);
        Assert.Equal([3, 1], new[] { (int)asked["IndexEntries"]!, (int)asked["TotalResults"]! });
        Assert.Equal([2, 3], new[] { (int)asked["TermsRead"]!, (int)asked["EntriesRead"]! });
        Assert.Equal(
            ["Age = 30:2", "Name = 'anna':1"],
            asked["Conditions"]!.AsArray().Select(one => $"{one!["Condition"]}:{one["Entries"]}"));
        HttpAnswer direct = await server.SendAsync(
            "POST", "~/queries?debug=explain", QueryHttpTests.Body("from Users"));
        Assert.Equal("collection/Users", (string?)direct.Json["IndexName"]);
        JsonNode other = Assert.Single(direct.Json["Results"]!.AsArray())!;
        Assert.Equal("Auto/Users/ByAgeAndName", (string?)other["Index"]);
        Assert.Equal("No index is needed.", (string?)other["Reason"]);
        JsonNode plain = await QueryHttpTests.QueryAsync(server, "explain from Users");
        Assert.Equal("collection/Users", (string?)plain["Results"]![0]!["Index"]);
    }

    [Fact]
    [Trait("Fault", "E17")]
    public async Task Explain_lists_only_the_indexes_of_the_collection()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        await QueryHttpTests.QueryAsync(server, "from Others where Age = 30");
        await QueryHttpTests.QueryAsync(server, "from @all_docs where Age = 30");
        await QueryHttpTests.QueryAsync(server, "from Users where Age = 30");
        (await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"All","Maps":["from d in docs select new { d.Age }"]},
                {"Name":"Mine","Maps":["from u in docs.users select new { u.Age }"]},
                {"Name":"Theirs","Maps":["from o in docs.Others select new { o.Age }"]}]}
            """)).Expect(System.Net.HttpStatusCode.Created);
        foreach ((string query, string expected) in new[]
        {
            ("from Users", "All Mine Auto/Users/ByAge collection/Users"),
            ("from users where Age = 30", "All Mine Auto/Users/ByAge"),
            ("from Users where City = 'x'", "All Auto/Users/ByCity Mine Auto/Users/ByAge"),
            ("from @all_docs where Age = 30", "All Auto/AllDocs/ByAge"),
            ("from index 'Mine' where Age = 30", "Mine"),
        })
        {
            JsonNode answer = await QueryHttpTests.QueryAsync(server, $"explain {query}");
            Assert.Equal(
                (query, string.Join(' ', expected.Split(' ').Order())),
                (query, string.Join(' ', answer["Results"]!.AsArray().Select(one => (string?)one!["Index"]).Order())));
        }
    }

    private static async Task<string[]> IdsAsync(TestServer server, string query) =>
        QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, query));
}
