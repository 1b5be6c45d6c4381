using System.Net;
using System.Text.Json.Nodes;
using FastTests.Queries;

namespace FastTests.Server;

/// <summary><c>filter</c> scans results: it finds what <c>where</c> would find, without an index.</summary>
public sealed class QueryFilterHttpTests
{
    [Fact]
    [Trait("Invariant", "FILT-1")]
    public async Task A_condition_after_filter_finds_what_it_finds_after_where_and_makes_no_index()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        int seed = Environment.TickCount;
        var random = new Random(seed);
        var model = new QueryModel(random);
        for (int i = 0; i < 40; i++)
        {
            await server.PutAsync(model.RandomId(), model.RandomDocument().ToJson());
        }

        for (int i = 0; i < 200; i++)
        {
            (string condition, _) = model.RandomCondition(2);
            if (condition.Contains("search(", StringComparison.Ordinal))
            {
                // Words need an index: what cannot be looked up is refused.
                continue;
            }

            string[] wanted = QueryHttpTests.Ids(
                await QueryHttpTests.QueryAsync(server, $"from Users where {condition}"));
            JsonNode filtered = await QueryHttpTests.QueryAsync(server, $"from Users filter {condition}");
            Assert.True(
                wanted.Order(StringComparer.Ordinal).SequenceEqual(
                    QueryHttpTests.Ids(filtered).Order(StringComparer.Ordinal)),
                $"seed {seed}: filter {condition} gives {filtered["Results"]!.ToJsonString()}");
            Assert.Equal("collection/Users", (string?)filtered["IndexName"]);
            Assert.Equal(wanted.Length, (int)filtered["TotalResults"]!);
        }
    }

    [Fact]
    [Trait("Invariant", "FILT-2")]
    public async Task A_filter_compares_fields_calls_functions_and_reads_loaded_documents()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        foreach ((string query, string expected) in new[]
        {
            ("from Users as u filter u.Age > $age", "users/bert"),
            ("from Users as u filter u.Age in ($ages)", "users/bert"),
            ("from Users filter Address.City = 'ROME' or Lines[].Product = 'tea'", "users/anna users/bert"),
            ("from Users as u filter u.Name = u.Name and not u.Name = u.Text", "users/anna users/bert users/carl"),
            ("from Users as u load u.Friend as f filter f.Name = 'anna'", "users/bert"),
            ("declare function old(a, b) { return a.Age >= b; } from Users as u filter old(u, $age)",
                "users/anna users/bert users/carl"),
            ("declare function len(t) { return t.length; } from Users as u filter len(u.Text) > 11", "users/bert"),
            ("from Users filter regex(Name, '^[ab]') and endsWith(Text, 'moon')", "users/bert"),
            ("from Users filter startsWith(id(), 'Users/C')", "users/carl"),
            ("from Users filter when($age > 1, Age = 40)", ""),
            ("from Users where Age = 30 filter Name = 'carl'", "users/carl"),
            ("from Users filter Nothing = null", ""),
        })
        {
            if (expected.Length == 0 && query.Contains("when", StringComparison.Ordinal))
            {
                (await server.SendAsync("POST", "~/queries", QueryHttpTests.Body(query, "{\"age\":30}")))
                    .ExpectError(400, "expected a parameter");
                continue;
            }

            JsonNode answer = await QueryHttpTests.QueryAsync(server, query, "{\"age\":30,\"ages\":[40,41]}");
            Assert.True(
                expected == string.Join(' ', QueryHttpTests.Ids(answer).Order(StringComparer.Ordinal)),
                $"{query}: {answer["Results"]!.ToJsonString()}");
        }
    }

    [Fact]
    [Trait("Invariant", "FILT-3")]
    public async Task A_filter_limit_limits_the_scanned_results_and_the_page_is_cut_from_the_filtered_ones()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        JsonNode all = await QueryHttpTests.QueryAsync(server, "from Users order by Name filter Age = 30 limit 1, 1");
        Assert.Equal(["users/carl"], QueryHttpTests.Ids(all));
        Assert.Equal([2, 3], new[] { (int)all["TotalResults"]!, (int)all["ScannedResults"]! });
        JsonNode few = await QueryHttpTests.QueryAsync(
            server, "from Users order by Name filter Age = 30 limit $s, $t filter_limit $f",
            "{\"s\":0,\"t\":5,\"f\":2}");
        Assert.Equal(["users/anna"], QueryHttpTests.Ids(few));
        Assert.Equal([1, 2], new[] { (int)few["TotalResults"]!, (int)few["ScannedResults"]! });
        JsonNode distinct = await QueryHttpTests.QueryAsync(
            server, "from Users filter Age < 50 filter_limit 9 select distinct Age");
        Assert.Equal(2, distinct["Results"]!.AsArray().Count);
        JsonNode groups = await QueryHttpTests.QueryAsync(
            server, "from Users group by Age filter Count > 1 select Age, count() as Count");
        Assert.Equal(30, (int)Assert.Single(groups["Results"]!.AsArray())!["Age"]!);
        string lines = (await server.SendAsync(
            "POST", "~/streams/queries?format=jsonl", QueryHttpTests.Body("from Users filter Age = 40"))).Text;
        Assert.Equal(2, lines.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
    }

    [Theory]
    [InlineData("from Users filter search(Name, 'a')", "line 1, column 19: 'search' cannot be looked up in results")]
    [InlineData("from Users filter Age > frob()", "line 1, column 25: expected a value")]
    [InlineData("from Users filter", "line 1, column 18: expected a field or a value")]
    [InlineData("from Users filter Age = 1 select facet(Age)", "'filter' looks into results")]
    [InlineData("declare function f(u) { throw 'no'; } from Users as u filter f(u)", "no")]
    [InlineData("from Users filter regex(Name, '(')", "the regular expression is refused")]
    public async Task An_invalid_filter_is_refused_with_400_and_the_position(string query, string says)
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        (await server.SendAsync("POST", "~/queries", QueryHttpTests.Body(query))).ExpectError(400, says);
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task A_deletion_by_query_leaves_documents_that_its_filter_excludes()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        HttpAnswer begun = await server.SendAsync(
            "DELETE", "~/queries", QueryHttpTests.Body("from Users filter Age = 30"));
        await OperationHttpTests.EndAsync(server, (long)begun.Expect(HttpStatusCode.OK).Json["OperationId"]!);
        Assert.Equal(["users/bert"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, "from Users")));
    }
}
