using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Queries that cannot be: each is a 4xx that says what is wrong with which part of it.</summary>
public sealed class BadQueryHttpTests
{
    private const string Indexes = """
        {"Indexes":[
          {"Name":"Mine","Maps":[
            "from u in docs.Users select new { u.Name, u.Age, u.Text, P = CreateSpatialField(u.Lat, u.Lng) }"],
           "Fields":{"Text":{"Indexing":"Search","Storage":"Yes"}}},
          {"Name":"Groups","Maps":["from u in docs.Users select new { u.Age, Count = 1 }"],
           "Reduce":"from r in results group r by r.Age into g select new { Age = g.Key, Count = g.Sum(x => x.Count) }"
          }]}
        """;

    [Fact]
    public Task A_query_whose_clauses_do_not_fit_together_is_refused_with_the_position() => RefuseAsync(
        ("from Users select suggest(Name, 'ana'), Name", "{}", "line 1, column 41: expected suggest(field, words)"),
        ("from Users select suggest(Name, $p)", """{"p":[5]}""", "line 1, column 33: expected a text, or texts"),
        ("from Users group by 5 select count()", "{}", "line 1, column 21: expected a field or array(field) to group"),
        ("from Users group by foo(Age) select count()", "{}", "line 1, column 21: expected a field or array(field)"),
        ("from Users group by array(Age, Name) select count()", "{}", "line 1, column 21: expected a field or array"),
        ("from Users group by Age where vector.search(V, [1]) select count()", "{}",
            "line 1, column 31: 'V': a query that groups has no vectors"),
        ("from Users group by Age order by spatial.distance(spatial.point(A, B), spatial.point(1, 2)) select count()",
            "{}", "line 1, column 34: 'spatial.point(A, B)': a query that groups has no places"),
        ("from Users group by Age where sum(Age) > 1 select count()", "{}",
            "line 1, column 31: 'Age' is grouped by"),
        ("from Users where moreLikeThis(id() = 'a')", "{}", "line 1, column 18: moreLikeThis() compares the words"),
        ("from index 'Mine' group by Age select count()", "{}", "line 1, column 28: an index groups by its own"),
        ("from Users where search(Text, 'fox') include highlight(Text)", "{}",
            "line 1, column 46: expected highlight("),
        ("from Users where search(Text, 'fox') include cmpxchg(5)", "{}", "line 1, column 54: expected a text, or"),
        ("from Users include cmpxchg()", "{}", "line 1, column 20: expected a path to keys, or keys"),
        ("from Users include timings(5)", "{}", "line 1, column 20: timings() takes no arguments"),
        ("from Users group by Age where search(Name, 'x') select count()", "{}",
            "'Name': a query that groups compares"),
        ("from Users select facet(Age, Name)", "{}", "line 1, column 30: a facet is of one field"),
        ("from Users select facet(Age < 3, Name > 4)", "{}", "line 1, column 39: a facet is of one field"),
        ("from Users where boost(search(Text, 'fox'), 1e300) order by score()", "{}", "expected a factor from 0 to"),
        ("from Users where boost(Age = 3, -1)", "{}", "line 1, column 33: expected a factor from 0 to 1000000"),
        ("from Users order by random(1, 2)", "{}", "line 1, column 21: 'random' takes 0 to 1 arguments, not 2"),
        ("from Users order by score(3)", "{}", "line 1, column 21: 'score' takes 0 arguments, not 1"),
        ("from Users where Name = $p {\"p\":\"\\ud800\"}", "{}", "The parameters are no JSON object"),
        ("from Users where Name = $p {\"\\ud800\":1}", "{}", "The parameters are no JSON object"),
        ("from index Mine", "{}", "line 1, column 12: expected the name of an index in quotes"),
        ("from index 'Mine' where Nope = 1", "{}",
            "line 1, column 25: the index 'Mine' has no field 'Nope', but Age, Name, P, Text"),
        ("from index 'Mine' order by Age, nope", "{}", "line 1, column 33: the index 'Mine' has no field 'nope'"),
        ("from index 'Mine' select facet(Nope)", "{}", "line 1, column 32: the index 'Mine' has no field 'Nope'"),
        ("from index 'Groups' where search(Text, 'x')", "{}",
            "line 1, column 34: the index 'Groups' has no field 'Text'"));

    [Theory]
    [InlineData("facet(Age, $o)", """{"PageSize":"x"}""", "'PageSize' must be a whole number that is not negative")]
    [InlineData("facet(Age, $o)", """{"Start":-5}""", "'Start' must be a whole number that is not negative")]
    [InlineData("facet(Age, $o)", """{"TermSortMode":"Foo"}""", "'TermSortMode' must be ValueAsc, ValueDesc")]
    [InlineData("facet(Age, $o)", """{"IncludeRemainingTerms":5}""", "'IncludeRemainingTerms' must be true or false")]
    [InlineData("suggest(Name, 'ana', $o)", """{"Accuracy":"x"}""", "'Accuracy' must be a number")]
    [InlineData("suggest(Name, 'ana', $o)", """{"SortMode":5}""", "'SortMode' must be a text")]
    [InlineData("suggest(Name, 'ana', $o)", """{"Accuracy":7}""", "'Accuracy' must be a number from 0 to 1")]
    [InlineData("suggest(Name, 'ana', $o)", "5", "expected options: an object")]
    public Task An_option_of_a_query_function_of_a_wrong_type_is_refused_with_its_name(
        string what, string options, string says) => RefuseAsync(
        ($"from Users select {what}", $$"""{"o":{{options}}}""", says));

    [Theory]
    [InlineData("\"Start\":-1", "Start must be a whole number that is not negative")]
    [InlineData("\"PageSize\":\"x\"", "PageSize must be a whole number that is not negative")]
    [InlineData("\"WaitForNonStaleResults\":\"yes\"", "WaitForNonStaleResults must be true or false")]
    [InlineData("\"WaitForNonStaleResultsTimeout\":\"soon\"", "WaitForNonStaleResultsTimeout must be a span of time")]
    [InlineData("\"SkipDuplicateChecking\":1", "SkipDuplicateChecking must be true or false")]
    [InlineData("\"ProjectionBehavior\":\"FromHere\"", "ProjectionBehavior must be one of Default, FromIndex")]
    public async Task A_member_of_a_query_request_of_a_wrong_type_is_refused_with_its_name(string more, string says)
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        (await server.SendAsync("POST", "~/queries", $$"""{"Query":"from Users where Age = 30",{{more}}}"""))
            .ExpectError(400, says);
    }

    [Fact]
    public async Task A_wait_for_non_stale_results_may_have_any_length()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        await QueryHttpTests.QueryAsync(server, "from Users where Age = 30");
        for (int i = 0; i < 10; i++)
        {
            // The index is behind each time.
            await server.PutAsync($"users/{i}", """{"Age":1,"@metadata":{"@collection":"Users"}}""");
            HttpAnswer answer = await server.SendAsync(
                "POST", "~/queries", """
                {"Query":"from Users where Age = 1","WaitForNonStaleResults":true,
                 "WaitForNonStaleResultsTimeout":"10000000.00:00:00"}
                """);
            Assert.Equal(i + 1, (int)answer.Expect(HttpStatusCode.OK).Json["TotalResults"]!);
        }
    }

    [Fact]
    public async Task A_query_that_nests_as_deep_as_it_is_long_is_refused_and_the_server_goes_on()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        (await server.SendAsync("PUT", "~/admin/indexes", Indexes)).Expect(HttpStatusCode.Created);
        string many = string.Join(" or ", Enumerable.Repeat("A=1", 100_000));
        string[] queries =
        [
            $"from Users where {many}", $"from Users where intersect({many.Replace(" or ", ",")})",
            $"from Users filter {many}", $"from Users where when({many.Replace("A", "$a")}, Age = 1)",
            $"from Users select facet({many.Replace("=", "<")})", $"explain from Users where {many}",
        ];
        foreach (string query in queries)
        {
            (await server.SendAsync("POST", "~/queries", QueryHttpTests.Body(query, """{"a":1}""")))
                .ExpectError(400, "expected no more than 4096 conditions");
        }

        string some = string.Join(" or ", Enumerable.Range(0, 2000).Select(i => $"Age = {i}"));
        Assert.Equal(3, QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, $"from Users where {some}")).Length);
        string shape = string.Concat(Enumerable.Repeat("GEOMETRYCOLLECTION (", 40_000)) + "POINT (1 1)"
            + new string(')', 40_000);
        (await server.SendAsync("POST", "~/queries", QueryHttpTests.Body(
            "from index 'Mine' where spatial.within(P, spatial.wkt($w))", JsonSerializer.Serialize(new { w = shape }))))
            .ExpectError(400, "line 1, column 43: 'GEOMETRYCOLLECTION");
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task A_text_or_pattern_of_a_condition_over_4096_characters_is_refused()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        await RefuseAsync(server, "search(Text, $p)", new string('a', (1 << 16) + 1), "no more than 65536 characters");
        await RefuseAsync(server, "regex(Name, $p)", new string('a', 4097), "it has 4097 characters, and may");
        string query = "from Users filter regex(Name, $p)";
        (await server.SendAsync("POST", "~/queries", QueryHttpTests.Body(
            query, JsonSerializer.Serialize(new { p = new string('a', 4097) }))))
            .ExpectError(400, "it has 4097 characters, and may have 4096");
        string[] values = [.. Enumerable.Range(0, 100_000).Select(i => $"t{i}"), "anna"];
        JsonNode answer = await QueryHttpTests.QueryAsync(
            server, "from Users where Name in ($p)", JsonSerializer.Serialize(new { p = values }));
        Assert.Equal(["users/anna"], QueryHttpTests.Ids(answer));
        await RefuseAsync(server, "Tags all in ($p)", values, "expected no more than 4096 values behind 'all in'");
    }

    [Theory]
    [InlineData("DELETE", "from Users update { this.A = 1; }", "line 1, column 19: 'update' has no meaning where")]
    [InlineData("DELETE", "explain from Users", "'explain' has no meaning where documents are deleted")]
    [InlineData("DELETE", "from Users group by Age", "line 1, column 21: 'group by' has no meaning")]
    [InlineData("DELETE", "from Users select facet(Age)", "line 1, column 19: 'select' has no meaning")]
    [InlineData("DELETE", "from Users select { A: 1 }", "line 1, column 19: 'select' has no meaning")]
    [InlineData("PATCH", "from Users update { } include Friend", "line 1, column 31: 'include' has no meaning where")]
    public async Task A_query_without_an_update_is_refused_as_a_change_of_documents(
        string method, string query, string says)
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        string body = $$"""{"Query":{{JsonSerializer.Serialize(query)}}}""";
        (await server.SendAsync(method, "~/queries", method == "PATCH" ? $$"""{"Query":{{body}} }""" : body))
            .ExpectError(400, says);
        Assert.Equal(3, QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, "from Users")).Length);
    }

    [Theory]
    [InlineData("from Users update { this.A = ; }", "line 1, column 30: ")]
    [InlineData("from Users as u\nupdate {\n  u.A = 1;\n  u.B = (2;\n}", "line 4, column 11: ")]
    [InlineData("declare function f(a) { return a + }\nfrom Users as u update { u.A = f(1); }", "line 1, column 36: ")]
    [InlineData("from Users as u update { let u = 1; }", "'u'")]
    public async Task A_script_that_cannot_be_compiled_is_refused_before_the_operation_begins(string query, string says)
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        (await server.SendAsync("PATCH", "~/queries", $"{{\"Query\":{QueryHttpTests.Body(query)}}}"))
            .ExpectError(400, says);
    }

    [Theory]
    [InlineData(
        "from Users as u select timeseries(from u.Heart between '2026-02-01' and '2026-01-01')",
        "the range ends before it begins")]
    [InlineData("from Users as u select timeseries(from u.Heart between 'noon' and 'now')", "expected a time")]
    [InlineData("from Users as u select timeseries(from u.Heart where Pulse > 1)", "expected Value, Values[i], Tag")]
    [InlineData("from Users as u select timeseries(from u.Heart where Timestamp > 'noon')", "a time beside Timestamp")]
    [InlineData("from Users as u select timeseries(from u.Heart group by '0 hours')", "a number above 0")]
    [InlineData("from Users as u select timeseries(from u.Heart group by 1 fortnight)", "a unit of time")]
    [InlineData("from Users as u select timeseries(from u.Heart first 10 ms)", "at least seconds")]
    [InlineData("from Users as u select timeseries(from u.Heart select slope())", "'group by' before 'select'")]
    [InlineData("from Users as u select timeseries(from u.Heart select percentile(101))", "from 0 to 100")]
    [InlineData("from Users as u select timeseries(from u.Heart group by 1 hour, Size)", "as the second key")]
    [InlineData("from Users as u select timeseries(from u.Heart offset 'soon')", "expected a span of time")]
    [InlineData("from Users as u select timeseries(from u.Heart group by $none)", "no parameter '$none'")]
    [InlineData("declare timeseries t(o) { from o.Heart } from Users as u select t(u, 1)", "no more than 1 arguments")]
    [InlineData("from Users include timeseries('Heart', last(0))", "above 0")]
    [InlineData("from Users include timeseries('Heart', last(1, 'Week'))", "'Second' or 'Month'")]
    [InlineData("from Users include timeseries('Heart', 'noon', null)", "expected a time or null")]
    public async Task A_query_of_a_time_series_that_cannot_be_is_refused_with_its_place(string query, string says)
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        HttpAnswer users = await server.SendAsync("POST", "~/queries", QueryHttpTests.Body("from Users"));
        string id = (string)users.Json["Results"]![0]!["@metadata"]!["@id"]!;
        (await server.SendAsync("POST", $"~/timeseries?docId={Uri.EscapeDataString(id)}", """
            {"Name":"Heart","Appends":[{"Timestamp":"2026-01-15T00:00:00Z","Values":[1]}]}
            """)).Expect(HttpStatusCode.NoContent);
        HttpAnswer answer = await server.SendAsync("POST", "~/queries", QueryHttpTests.Body(query));
        answer.ExpectError(400, says);
        answer.ExpectError(400, "line 1, column ");
    }

    [Fact]
    public async Task Terms_of_a_field_that_the_index_does_not_have_are_refused_with_its_fields()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        (await server.SendAsync("PUT", "~/admin/indexes", Indexes)).Expect(HttpStatusCode.Created);
        await QueryHttpTests.QueryAsync(server, "from index 'Mine'");
        string made = (string)(await QueryHttpTests.QueryAsync(server, "from Users where Age > 3"))["IndexName"]!;
        foreach (string field in new[] { "Name", "Text", "search(Text)", "P" })
        {
            (await server.SendAsync("GET", $"~/indexes/terms?name=Mine&field={field}")).Expect(HttpStatusCode.OK);
        }

        (await server.SendAsync("GET", $"~/indexes/terms?name={made}&field=Age")).Expect(HttpStatusCode.OK);
        (await server.SendAsync("GET", "~/indexes/terms?name=Mine&field=Nope"))
            .ExpectError(400, "the index 'Mine' has no field 'Nope', but Age, Name, P, Text");
        (await server.SendAsync("GET", $"~/indexes/terms?name={made}&field=Name"))
            .ExpectError(400, $"the index '{made}' has no field 'Name', but Age");
    }

    [Theory]
    [InlineData("GET", "~/streams/queries?query=from%20Users%20select%20facet(Age)", "line 1, column 19: facets and")]
    [InlineData("GET", "~/streams/queries?query=from%20Users%20include%20Boss", "column 20: what a query includes")]
    [InlineData("GET", "~/streams/queries?query=from%20Users%20include%20timings()", "is answered by /queries: a")]
    [InlineData("GET", "~/streams/queries?query=explain%20from%20Users", "'explain' is answered by /queries")]
    [InlineData(
        "GET", "~/streams/queries?query=from%20Users&format=xml", "'format' must be json, jsonl or csv, not 'xml'")]
    [InlineData("GET", "~/queries?query=from%20Users&debug=all", "'debug' must be entries or explain, not 'all'")]
    public async Task A_URL_parameter_with_an_unknown_value_is_refused(string method, string path, string says)
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        (await server.SendAsync(method, path)).ExpectError(400, says);
        (await server.SendAsync("DELETE", "~/queries?staleTimeout=soon", QueryHttpTests.Body("from Users")))
            .ExpectError(400, "'staleTimeout' must be a span of time");
        (await server.SendAsync("GET", "~/indexes/errors?name=None")).ExpectError(400, "There is no index 'None'");
    }

    private static async Task RefuseAsync<T>(TestServer server, string condition, T value, string says) =>
        (await server.SendAsync("POST", "~/queries", QueryHttpTests.Body(
            $"from Users where {condition}", JsonSerializer.Serialize(new { p = value })))).ExpectError(400, says);

    private static async Task RefuseAsync(params (string Query, string Parameters, string Says)[] cases)
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        (await server.SendAsync("PUT", "~/admin/indexes", Indexes)).Expect(HttpStatusCode.Created);
        foreach ((string query, string parameters, string says) in cases)
        {
            (await server.SendAsync("POST", "~/queries", QueryHttpTests.Body(query, parameters)))
                .ExpectError(400, says);
        }
    }
}
