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
    public async Task Values_are_paged_by_their_texts_and_what_follows_remains(
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
    public async Task What_is_worked_out_is_called_as_the_query_says()
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
    public async Task What_results_refer_to_comes_beside_facets()
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
    [Trait("Fault", "E17")]
    public async Task An_explanation_names_the_automatic_indexes_that_were_not_taken()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        await QueryHttpTests.QueryAsync(server, "from Users group by Age select count()");
        await QueryHttpTests.QueryAsync(server, "from Users where Age = 30");
        (await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"Mine","Maps":["from u in docs.Users select new { u.Age }"]}]}
            """)).Expect(HttpStatusCode.Created);
        foreach (string query in new[] { "from Users", "from Users where Age = 30" })
        {
            HttpAnswer answer = await server.SendAsync(
                "POST", "~/queries?debug=explain", QueryHttpTests.Body(query));
            JsonNode one = Assert.Single(answer.Expect(HttpStatusCode.OK).Json["Results"]!.AsArray())!;
            Assert.Equal("Auto/Users/ByCountReducedByAge", (string?)one["Index"]);
            Assert.NotEmpty((string)one["Reason"]!);
            Assert.Equal(
                query.Length > 10 ? "Auto/Users/ByAge" : "collection/Users", (string?)answer.Json["IndexName"]);
        }
    }

    [Theory]
    [InlineData("where La2 = 1 and La = 1", "La And La2")]
    [InlineData("where name = 'x' and Age = 1 and Zip = 2", "Age And name And Zip")]
    [InlineData("where spatial.within(spatial.point(La2, Lo2), spatial.circle(1, 1, 1)) "
        + "and spatial.within(spatial.point(La, Lo), spatial.circle(1, 1, 1))",
        "Spatial.point(La|Lo) And Spatial.point(La2|Lo2)")]
    [Trait("Fault", "E18")]
    public async Task The_fields_in_the_name_of_an_automatic_index_are_ordered_as_words(string where, string expected)
    {
        string collection = $"Words{where.Length}";
        JsonNode answer = await database.QueryAsync($"from {collection} {where}");
        Assert.Equal(
            $"Auto/{collection}/By{expected.Replace(" ", "", StringComparison.Ordinal)}", (string?)answer["IndexName"]);
    }

    private static string Told(JsonNode facet) => string.Join(' ', facet["Values"]!.AsArray().Select(one =>
        $"{one!["Name"]}:{one["Sum"]?.ToString() ?? "-"}:{one["Average"]?.ToString() ?? "-"}")
        .Order(StringComparer.Ordinal));

    private Task PutCamerasAsync() => database.PutAsync(
        "Cameras", """{"C":2,"P":5,"Maker":"Makers/1"}""", """{"C":2,"P":15,"Maker":"Makers/2"}""", """{"C":9}""",
        """{"C":9}""", """{"C":10}""", """{"C":"b"}""", """{"C":"b"}""", """{"C":"b","P":15}""");
}
