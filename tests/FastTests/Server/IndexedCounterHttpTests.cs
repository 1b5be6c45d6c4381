using System.Net;
using System.Text;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Indexes over what belongs to documents: counters and attachments, in both languages.</summary>
public sealed class IndexedCounterHttpTests
{
    [Theory]
    [Trait("Fault", "A2")]
    [InlineData("~/indexes", "counters.map('Companies', 'HeartRate', c => "
        + "({ V: c.Value, N: c.Name, D: c.DocumentId }))")]
    [InlineData("~/indexes", "counters.map('Companies', c => c.Name == 'Likes' ? null : "
        + "({ V: c.Value, N: c.Name, D: c.DocumentId }))")]
    [InlineData("~/admin/indexes", "from c in counters.Companies.HeartRate "
        + "select new { V = c.Value, N = c.Name, D = c.DocumentId }")]
    [InlineData("~/admin/indexes", "counters[\"Companies\"][\"heartrate\"]"
        + ".Select(c => new { V = c.Value, N = c.Name, D = c.DocumentId })")]
    [InlineData("~/admin/indexes", "from c in counters.Companies where c.Name == \"HeartRate\" "
        + "select new { V = c.Value, N = c.Name, D = c.DocumentId }")]
    public async Task A_counter_that_a_map_reads_is_mapped_again_when_it_changes(string path, string map)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("companies/1", Document("Companies"));
        await server.PutAsync("companies/2", Document("Companies"));
        await server.PutAsync("users/1", Document("Users"));
        await IncrementAsync(server, "companies/1", "HeartRate", 7);
        await IncrementAsync(server, "companies/1", "Likes", 7);
        await IncrementAsync(server, "companies/2", "HeartRate", 5);
        await IncrementAsync(server, "users/1", "HeartRate", 7);
        await PutAsync(server, path, map);
        const string seven = "from index 'I' where V = 7";
        JsonNode found = await QueryHttpTests.QueryAsync(server, seven);
        Assert.Equal(["companies/1"], QueryHttpTests.Ids(found));
        Assert.Equal(1, (int)found["TotalResults"]!);
        Assert.Equal(["companies/2"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from index 'I' where N = 'HeartRate' and D = 'companies/2'")));

        await IncrementAsync(server, "companies/2", "HeartRate", 2);
        Assert.Equal(["companies/1", "companies/2"], QueryHttpTests.Ids(
            await QueryHttpTests.QueryAsync(server, seven)).Order(StringComparer.Ordinal));
        await CounterAsync(server, "companies/1", "{\"Type\":\"Delete\",\"CounterName\":\"HeartRate\"}");
        Assert.Equal(["companies/2"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, seven)));

        JsonNode definition = (await server.SendAsync("GET", "~/indexes?name=I")).Json["Results"]![0]!;
        Assert.Equal("Counters", (string?)definition["SourceType"]);
        Assert.Equal(path == "~/indexes" ? "JavaScriptMap" : "Map", (string?)definition["Type"]);
        JsonNode stats = (await server.SendAsync("GET", "~/indexes/stats?name=I")).Json["Results"]![0]!;
        Assert.Equal(1, (int)stats["EntriesCount"]!);
    }

    [Fact]
    [Trait("Fault", "A2")]
    public async Task Counters_can_be_reduced_and_the_names_of_counters_mapped()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("companies/1", Document("Companies"));
        await server.PutAsync("companies/2", Document("Companies"));
        await IncrementAsync(server, "companies/1", "HeartRate", 7);
        await IncrementAsync(server, "companies/2", "HeartRate", 5);
        (await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"I","Maps":["from c in counters.Companies select new { N = c.Name, S = c.Value }"],
             "Reduce":"from r in results group r by r.N into g select new { N = g.Key, S = g.Sum(x => x.S) }"},
             {"Name":"J","Maps":["map('Companies', c => ({ Names: counterNamesFor(c) }))"]}]}
            """)).Expect(HttpStatusCode.Created);
        Assert.Equal(12, (int)(await QueryHttpTests.QueryAsync(server, "from index 'I'"))["Results"]![0]!["S"]!);
        await IncrementAsync(server, "companies/2", "HeartRate", 3);
        await IncrementAsync(server, "companies/2", "Likes", 1);
        JsonNode sums = await QueryHttpTests.QueryAsync(server, "from index 'I' order by S as long");
        Assert.Equal([1, 15], sums["Results"]!.AsArray().Select(one => (int)one!["S"]!));
        Assert.Equal(["companies/2"], QueryHttpTests.Ids(
            await QueryHttpTests.QueryAsync(server, "from index 'J' where Names = 'likes'")));
        (await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"K","Maps":["from c in counters select new { c.Name }",
             "from d in docs.Companies select new { d.Name }"]}]}
            """)).ExpectError(400, "can have only one kind");
    }

    [Fact]
    [Trait("Fault", "A3")]
    public async Task An_attachment_that_a_map_in_JavaScript_reads_is_mapped_again_when_it_changes()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("companies/1", Document("Companies"));
        await server.PutAsync("companies/2", Document("Companies"));
        await AttachAsync(server, "hello fox");
        const string map = """
            map('Companies', c => {
                const one = loadAttachment(c, 'a.txt'), all = loadAttachments(c);
                return {
                    Names: attachmentsFor(c).map(a => a.Name), Size: one ? one.Size : -1, Type: one && one.ContentType,
                    Hash: one && one.Hash, Text: one && one.getContentAsString('utf8'), Count: all.length,
                    First: all.length && all[0].getContentAsString(),
                };
            })
            """;
        (await server.SendAsync(
            "PUT", "~/indexes", $"{{\"Indexes\":[{{\"Name\":\"I\",\"Maps\":[{JsonValue.Create(map)!.ToJsonString()}],"
            + "\"Fields\":{\"Text\":{\"Indexing\":\"Search\"}}}]}")).Expect(HttpStatusCode.Created);
        foreach (string condition in (string[])["Names = 'a.txt'", "Size = 9", "Type = 'text/x'", "Count = 1",
            "search(Text, 'fox')", "First = 'hello fox'", "exists(Hash) and Hash != null"])
        {
            Assert.Equal(["companies/1"], QueryHttpTests.Ids(
                await QueryHttpTests.QueryAsync(server, $"from index 'I' where {condition}")));
        }

        await AttachAsync(server, "a red hen");
        Assert.Equal(["companies/1"], QueryHttpTests.Ids(
            await QueryHttpTests.QueryAsync(server, "from index 'I' where search(Text, 'hen')")));
        (await server.SendAsync("DELETE", "~/attachments?id=companies/1&name=a.txt")).Expect(HttpStatusCode.NoContent);
        Assert.Equal(2, QueryHttpTests.Ids(
            await QueryHttpTests.QueryAsync(server, "from index 'I' where Size = -1 and Count = 0")).Length);
        JsonNode errors = (await server.SendAsync("GET", "~/indexes/errors?name=I")).Json["Results"]![0]!["Errors"]!;
        Assert.Empty(errors.AsArray());
    }

    private static async Task AttachAsync(TestServer server, string text) => (await server.SendAsync(
        "PUT", "~/attachments?id=companies/1&name=a.txt&contentType=text/x",
        new ByteArrayContent(Encoding.UTF8.GetBytes(text)))).Expect(HttpStatusCode.Created);

    private static string Document(string collection) => $"{{\"@metadata\":{{\"@collection\":\"{collection}\"}}}}";

    private static Task IncrementAsync(TestServer server, string id, string name, int delta) =>
        CounterAsync(server, id, $"{{\"Type\":\"Increment\",\"CounterName\":\"{name}\",\"Delta\":{delta}}}");

    private static async Task CounterAsync(TestServer server, string id, string operation) =>
        (await server.SendAsync(
            "POST", "~/counters", $"{{\"Documents\":[{{\"DocumentId\":\"{id}\",\"Operations\":[{operation}]}}]}}"))
        .Expect(HttpStatusCode.OK);

    private static async Task PutAsync(TestServer server, string path, string map)
    {
        var definition = new JsonObject { ["Name"] = "I", ["Maps"] = new JsonArray(map) };
        string body = new JsonObject { ["Indexes"] = new JsonArray(definition) }.ToJsonString();
        (await server.SendAsync("PUT", path, body)).Expect(HttpStatusCode.Created);
    }
}
