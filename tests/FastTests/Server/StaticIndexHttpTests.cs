using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Static indexes from the request that defines them to the answers of queries.</summary>
public sealed class StaticIndexHttpTests
{
    [Fact]
    public async Task A_map_in_CSharp_indexes_values_that_documents_do_not_have()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        await PutAsync(server, "Users/Ages", """
            "Maps":["from u in docs.Users where u.Age > 20 select new { Next = u.Age + 1, Upper = u.Name.ToUpper() }"]
            """);
        JsonNode answer = await QueryHttpTests.QueryAsync(
            server, "from index 'Users/Ages' where Next > 31 and Upper = 'BERT'");
        Assert.Equal(["users/bert"], QueryHttpTests.Ids(answer));
    }

    [Fact]
    public async Task An_index_that_cannot_be_compiled_is_refused_with_400_and_the_position()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        HttpAnswer refused = await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"Bad","Maps":["from u in docs.Users\nselect new { X = v.Name }"]}]}
            """);
        JsonNode error = refused.ExpectError(400, "line 2, column 18: The name 'v' is not known here.").Json;
        Assert.EndsWith("IndexCompilationException", (string?)error["Type"], StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_results_of_a_reduce_follow_changes_of_documents()
    {
        using TestServer server = await WithOrdersAsync();
        await PutAsync(server, "Orders/Totals", """
            "Maps":["from o in docs.Orders select new { o.Company, Count = 1, o.Total }"],
            "Reduce":"from r in results group r by r.Company into g select new { Company = g.Key, C, T }",
            "OutputReduceToCollection":"Totals"
            """.Replace("C, T", "Count = g.Sum(x => x.Count), Total = g.Sum(x => x.Total)", StringComparison.Ordinal));
        JsonNode answer = await QueryHttpTests.QueryAsync(server, "from index 'Orders/Totals' where Total > 10");
        Assert.Equal(1, (int)answer["TotalResults"]!);
        Assert.Equal(2, (int)answer["Results"]![0]!["Count"]!);
        Assert.Equal(30, (int)answer["Results"]![0]!["Total"]!);
        JsonNode documents = await QueryHttpTests.QueryAsync(server, "from Totals where Company = 'b'");
        Assert.Equal(5, (int)documents["Results"]![0]!["Total"]!);

        (await server.SendAsync("DELETE", "~/docs?id=orders/1")).Expect(HttpStatusCode.NoContent);
        await server.PutAsync("orders/3", Order("a", 15));
        answer = await QueryHttpTests.QueryAsync(server, "from index 'Orders/Totals' order by Total as long");
        Assert.Equal([35], answer["Results"]!.AsArray().Select(result => (int)result!["Total"]!));
        documents = await QueryHttpTests.QueryAsync(server, "from Totals where Total > 0");
        Assert.Equal("a", (string?)Assert.Single(documents["Results"]!.AsArray())!["Company"]);
    }

    [Fact]
    public async Task A_group_by_query_makes_its_automatic_index()
    {
        using TestServer server = await WithOrdersAsync();
        JsonNode answer = await QueryHttpTests.QueryAsync(
            server, "from Orders group by Company where sum(Total) > 10 "
            + "select key() as Company, count() as N, sum(Total) as T");
        Assert.Equal(1, (int)answer["TotalResults"]!);
        Assert.Equal("a", (string?)answer["Results"]![0]!["Company"]);
        Assert.Equal(2, (int)answer["Results"]![0]!["N"]!);
        Assert.Equal(30, (int)answer["Results"]![0]!["T"]!);
    }

    [Fact]
    public async Task Locations_are_found_and_ordered_by_their_distance()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        foreach ((string id, string place) in new[]
        {
            ("places/haifa", "\"Lat\":32.8,\"Lng\":35.0"), ("places/telaviv", "\"Lat\":32.07,\"Lng\":34.78"),
            ("places/london", "\"Lat\":51.5,\"Lng\":-0.12"), ("places/nowhere", "\"Lat\":null,\"Lng\":1"),
        })
        {
            await server.PutAsync(id, $"{{{place},\"@metadata\":{{\"@collection\":\"Places\"}}}}");
        }

        await PutAsync(server, "Places/Where", """
            "Maps":["from p in docs.Places select new { Where = CreateSpatialField(p.Lat, p.Lng) }"]
            """);
        JsonNode near = await QueryHttpTests.QueryAsync(
            server, "from index 'Places/Where' where spatial.within(Where, spatial.circle(100, 32.8, 35, 'Miles'))");
        Assert.Equal(["places/haifa", "places/telaviv"], QueryHttpTests.Ids(near).Order(StringComparer.Ordinal));
        JsonNode all = await QueryHttpTests.QueryAsync(
            server, "from index 'Places/Where' order by spatial.distance(Where, spatial.point(51, 0)) nulls last");
        Assert.Equal(
            ["places/london", "places/haifa", "places/telaviv", "places/nowhere"], QueryHttpTests.Ids(all));
        JsonNode inside = await QueryHttpTests.QueryAsync(
            server, "from index 'Places/Where' where spatial.intersects(Where, "
            + "spatial.wkt('POLYGON ((-1 51, 1 51, 1 52, -1 52, -1 51))'))");
        Assert.Equal(["places/london"], QueryHttpTests.Ids(inside));
    }

    private static async Task<TestServer> WithOrdersAsync()
    {
        TestServer server = await QueryHttpTests.WithUsersAsync();
        await server.PutAsync("orders/1", Order("a", 10));
        await server.PutAsync("orders/2", Order("a", 20));
        await server.PutAsync("orders/3", Order("b", 5));
        return server;
    }

    private static string Order(string company, int total) =>
        $"{{\"Company\":\"{company}\",\"Total\":{total},\"@metadata\":{{\"@collection\":\"Orders\"}}}}";

    private static async Task PutAsync(TestServer server, string name, string rest) =>
        (await server.SendAsync("PUT", "~/admin/indexes", $"{{\"Indexes\":[{{\"Name\":\"{name}\",{rest}}}]}}"))
            .Expect(HttpStatusCode.Created);
}
