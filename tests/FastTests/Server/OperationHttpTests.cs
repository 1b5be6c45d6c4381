using System.Net;
using System.Text.Json.Nodes;
using FastTests.Support;

namespace FastTests.Server;

/// <summary>Patches and deletions by a query, as operations that are asked after and ended.</summary>
public sealed class OperationHttpTests
{
    [Fact]
    [Trait("Invariant", "BYQ-2")]
    public async Task A_killed_operation_keeps_its_changes_and_reports_their_number()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        const int count = 600;
        string commands = string.Join(',', Enumerable.Range(0, count).Select(i =>
            $"{{\"Type\":\"PUT\",\"Id\":\"as/{i:d4}\",\"Document\":{{\"N\":0,\"@metadata\":"
            + "{\"@collection\":\"As\"}}}"));
        (await server.SendAsync("POST", "~/bulk_docs", $"{{\"Commands\":[{commands}]}}"))
            .Expect(HttpStatusCode.Created);
        HttpAnswer begun = await server.SendAsync(
            "PATCH", "~/queries?maxOpsPerSec=100",
            $"{{\"Query\":{QueryHttpTests.Body("from As update { this.N = 1; }")}}}");
        long id = (long)begun.Expect(HttpStatusCode.OK).Json["OperationId"]!;
        JsonNode state;
        do
        {
            state = (await server.SendAsync("GET", $"~/operations/state?id={id}")).Json;
        }
        while ((int?)state["Progress"]?["Processed"] is null or 0);

        Assert.Equal("InProgress", (string?)state["Status"]);
        Assert.Equal(count, (int)state["Progress"]!["Total"]!);
        (await server.SendAsync("POST", $"~/operations/kill?id={id}")).Expect(HttpStatusCode.NoContent);
        JsonNode ended = await EndAsync(server, id);
        Assert.Equal("Canceled", (string?)ended["Status"]);
        int processed = (int)ended["Progress"]!["Processed"]!;
        Assert.InRange(processed, 1, count - 1);
        Assert.Equal(processed, (int)(await QueryHttpTests.QueryAsync(
            server, "from As where N = 1 limit 0"))["TotalResults"]!);
    }

    [Fact]
    public async Task A_script_that_throws_ends_its_operation_as_faulted_with_the_error()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        string query = QueryHttpTests.Body("from Users as u update { if (u.Age == 40) throw 'old'; u.Seen = 1; }");
        HttpAnswer begun = await server.SendAsync("PATCH", "~/queries", $"{{\"Query\":{query}}}");
        JsonNode ended = await EndAsync(server, (long)begun.Expect(HttpStatusCode.OK).Json["OperationId"]!);
        Assert.Equal("Faulted", (string?)ended["Status"]);
        Assert.Contains("old", (string?)ended["Result"]!["Message"], StringComparison.Ordinal);
        Assert.EndsWith("JavaScriptException", (string?)ended["Result"]!["Type"], StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_operation_id_that_a_client_chose_is_not_given_out_again()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        foreach (int id in new[] { 1, 2, 4 })
        {
            (await server.SendAsync("POST", $"~/bulk_insert?id={id}", "[]")).Expect(HttpStatusCode.OK);
        }

        (await server.SendAsync("POST", "~/bulk_insert?id=4", "[]")).ExpectError(400, "The operation 4 was begun");
        (await server.SendAsync("POST", "~/bulk_insert", "[]")).Expect(HttpStatusCode.OK);
        Assert.Equal(5, (int)(await server.SendAsync("GET", "~/operations/next-operation-id")).Json["Id"]!);
        HttpAnswer begun = await server.SendAsync(
            "POST", "/admin/compact", """{"DatabaseName":"db","Documents":true}""");
        Assert.Equal(6, (long)begun.Expect(HttpStatusCode.OK).Json["OperationId"]!);
        Assert.Equal("Completed", (string?)(await EndAsync(server, 6))["Status"]);
    }

    /// <summary>Waits until an operation has ended, and gives its last state.</summary>
    internal static async Task<JsonNode> EndAsync(TestServer server, long id)
    {
        JsonNode? state = null;
        await Deadline.UntilAsync(async () =>
        {
            state = (await server.SendAsync("GET", $"~/operations/state?id={id}")).Json;
            return (string?)state["Status"] != "InProgress";
        });
        return state!;
    }
}
