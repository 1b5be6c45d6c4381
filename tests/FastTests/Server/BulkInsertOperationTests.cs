using System.Net;
using System.Text;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>A bulk insert as an operation: how far it is, its end before it begins, the end of its database.</summary>
public sealed class BulkInsertOperationTests
{
    [Fact]
    [Trait("Fault", "A20")]
    public async Task The_progress_of_a_running_bulk_insert_can_be_asked_for_and_watched()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using ChangesClient client = await ChangesClient.ConnectAsync(server);
        await client.WatchAsync("watch-operation", "31");
        using var connection = new RawConnection(server.Port);
        Open(connection, 31);
        SendChunk(
            connection,
            """
            [{"Id":"a/1","Type":"PUT","Document":{}},{"Id":"a/2","Type":"PUT","Document":{}},
             {"Id":"a/2","Type":"Counters","Counters":{"DocumentId":"a/2","Operations":[
                {"Type":"Increment","CounterName":"x","Delta":1},{"Type":"Increment","CounterName":"y","Delta":1}]}}
            """);
        JsonNode progress;
        do
        {
            JsonNode told = (await client.NextAsync())!["Value"]!["State"]!;
            Assert.Equal("InProgress", (string?)told["Status"]);
            progress = told["Progress"]!;
        }
        while ((int)progress["Processed"]! == 0);

        JsonNode state = (await server.SendAsync("GET", "~/operations/state?id=31")).Json;
        Assert.Equal("InProgress", (string?)state["Status"]);
        progress = state["Progress"]!;
        Assert.Equal(3, (int)progress["Total"]!);
        Assert.Equal(2, (int)progress["DocumentsProcessed"]!);
        Assert.Equal(2, (int)progress["CountersProcessed"]!);
        Assert.Equal(0, (int)progress["AttachmentsProcessed"]!);
        Assert.Equal(0, (int)progress["TimeSeriesProcessed"]!);
        Assert.Equal("a/2", (string?)progress["LastProcessedId"]);
        Assert.True((int)progress["BatchCount"]! > 0);
        SendChunk(connection, "]");
        Assert.Equal("Completed", (string?)(await OperationHttpTests.EndAsync(server, 31))["Status"]);
    }

    [Fact]
    [Trait("Fault", "E13")]
    public async Task A_bulk_insert_whose_operation_was_killed_before_it_began_is_refused()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("POST", "~/operations/kill?id=77")).ExpectError(400, "There is no operation 77.");
        const string stream = """[{"Id":"a","Type":"PUT","Document":{}}]""";
        (await server.SendAsync("POST", "~/bulk_insert?id=77", stream)).ExpectError(400, "77 was begun or killed");
        (await server.SendAsync("GET", "~/docs?id=a")).Expect(HttpStatusCode.NotFound);
        JsonNode state = (await server.SendAsync("GET", "~/operations/state?id=77")).Expect(HttpStatusCode.OK).Json;
        Assert.Equal("Canceled", (string?)state["Status"]);
        (await server.SendAsync("POST", "~/operations/kill?id=77")).Expect(HttpStatusCode.NoContent);
        (await server.SendAsync("POST", "/admin/operations/kill?id=78")).ExpectError(400, "78");
        (await server.SendAsync("POST", "~/bulk_insert?id=78", stream)).Expect(HttpStatusCode.OK);
        (await server.SendAsync("POST", "~/operations/kill")).ExpectError(400, "There is no operation");
    }

    [Fact]
    [Trait("Fault", "E14")]
    public async Task A_bulk_insert_whose_database_is_deleted_is_answered_though_the_client_sends_nothing_more()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using var connection = new RawConnection(server.Port);
        Open(connection, 5);
        SendChunk(connection, """[{"Id":"a","Type":"PUT","Document":{}}""");
        JsonNode state;
        do
        {
            HttpAnswer answer = await server.SendAsync("GET", "/operations/state?id=5");
            state = answer.Status == 404 ? new JsonObject() : answer.Json;
        }
        while ((int?)state["Progress"]?["Processed"] is null or 0);

        (await server.SendAsync("DELETE", "/admin/databases?name=db&hard-delete=true")).Expect(HttpStatusCode.OK);
        (int status, _, string body) = connection.Receive();
        Assert.Equal(503, status);
        Assert.Contains("DatabaseDoesNotExistException", body, StringComparison.Ordinal);
        state = (await server.SendAsync("GET", "/operations/state?id=5")).Json;
        Assert.Equal("Faulted", (string?)state["Status"]);
    }

    private static void Open(RawConnection connection, int id) => connection.Send(
        $"POST /databases/db/bulk_insert?id={id} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n");

    private static void SendChunk(RawConnection connection, string text) =>
        connection.Send($"{Encoding.UTF8.GetByteCount(text):x}\r\n{text}\r\n");
}
