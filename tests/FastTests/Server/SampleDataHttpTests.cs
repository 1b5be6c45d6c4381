using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>The sample data, and the queries that documentation and users try on it.</summary>
public sealed class SampleDataHttpTests
{
    [Fact]
    [Trait("Fault", "E21")]
    public async Task Sample_data_has_only_the_requested_types()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("POST", "~/studio/sample-data?operateOnTypes=Nonsense")).ExpectError(400, "Nonsense");
        (await server.SendAsync(
            "POST", "~/studio/sample-data?operateOnTypes=Documents&operateOnTypes=RevisionDocuments"))
            .Expect(HttpStatusCode.Created);
        JsonNode stats = (await server.SendAsync("GET", "~/stats")).Json;
        Assert.Equal((0, 0), ((int)stats["CountOfIndexes"]!, (int)stats["CountOfAttachments"]!));
        Assert.Equal(830, (int)stats["CountOfRevisionDocuments"]!);
    }

    [Fact]
    [Trait("Fault", "E21")]
    public async Task Sample_data_fills_an_empty_database_once_and_answers_the_example_queries()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("POST", "~/studio/sample-data")).Expect(HttpStatusCode.Created);
        JsonNode collections = (await server.SendAsync("GET", "~/collections/stats")).Json["Collections"]!;
        Assert.Equal(
            [("Categories", 8), ("Companies", 91), ("Employees", 9), ("Orders", 830), ("Products", 77), ("Regions", 4),
                ("Shippers", 3), ("Suppliers", 29)],
            collections.AsObject().Where(one => one.Key[0] != '@').Select(one => (one.Key, (int)one.Value!))
                .OrderBy(one => one.Key, StringComparer.Ordinal));
        JsonNode best = await QueryHttpTests.QueryAsync(
            server, "from index 'Orders/ByCompany' order by Total as double desc limit 1");
        Assert.Equal("companies/63-A", (string?)best["Results"]![0]!["Company"]);
        Assert.Equal(28, (int)best["Results"]![0]!["Count"]!);
        Assert.Equal(110277.305, (double)best["Results"]![0]!["Total"]!, 3);
        JsonNode near = await QueryHttpTests.QueryAsync(
            server, "from index 'Orders/ByShipment/Location' "
            + "where spatial.within(ShipmentLocation, spatial.circle(20, 51.5, 0))");
        Assert.Equal(33, (int)near["TotalResults"]!);
        JsonNode words = await QueryHttpTests.QueryAsync(
            server, "from index 'Product/Search' where search(Name, 'chef') select Name");
        Assert.Equal(
            ["Chef Anton's Cajun Seasoning", "Chef Anton's Gumbo Mix"],
            words["Results"]!.AsArray().Select(one => (string?)one!["Name"]).Order(StringComparer.Ordinal));
        JsonNode loaded = await QueryHttpTests.QueryAsync(
            server, "from Orders as o where id() = 'orders/1-A' load o.Company as c, o.Employee as e "
            + "select { Company: c.Name, By: e.FirstName, Total: o.Lines.reduce((n, l) => n + l.Quantity, 0) }");
        Assert.Equal("Vins et alcools Chevalier", (string?)loaded["Results"]![0]!["Company"]);
        (await server.SendAsync("POST", "~/studio/sample-data")).ExpectError(400, "sample data is for an empty one");
        JsonNode stats = (await server.SendAsync("GET", "~/stats")).Json;
        Assert.Equal((7, 17), ((int)stats["CountOfIndexes"]!, (int)stats["CountOfUniqueAttachments"]!));
        Assert.Equal(830, (int)stats["CountOfRevisionDocuments"]!);
        HttpAnswer picture = await server.SendAsync("GET", "~/attachments?id=employees/1-A&name=photo.jpg");
        Assert.Equal("image/jpeg", picture.Expect(HttpStatusCode.OK).Message.Content.Headers.ContentType!.MediaType);
        Assert.Equal([0xFF, 0xD8, 0xFF], picture.Bytes[..3]);
        JsonNode range = (await server.SendAsync("GET", "~/hilo/next?tag=orders")).Json;
        Assert.Equal(831, (int)range["Low"]!);
    }
}
