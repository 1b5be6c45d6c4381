using System.Net;
using System.Net.WebSockets;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Support;

namespace FastTests.Server;

/// <summary>What clients hear over <c>/changes</c>, and what becomes of those that break the protocol.</summary>
public sealed class ChangesHttpTests
{
    private const string Handshake =
        "GET /databases/db/changes HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

    [Fact]
    [Trait("Invariant", "HUB-2")]
    [Trait("Invariant", "CON-1")]
    public async Task Each_watch_gets_its_changes_once_and_in_order()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using ChangesClient client = await ChangesClient.ConnectAsync(server);
        await client.WatchAsync("watch-doc", "Users/1");
        await client.WatchAsync("watch-prefix", "orders/");
        await client.WatchAsync("watch-collection", "dogs");
        const string user = """{"@metadata":{"@collection":"Users"}}""";
        await server.PutAsync("users/2", user);
        await server.PutAsync("users/1", user);
        await server.PutAsync("ORDERS/7", """{"@metadata":{"@collection":"Dogs"}}""");
        (await server.SendAsync("DELETE", "~/docs?id=users/1")).Expect(HttpStatusCode.NoContent);
        Assert.Equal("Put users/1 Users", await client.NextDocumentAsync());
        Assert.Equal("Put ORDERS/7 Dogs", await client.NextDocumentAsync());
        Assert.Equal("Delete users/1 Users", await client.NextDocumentAsync());

        await client.WatchAsync("unwatch-doc", "users/1");
        await client.WatchAsync("watch-docs");
        string vector = await server.PutAsync("users/1", user);
        JsonNode all = (await client.NextAsync())!;
        Assert.Equal("DocumentChange", (string?)all["Type"]);
        Assert.Equal(vector, (string?)all["Value"]!["ChangeVector"]);
        await client.WatchAsync("unwatch-docs");
        await server.PutAsync("users/1", user);
        await server.PutAsync("orders/8", user);
        Assert.Equal("Put orders/8 Users", await client.NextDocumentAsync());
    }

    [Fact]
    [Trait("Invariant", "HUB-1")]
    [Trait("Invariant", "CHG-2")]
    public async Task Every_change_that_is_committed_after_the_confirmation_of_a_watch_is_sent()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using var stop = new CancellationTokenSource();
        Task writer = Task.Run(async () =>
        {
            for (int i = 0; !stop.IsCancellationRequested; i++)
            {
                await server.PutAsync("counter", $"{{\"Value\":{i}}}");
            }
        });
        for (int round = 0; round < 10; round++)
        {
            using ChangesClient client = await ChangesClient.ConnectAsync(server);
            await client.WatchAsync("watch-doc", "counter");
            HttpAnswer read = await server.SendAsync("GET", "~/docs?id=counter");
            long seen = read.Status == 404 ? 0 : EtagOf(read.Json["Results"]![0]!["@metadata"]!["@change-vector"]!);
            long heard;
            do
            {
                heard = EtagOf((await client.NextAsync())!["Value"]!["ChangeVector"]!);
            }
            while (heard <= seen);
            Assert.Equal(seen + 1, heard);
        }

        await stop.CancelAsync();
        await writer;
    }

    [Fact]
    public async Task A_watched_operation_is_reported_when_it_begins_makes_progress_and_ends()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using ChangesClient client = await ChangesClient.ConnectAsync(server);
        await client.WatchAsync("watch-operation", "77");
        (await server.SendAsync("POST", "~/bulk_insert?id=77", """[{"Id":"a","Type":"PUT","Document":{}}]"""))
            .Expect(HttpStatusCode.OK);
        JsonNode begun = (await client.NextAsync())!["Value"]!;
        Assert.Equal(77, (int)begun["OperationId"]!);
        Assert.Equal("InProgress", (string?)begun["State"]!["Status"]);
        JsonNode further = (await client.NextAsync())!["Value"]!;
        Assert.Equal("InProgress", (string?)further["State"]!["Status"]);
        Assert.Equal(1, (int)further["State"]!["Progress"]!["DocumentsProcessed"]!);
        JsonNode ended = (await client.NextAsync())!["Value"]!;
        Assert.Equal("Completed", (string?)ended["State"]!["Status"]);
    }

    [Theory]
    [InlineData("{}", "name its Command")]
    [InlineData("[1,2", "JSON object")]
    [InlineData("""{"CommandId":1,"Command":"watch-everything"}""", "watch-everything")]
    [InlineData("""{"CommandId":1,"Command":"watch-doc"}""", "needs Param")]
    [InlineData("""{"CommandId":1,"Command":"watch-document-counter","Params":["a"]}""", "needs Params")]
    public async Task An_invalid_command_to_a_changes_connection_is_refused_and_the_connection_stays_open(
        string command, string says)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using ChangesClient client = await ChangesClient.ConnectAsync(server);
        await client.SendAsync(command);
        JsonNode answer = (await client.NextAsync())!;
        Assert.Equal("Error", (string?)answer["Type"]);
        Assert.Contains(says, (string?)answer["Exception"], StringComparison.Ordinal);
        await client.WatchAsync("watch-docs");
        HttpAnswer debug = await server.SendAsync("GET", "~/changes/debug");
        Assert.Contains("AllDocuments", debug.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_changes_connections_of_a_deleted_database_are_closed_with_that_reason()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using ChangesClient client = await ChangesClient.ConnectAsync(server);
        (await server.SendAsync("DELETE", "/admin/databases", """{"DatabaseNames":["db"],"HardDelete":true}"""))
            .Expect(HttpStatusCode.OK);
        Assert.Null(await client.NextAsync());
        Assert.Equal(WebSocketCloseStatus.EndpointUnavailable, client.CloseStatus);
        Assert.Contains("deleted", client.CloseReason, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "HUB-4")]
    [Trait("Invariant", "CON-3")]
    public async Task A_client_of_changes_that_does_not_read_is_disconnected_with_the_reason()
    {
        using TestServer server = await TestServer.WithDatabaseAsync(
            o => o with { ChangesWaitingSizeBytesMax = 64 * 1024 });
        using ChangesClient client = await ChangesClient.ConnectAsync(server);
        await client.WatchAsync("watch-docs");
        string ids = string.Join(',', Enumerable.Range(0, 2000).Select(
            i => $"{{\"Id\":\"{new string('x', 400)}/{i}\",\"Type\":\"PUT\",\"Document\":{{}}}}"));
        for (int i = 0; i < 12; i++)
        {
            (await server.SendAsync("POST", "~/bulk_docs", $"{{\"Commands\":[{ids}]}}"))
                .Expect(HttpStatusCode.Created);
        }

        while (await client.NextAsync() != null)
        {
            // What was sent before can still be read.
        }

        Assert.Equal(WebSocketCloseStatus.PolicyViolation, client.CloseStatus);
        Assert.Contains("read faster", client.CloseReason, StringComparison.Ordinal);
        client.Dispose();
        await AwaitConnectionsAsync(server, 0);
        await server.AssertServesAsync();
    }

    [Fact]
    [Trait("Invariant", "CON-1")]
    [Trait("Invariant", "CON-4")]
    public async Task A_client_of_changes_that_sends_no_pong_is_disconnected_and_one_that_does_is_kept()
    {
        using TestServer server = await TestServer.WithDatabaseAsync(
            o => o with { ChangesHeartbeat = TimeSpan.FromMilliseconds(160) });
        using var silent = new RawConnection(server.Port);
        silent.Send(Handshake);
        Assert.Equal(101, silent.ReceiveStatusOrClose());
        using ChangesClient alive = await ChangesClient.ConnectAsync(server);
        await alive.WatchAsync("watch-docs");
        Task<JsonNode?> next = alive.NextAsync();
        await AwaitConnectionsAsync(server, 1);
        Assert.True(silent.HasEnded());
        await server.PutAsync("a", "{}");
        Assert.Equal("a", (string?)(await next)!["Value"]!["Id"]);
    }

    [Theory]
    [InlineData("unmasked", new byte[] { 0x81, 0x02, 0x7B, 0x7D }, 1002)]
    [InlineData("reserved bit", new byte[] { 0xC1, 0x80, 1, 2, 3, 4 }, 1002)]
    [InlineData("unknown opcode", new byte[] { 0x83, 0x80, 1, 2, 3, 4 }, 1002)]
    [InlineData("continuation of nothing", new byte[] { 0x80, 0x80, 1, 2, 3, 4 }, 1002)]
    [InlineData("long ping", new byte[] { 0x89, 0xFE, 0, 126, 1, 2, 3, 4 }, 1002)]
    [InlineData("ping in pieces", new byte[] { 0x09, 0x80, 1, 2, 3, 4 }, 1002)]
    [InlineData("binary", new byte[] { 0x82, 0x80, 1, 2, 3, 4 }, 1003)]
    [InlineData("bad utf-8", new byte[] { 0x81, 0x81, 0, 0, 0, 0, 0xFF }, 1007)]
    [InlineData("huge", new byte[] { 0x81, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4 }, 1009)]
    [InlineData("64 bits", new byte[] { 0x81, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4 }, 1002)]
    public async Task A_WebSocket_frame_that_breaks_the_protocol_closes_the_connection_with_its_status(
        string what, byte[] frame, int status)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using var raw = new RawConnection(server.Port);
        raw.Send(Handshake);
        raw.Send(frame);
        string all = raw.ReceiveAll();
        Assert.Contains("101 Switching", all, StringComparison.Ordinal);
        string expected = Encoding.UTF8.GetString([(byte)(status >> 8), (byte)status]);
        Assert.True(all.Contains(expected, StringComparison.Ordinal), what);
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task Garbage_on_a_changes_connection_leaves_the_server_serving()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        const int seed = 20261121;
        var random = new Random(seed);
        for (int i = 0; i < 50; i++)
        {
            using var raw = new RawConnection(server.Port);
            raw.Send(Handshake);
            byte[] garbage = new byte[random.Next(1, 300)];
            random.NextBytes(garbage);
            raw.Send(garbage);
            raw.EndSending();
            raw.ReceiveAll();
        }

        await server.AssertServesAsync();
        await AwaitConnectionsAsync(server, 0);
    }

    [Theory]
    [InlineData("Upgrade: websocket\r\n", "Upgrade: other\r\n", 426)]
    [InlineData("Sec-WebSocket-Version: 13", "Sec-WebSocket-Version: 8", 426)]
    [InlineData("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZQ==", 400)]
    [InlineData("/databases/db/", "/databases/none/", 503)]
    public async Task An_invalid_WebSocket_handshake_is_refused_with_its_status(string part, string instead, int status)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using var raw = new RawConnection(server.Port);
        raw.Send(Handshake.Replace(part, instead, StringComparison.Ordinal));
        Assert.Equal(status, raw.ReceiveStatusOrClose());
    }

    [Fact]
    public async Task A_server_that_stops_closes_its_changes_connections_with_that_reason()
    {
        TestServer server = await TestServer.WithDatabaseAsync();
        using ChangesClient client = await ChangesClient.ConnectAsync(server);
        Task<JsonNode?> next = client.NextAsync();
        server.Dispose();
        Assert.Null(await next);
        Assert.Contains("stopping", client.CloseReason, StringComparison.Ordinal);
    }

    private static async Task AwaitConnectionsAsync(TestServer server, int count)
    {
        await Deadline.UntilAsync(
            async () => (await server.SendAsync("GET", "~/changes/debug"))
                .Json["Connections"]!.AsArray().Count == count,
            $"There were never {count} connections.");
    }

    private static long EtagOf(JsonNode changeVector) =>
        long.Parse(((string)changeVector!).Split('-')[0][2..], null);
}
