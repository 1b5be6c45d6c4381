using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>What queries that group give: aliases, sums of arrays, keys that are arrays, rows that differ.</summary>
public sealed class QueryGroupsHttpTests(QueriedDatabase database) : IClassFixture<QueriedDatabase>
{
    [Theory]
    [InlineData("order by cnt desc select key() as k, count() as cnt", "y=3 z=2 x=1")]
    [InlineData("order by cnt as long select key() as k, count() as cnt", "x=1 z=2 y=3")]
    [InlineData("where cnt > 1 order by k select key() as k, count() as cnt", "y=3 z=2")]
    [InlineData("where cnt between 1 and 2 and k != 'x' select P as k, count() as cnt", "z=2")]
    [InlineData("where k in ('x', 'z') order by k desc select key() as k, count() as cnt", "z=2 x=1")]
    [InlineData("where key() = 'y' select key() as k, count() as cnt", "y=3")]
    [InlineData("filter cnt > 1 select key() as k, count() as cnt", "y=3 z=2")]
    [InlineData("filter cnt between 1 and 2 and k != 'x' select key() as k, count() as cnt", "z=2")]
    [InlineData("filter total > cnt and key() in ('y', 'z') select P as k, count() as cnt, sum(N) as total", "y=3 z=2")]
    [InlineData("order by total desc select key() as k, sum(N) as total", "z=20 y=6 x=1")]
    [Trait("Fault", "E7")]
    public async Task An_alias_of_a_group_can_be_used_in_every_clause(string rest, string expected)
    {
        await PutGroupsAsync();
        JsonNode answer = await database.QueryAsync($"from Groups group by P {rest}");
        Assert.Equal(expected, string.Join(' ', answer["Results"]!.AsArray().Select(one =>
            $"{one!["k"]}={one["cnt"] ?? one["total"]}")));
        Assert.DoesNotContain("cnt", (string?)answer["IndexName"], StringComparison.Ordinal);
        Assert.DoesNotContain("total", (string?)answer["IndexName"], StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Fault", "E8")]
    public async Task A_sum_over_an_array_adds_all_of_its_numbers()
    {
        await database.PutAsync(
            "Sums", """{"C":"UK","L":[{"Q":7},{"Q":7}],"T":[1,2,3]}""", """{"C":"UK","L":[{"Q":1}],"T":[4]}""",
            """{"C":"US","L":[],"T":[]}""", """{"C":"US","L":[{"Q":"x"},{}],"T":["a",[5]]}""");
        Assert.Equal(
            """{"C":"UK","S":15,"T":10} {"C":"US","S":0,"T":5}""",
            await database.RowsAsync("from Sums group by C order by C select C, sum(L[].Q) as S, sum(T[]) as T"));
        Assert.Equal(
            """{"S":15}""", await database.RowsAsync("from Sums group by C where S > 1 select sum(L[].Q) as S"));
    }

    [Fact]
    [Trait("Fault", "D8")]
    public async Task Numbers_beyond_the_largest_double_are_different_group_keys()
    {
        string digits = $"1{new string('0', 500)}";
        await database.PutAsync(
            "Huge", "{\"v\":1e400}", "{\"v\":null}", "{\"v\":10.0E+399}", "{\"v\":2e400}", "{\"v\":-1e400}",
            $"{{\"v\":{digits}}}", "{\"v\":1e500}");
        const string Fields = "\"__all_fields\":{\"Storage\":\"Yes\"}";
        (await database.Server.SendAsync("PUT", "~/admin/indexes", $$"""
            {"Indexes":[{"Name":"Huge/Cs","Maps":["from h in docs.Huge select new { h.v, n = 1 }"],
                "Reduce":"from r in results group r by r.v into g select new { v = g.Key, n = g.Sum(x => x.n) }",
                "Fields":{ {{Fields}} } },
                {"Name":"Huge/Js","Maps":["map('Huge', h => ({ v: h.v, n: 1 }))"],
                "Reduce":"groupBy(x => x.v).aggregate(g => ({ v: g.key, n: g.values.length }))",
                "Fields":{ {{Fields}} } }]}
            """)).Expect(System.Net.HttpStatusCode.Created);
        string expected = string.Join(' ', new[] { "-1e400:1", "1e400:2", $"{digits}:2", "2e400:1", "null:1" }
            .Order(StringComparer.Ordinal));
        foreach (string from in new[] { "Huge group by v", "index 'Huge/Cs'", "index 'Huge/Js'" })
        {
            string n = from.StartsWith("index", StringComparison.Ordinal) ? "n" : "count() as n";
            JsonNode answer = await database.QueryAsync($"from {from} select v, {n}");
            Assert.Equal((from, expected), (from, string.Join(' ', answer["Results"]!.AsArray()
                .Select(row => $"{row!["v"]?.ToJsonString() ?? "null"}:{row["n"]}").Order(StringComparer.Ordinal))));
            Assert.Single((await database.QueryAsync($"from {from} where v = null select v"))["Results"]!.AsArray());
        }

        Assert.Equal("2", await database.NumbersAsync("from Huge where v = null"));
        Assert.Equal("1 3 4 5 6 7", await database.NumbersAsync("from Huge where v != null"));
        Assert.Equal("1 3 4 5 6 7", await database.NumbersAsync("from Huge filter v != null"));
    }

    [Fact]
    [Trait("Fault", "B7")]
    public async Task An_unknown_aggregation_of_groups_is_refused_with_the_known_ones()
    {
        await PutGroupsAsync();
        foreach (string function in new[] { "avg(N)", "min(N)", "max(N)", "average(N) as a" })
        {
            (await database.SendAsync($"from Groups group by P select P, {function}")).ExpectError(
                400, "expected a key, key(), count() or sum(field): what else is worked out of groups (avg, min, max)");
        }

        foreach (string function in new[] { "count()", "sum(N)", "avg(N) as a", "key()" })
        {
            (await database.SendAsync($"from Groups select {function}")).ExpectError(
                400, "of groups: \"from Orders group by Company select key(), count()\"");
        }

        foreach (string query in new[]
        {
            "group by P select { k: key(), c: 1 }", "group by P where P = 'none' select { c: count() }",
            "as g group by P select { s: sum(g.N) }", "as g select { c: count() }",
        })
        {
            (await database.SendAsync($"from Groups {query}")).ExpectError(400, "name it in a list");
        }
    }

    [Fact]
    [Trait("Fault", "D6")]
    public async Task A_group_key_that_is_an_array_is_one_key_with_any_number_of_items()
    {
        await database.PutAsync(
            "Keys", """{"L":[{"P":"p1"}]}""", """{"L":[{"P":"p2"},{"P":"p1"}]}""", """{"L":[]}""",
            """{"L":[{"P":"p1"}]}""", """{"T":["a"]}""");
        Assert.Equal(
            """["p1"]=2 ["p2","p1"]=1 []=1 null=1""",
            await KeysAsync("from Keys group by array(L[].P) select key() as K, count() as N"));
        Assert.Equal(
            """["a"]=1 null=4""", await KeysAsync("from Keys group by array(T) select key() as K, count() as N"));
        Assert.Equal(
            """["a"]=1 null=4""", await KeysAsync("from Keys group by array(T[]) select key() as K, count() as N"));
    }

    [Fact]
    [Trait("Fault", "E6")]
    public async Task A_star_in_select_projects_the_whole_document()
    {
        await PutGroupsAsync();
        foreach (string query in new[] { "from Groups select *", "from Groups select distinct *" })
        {
            JsonNode answer = await database.QueryAsync(query);
            Assert.Equal((query, 6), (query, answer["Results"]!.AsArray().Count));
            Assert.Equal((query, 6), (query, (int)answer["TotalResults"]!));
            Assert.Null(answer["Results"]![0]!["@metadata"]!["@projection"]);
        }

        Assert.Equal("1 2", await database.NumbersAsync(
            "from Groups where N > 0 order by id() select distinct * limit 2"));
        JsonNode groups = await database.QueryAsync("from Groups group by P select distinct *");
        Assert.Equal(3, groups["Results"]!.AsArray().Count);
    }

    [Fact]
    [Trait("Fault", "D9")]
    public async Task Distinct_numbers_of_the_same_value_are_one_row_in_every_notation()
    {
        await database.PutAsync(
            "Alike", """{"N":0}""", """{"N":0.0}""", """{"N":1.50}""", """{"N":1.5}""", """{"N":"0"}""",
            """{"N":100}""", """{"N":1e2}""");
        foreach (string select in new[] { "N", "{ N: a.N }" })
        {
            JsonNode answer = await database.QueryAsync($"from Alike as a select distinct {select}");
            Assert.Equal((select, 4), (select, answer["Results"]!.AsArray().Count));
            Assert.Equal((select, 4), (select, (int)answer["TotalResults"]!));
        }
    }

    [Fact]
    [Trait("Fault", "E3")]
    public async Task A_stream_of_distinct_rows_reports_the_count_before_equal_rows_were_removed()
    {
        await PutGroupsAsync();
        JsonNode stream = (await database.Server.SendAsync(
            "POST", "~/streams/queries", QueryHttpTests.Body("from Groups select distinct P"))).Json;
        Assert.Equal([6, 3], new[] { (int)stream["TotalResults"]!, stream["Results"]!.AsArray().Count });
        Assert.Equal(3, (int)(await database.QueryAsync("from Groups select distinct P"))["TotalResults"]!);
    }

    private Task PutGroupsAsync() => database.PutAsync(
        "Groups", """{"P":"x","N":1}""", """{"P":"y","N":1}""", """{"P":"y","N":2}""", """{"P":"y","N":3}""",
        """{"P":"z","N":10}""", """{"P":"z","N":10}""");

    private async Task<string> KeysAsync(string query) => string.Join(
        ' ', (await database.QueryAsync(query))["Results"]!.AsArray()
            .Select(one => $"{one!["K"]?.ToJsonString() ?? "null"}={one["N"]}").Order(StringComparer.Ordinal)
            .OrderBy(one => one.StartsWith("null", StringComparison.Ordinal)).ThenBy(one => one[1] == ']'));
}
