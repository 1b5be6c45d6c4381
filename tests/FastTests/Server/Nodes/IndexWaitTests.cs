using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server.Nodes;

/// <summary>A batch that waits for indexes, through a node that does not write.</summary>
public sealed class IndexWaitTests
{
    /// <summary>The client asks the node next that it has sent the batch to, whose indexes are its own.</summary>
    [Fact]
    public async Task It_waits_for_the_indexes_of_the_node_that_was_asked_too()
    {
        const string Index = """{"Indexes":[{"Name":"By N","Maps":["from d in docs.Items select new { d.N }"]}]}""";
        await using TestNodes nodes = await TestNodes.StartAsync("A", "B");
        await nodes.CreateAsync("A", "shop");
        (await nodes.SendAsync("B", "PUT", "/databases/shop/admin/indexes", Index)).Expect(HttpStatusCode.Created);
        for (int i = 0; i < 20; i++)
        {
            string batch = "{\"Commands\":[{\"Type\":\"PUT\",\"Id\":\"items/" + i + "\",\"Document\":{\"N\":" + i
                + ",\"@metadata\":{\"@collection\":\"Items\"}}}]}";
            HttpAnswer written = await nodes.SendAsync(
                "B", "POST", "/databases/shop/bulk_docs?waitForIndexesTimeout=00:01:00&waitForIndexThrow=true", batch);
            written.Expect(HttpStatusCode.Created);
            Assert.False(written.Message.Headers.Contains("Raven-Forwarded-Indexes"));
            JsonNode found = (await nodes.SendAsync(
                "B", "POST", "/databases/shop/queries", $$"""{"Query":"from index 'By N' where N = {{i}}"}"""))
                .Expect(HttpStatusCode.OK).Json;
            Assert.False((bool)found["IsStale"]!, $"stale at {i}");
            Assert.Equal(1, (int)found["TotalResults"]!);
        }
    }
}
