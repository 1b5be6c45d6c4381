using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Server;
using FastTests.Support;

namespace FastTests.Smuggler;

/// <summary>Imports and exports that end early: killed, cut off, mutated.</summary>
public sealed class SmugglerKillTests
{
    private const int Mutations = 300;

    [Fact]
    [Trait("Invariant", "DUMP-2")]
    public async Task A_killed_import_leaves_whole_batches_of_whole_documents()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using var connection = new RawConnection(server.Port);
        long id = await server.NextOperationAsync(TestServer.Database);
        Open(connection, id);
        var text = new StringBuilder("{\"Docs\":[");
        for (int i = 0; i < 2_500; i++)
        {
            text.Append(i == 0 ? "" : ",").Append(DumpShape.Document($"killed/{i}"));
        }

        Send(connection, text.Append(",{\"half\":").ToString());
        JsonNode state = new JsonObject();
        await Deadline.UntilAsync(async () =>
        {
            HttpAnswer answer = await server.SendAsync("GET", $"~/operations/state?id={id}");
            state = answer.Status == 404 ? state : answer.Json;
            return (int?)state["Progress"]?["Documents"]?["ReadCount"] > 0;
        });
        Assert.Equal("InProgress", (string?)state["Status"]);
        (await server.SendAsync("POST", $"~/operations/kill?id={id}")).Expect(HttpStatusCode.NoContent);
        (int status, _, string body) = connection.Receive();
        Assert.Equal(400, status);
        Assert.Contains("killed", body, StringComparison.Ordinal);
        state = await server.StateAsync(id);
        Assert.Equal("Canceled", (string?)state["Status"]);
        long count = (long)(await server.SendAsync("GET", "~/stats")).Json["CountOfDocuments"]!;
        Assert.True(count is 1_000 or 2_000, $"{count} documents");
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task An_import_under_an_id_that_was_killed_before_does_not_begin()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("POST", "~/operations/kill?id=77")).ExpectError(400, "None will begin");
        byte[] dump = new DumpShape().WithItems("Docs", DumpShape.Document("a")).ToBytes();
        (await server.SendImportAsync(dump, operation: 77)).ExpectError(400, "77");
        (await server.SendAsync("POST", "~/smuggler/export?operationId=77", "{}")).ExpectError(400, "77");
        (await server.SendAsync("GET", "~/docs?id=a")).Expect(HttpStatusCode.NotFound);
    }

    [Fact]
    [Trait("Row", "84")]
    public async Task A_dump_that_is_cut_off_anywhere_is_refused_and_what_came_before_is_in_whole()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await new RandomDatabase(server, TestServer.Database, 17).FillAsync(60);
        byte[] dump = DumpContent.Inflate(await server.ExportAsync());
        await server.CreateAsync("cut");
        var random = new Random(5);
        for (int i = 0; i < 30; i++)
        {
            int length = random.Next(dump.Length);
            HttpAnswer answer = await server.SendImportAsync(dump[..length], "cut");
            Assert.True(answer.Status == 400, $"cut at {length}: {answer.Status} {answer.Text}");
        }

        await server.ImportAsync(dump, "cut");
        DumpContent cut = DumpContent.Read(await server.ExportAsync("cut"));
        Assert.Equal(
            DumpContent.Read(dump)["Docs"].Select(Id).Order(), cut["Docs"].Select(Id).Order());
    }

    [Fact]
    [Trait("Row", "84")]
    public async Task A_mutated_dump_is_a_4xx_or_an_import_and_never_a_5xx()
    {
        const int seed = 20261127;
        using TestServer server = await TestServer.WithDatabaseAsync();
        await new RandomDatabase(server, TestServer.Database, 3).FillAsync(60);
        byte[] gzip = await server.ExportAsync();
        byte[] zstd = await server.ExportAsync(options: """{"CompressionAlgorithm":"Zstd"}""");
        byte[] plain = DumpContent.Inflate(gzip);
        await server.CreateAsync("mutated");
        var random = new Random(seed);
        for (int i = 0; i < Mutations; i++)
        {
            byte[] dump = (byte[])(random.Next(6) switch { 0 => gzip, 1 => zstd, _ => plain }).Clone();
            for (int change = random.Next(1, 5); change > 0; change--)
            {
                int at = random.Next(dump.Length);
                dump = random.Next(4) switch
                {
                    0 => [.. dump[..at], .. dump[Math.Min(dump.Length, at + random.Next(40))..]],
                    1 => [.. dump[..at], .. dump.AsSpan(random.Next(dump.Length / 2), 30), .. dump[at..]],
                    _ => [.. dump[..at], (byte)random.Next(256), .. dump[(at + 1)..]],
                };
            }

            HttpAnswer answer = await server.SendImportAsync(dump, "mutated");
            Assert.True(answer.Status is 200 or (>= 400 and < 500), $"seed {seed}, {i}: {answer.Status} {answer.Text}");
        }

        await server.AssertServesAsync();
        DumpContent.Read(await server.ExportAsync("mutated"));
    }

    [Fact]
    [Trait("Row", "88")]
    public async Task An_export_whose_client_is_gone_fails_and_lets_go_of_its_snapshot()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        byte[] noise = new byte[8 * 1024 * 1024];
        new Random(1).NextBytes(noise);
        await server.PutAsync("a", "{}");
        (await server.SendAsync("PUT", "~/attachments?id=a&name=n", new ByteArrayContent(noise)))
            .Expect(HttpStatusCode.Created);
        await server.PutAsync("b", "{}");
        (await server.SendAsync("PUT", "~/attachments?id=b&name=n", new ByteArrayContent([.. noise.Reverse()])))
            .Expect(HttpStatusCode.Created);
        long id = await server.NextOperationAsync(TestServer.Database);
        using (var connection = new RawConnection(server.Port))
        {
            connection.Send(
                $"POST /databases/db/smuggler/export?operationId={id} HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Length: 2\r\n\r\n{}");
            await Deadline.UntilAsync(async () =>
                (await server.SendAsync("GET", $"~/operations/state?id={id}")).Status == 200);
        }

        JsonNode state = new JsonObject();
        await Deadline.UntilAsync(async () =>
            (string?)(state = await server.StateAsync(id))["Status"] != "InProgress");
        Assert.Equal("Faulted", (string?)state["Status"]);
    }

    private static string Id(JsonNode document) => (string)document["@metadata"]!["@id"]!;

    private static void Open(RawConnection connection, long id) => connection.Send(
        $"POST /databases/db/smuggler/import?operationId={id} HTTP/1.1\r\nHost: localhost\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n");

    private static void Send(RawConnection connection, string text)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        connection.Send($"{bytes.Length:x}\r\n");
        connection.Send(bytes);
        connection.Send("\r\n");
    }
}
