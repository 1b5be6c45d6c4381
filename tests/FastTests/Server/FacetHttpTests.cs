using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Facets: their order, their pages, what is worked out, and what comes beside them.</summary>
public sealed class FacetHttpTests(QueriedDatabase database) : IClassFixture<QueriedDatabase>
{
    [Theory]
    [InlineData("ValueAsc", 0, 9, "10=1 2=2 9=2 b=3", "", 0)]
    [InlineData("ValueDesc", 0, 9, "b=3 9=2 2=2 10=1", "", 0)]
    [InlineData("CountAsc", 0, 9, "10=1 2=2 9=2 b=3", "", 0)]
    [InlineData("CountDesc", 0, 9, "b=3 2=2 9=2 10=1", "", 0)]
    [InlineData("CountDesc", 0, 1, "b=3", "2 9 10", 5)]
    [InlineData("CountDesc", 1, 2, "2=2 9=2", "10", 1)]
    [InlineData("CountAsc", 2, 1, "9=2", "b", 3)]
    [InlineData("ValueAsc", 3, 9, "b=3", "", 0)]
    [InlineData("ValueAsc", 9, 9, "", "", 0)]
    [Trait("Fault", "E12")]
    [Trait("Fault", "A7")]
    [Trait("Fault", "D9")]
    public async Task The_values_of_a_facet_are_sorted_and_paged_and_the_rest_is_listed_as_remaining(
        string order, int start, int size, string expected, string remaining, int hits)
    {
        await PutCamerasAsync();
        string options = $$"""
            {"o":{"IncludeRemainingTerms":true,"TermSortMode":"{{order}}","Start":{{start}},"PageSize":{{size}} } }
            """;
        JsonNode facet = (await database.QueryAsync("from Cameras select facet(C, $o)", options))["Results"]![0]!;
        Assert.Equal(expected, string.Join(
            ' ', facet["Values"]!.AsArray().Select(one => $"{one!["Range"]}={one["Count"]}")));
        Assert.Equal(remaining, string.Join(' ', facet["RemainingTerms"]!.AsArray()));
        Assert.Equal(remaining.Split(' ', StringSplitOptions.RemoveEmptyEntries).Length,
            (int)facet["RemainingTermsCount"]!);
        Assert.Equal(hits, (int)facet["RemainingHits"]!);
    }

    [Fact]
    [Trait("Fault", "A7")]
    public async Task Aggregations_of_a_facet_have_the_names_that_the_query_gives_them()
    {
        await PutCamerasAsync();
        const string Expected = "P:-:10 least:-:- total:20:-";
        JsonNode facet = (await database.QueryAsync(
            "from Cameras where C = 2 select facet(C, sum(P) as 'total', avg(P), min(P) as least) as F"))
            ["Results"]![0]!;
        Assert.Equal("F", (string?)facet["Name"]);
        Assert.Equal(Expected, Told(facet));
        Assert.Equal(5.0, (double)facet["Values"]![2]!["Min"]!);
        await database.Server.PutAsync("setups/1", """
            {"Facets":[{"FieldName":"C","Aggregations":{"Sum":[{"Name":"P","DisplayName":"total"}],
                "Average":["P"],"Min":[{"Name":"P","DisplayName":"least"}]}}],
             "@metadata":{"@collection":"Setups"}}
            """);
        Assert.Equal(Expected, Told((await database.QueryAsync(
            "from Cameras where C = 2 select facet(id('setups/1'))"))["Results"]![0]!));
        JsonNode ranges = (await database.QueryAsync(
            "from Cameras select facet(P < 10, P >= 10, sum(P) as total) as R"))["Results"]![0]!;
        Assert.Equal("total:30:- total:5:-", Told(ranges));
    }

    [Fact]
    [Trait("Fault", "A7")]
    public async Task Documents_that_the_results_refer_to_are_included_beside_facets()
    {
        await PutCamerasAsync();
        await database.PutAsync("Makers", """{"Name":"a"}""", """{"Name":"b"}""");
        JsonNode answer = await database.QueryAsync("from Cameras where C = 2 select facet(C) include Maker");
        Assert.Equal(["Makers/1", "Makers/2"], answer["Includes"]!.AsObject().Select(one => one.Key).Order());
        Assert.Equal("a", (string?)answer["Includes"]!["Makers/1"]!["Name"]);
        Assert.Equal(["Maker"], answer["IncludedPaths"]!.AsArray().Select(one => (string?)one));
        Assert.Equal("2=2", string.Join(' ', answer["Results"]![0]!["Values"]!.AsArray().Select(one =>
            $"{one!["Range"]}={one["Count"]}")));
        Assert.Equal(1, (int)answer["TotalResults"]!);
        JsonNode without = await database.QueryAsync("from Cameras where C = 2 select facet(C)");
        Assert.Empty(without["Includes"]!.AsObject());
    }

    [Fact]
    [Trait("Fault", "E5")]
    public async Task A_facet_of_a_full_text_field_counts_its_words()
    {
        await database.PutAsync(
            "Told", """{"V":"red fox","N":1}""", """{"V":"red hen","N":2}""", """{"V":["Fox","red"],"N":4}""",
            """{"V":7}""");
        (await database.Server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"Told/Words","Maps":["from t in docs.Told select new { t.V, t.N, No = t.N }"],
                "Fields":{"V":{"Indexing":"Search"},"No":{"Indexing":"No"}}},
                {"Name":"Told/Made","Maps":["map('Told', t => ({ _: createField('V', t.V, {indexing:'Search'}) }))"]}]}
            """)).Expect(HttpStatusCode.Created);
        const string Words = "7=1 fox=2 hen=1 red=3";
        Assert.Equal(Words, await ValuesAsync("from index 'Told/Words' select facet(V)"));
        Assert.Equal(Words, await ValuesAsync("from index 'Told/Made' select facet(V)"));
        Assert.Equal("fox=1 red=1", await ValuesAsync("from index 'Told/Words' where N = 1 select facet(V)"));
        JsonNode sums = (await database.QueryAsync("from index 'Told/Words' select facet(V, sum(N))"))["Results"]![0]!;
        Assert.Equal("N:0:- N:2:- N:5:- N:7:-", Told(sums));
        (await database.SendAsync("from index 'Told/Words' select facet(N, sum(V))")).ExpectError(
            400, "keeps the words of 'V' alone (Indexing 'Search'), which are no numbers");
        (await database.SendAsync("from index 'Told/Words' select facet(No)")).ExpectError(
            400, "keeps 'No' with Indexing 'No': there is nothing to count");
    }

    [Fact]
    [Trait("Fault", "D8")]
    public async Task A_facet_tells_large_numbers_apart_by_all_of_their_digits()
    {
        await database.PutAsync(
            "Digits", """{"N":18446744073709551610}""", """{"N":18446744073709551611}""", """{"N":1e300}""",
            """{"N":-9223372036854775809}""");
        Assert.Equal(
            "-9223372036854775809=1 18446744073709551610=1 18446744073709551611=1 1E+300=1",
            await ValuesAsync("from Digits select facet(N)"));
        await database.QueryAsync("from Digits where N > 0");
        HttpAnswer terms = await database.Server.SendAsync(
            "GET", "~/indexes/terms?name=Auto/Digits/ByN&field=N");
        Assert.Contains("18446744073709551611", terms.Text, StringComparison.Ordinal);
        Assert.Equal("4 1 2 3", await database.NumbersAsync("from Digits order by N as string"));
    }

    [Fact]
    [Trait("Fault", "A7")]
    public async Task Values_of_a_facet_with_the_same_text_are_one_value()
    {
        await database.PutAsync(
            "Mixed", """{"V":1,"N":1}""", """{"V":"1","N":2}""", """{"V":true,"N":3}""", """{"V":"true","N":4}""",
            """{"V":"a"}""");
        Assert.Equal("1=2 a=1 true=2", await ValuesAsync("from Mixed select facet(V)"));
        Assert.Equal("true=2 a=1 1=2", await ValuesAsync(
            "from Mixed select facet(V, $o)", """{"o":{"TermSortMode":"ValueDesc"}}"""));
        JsonNode sums = (await database.QueryAsync("from Mixed select facet(V, sum(N))"))["Results"]![0]!;
        Assert.Equal("N:0:- N:3:- N:7:-", Told(sums));
    }

    [Fact]
    [Trait("Fault", "A7")]
    public async Task An_entry_with_several_values_of_the_same_text_is_counted_once_in_a_facet()
    {
        await database.PutAsync(
            "Both", """{"V":[1,"1"],"N":1}""", """{"V":[true,"True",2],"N":2}""", """{"V":[1,"x"],"N":4}""",
            """{"V":["1"],"N":8}""", """{"V":[null,1e300,"1E+300"]}""");
        await database.MakeIndexAsync("Both/Plain", "from b in docs.Both select new { b.V, b.N }");
        (await database.Server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"Both/Words","Maps":["from b in docs.Both select new { b.V, b.N }"],
                "Fields":{"V":{"Indexing":"Search"}}},
                {"Name":"Both/Exact","Maps":["from b in docs.Both select new { b.V, b.N }"],
                "Fields":{"V":{"Indexing":"Exact"}}}]}
            """)).Expect(HttpStatusCode.Created);
        const string All = "NULL_VALUE=1 1=3 1E+300=1 1e+300=1 2=1 true=1 x=1";
        Assert.Equal(All, await ValuesAsync("from Both select facet(V[])"));
        Assert.Equal(All, await ValuesAsync("from index 'Both/Plain' select facet(V)"));
        Assert.Equal(
            "NULL_VALUE=1 1=3 1E+300=1 2=1 True=1 true=1 x=1",
            await ValuesAsync("from index 'Both/Exact' select facet(V)"));
        Assert.Equal(
            "1=3 2=1 true=1 x=1", await ValuesAsync("from index 'Both/Words' where N > 0 select facet(V)"));
        Assert.Equal(
            "N:0:- N:0:- N:0:- N:13:- N:2:- N:2:- N:4:-",
            Told((await database.QueryAsync("from Both select facet(V[], sum(N))"))["Results"]![0]!));
    }

    [Fact]
    [Trait("Fault", "E17")]
    public async Task An_explanation_names_the_automatic_indexes_that_were_not_used()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        await QueryHttpTests.QueryAsync(server, "from Others where Age = 30");
        await QueryHttpTests.QueryAsync(server, "from Users group by Age select count()");
        await QueryHttpTests.QueryAsync(server, "from Users where Age = 30");
        (await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"Mine","Maps":["from u in docs.Users select new { u.Age }"]}]}
            """)).Expect(HttpStatusCode.Created);
        foreach ((string query, string taken, string others) in new[]
        {
            ("from Users", "collection/Users", "Auto/Users/ByAge: No index is needed."),
            ("from Users where Age = 30", "Auto/Users/ByAge", ""),
            ("from Users where City = 'x'", "Auto/Users/ByCity",
                "Auto/Users/ByAge: It has no field 'City'."),
            ("from Users group by City select count()", "Auto/Users/ByCountReducedByCity",
                "Auto/Users/ByCountReducedByAge: It groups by other fields."),
        })
        {
            Assert.DoesNotContain(
                "Others", (await QueryHttpTests.QueryAsync(server, $"explain {query}"))["Results"]!.ToJsonString(),
                StringComparison.Ordinal);
            HttpAnswer answer = await server.SendAsync(
                "POST", "~/queries?debug=explain", QueryHttpTests.Body(query));
            Assert.Equal((query, others), (query, string.Join(
                ' ', answer.Expect(HttpStatusCode.OK).Json["Results"]!.AsArray().Select(one =>
                    $"{one!["Index"]}: {one["Reason"]}"))));
            Assert.Equal((query, taken), (query, (string?)answer.Json["IndexName"]));
        }
    }

    [Theory]
    [InlineData("where La2 = 1 and La = 1", "La And La2")]
    [InlineData("where name = 'x' and Age = 1 and Zip = 2", "Age And name And Zip")]
    [InlineData("where spatial.within(spatial.point(La2, Lo2), spatial.circle(1, 1, 1)) "
        + "and spatial.within(spatial.point(La, Lo), spatial.circle(1, 1, 1))",
        "Spatial.point(La|Lo) And Spatial.point(La2|Lo2)")]
    [Trait("Fault", "E18")]
    public async Task The_fields_in_the_name_of_an_automatic_index_are_in_alphabetical_order(
        string where, string expected)
    {
        string collection = $"Words{where.Length}";
        JsonNode answer = await database.QueryAsync($"from {collection} {where}");
        Assert.Equal(
            $"Auto/{collection}/By{expected.Replace(" ", "", StringComparison.Ordinal)}", (string?)answer["IndexName"]);
    }

    private async Task<string> ValuesAsync(string query, string parameters = "{}") => string.Join(
        ' ', (await database.QueryAsync(query, parameters))["Results"]![0]!["Values"]!.AsArray().Select(one =>
            $"{one!["Range"]}={one["Count"]}"));

    private static string Told(JsonNode facet) => string.Join(' ', facet["Values"]!.AsArray().Select(one =>
        $"{one!["Name"]}:{one["Sum"]?.ToString() ?? "-"}:{one["Average"]?.ToString() ?? "-"}")
        .Order(StringComparer.Ordinal));

    private Task PutCamerasAsync() => database.PutAsync(
        "Cameras", """{"C":2,"P":5,"Maker":"Makers/1"}""", """{"C":2,"P":15,"Maker":"Makers/2"}""", """{"C":9}""",
        """{"C":9}""", """{"C":10}""", """{"C":"b"}""", """{"C":"b"}""", """{"C":"b","P":15}""");
}
