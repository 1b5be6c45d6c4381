using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Values that a query compares: dates, open bounds, objects, large numbers, lists of none.</summary>
public sealed class QueryValuesHttpTests(QueriedDatabase database) : IClassFixture<QueriedDatabase>
{
    [Theory]
    [InlineData("D = $a", "1 2")]
    [InlineData("D = '2020-01-02T00:00:00.0000000'", "1 2")]
    [InlineData("D != $a", "3 4")]
    [InlineData("D in ($a)", "1 2")]
    [InlineData("D all in ($a)", "1 2")]
    [InlineData("D between $a and $b", "1 2 3")]
    [InlineData("D > $a", "3 4")]
    [InlineData("D >= $a", "1 2 3 4")]
    [InlineData("D < $b", "1 2")]
    [InlineData("D <= $b", "1 2 3")]
    [InlineData("D > '2020-01-02T00:00:00.0000000'", "3 4")]
    [InlineData("D <= '2020-01-02T00:00:00.0000000'", "1 2")]
    [InlineData("exact(D = $a)", "2")]
    [InlineData("lucene(D, '\"2020-01-02T00:00:00.0000000\"')", "1 2")]
    [InlineData("lucene(D, '\"2020-01-02T00:00:00.0000000Z\"')", "1 2")]
    [InlineData("lucene(D, '2020-01-02T00\\\\:00\\\\:00.0000000Z')", "1 2")]
    [InlineData("lucene(D, '[2020-01-02T00:00:00.0000000Z TO 2020-01-03T00:00:00.0000000Z]')", "1 2 3")]
    [InlineData("lucene(D, '{2020-01-02T00:00:00.0000000 TO 2020-01-04T00:00:00.0000000}')", "3")]
    [InlineData("search(D, '2020-01-02T00:00:00.0000000Z', and)", "1 2")]
    [InlineData("exact(lucene(D, '\"2020-01-02T00:00:00.0000000Z\"'))", "2")]
    [Trait("Fault", "D4")]
    public async Task A_date_with_a_Z_and_one_without_are_the_same_instant(string condition, string expected)
    {
        await database.PutAsync(
            "Dates", """{"D":"2020-01-02T00:00:00.0000000"}""", """{"D":"2020-01-02T00:00:00.0000000Z"}""",
            """{"D":"2020-01-03T00:00:00.0000000"}""", """{"D":"2020-01-04T00:00:00.0000000Z"}""");
        const string Bounds = """{"a":"2020-01-02T00:00:00.0000000Z","b":"2020-01-03T00:00:00.0000000Z"}""";
        Assert.Equal(expected, await database.NumbersAsync($"from Dates where {condition} order by id()", Bounds));
        if (condition.StartsWith("D ", StringComparison.Ordinal))
        {
            Assert.Equal(
                expected, await database.NumbersAsync($"from Dates order by id() filter {condition}", Bounds));
        }
    }

    [Theory]
    [InlineData("lucene(N, '5')", "1 2")]
    [InlineData("lucene(N, '5 OR 6')", "1 2 3")]
    [InlineData("lucene(N, '5 AND 7')", "")]
    [InlineData("lucene(N, '+7 -5')", "4")]
    [InlineData("lucene(N, '\"5\"')", "1 2")]
    [InlineData("lucene(N, '1.50')", "5")]
    [InlineData("lucene(N, 'true')", "6")]
    [InlineData("lucene(N, '18446744073709551611')", "7")]
    [InlineData("exact(lucene(N, '5'))", "1 2")]
    [InlineData("search(N, '5')", "1 2")]
    [InlineData("search(N, '5 6')", "1 2 3")]
    [InlineData("search(N, '5 six', and)", "8")]
    [InlineData("search(N, 'FALSE true')", "6")]
    [InlineData("search(N, '-1')", "9")]
    [InlineData("startsWith(N, '5')", "2")]
    [Trait("Fault", "E20")]
    public async Task A_text_that_is_a_number_finds_the_number(string condition, string expected)
    {
        await database.PutAsync(
            "Numbers", """{"N":5}""", """{"N":"5"}""", """{"N":6}""", """{"N":7}""", """{"N":1.5}""", """{"N":true}""",
            """{"N":18446744073709551611}""", """{"N":[5.0,"six"]}""", """{"N":-1}""");
        const string Any = "1 2";
        expected = expected.StartsWith(Any, StringComparison.Ordinal) ? $"{expected} 8" : expected;
        Assert.Equal(expected, await database.NumbersAsync($"from Numbers where {condition} order by id()"));
        await database.MakeIndexAsync("Numbers/Plain", "from n in docs.Numbers select new { n.N }");
        Assert.Equal(
            (condition, expected),
            (condition, await database.NumbersAsync($"from index 'Numbers/Plain' where {condition} order by id()")));
    }

    [Theory]
    [InlineData("N >= '*'", "1 2 3")]
    [InlineData("N > $star", "1 2 3")]
    [InlineData("N <= 'NULL'", "1 2 3")]
    [InlineData("N < $null", "1 2 3")]
    [InlineData("N between '*' and 2", "1 2")]
    [InlineData("N between 2 and 'NULL'", "2 3")]
    [InlineData("N between $star and $null", "1 2 3")]
    [InlineData("N = '*'", "")]
    [InlineData("N > 'NULL'", "")]
    [Trait("Fault", "D5")]
    public async Task A_bound_that_clients_leave_open_is_unlimited(string condition, string expected)
    {
        await database.PutAsync("Bounds", """{"N":1}""", """{"N":2}""", """{"N":3}""");
        const string Open = """{"star":"*","null":"NULL"}""";
        Assert.Equal(expected, await database.NumbersAsync($"from Bounds where {condition} order by id()", Open));
        Assert.Equal(expected, await database.NumbersAsync($"from Bounds order by id() filter {condition}", Open));
    }

    [Theory]
    [InlineData("O = $o")]
    [InlineData("O in ($o)")]
    [InlineData("L = $o")]
    [Trait("Fault", "A18")]
    public async Task Objects_are_equal_if_their_numbers_are(string condition)
    {
        await database.PutAsync(
            "Objects", """{"O":{"x":1,"e":"1.0e"},"L":[{"x":1,"e":"1.0e"}]}""",
            """{"O":{"x":1.0,"e":"1.0e"},"L":[{"x":1.0,"e":"1.0e"}]}""",
            """{"O":{"x":1e0,"e":"1.0e"},"L":[{"x":1e0,"e":"1.0e"}]}""",
            """{"O":{"x":2,"e":"1.0e"},"L":[{"x":2,"e":"1.0e"}]}""");
        await database.MakeIndexAsync("Objects/Cs", "from o in docs.Objects select new { o.O, o.L }");
        await database.MakeIndexAsync("Objects/Js", "map('Objects', o => ({ O: o.O, L: o.L }))");
        foreach (string given in new[] { "1", "1.0", "1e0" })
        {
            string parameters = $$$"""{"o":{"x":{{{given}}},"e":"1.0e"}}""";
            foreach (string query in new[]
            {
                $"from Objects where {condition} order by id()", $"from Objects order by id() filter {condition}",
                $"from index 'Objects/Cs' where {condition} order by id()",
                $"from index 'Objects/Js' where {condition} order by id()",
            })
            {
                Assert.Equal((query, "1 2 3"), (query, await database.NumbersAsync(query, parameters)));
            }
        }

        JsonNode counted = await database.QueryAsync("from Objects select facet(O)");
        Assert.Equal(
            ["3", "1"], counted["Results"]![0]!["Values"]!.AsArray().Select(one => one!["Count"]!.ToString()));
    }

    [Fact]
    [Trait("Fault", "A21")]
    public async Task Zero_and_negative_zero_are_equal()
    {
        await database.PutAsync("Zeros", """{"v":-0}""", """{"v":0}""", """{"v":0.0}""", """{"v":-0.0}""");
        Assert.Single((await database.QueryAsync("from Zeros select distinct v"))["Results"]!.AsArray());
        Assert.Single((await database.QueryAsync(
            "from Zeros as z select distinct { v: [z.v, { w: z.v }] }"))["Results"]!.AsArray());
        Assert.Equal("1 2 3 4", await database.NumbersAsync("from Zeros where v = 0 order by id()"));
    }

    [Theory]
    [InlineData("""{"Street":"Main","No":1}""")]
    [InlineData("""{"No":1,"Street":"Main"}""")]
    [Trait("Fault", "A18")]
    public async Task An_object_in_a_condition_is_compared_as_a_value(string address)
    {
        await database.PutAsync(
            "Homes", """{"A":{"Street":"Main","No":1}}""", """{"A":{"No":1,"Street":"Main"}}""", """{"A":{"No":2}}""");
        string given = $$"""{"o":{{address}},"list":[{{address}},{"No":2}]}""";
        Assert.Equal("1 2", await database.NumbersAsync("from Homes where A = $o order by id()", given));
        Assert.Equal("3", await database.NumbersAsync("from Homes where A != $o order by id()", given));
        Assert.Equal("1 2 3", await database.NumbersAsync("from Homes where A in ($list) order by id()", given));
        Assert.Equal("1 2", await database.NumbersAsync("from Homes order by id() filter A = $o", given));
    }

    [Fact]
    [Trait("Fault", "D8")]
    public async Task Whole_numbers_beyond_64_bits_are_compared_exactly()
    {
        await database.PutAsync(
            "Large", """{"N":18446744073709551610}""", """{"N":18446744073709551611}""",
            """{"N":18446744073709551615}""", """{"N":-18446744073709551615}""");
        const string Given = """{"p":18446744073709551611}""";
        Assert.Equal("2", await database.NumbersAsync("from Large where N = $p", Given));
        Assert.Equal("1", await database.NumbersAsync("from Large where N = 18446744073709551610"));
        Assert.Equal("3", await database.NumbersAsync("from Large where N > $p", Given));
        Assert.Equal("4 1", await database.NumbersAsync("from Large where N < $p order by N", Given));
        Assert.Equal("2", await database.NumbersAsync("from Large filter N = $p", Given));
        Assert.Equal(
            """{"N":-18446744073709551615,"C":1} {"N":18446744073709551610,"C":1} """
            + """{"N":18446744073709551611,"C":1} {"N":18446744073709551615,"C":1}""",
            await database.RowsAsync("from Large group by N order by N select N, count() as C"));
    }

    [Fact]
    [Trait("Fault", "D9")]
    public async Task A_condition_on_all_of_an_empty_list_finds_nothing()
    {
        await database.PutAsync("Lists", """{"N":1}""", """{"N":2}""");
        const string Given = """{"none":[]}""";
        foreach (string query in new[]
        {
            "from Lists where N all in ([])", "from Lists where N all in ()", "from Lists where N all in ($none)",
            "from Lists where N in ([])", "from Lists filter N all in ($none)",
        })
        {
            Assert.Equal((query, ""), (query, await database.NumbersAsync(query, Given)));
        }

        Assert.Equal("1 2", await database.NumbersAsync("from Lists where N in ([1, 2]) order by N"));
    }

    [Fact]
    [Trait("Fault", "D9")]
    public async Task Numbers_are_ordered_as_texts_if_the_query_says_as_string()
    {
        await database.PutAsync(
            "Sorted", """{"N":2}""", """{"N":10}""", """{"N":9}""", """{"N":"1a"}""", """{"N":null}""",
            """{"N":1.5}""");
        Assert.Equal("5 6 2 4 1 3", await database.NumbersAsync("from Sorted order by N as string"));
        Assert.Equal("3 1 4 2 6 5", await database.NumbersAsync("from Sorted order by N as string desc"));
        Assert.Equal("1 3 2", await database.NumbersAsync("from Sorted where N >= 2 order by N"));
    }

    [Fact]
    [Trait("Fault", "E26")]
    public async Task A_distance_whose_rounding_is_null_is_not_rounded()
    {
        await database.PutAsync("Places", """{"La":10.2,"Lo":10}""", """{"La":10.1,"Lo":10}""");
        const string Query =
            "from Places order by spatial.distance(spatial.point(La, Lo), spatial.point(10, 10), $r)";
        Assert.Equal("2 1", await database.NumbersAsync(Query, """{"r":null}"""));
        Assert.Equal("1 2", await database.NumbersAsync(Query, """{"r":1000}"""));
    }

    [Theory]
    [InlineData("select * from Users", "expected 'from' at the start of the query: what is selected stands behind it")]
    [InlineData("from Users where Name like 'a%'", "parts of a text are asked for by startsWith(Name, 'a')")]
    [InlineData("from Users where Name is null", "what is null is asked for by \"Name = null\"")]
    [InlineData("from Users -- all", "line 1, column 12: '--' is no part of a query: a comment begins with //")]
    [InlineData("from Users select Name order by Name", "the end of the query: 'order by' stands before, once")]
    [InlineData("from Users order by Name where Age > 1", "expected the end of the query: 'where' stands before, once")]
    [InlineData("from Users limit 1 include Friend", "where, order by, load, filter, select or update, include, limit")]
    [InlineData("from Users where proximity(search(Name, 'a b'), -1)", "a whole number of moves that is not negative")]
    [InlineData("from Users where proximity(search(Name, 'a b'), 1.5)", "a whole number of moves that is not negative")]
    [Trait("Fault", "A8")]
    [Trait("Fault", "B15")]
    public async Task A_query_in_the_syntax_of_another_language_is_refused_with_the_RQL_for_it(
        string query, string expected)
    {
        HttpAnswer answer = await database.SendAsync(query);
        Assert.Equal(400, answer.Status);
        Assert.Contains(expected, (string?)answer.Json["Message"], StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Fault", "B15")]
    public async Task A_misspelled_collection_is_reported_in_a_header_with_a_similar_name()
    {
        await database.PutAsync("Hotels", """{"N":1}""");
        foreach (string query in new[] { "from Hotel", "from hottels where N = 1" })
        {
            HttpAnswer answer = await database.SendAsync(query);
            answer.Expect(HttpStatusCode.OK);
            Assert.EndsWith(
                "; did you mean 'Hotels'?", Assert.Single(answer.Message.Headers.GetValues("Raven-Warning")),
                StringComparison.Ordinal);
        }

        Assert.Equal(
            "The database has no collection 'Xyzxyz?'",
            Assert.Single((await database.SendAsync("from 'Xyzxyzé'")).Message.Headers.GetValues("Raven-Warning")));
        Assert.False((await database.SendAsync("from Hotels")).Message.Headers.Contains("Raven-Warning"));
        Assert.False((await database.SendAsync("from hotels where N = 5")).Message.Headers.Contains("Raven-Warning"));
    }
}
