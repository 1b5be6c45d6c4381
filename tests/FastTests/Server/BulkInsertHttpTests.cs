using System.IO.Compression;
using System.Net;
using System.Text;
using FastTests.Support;

namespace FastTests.Server;

public sealed class BulkInsertHttpTests
{
    private const string Counters = "\"Type\":\"Counters\",\"Counters\":{\"Operations\":[";

    [Fact]
    public async Task A_bulk_insert_is_answered_at_the_closing_bracket_though_its_body_does_not_end()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using var connection = new RawConnection(server.Port);
        connection.Send(Head("?id=7"));
        SendChunk(connection, "[{\"Type\":\"HeartBeat\"}");
        for (int i = 0; i < 100; i++)
        {
            SendChunk(connection, $",{{\"Id\":\"users/{i}\",\"Type\":\"PUT\",\"Document\":{{\"n\":{i}}}}}");
        }

        SendChunk(connection, "]");

        // The body never ends: an answer that waited for its end would not come at all.
        (int status, string head, string body) = connection.Receive();
        Assert.Equal((200, ""), (status, body));
        Assert.Contains("Content-Length: 0", head, StringComparison.Ordinal);
        Assert.Contains("Connection: close", head, StringComparison.Ordinal);
        Assert.Equal(100, await CountAsync(server));
        HttpAnswer state = await server.SendAsync("GET", "~/operations/state?id=7");
        Assert.Equal("Completed", (string?)state.Json["Status"]);
        Assert.Equal(100, (int)state.Json["Result"]!["Processed"]!);
    }

    [Fact]
    public async Task A_bulk_insert_in_a_gzip_stream_that_is_flushed_but_not_finished_is_read_as_it_arrives()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using var connection = new RawConnection(server.Port);
        connection.Send(
            "POST /databases/db/bulk_insert HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n");
        using var wire = new MemoryStream();
        using var gzip = new GZipStream(wire, CompressionLevel.Fastest);
        gzip.Write("[{\"Id\":\"a\",\"Type\":\"PUT\",\"Document\":{}}"u8);
        gzip.Flush();
        SendChunk(connection, wire.ToArray());
        await Deadline.UntilAsync(async () => await CountAsync(server) == 1);
        wire.SetLength(0);
        gzip.Write(",{\"Id\":\"b\",\"Type\":\"PUT\",\"Document\":{}}]"u8);
        gzip.Flush();
        SendChunk(connection, wire.ToArray());
        Assert.Equal(200, connection.Receive().Status);
        Assert.Equal(2, await CountAsync(server));
    }

    [Fact]
    public async Task A_bulk_insert_stores_many_documents_whole_and_in_the_order_of_its_stream()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        var body = new StringBuilder("[");
        const int count = 9000;
        for (int i = 0; i < count; i++)
        {
            body.Append(i == 0 ? "" : ",").Append("{\"Id\":\"n/").Append(i)
                .Append("\",\"Type\":\"PUT\",\"Document\":{\"n\":").Append(i)
                .Append(",\"@metadata\":{\"@collection\":\"Ns\"}}}");
        }

        (await server.SendAsync("POST", "~/bulk_insert", body.Append(']').ToString())).Expect(HttpStatusCode.OK);
        Assert.Equal(count, await CountAsync(server));
        HttpAnswer stream = await server.SendAsync("GET", "~/streams/docs?format=jsonl");
        string[] lines = stream.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(count, lines.Length);
        Assert.All(
            lines.Index(), line => Assert.Contains($"\"n\":{line.Index},", line.Item, StringComparison.Ordinal));
        HttpAnswer stats = await server.SendAsync("GET", "~/collections/stats");
        Assert.Equal(count, (int)stats.Json["Collections"]!["Ns"]!);
    }

    [Theory]
    [InlineData("""{"Id":"bad""", 400, "before its command 1 or the list")]
    [InlineData("""{"Id":"x","Type":"PUT","Document":{"a":tru}}]""", 400, "command 1")]
    [InlineData("""{"Id":"x","Type":"PUT"}]""", 400, "Command 1: a PUT needs a Document")]
    [InlineData("""{"Id":"a\u001f","Type":"PUT","Document":{}}]""", 400, "control character")]
    [InlineData("""{"Id":"x","Type":"Counters","Counters":{}}]""", 400, "Operations must be a list")]
    [InlineData("""{"Id":"x","Type":"NOPE"}]""", 400, "NOPE")]
    [InlineData("""7]""", 400, "command 1")]
    public async Task A_broken_bulk_insert_keeps_the_documents_before_the_error_and_reports_their_number(
        string bad, int status, string says)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        HttpAnswer answer = await server.SendAsync(
            "POST", "~/bulk_insert?id=3", "[{\"Id\":\"good\",\"Type\":\"PUT\",\"Document\":{}}," + bad);
        answer.ExpectError(status, says).ExpectError(status, "1 documents are in");
        (await server.SendAsync("GET", "~/docs?id=good")).Expect(HttpStatusCode.OK);
        Assert.Equal(1, await CountAsync(server));
        HttpAnswer state = await server.SendAsync("GET", "~/operations/state?id=3");
        Assert.Equal("Faulted", (string?)state.Json["Status"]);
        Assert.Equal(status, (int)state.Json["Result"]!["StatusCode"]!);
        await server.AssertServesAsync();
    }

    [Theory]
    [InlineData(2000)]
    [InlineData(5000)]
    public async Task A_command_that_the_commit_of_a_bulk_insert_refuses_is_named_and_all_before_it_are_stored(
        int before)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        var body = new StringBuilder("[{\"Type\":\"HeartBeat\"}");
        for (int i = 0; i < before; i++)
        {
            body.Append($",{{\"Id\":\"n/{i}\",\"Type\":\"PUT\",\"Document\":{{}}}}");
        }

        body.Append(""",{"Id":"none","Type":"AttachmentPUT","Name":"a","ContentType":"","ContentLength":3}abc""");
        body.Append(""",{"Id":"behind","Type":"PUT","Document":{}}]""");
        HttpAnswer answer = await server.SendAsync("POST", "~/bulk_insert?id=5", body.ToString());
        answer.ExpectError(400, $"Command {before + 1}: Document 'none'")
            .ExpectError(400, $"{before} documents are in");
        Assert.Equal(before, await CountAsync(server));
        HttpAnswer state = await server.SendAsync("GET", "~/operations/state?id=5");
        Assert.Equal("Faulted", (string?)state.Json["Status"]);
        Assert.Contains(
            $"{before} documents are in", (string?)state.Json["Result"]!["Message"], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("""{"Id":"none",""" + Counters
        + """{"Type":"Increment","CounterName":"c","Delta":1}]}},{"Type":"NOPE"}]""",
        "Command 2: Document 'none'")]
    [InlineData("""{"Id":"good",""" + Counters
        + """{"Type":"Increment","CounterName":"c","Delta":1},{"Type":"Increment","Delta":1}]}}]""",
        "Command 2: Operations[1].CounterName")]
    [InlineData("""{"Id":"good",""" + Counters
        + """{"Type":"Increment","CounterName":"c","Delta":1},"""
        + """{"Type":"Increment","CounterName":"c","Delta":9223372036854775807}]}}]""",
        "Command 2: Counter 'c'")]
    [InlineData("""{"Id":"good","Type":"AttachmentPUT","Name":"a","ContentType":""}abc]""",
        "Command 2: an AttachmentPUT")]
    [InlineData("""{"Id":"good","Type":"AttachmentPUT","Name":"a","ContentType":"","ContentLength":9}abc]""",
        "5 bytes before the attachment does")]
    public async Task A_refused_command_of_a_bulk_insert_changes_nothing_and_the_one_before_it_is_stored(
        string bad, string says)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        HttpAnswer answer = await server.SendAsync(
            "POST", "~/bulk_insert?id=3",
            "[{\"Type\":\"HeartBeat\"},{\"Id\":\"good\",\"Type\":\"PUT\",\"Document\":{}}," + bad);
        answer.ExpectError(400, says).ExpectError(400, " 1 documents are in");
        HttpAnswer good = await server.SendAsync("GET", "~/docs?id=good");
        good.Expect(HttpStatusCode.OK);
        Assert.DoesNotContain("@counters", good.Text, StringComparison.Ordinal);
        Assert.DoesNotContain("@attachments", good.Text, StringComparison.Ordinal);
        HttpAnswer state = await server.SendAsync("GET", "~/operations/state?id=3");
        Assert.Equal("Faulted", (string?)state.Json["Status"]);
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task A_refused_commit_of_a_bulk_insert_is_answered_though_the_client_sends_nothing_more()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using var connection = new RawConnection(server.Port);
        connection.Send(Head(""));
        const string missing =
            """{"Id":"none",""" + Counters + """{"Type":"Put","CounterName":"c","Delta":1}]}}""";
        SendChunk(connection, "[{\"Id\":\"a\",\"Type\":\"PUT\",\"Document\":{}}," + missing);
        await Deadline.UntilAsync(async () => await CountAsync(server) == 1);
        (int status, _, string body) = connection.Receive();
        Assert.Equal(400, status);
        Assert.Contains("Command 1: Document 'none'", body, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_open_bulk_insert_can_be_killed()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        HttpAnswer next = await server.SendAsync("GET", "~/operations/next-operation-id");
        int id = (int)next.Json["Id"]!;
        Assert.Equal("A", (string?)next.Json["NodeTag"]);
        using var connection = new RawConnection(server.Port);
        connection.Send(Head($"?id={id}"));
        SendChunk(connection, "[{\"Id\":\"a\",\"Type\":\"PUT\",\"Document\":{}}");
        await Deadline.UntilAsync(
            async () => (await server.SendAsync("GET", $"~/operations/state?id={id}")).Status == 200);
        (await server.SendAsync("POST", $"~/operations/kill?id={id}")).Expect(HttpStatusCode.NoContent);
        await Deadline.UntilAsync(async () =>
            (string?)(await server.SendAsync("GET", $"~/operations/state?id={id}")).Json["Status"] == "Canceled");
        (await server.SendAsync("POST", "~/operations/kill?id=999")).ExpectError(400, "999");
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task A_bulk_insert_whose_client_disconnects_leaves_a_prefix_of_its_documents()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using (var connection = new RawConnection(server.Port))
        {
            connection.Send(Head(""));
            SendChunk(connection, """[{"Id":"a","Type":"PUT","Document":{}},{"Id":"b","Type":"PUT","Doc""");
            await Deadline.UntilAsync(() => Task.FromResult(server.Host.State.Counters.Active > 0));
        }

        await Deadline.UntilAsync(() => Task.FromResult(server.Host.State.Counters.Active == 0));
        Assert.InRange(await CountAsync(server), 0, 1);
        (await server.SendAsync("GET", "~/docs?id=b")).Expect(HttpStatusCode.NotFound);
        await server.AssertServesAsync();
    }

    private static async Task<int> CountAsync(TestServer server) =>
        (int)(await server.SendAsync("GET", "~/stats")).Expect(HttpStatusCode.OK).Json["CountOfDocuments"]!;

    private static string Head(string query) =>
        $"POST /databases/db/bulk_insert{query} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";

    private static void SendChunk(RawConnection connection, string text) =>
        SendChunk(connection, Encoding.UTF8.GetBytes(text));

    private static void SendChunk(RawConnection connection, byte[] bytes)
    {
        connection.Send($"{bytes.Length:x}\r\n");
        connection.Send(bytes);
        connection.Send("\r\n");
    }

}
