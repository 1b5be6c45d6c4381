using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Forms of queries that clients write: names in quotes, items of arrays, groups, setups, entries.</summary>
public sealed class QueryShapesHttpTests
{
    [Theory]
    [InlineData("from Users where 'Age' = 40", "bert")]
    [InlineData("from Users where exact('Name' = 'Bert')", "bert")]
    [InlineData("from Users where startsWith('Name', 'b') and \"Age\" between 30 and 50", "bert")]
    [InlineData("from Users where 'Age' in (30) order by 'Name' desc", "carl anna")]
    [InlineData("from Users as u where 'u.Age' = 40", "bert")]
    [InlineData("from Users filter 'Age' = 40", "bert")]
    [InlineData("from Users order by spatial.distance('spatial.point(Lat, Lng)', spatial.point(1, 2)) desc nulls last, "
        + "'Name'", "anna bert carl")]
    public async Task A_name_in_quotes_in_a_condition_is_a_field(string query, string expected)
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        Assert.Equal(
            expected.Split(' ').Select(id => "users/" + id),
            QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, query)));
    }

    [Fact]
    public async Task Grouping_by_array_items_makes_a_group_per_item_and_by_the_array_one_per_array()
    {
        using TestServer server = await WithOrdersAsync();
        const string byProduct = "from Orders group by Lines[].Product order by Lines[].Product "
            + "select Lines[].Product as P, count() as N, sum(Lines[].Quantity) as Q, sum(Freight) as F";
        JsonNode items = await QueryHttpTests.QueryAsync(server, byProduct);
        Assert.Equal(
            ["tea 3 6 30", "rice 1 4 10"],
            items["Results"]!.AsArray().OrderByDescending(one => (int)one!["N"]!).Select(one =>
                $"{one!["P"]} {one["N"]} {one["Q"]} {one["F"]}"));
        JsonNode whole = await QueryHttpTests.QueryAsync(
            server, "from Orders group by array(Lines[].Product) select key() as P, count() as N");
        Assert.Equal([1, 2], whole["Results"]!.AsArray().Select(one => (int)one!["N"]!).Order());
        await server.PutAsync("orders/1", Order("a", 10, ("tea", 5)));
        items = await QueryHttpTests.QueryAsync(server, byProduct);
        Assert.Equal(
            ["tea 3 10 30"],
            items["Results"]!.AsArray().Select(one => $"{one!["P"]} {one["N"]} {one["Q"]} {one["F"]}"));
        JsonNode tags = await QueryHttpTests.QueryAsync(
            server, "from Orders group by Tags[] select Tags[] as T, count() as N");
        Assert.Equal(
            ["x 3", "y 3"],
            tags["Results"]!.AsArray().Select(one => $"{one!["T"]} {one["N"]}").Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Results_of_groups_can_load_and_include_documents_that_they_name()
    {
        using TestServer server = await WithOrdersAsync();
        JsonNode loaded = await QueryHttpTests.QueryAsync(
            server, "from Orders as o group by o.Company load o.Company as c select { Name: c ? c.Name : null }");
        Assert.Equal(["A Inc"], loaded["Results"]!.AsArray().Select(one => (string?)one!["Name"]).Where(one =>
            one is not null));
        JsonNode included = await QueryHttpTests.QueryAsync(
            server, "from Orders group by Company select Company, count() as N include Company");
        Assert.Equal("A Inc", (string?)included["Includes"]!["companies/a"]!["Name"]);
    }

    [Fact]
    public async Task Counters_can_be_projected_and_index_entries_show_the_indexed_terms()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        (await server.SendAsync("POST", "~/counters", """
            {"Documents":[{"DocumentId":"users/anna","Operations":[
                {"Type":"Increment","CounterName":"likes","Delta":7}]}]}
            """)).Expect(HttpStatusCode.OK);
        JsonNode rows = await QueryHttpTests.QueryAsync(
            server, "from Users as u order by Name select u.Name, counter(u, 'Likes') as Likes, counter('none')");
        Assert.Equal(
            ["Anna:7:", "Bert::", "Carl::"],
            rows["Results"]!.AsArray().Select(one => $"{one!["Name"]}:{one["Likes"]}:{one["none"]}"));
        JsonNode entries = (await server.SendAsync(
            "POST", "~/queries?debug=entries", QueryHttpTests.Body("from Users where Age = 30 and Tags = 'y'"))).Json;
        Assert.Equal("users/anna", (string?)entries["Results"]![0]!["id()"]);
        Assert.Equal("""{"Age":["30"],"Name":["anna"],"Tags":["x","y"]}""", string.Concat(
            entries["Results"]![0]!["@terms"]!.ToJsonString().Where(one => !char.IsWhiteSpace(one))));
    }

    [Fact]
    public async Task Facets_can_be_described_by_a_document()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        await server.PutAsync("setups/1", """
            {"Facets":[{"FieldName":"Address.City","DisplayFieldName":"City","Options":{"PageSize":1},
                "Aggregations":{"Sum":[{"Name":"Age"}]}}],
             "RangeFacets":[{"Ranges":["Age < 35","Age >= 35"],"Aggregations":{"Average":["Age"]}}]}
            """);
        JsonNode facets = (await QueryHttpTests.QueryAsync(
            server, "from Users select facet(id($setup))", "{\"setup\":\"setups/1\"}"))["Results"]!;
        Assert.Equal("City", (string?)facets[0]!["Name"]);
        Assert.Equal(40.0, (double)Assert.Single(facets[0]!["Values"]!.AsArray())!["Sum"]!);
        Assert.Equal(1, (int)facets[0]!["RemainingTermsCount"]!);
        Assert.Equal([30.0, 40.0], facets[1]!["Values"]!.AsArray().Select(one => (double)one!["Average"]!));
        (await server.SendAsync("POST", "~/queries", QueryHttpTests.Body("from Users select facet(id('none'))")))
            .ExpectError(400, "line 1, column 28: there is no document 'none' of facets");
    }

    [Fact]
    public async Task Maps_can_read_the_attachments_and_counters_of_their_documents()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        const string map = "from u in docs.Users select new { u.Name, Files = AttachmentsFor(u).Select(a => a.Name), "
            + "Note = LoadAttachment(u, 'note.txt').GetContentAsString(), Size = LoadAttachment(u, 'note.txt').Size, "
            + "Counters = CounterNamesFor(u) }";
        const string script = "map('Users', u => ({ Files: attachmentsFor(u).map(a => a.Name), "
            + "Type: (loadAttachment(u, 'NOTE.txt') || {}).ContentType, Counters: counterNamesFor(u) }))";
        (await server.SendAsync("PUT", "~/admin/indexes", JsonSerializer.Serialize(new
        {
            Indexes = new[]
            {
                new { Name = "Users/Linked", Maps = new[] { map.Replace('\'', '"') } },
                new { Name = "Users/LinkedJs", Maps = new[] { script } },
            },
        }))).Expect(HttpStatusCode.Created);
        Assert.Empty(await FoundAsync(server, "from index 'Users/Linked' where Counters = 'likes'"));
        (await server.SendAsync("PUT", "~/attachments?id=users/anna&name=note.txt&contentType=text/plain", "hello"))
            .Expect(HttpStatusCode.Created);
        (await server.SendAsync("POST", "~/counters", """
            {"Documents":[{"DocumentId":"users/bert","Operations":[
                {"Type":"Increment","CounterName":"likes","Delta":7}]}]}
            """)).Expect(HttpStatusCode.OK);
        Assert.Equal(["users/anna"], await FoundAsync(server, "from index 'Users/Linked' where Files = 'note.txt'"));
        Assert.Equal(["users/anna"], await FoundAsync(server, "from index 'Users/Linked' where Note = 'HELLO'"));
        Assert.Equal(["users/anna"], await FoundAsync(server, "from index 'Users/Linked' where Size = 5"));
        Assert.Equal(["users/bert"], await FoundAsync(server, "from index 'Users/Linked' where Counters = 'likes'"));
        Assert.Equal(["users/anna"], await FoundAsync(server, "from index 'Users/LinkedJs' where Type = 'text/plain'"));
        Assert.Equal(["users/bert"], await FoundAsync(server, "from index 'Users/LinkedJs' where Counters = 'likes'"));
        (await server.SendAsync("DELETE", "~/attachments?id=users/anna&name=note.txt"))
            .Expect(HttpStatusCode.NoContent);
        Assert.Empty(await FoundAsync(server, "from index 'Users/Linked' where Files = 'note.txt'"));
        Assert.Empty(await FoundAsync(server, "from index 'Users/LinkedJs' where Files = 'note.txt'"));
    }

    [Fact]
    public async Task An_index_in_CSharp_needs_the_administrator_endpoint_and_more_like_this_needs_an_index()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        (await server.SendAsync("PUT", "~/indexes", """
            {"Indexes":[{"Name":"X","Maps":["from u in docs.Users select new { u.Name }"]}]}
            """)).ExpectError(403, "which is an administrator's");
        (await server.SendAsync("POST", "~/queries", QueryHttpTests.Body("from Users where moreLikeThis(id() = 'a')")))
            .ExpectError(400, "an index that a user defined");
    }

    private static async Task<string[]> FoundAsync(TestServer server, string query) =>
        QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, query));

    private static async Task<TestServer> WithOrdersAsync()
    {
        TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("companies/a", """{"Name":"A Inc","@metadata":{"@collection":"Companies"}}""");
        await server.PutAsync("orders/1", Order("companies/a", 10, ("tea", 1), ("rice", 4)));
        await server.PutAsync("orders/2", Order("companies/a", 10, ("tea", 2)));
        await server.PutAsync("orders/3", Order("companies/b", 10, ("tea", 3)));
        return server;
    }

    private static string Order(string company, int freight, params (string Product, int Quantity)[] lines)
    {
        string items = string.Join(',', lines.Select(line =>
            $"{{\"Product\":\"{line.Product}\",\"Quantity\":{line.Quantity}}}"));
        return $"{{\"Company\":\"{company}\",\"Freight\":{freight},\"Tags\":[\"x\",\"y\"],\"Lines\":[{items}],"
            + "\"@metadata\":{\"@collection\":\"Orders\"}}";
    }
}
