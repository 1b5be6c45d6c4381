using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

public sealed class DatabasesHttpTests
{
    [Fact]
    public async Task A_database_is_created_listed_described_and_deleted()
    {
        using var server = new TestServer();
        HttpAnswer created = await server.SendAsync(
            "PUT", "/admin/databases?name=North.wind&replicationFactor=1&raft-request-id=x",
            """{"DatabaseName":"North.wind","Settings":{"a":"b"},"Custom":{"x":1}}""", "ETag: \"undefined\"");
        JsonNode json = created.Expect(HttpStatusCode.Created).Json;
        Assert.Equal("North.wind", (string?)json["Name"]);
        Assert.Equal("A", (string?)json["Topology"]!["Members"]![0]);
        Assert.Equal(server.Host.Url, (string?)json["NodesAddedTo"]![0]);
        Assert.True((int)json["RaftCommandIndex"]! > 0);
        (await server.SendAsync("PUT", "/admin/databases?name=NORTH.WIND", "{}")).ExpectError(409, "exists");

        HttpAnswer names = await server.SendAsync("GET", "/databases?start=0&pageSize=10&namesOnly=true");
        Assert.Equal("{\"Databases\":[\"North.wind\"]}", names.Text);
        JsonNode listed = (await server.SendAsync("GET", "/databases")).Json["Databases"]![0]!;
        Assert.Equal("North.wind", (string?)listed["Name"]);
        JsonNode record = (await server.SendAsync("GET", "/admin/databases?name=north.wind")).Json;
        Assert.Equal("North.wind", (string?)record["DatabaseName"]);
        Assert.Equal("b", (string?)record["Settings"]!["a"]);
        Assert.Equal(1, (int)record["Custom"]!["x"]!);
        Assert.True((long)record["Etag"]! > 0);
        (await server.SendAsync("GET", "/admin/databases?name=nope")).ExpectError(404, "nope");

        HttpAnswer deleted = await server.SendAsync(
            "DELETE", "/admin/databases", """{"DatabaseNames":["NORTH.wind"],"HardDelete":true}""");
        Assert.Equal("[]", deleted.Expect(HttpStatusCode.OK).Json["PendingDeletes"]!.ToJsonString());
        Assert.Equal("{\"Databases\":[]}", (await server.SendAsync("GET", "/databases")).Text);
        AssertMissing(await server.SendAsync("GET", "/databases/North.wind/stats"), "North.wind");
    }

    [Theory]
    [InlineData("/databases/nope/docs?id=a")]
    [InlineData("/databases/nope/stats")]
    [InlineData("/databases/nope/streams/docs")]
    [InlineData("/databases/nope/hilo/next?tag=a")]
    [InlineData("/databases/nope/healthcheck")]
    [InlineData("/topology?name=nope&first-topology-update&applicationIdentifier=x")]
    public async Task A_missing_database_is_answered_with_503_and_its_name_in_a_header(string path)
    {
        using var server = new TestServer();
        AssertMissing(await server.SendAsync("GET", path), "nope");
    }

    [Theory]
    [InlineData("..")]
    [InlineData("a/b")]
    [InlineData("a\\b")]
    [InlineData("é")]
    [InlineData(" ")]
    [InlineData(".hidden")]
    public async Task A_database_name_that_could_be_a_path_is_refused(string name)
    {
        using var server = new TestServer();
        HttpAnswer answer =
            await server.SendAsync("PUT", $"/admin/databases?name={Uri.EscapeDataString(name)}", "{}");
        answer.ExpectError(400, "cannot be the name");
        (await server.SendAsync("PUT", "/admin/databases", "{}")).ExpectError(400, "no name");
        (await server.SendAsync("PUT", "/admin/databases?name=a", "{\"DatabaseName\":\"b\"}"))
            .ExpectError(400, "the DatabaseName is 'b'");
    }

    [Fact]
    public async Task The_topology_has_the_URL_by_which_the_client_reached_the_server()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string host = $"localhost:{server.Port}";
        JsonNode topology =
            (await server.SendAsync("GET", "/topology?name=DB", (string?)null, $"Host: {host}")).Json;
        JsonNode node = topology["Nodes"]!.AsArray().Single()!;
        Assert.Equal(
            $"http://{host} A db Member",
            $"{node["Url"]} {node["ClusterTag"]} {node["Database"]} {node["ServerRole"]}");
        JsonNode cluster = (await server.SendAsync("GET", "/cluster/topology")).Json;
        Assert.Equal(server.Host.Url, (string?)cluster["Topology"]!["Members"]!["A"]);
        Assert.Equal("{}", cluster["Topology"]!["Watchers"]!.ToJsonString());
        Assert.Equal("{}", cluster["Status"]!.ToJsonString());
        JsonNode info = (await server.SendAsync("GET", "/cluster/node-info")).Json;
        Assert.Equal(72000, (int)info["BuildInfo"]!["BuildVersion"]!);
    }

    [Fact]
    public async Task HiLo_ranges_and_identities_are_given_out_over_HTTP()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        JsonNode first = (await server.SendAsync(
            "GET", "~/hilo/next?lastBatchSize=0&tag=users&lastRangeAt=&identityPartsSeparator=/&lastMax=0")).Json;
        Assert.Equal(("users/", 1, 32, "A"), (
            (string)first["Prefix"]!, (int)first["Low"]!, (int)first["High"]!, (string)first["ServerTag"]!));
        (await server.SendAsync("PUT", "~/hilo/return?tag=users&end=32&last=5")).Expect(HttpStatusCode.NoContent);
        JsonNode second = (await server.SendAsync("GET", "~/hilo/next?tag=users")).Json;
        Assert.Equal(6, (int)second["Low"]!);
        for (int i = 1; i <= 3; i++)
        {
            HttpAnswer next = await server.SendAsync("POST", "~/identity/next?name=users%7C");
            Assert.Equal(i, (int)next.Json["NewIdentityValue"]!);
        }

        HttpAnswer seed = await server.SendAsync("POST", "~/identity/seed?name=users%7C&value=100");
        Assert.Equal(100, (int)seed.Json["NewSeedValue"]!);
        Assert.Equal("{\"users|\":100}", (await server.SendAsync("GET", "~/debug/identities")).Text);
    }

    [Fact]
    public async Task Statistics_count_documents_tombstones_and_collections()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("users/1", "{\"@metadata\":{\"@collection\":\"Users\"}}");
        string last = await server.PutAsync("users/2", "{\"@metadata\":{\"@collection\":\"Users\"}}");
        await server.PutAsync("plain", "{}");
        await server.SendAsync("DELETE", "~/docs?id=plain");
        JsonNode stats = (await server.SendAsync("GET", "~/stats")).Expect(HttpStatusCode.OK).Json;
        Assert.Equal("2 1 2 4", $"{stats["CountOfDocuments"]} {stats["CountOfTombstones"]} "
            + $"{stats["LastDocEtag"]} {stats["LastDatabaseEtag"]}");
        Assert.True((long)stats["SizeOnDisk"]!["SizeInBytes"]! > 0);
        Assert.EndsWith((string)stats["DatabaseId"]!, last, StringComparison.Ordinal);
        Assert.Equal($"A:4-{stats["DatabaseId"]}", (string?)stats["DatabaseChangeVector"]);
        HttpAnswer collections = await server.SendAsync("GET", "~/collections/stats");
        Assert.Equal(
            "{\"CountOfDocuments\":2,\"CountOfConflicts\":0,\"Collections\":{\"Users\":2}}", collections.Text);
    }

    [Fact]
    public async Task The_health_check_and_the_metrics_report_a_healthy_server()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        HttpAnswer check = (await server.SendAsync("GET", "~/healthcheck")).Expect(HttpStatusCode.NoContent);
        Assert.Empty(check.Bytes);
        JsonNode health = (await server.SendAsync("GET", "/healthz")).Expect(HttpStatusCode.OK).Json;
        Assert.Equal("Healthy", (string?)health["Status"]);
        HttpAnswer metrics = (await server.SendAsync("GET", "/metrics")).Expect(HttpStatusCode.OK);
        string line = metrics.Text.Split('\n').Single(l => l.StartsWith(
            "raven_requests_total{method=\"GET\",route=\"/healthz\",status=\"ok\"}", StringComparison.Ordinal));
        Assert.EndsWith(" 1", line, StringComparison.Ordinal);
        Assert.All(
            metrics.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries),
            l => Assert.Matches(@"^(#.*|[a-z_]+(\{[^}]*\})? [-+0-9.eE]+)$", l));
    }

    private static void AssertMissing(HttpAnswer answer, string name)
    {
        answer.ExpectError(503, name);
        Assert.Equal(name, answer.Message.Headers.GetValues("Database-Missing").Single());
        Assert.Equal(
            "Raven.Client.Exceptions.Database.DatabaseDoesNotExistException", (string?)answer.Json["Type"]);
    }
}
