using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Attachments over HTTP: their bytes, their links, and what becomes of both.</summary>
public sealed class AttachmentsHttpTests
{
    private const string Text = "hello attachment";

    private static readonly JsonSerializerOptions Relaxed =
        new() { Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(256 * 1024)]
    [InlineData((256 * 1024) + 1)]
    [InlineData(3_000_001)]
    public async Task An_attachment_of_any_size_is_read_back_unchanged(int size)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string before = await server.PutAsync("users/1", "{}");
        byte[] bytes = Bytes(size);
        HttpAnswer put = (await PutAsync(server, "users/1", "a b.bin", bytes, "image/x"))
            .Expect(HttpStatusCode.Created);
        string hash = Convert.ToBase64String(SHA256.HashData(bytes));
        Assert.Equal(hash, (string?)put.Json["Hash"]);
        Assert.Equal(size, (int)put.Json["Size"]!);
        Assert.Equal("users/1", (string?)put.Json["DocumentId"]);

        HttpAnswer get = (await server.SendAsync("GET", "~/attachments?id=USERS/1&name=A%20B.BIN"))
            .Expect(HttpStatusCode.OK);
        Assert.Equal(bytes, get.Bytes);
        Assert.Equal("image/x", get.Message.Content.Headers.ContentType!.ToString());
        Assert.Equal(hash, get.Message.Headers.GetValues("Attachment-Hash").Single());
        Assert.Equal($"{size}", get.Message.Headers.GetValues("Attachment-Size").Single());
        Assert.Equal($"\"{put.Json["ChangeVector"]}\"", get.Message.Headers.ETag!.ToString());
        (await server.SendAsync("HEAD", "~/attachments?id=users/1&name=a%20b.bin")).Expect(HttpStatusCode.OK);

        JsonNode metadata = await MetadataAsync(server, "users/1");
        Assert.Equal("HasAttachments", (string?)metadata["@flags"]);
        Assert.NotEqual(before, (string?)metadata["@change-vector"]);
        Assert.Equal(
            $$"""[{"Name":"a b.bin","Hash":"{{hash}}","ContentType":"image/x","Size":{{size}}}]""",
            metadata["@attachments"]!.ToJsonString(Relaxed));
    }

    [Theory]
    [InlineData("bytes=0-0", 206, "h", "bytes 0-0/16")]
    [InlineData("bytes=6-", 206, "attachment", "bytes 6-15/16")]
    [InlineData("bytes=-3", 206, "ent", "bytes 13-15/16")]
    [InlineData("bytes=-99", 200, Text, null)]
    [InlineData("bytes=4-99", 206, "o attachment", "bytes 4-15/16")]
    [InlineData("bytes=16-", 416, null, "bytes */16")]
    [InlineData("bytes=-0", 416, null, "bytes */16")]
    [InlineData("bytes=3-2", 200, Text, null)]
    [InlineData("bytes=0-1,3-4", 200, Text, null)]
    [InlineData("lines=1-2", 200, Text, null)]
    public async Task A_range_of_an_attachment_is_answered_as_the_standard_says(
        string range, int status, string? body, string? contentRange)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("users/1", "{}");
        await PutAsync(server, "users/1", "a", Encoding.UTF8.GetBytes(Text));
        HttpAnswer answer = await server.SendAsync(
            "GET", "~/attachments?id=users/1&name=a", (string?)null, $"Range: {range}");
        Assert.Equal(status, answer.Status);
        Assert.Equal(contentRange, answer.Message.Content.Headers.ContentRange?.ToString());
        if (body != null)
        {
            Assert.Equal(body, answer.Text);
        }
    }

    [Fact]
    [Trait("Invariant", "ATT-1")]
    [Trait("Invariant", "ATT-3")]
    public async Task Equal_attachments_are_stored_once_and_removed_with_their_last_link()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        byte[] bytes = Bytes(600_000);
        await server.PutAsync("users/1", "{}");
        await server.PutAsync("users/2", "{}");
        await PutAsync(server, "users/1", "a", bytes);
        await PutAsync(server, "users/1", "b", bytes);
        await PutAsync(server, "users/2", "a", bytes);
        await PutAsync(server, "users/2", "a", bytes);
        Assert.Equal((3, 1), await CountsAsync(server));
        (await server.SendAsync("DELETE", "~/attachments?id=users/1&name=A")).Expect(HttpStatusCode.NoContent);
        (await server.SendAsync("DELETE", "~/attachments?id=users/1&name=A")).Expect(HttpStatusCode.NoContent);
        Assert.Equal((2, 1), await CountsAsync(server));
        (await server.SendAsync("DELETE", "~/docs?id=users/2")).Expect(HttpStatusCode.NoContent);
        Assert.Equal((1, 1), await CountsAsync(server));
        Assert.Equal(bytes, (await server.SendAsync("GET", "~/attachments?id=users/1&name=b")).Bytes);
        (await server.SendAsync("DELETE", "~/attachments?id=users/1&name=b")).Expect(HttpStatusCode.NoContent);
        Assert.Equal((0, 0), await CountsAsync(server));
        Assert.Null((await MetadataAsync(server, "users/1"))["@flags"]);
        await PutAsync(server, "users/1", "a", bytes);
        await server.PutAsync("users/1", """{"Changed":true}""");
        Assert.Equal(bytes, (await server.SendAsync("GET", "~/attachments?id=users/1&name=a")).Bytes);
    }

    [Fact]
    public async Task A_change_of_an_attachment_with_a_stale_change_vector_is_refused_with_409()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("users/1", "{}");
        string first = (string)(await PutAsync(server, "users/1", "a", Bytes(3))).Json["ChangeVector"]!;
        (await PutAsync(server, "users/1", "a", Bytes(4), "x/y", $"If-Match: \"{first}\""))
            .Expect(HttpStatusCode.Created);
        (await PutAsync(server, "users/1", "a", Bytes(5), "x/y", $"If-Match: \"{first}\"")).ExpectError(409, first);
        (await PutAsync(server, "users/1", "a", Bytes(300_000), "x/y", $"If-Match: \"{first}\"")).ExpectError(409, "a");
        (await server.SendAsync("DELETE", "~/attachments?id=users/1&name=a", (string?)null, $"If-Match: \"{first}\""))
            .ExpectError(409, "change vector");
        Assert.Equal(4, (await server.SendAsync("GET", "~/attachments?id=users/1&name=a")).Bytes.Length);
        Assert.Equal((1, 1), await CountsAsync(server));
    }

    [Theory]
    [InlineData("GET", "~/attachments?id=users/1&name=none", 404)]
    [InlineData("GET", "~/attachments?id=none&name=a", 404)]
    [InlineData("GET", "~/attachments?id=users/1", 400)]
    [InlineData("PUT", "~/attachments?id=none&name=a", 400)]
    [InlineData("PUT", "~/attachments?id=users/1&name=", 400)]
    [InlineData("PUT", "~/attachments?id=users/1&name=a%00b", 400)]
    [InlineData("PUT", "~/attachments?id=users/1&name=a&contentType=a%0d%0ab", 400)]
    [InlineData("POST", "~/attachments?id=users/1&name=a", 400)]
    public async Task A_wrong_request_for_an_attachment_is_refused_with_its_status(
        string method, string path, int status)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("users/1", "{}");
        HttpAnswer answer = await server.SendAsync(method, path, method == "GET" ? null : "{}");
        Assert.Equal(status, answer.Status);
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task A_batch_puts_copies_moves_and_deletes_attachments()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        byte[] large = Bytes(700_000);
        HttpAnswer answer = await BatchAsync(
            server,
            """
            {"Commands":[
              {"Id":"users/1","Type":"PUT","Document":{}},
              {"Id":"users/2","Type":"PUT","Document":{}},
              {"Id":"users/1","Type":"AttachmentPUT","Name":"large","ContentType":"a/b"},
              {"Id":"users/1","Type":"AttachmentPUT","Name":"small","ContentType":"text/plain","ChangeVector":null},
              {"Id":"users/1","Type":"AttachmentCOPY","Name":"small",
               "DestinationId":"users/2","DestinationName":"copy"},
              {"Id":"users/1","Type":"AttachmentMOVE","Name":"large",
               "DestinationId":"users/2","DestinationName":"moved"},
              {"Id":"users/1","Type":"AttachmentDELETE","Name":"small"}]}
            """,
            large, Encoding.UTF8.GetBytes(Text));
        JsonArray results = answer.Expect(HttpStatusCode.Created).Json["Results"]!.AsArray();
        Assert.Equal("large", (string?)results[2]!["Name"]);
        Assert.Equal(700_000, (int)results[2]!["Size"]!);
        Assert.Equal(
            ["Type", "Id", "ChangeVector", "Name", "Hash", "ContentType", "Size", "DocumentChangeVector"],
            results[3]!.AsObject().Select(property => property.Key));
        Assert.Equal("users/1", (string?)results[6]!["@id"]);
        Assert.Equal(large, (await server.SendAsync("GET", "~/attachments?id=users/2&name=moved")).Bytes);
        Assert.Equal(Text, (await server.SendAsync("GET", "~/attachments?id=users/2&name=copy")).Text);
        Assert.Null((await MetadataAsync(server, "users/1"))["@attachments"]);
        Assert.Equal(2, (await MetadataAsync(server, "users/2"))["@attachments"]!.AsArray().Count);
        Assert.Equal((2, 2), await CountsAsync(server));
    }

    [Theory]
    [InlineData(
        """{"Id":"users/1","Type":"AttachmentCOPY","Name":"none","DestinationId":"users/2","DestinationName":"x"}""",
        400)]
    [InlineData(
        """{"Id":"users/1","Type":"AttachmentMOVE","Name":"a","DestinationId":"none","DestinationName":"x"}""", 400)]
    [InlineData("""{"Id":"none","Type":"AttachmentPUT","Name":"a"}""", 400)]
    [InlineData("""{"Id":"users/1","Type":"AttachmentPUT","Name":"a","ChangeVector":"A:1-x"}""", 409)]
    [InlineData("""{"Id":"users/1","Type":"AttachmentPUT","Name":7}""", 400)]
    public async Task A_batch_with_attachments_that_fails_leaves_no_bytes_behind(string command, int status)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("users/1", "{}");
        await server.PutAsync("users/2", "{}");
        await PutAsync(server, "users/1", "a", Bytes(10));
        HttpAnswer answer = await BatchAsync(
            server,
            """{"Commands":[{"Id":"users/2","Type":"AttachmentPUT","Name":"n"},"""
            + """{"Id":"new","Type":"PUT","Document":{}},""" + command + "]}",
            Bytes(400_000), Bytes(300_000));
        Assert.Equal(status, answer.Status);
        (await server.SendAsync("GET", "~/docs?id=new")).Expect(HttpStatusCode.NotFound);
        Assert.Equal((1, 1), await CountsAsync(server));
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task A_batch_whose_parts_do_not_match_its_attachment_commands_is_refused()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("users/1", "{}");
        const string one = """{"Commands":[{"Id":"users/1","Type":"AttachmentPUT","Name":"n"}]}""";
        (await BatchAsync(server, one)).ExpectError(400, "part of a multipart body");
        (await BatchAsync(server, one, Bytes(1), Bytes(1))).ExpectError(400, "belongs to no AttachmentPUT");
        (await server.SendAsync("POST", "~/bulk_docs", one)).ExpectError(400, "multipart");
        Assert.Equal((0, 0), await CountsAsync(server));
    }

    [Theory]
    [InlineData("multipart/form-data", "x", "boundary")]
    [InlineData("multipart/form-data; boundary=B", "", "boundary")]
    [InlineData("multipart/form-data; boundary=B", "--B\r\nContent-Disposition: form-data; name=\"main\"", "headers")]
    [InlineData("multipart/form-data; boundary=B", "--B\r\nA: b\r\n\r\n{\"Commands\":[]}", "without a boundary")]
    [InlineData("multipart/form-data; boundary=B", "--B\r\nA: b\r\n\r\n{\"Comm\r\n--B--", "ends")]
    [InlineData("multipart/form-data; boundary=B", "--B--\r\n", "no part")]
    public async Task A_broken_multipart_body_is_refused_with_the_reason(string contentType, string body, string says)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        var content = new ByteArrayContent(Encoding.UTF8.GetBytes(body));
        content.Headers.TryAddWithoutValidation("Content-Type", contentType);
        (await server.SendAsync("POST", "~/bulk_docs", content)).ExpectError(400, says);
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task A_multipart_body_that_is_cut_anywhere_is_refused_and_leaves_no_bytes_behind()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("users/1", "{}");
        string body = "--B\r\nContent-Disposition: form-data; name=main\r\n\r\n"
            + """{"Commands":[{"Id":"users/1","Type":"AttachmentPUT","Name":"n"}]}"""
            + "\r\n--B\r\nContent-Disposition: form-data; name=attachment_0\r\n\r\n\r\n--\r\n-B\r\n--B--\r\n";
        for (int cut = 0; cut < body.Length - 2; cut++)
        {
            var content = new ByteArrayContent(Encoding.UTF8.GetBytes(body[..cut]));
            content.Headers.TryAddWithoutValidation("Content-Type", "multipart/form-data; boundary=B");
            HttpAnswer answer = await server.SendAsync("POST", "~/bulk_docs", content);
            Assert.True(answer.Status is 400 || cut >= body.Length - 4, $"cut at {cut}: {answer.Status}");
        }

        await server.SendAsync("DELETE", "~/attachments?id=users/1&name=n");
        Assert.Equal((0, 0), await CountsAsync(server));
    }

    [Fact]
    public async Task A_bulk_insert_takes_the_bytes_of_attachments_between_its_commands()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        byte[] large = Bytes(500_000);
        var body = new MemoryStream();
        void Add(string text) => body.Write(Encoding.UTF8.GetBytes(text));
        Add("""[{"Id":"users/1","Type":"PUT","Document":{}},""");
        Add("""{"Id":"users/1","Type":"AttachmentPUT","Name":"a","ContentType":"x/y","ContentLength":500000}""");
        body.Write(large);
        Add(""",{"Id":"users/1","Type":"AttachmentPUT","Name":"b","ContentLength":2}],,{"Type":"HeartBeat"}]""");
        (await server.SendAsync("POST", "~/bulk_insert", new ByteArrayContent(body.ToArray())))
            .Expect(HttpStatusCode.OK);
        Assert.Equal(large, (await server.SendAsync("GET", "~/attachments?id=users/1&name=a")).Bytes);
        Assert.Equal("],", (await server.SendAsync("GET", "~/attachments?id=users/1&name=b")).Text);
    }

    private static byte[] Bytes(int count)
    {
        byte[] bytes = new byte[count];
        new Random(count).NextBytes(bytes);
        return bytes;
    }

    private static Task<HttpAnswer> PutAsync(
        TestServer server, string id, string name, byte[] bytes, string contentType = "", params string[] headers) =>
        server.SendAsync(
            "PUT",
            $"~/attachments?id={id}&name={Uri.EscapeDataString(name)}&contentType={contentType}",
            new ByteArrayContent(bytes), headers);

    private static Task<HttpAnswer> BatchAsync(TestServer server, string commands, params byte[][] attachments)
    {
        var content = new MultipartFormDataContent
        {
            { new StringContent(commands, Encoding.UTF8, "application/json"), "main" },
        };
        for (int i = 0; i < attachments.Length; i++)
        {
            content.Add(new ByteArrayContent(attachments[i]), $"attachment_{i}", "blob");
        }

        return server.SendAsync("POST", "~/bulk_docs?", content);
    }

    private static async Task<JsonNode> MetadataAsync(TestServer server, string id) =>
        (await server.SendAsync("GET", $"~/docs?id={id}")).Json["Results"]![0]!["@metadata"]!;

    private static async Task<(int Count, int Unique)> CountsAsync(TestServer server)
    {
        JsonNode stats = (await server.SendAsync("GET", "~/stats")).Expect(HttpStatusCode.OK).Json;
        return ((int)stats["CountOfAttachments"]!, (int)stats["CountOfUniqueAttachments"]!);
    }
}
