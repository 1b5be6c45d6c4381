using System.Net;
using System.Text;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>What one request may keep in memory, with small limits.</summary>
public sealed class RequestMemoryTests
{
    private const int Megabyte = 1 << 20;
    private const string Option = "Limits.RequestMemoryBytesMax";

    [Fact]
    public async Task A_request_that_would_keep_more_memory_than_the_limit_is_refused_with_413()
    {
        using TestServer server = await TestServer.WithDatabaseAsync(
            o => o with { RequestMemoryBytesMax = 2 * Megabyte });
        byte[] bytes = new byte[Megabyte / 4];
        new Random(1).NextBytes(bytes);
        string text = new('t', 3 * Megabyte);
        (await server.SendAsync("PUT", "~/docs?id=a", $"{{\"T\":\"{text}\"}}")).ExpectError(413, Option);
        (await server.SendAsync("POST", "~/queries", $"{{\"Query\":\"from @all_docs\",\"T\":\"{text}\"}}"))
            .ExpectError(413, Option);
        string small = Convert.ToHexString(bytes);
        string fields = string.Join(',', Enumerable.Range(0, 30).Select(i => $"\"F{i}\":\"{small}\""));
        const string put = "\"Type\":\"PUT\",\"Document\":{}";
        HttpAnswer insert = await server.SendAsync(
            "POST", "~/bulk_insert", $"[{{\"Id\":\"good\",{put}}},{{\"Id\":\"a\",{put},{fields}}}]");
        insert.ExpectError(413, Option).ExpectError(413, "Command 1: ").ExpectError(413, "1 documents are in");
        (await server.SendAsync("GET", "~/docs?id=good")).Expect(HttpStatusCode.OK);
        string puts = string.Join(',', Enumerable.Range(0, 10).Select(i =>
            $"{{\"Type\":\"PUT\",\"Id\":\"d{i}\",\"Document\":{{\"T\":\"{small}\"}}}}"));
        (await server.SendAsync("POST", "~/bulk_docs", $"{{\"Commands\":[{puts}]}}")).ExpectError(413, Option);
        (await server.SendAsync("GET", "~/docs?id=d0")).Expect(HttpStatusCode.NotFound);
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task Many_small_attachments_of_a_batch_are_stored_as_they_arrive()
    {
        const int count = 120;
        using TestServer server = await TestServer.WithDatabaseAsync(
            o => o with { RequestMemoryBytesMax = 6 * Megabyte });
        await server.PutAsync("a", "{}");
        var content = new MultipartFormDataContent
        {
            { new StringContent($"{{\"Commands\":[{Puts(count)}]}}", Encoding.UTF8, "application/json"), "main" },
        };
        for (int i = 0; i < count; i++)
        {
            byte[] bytes = new byte[55_000];
            bytes[0] = (byte)i;
            content.Add(new ByteArrayContent(bytes), $"attachment_{i}", "blob");
        }

        HttpAnswer answer = await server.SendAsync("POST", "~/bulk_docs", content);
        Assert.Equal(count, answer.Expect(HttpStatusCode.Created).Json["Results"]!.AsArray().Count);
        byte[] last = (await server.SendAsync("GET", $"~/attachments?id=a&name=n{count - 1}")).Bytes;
        Assert.Equal(55_000, last.Length);
        Assert.Equal(count - 1, last[0]);
    }

    [Fact]
    public async Task The_answer_of_a_multi_get_is_sent_while_its_reads_go_on()
    {
        using TestServer server = await TestServer.WithDatabaseAsync(
            o => o with { RequestMemoryBytesMax = Megabyte, ResponseBufferSizeBytesMax = 65_536 });
        await server.PutAsync("a", $"{{\"T\":\"{new string('t', 50_000)}\"}}");
        string reads = string.Join(
            ',', Enumerable.Repeat("""{"Url":"/databases/db/docs","Query":"?id=a","Method":"GET"}""", 100));
        HttpAnswer answer = await server.SendAsync("POST", "~/multi_get", $"{{\"Requests\":[{reads}]}}");
        JsonArray results = answer.Expect(HttpStatusCode.OK).Json["Results"]!.AsArray();
        Assert.Equal(100, results.Count);
        Assert.All(results, result => Assert.Equal(50_000, ((string)result!["Result"]!["Results"]![0]!["T"]!).Length));
    }

    [Fact]
    public async Task A_request_that_streams_may_transfer_more_than_the_memory_limit_of_requests()
    {
        const int count = 1500;
        using TestServer server = await TestServer.WithDatabaseAsync(o => o with { RequestMemoryBytesMax = Megabyte });
        string puts = string.Join(',', Enumerable.Range(0, count).Select(i => $$"""
            {"Id":"u/{{i}}","Type":"PUT","Document":{"Boss":"{{i:d500}}","@metadata":{"@collection":"Us"} } }
            """));
        (await server.SendAsync("POST", "~/bulk_insert", $"[{puts}]")).Expect(HttpStatusCode.OK);
        HttpAnswer page = await server.SendAsync("POST", "~/queries", """{"Query":"from Us"}""");
        Assert.Equal(count, page.Expect(HttpStatusCode.OK).Json["Results"]!.AsArray().Count);
        string list = (await server.SendAsync("GET", "~/docs?pageSize=2000")).Expect(HttpStatusCode.OK).Text;
        Assert.Equal(count, JsonNode.Parse(list)!["Results"]!.AsArray().Count);
        HttpAnswer lines = await server.SendAsync(
            "GET", "~/streams/queries?query=from%20Us&format=jsonl");
        Assert.Equal(1 + count, lines.Expect(HttpStatusCode.OK).Text.Split('\n').Count(line => line.Length > 0));
    }

    [Theory]
    [InlineData(1024, 0)]
    [InlineData(1025, 413)]
    [InlineData(100_000, 413)]
    public async Task The_size_limit_of_attachments_holds_for_every_endpoint_that_takes_them(int size, int status)
    {
        using TestServer server = await TestServer.WithDatabaseAsync(o => o with { AttachmentSizeBytesMax = 1024 });
        await server.PutAsync("a", "{}");
        byte[] bytes = new byte[size];
        Check(await server.SendAsync("PUT", "~/attachments?id=a&name=alone", new ByteArrayContent(bytes)), 201);
        Check(await server.SendAsync("POST", "~/bulk_docs", Multipart(bytes, bytes)), 201);
        byte[] head = Encoding.UTF8.GetBytes(
            $"[{{\"Type\":\"AttachmentPUT\",\"Id\":\"a\",\"Name\":\"b\",\"ContentLength\":{size}}}");
        Check(
            await server.SendAsync("POST", "~/bulk_insert", new ByteArrayContent([.. head, .. bytes, (byte)']'])), 200);
        JsonNode stats = (await server.SendAsync("GET", "~/stats")).Json;
        Assert.Equal(status == 0 ? 4 : 0, (int)stats["CountOfAttachments"]!);

        void Check(HttpAnswer answer, int success)
        {
            Assert.True(answer.Status == (status == 0 ? success : status), $"{answer.Status}: {answer.Text}");
        }
    }

    private static MultipartFormDataContent Multipart(params byte[][] attachments)
    {
        var content = new MultipartFormDataContent
        {
            {
                new StringContent($"{{\"Commands\":[{Puts(attachments.Length)}]}}", Encoding.UTF8, "application/json"),
                "main"
            },
        };
        for (int i = 0; i < attachments.Length; i++)
        {
            content.Add(new ByteArrayContent(attachments[i]), $"attachment_{i}", "blob");
        }

        return content;
    }

    private static string Puts(int count) => string.Join(',', Enumerable.Range(0, count).Select(i =>
        $$"""{"Type":"AttachmentPUT","Id":"a","Name":"n{{i}}"}"""));
}
