using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

public sealed class BatchHttpTests
{
    [Theory]
    [InlineData("numberOfReplicasToWaitFor=2&throwOnTimeoutInWaitForReplicas=true", 501, "only node")]
    [InlineData("numberOfReplicasToWaitFor=1", 501, "only node")]
    [InlineData("waitForReplicasTimeout=00:00:15", 501, "only node")]
    [InlineData("numberOfReplicasToWaitFor=all", 400, "numberOfReplicasToWaitFor")]
    [InlineData("numberOfReplicasToWaitFor=2&throwOnTimeoutInWaitForReplicas=false", 201, "")]
    [InlineData("numberOfReplicasToWaitFor=majority&throwOnTimeoutInWaitForReplicas=true", 201, "")]
    [InlineData("numberOfReplicasToWaitFor=0&waitForReplicasTimeout=00:00:15", 201, "")]
    public async Task A_batch_that_must_wait_for_replicas_is_refused_as_there_is_only_one_node(
        string query, int status, string says)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        HttpAnswer answer = await server.SendAsync(
            "POST", $"~/bulk_docs?{query}", """{"Commands":[{"Type":"PUT","Id":"a","Document":{}}]}""");
        if (status == 201)
        {
            answer.Expect(HttpStatusCode.Created);
        }
        else
        {
            answer.ExpectError(status, says);
        }

        Assert.Equal(status == 201 ? 200 : 404, (await server.SendAsync("GET", "~/docs?id=a")).Status);
    }

    [Fact]
    public async Task A_batch_answers_with_a_result_for_each_command_in_their_order()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("old", "{}");
        HttpAnswer answer = await server.SendAsync("POST", "~/bulk_docs?", """
            {"Commands":[
              {"Id":"users/1","ChangeVector":"","Type":"PUT","Document":{"@metadata":{"@collection":"Users"}}},
              {"Id":"old","ChangeVector":null,"Type":"DELETE"},
              {"Id":"gone","Type":"DELETE"},
              {"Id":"users|","Type":"PUT","Document":{}}]}
            """);
        JsonArray results = answer.Expect(HttpStatusCode.Created).Json["Results"]!.AsArray();
        Assert.Equal(
            ["Type", "@id", "@collection", "@change-vector", "@last-modified"],
            results[0]!.AsObject().Select(property => property.Key));
        Assert.Equal(["PUT", "DELETE", "DELETE", "PUT"], results.Select(result => (string)result!["Type"]!));
        Assert.Equal("Users", (string?)results[0]!["@collection"]);
        Assert.Equal("@empty", (string?)results[3]!["@collection"]);
        Assert.Equal("old", (string?)results[1]!["Id"]);
        Assert.True((bool)results[1]!["Deleted"]!);
        Assert.False((bool)results[2]!["Deleted"]!);
        (await server.SendAsync("GET", "~/docs?id=old")).Expect(HttpStatusCode.NotFound);
        string made = (string)results[3]!["@id"]!;
        (await server.SendAsync("GET", $"~/docs?id={made}")).Expect(HttpStatusCode.OK);
    }

    [Theory]
    [InlineData("""{"Id":"users/1","ChangeVector":"","Type":"PUT","Document":{}}""", 409, "users/1")]
    [InlineData("""{"Id":"users/1","ChangeVector":"A:99-x","Type":"DELETE"}""", 409, "A:99-x")]
    [InlineData("""{"Id":"a\u0000b","Type":"PUT","Document":{}}""", 400, "control character")]
    [InlineData("""{"Id":"x","Type":"PUT"}""", 400, "Command 1: a PUT needs a Document")]
    [InlineData("""{"Type":"DELETE"}""", 400, "Command 1: a DELETE needs an Id")]
    [InlineData("""{"Id":"x","Type":"PUT","Document":{"@metadata":7}}""", 400, "@metadata")]
    [InlineData("""{"Id":"x","Type":"BOGUS"}""", 400, "BOGUS")]
    [InlineData("""{"Id":"x","Type":"PATCH","Patch":{}}""", 400, "needs a Script")]
    [InlineData("""{"Id":"users/1","Type":"PATCH","Patch":{"Script":"throw new Error(7)"}}""", 400, "Error: 7")]
    [InlineData("""{"Id":"x","Type":"TimeSeries"}""", 400, "Command 1: a TimeSeries needs TimeSeries")]
    [InlineData("""{"Id":"x","Type":"PUT","Document":{"a":1,"a":2}}""", 400, "command 1")]
    [InlineData("""{"Id":"x","Type":"PUT","Document":{"a":}}""", 400, "command 1")]
    public async Task A_batch_with_one_invalid_command_changes_nothing(string bad, int status, string says)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("users/1", "{}");
        string good = """{"Id":"new","Type":"PUT","Document":{}}""";
        (await server.SendAsync("POST", "~/bulk_docs", $"{{\"Commands\":[{good},{bad}]}}")).ExpectError(status, says);
        (await server.SendAsync("GET", "~/docs?id=new")).Expect(HttpStatusCode.NotFound);
        await server.AssertServesAsync();
    }

    /// <summary>Refused before it began, in the middle, and by a script.</summary>
    [Theory]
    [InlineData("""{"Id":"a","ChangeVector":"","Type":"PUT","Document":{}}""", 409)]
    [InlineData(
        """{"Id":"a","Type":"Counters","Counters":{"Operations":[{"Type":"Increment","CounterName":"x","Delta":1}]}}""",
        400)]
    [InlineData("""{"Id":"a","Type":"PATCH","Patch":{"Script":"put('users|', {}); throw new Error(7)"}}""", 400)]
    public async Task A_batch_that_is_refused_uses_up_no_identity(string refused, int status)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        const string made = """{"Id":"users|","Type":"PUT","Document":{}}""";
        const string most = """
            {"Id":"a","Type":"Counters","Counters":{"Operations":[
              {"Type":"Put","CounterName":"x","Delta":9223372036854775807}]}}
            """;
        const string put = """{"Id":"a","Type":"PUT","Document":{}}""";
        (await server.SendAsync("POST", "~/bulk_docs", $"{{\"Commands\":[{made},{put},{most}]}}"))
            .Expect(HttpStatusCode.Created);
        (await server.SendAsync("POST", "~/bulk_docs", $"{{\"Commands\":[{made},{made},{refused}]}}"))
            .ExpectError(status, "");
        Assert.Equal("{\"users|\":1}", (await server.SendAsync("GET", "~/debug/identities")).Text);
        (await server.SendAsync("GET", "~/docs?id=users/2")).Expect(HttpStatusCode.NotFound);
        HttpAnswer next = await server.SendAsync("POST", "~/bulk_docs", $"{{\"Commands\":[{made}]}}");
        Assert.Equal("users/2", (string?)next.Expect(HttpStatusCode.Created).Json["Results"]![0]!["@id"]);
    }

    [Fact]
    public async Task A_batch_over_its_limits_is_refused_with_413_and_the_limit()
    {
        using TestServer server = await TestServer.WithDatabaseAsync(
            o => o with { BatchCommandsMax = 2, DocumentSizeBytesMax = 2000 });
        string command = """{"Id":"a","Type":"DELETE"}""";
        (await server.SendAsync("POST", "~/bulk_docs", $"{{\"Commands\":[{command},{command}]}}"))
            .Expect(HttpStatusCode.Created);
        (await server.SendAsync("POST", "~/bulk_docs", $"{{\"Commands\":[{command},{command},{command}]}}"))
            .ExpectError(413, "more than 2");
        (await server.SendAsync("PUT", "~/docs?id=a", $"{{\"a\":\"{new string('x', 3000)}\"}}"))
            .ExpectError(413, "2000 bytes");
        Assert.Equal("{\"Results\":[]}", (await server.SendAsync("POST", "~/bulk_docs", "{\"Commands\":[]}")).Text);
    }
}
