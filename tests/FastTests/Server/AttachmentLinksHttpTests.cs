using System.IO.Compression;
using System.Net;
using System.Text;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Attachments that are copied, moved and renamed between documents, and those of revisions.</summary>
public sealed class AttachmentLinksHttpTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>
{
    private TestServer Server => fixture.Server;

    [Fact]
    [Trait("Fault", "E32")]
    public async Task A_copied_attachment_is_answered_with_its_new_document_and_name()
    {
        await PutAsync("copy/1", "f1");
        await Server.PutAsync("copy/2", "{}");
        JsonNode result = (await BatchAsync(Link("COPY", "copy/1", "f1", "copy/2", "f2")))[0]!;
        Assert.Equal("copy/2", (string?)result["Id"]);
        Assert.Equal("f2", (string?)result["Name"]);
        Assert.Equal(await VersionAsync("copy/2"), (string?)result["DocumentChangeVector"]);
        Assert.Equal(["f1"], await NamesAsync("copy/1"));
        Assert.Equal(["f2"], await NamesAsync("copy/2"));
    }

    [Fact]
    [Trait("Fault", "A9")]
    public async Task A_batch_renames_moves_and_copies_attachments_in_its_order()
    {
        await PutAsync("order/1", "f1");
        await Server.PutAsync("order/2", "{}");
        JsonArray results = await BatchAsync(
            Link("MOVE", "order/1", "f1", "order/1", "f2"),
            Link("COPY", "order/1", "f2", "order/2", "f3"),
            Link("MOVE", "order/1", "f2", "order/2", "f4"));
        Assert.Equal("order/1", (string?)results[0]!["Id"]);
        Assert.Equal("f1", (string?)results[0]!["Name"]);
        Assert.Equal("f2", (string?)results[0]!["DestinationName"]);
        Assert.Empty(await NamesAsync("order/1"));
        Assert.Equal(["f3", "f4"], await NamesAsync("order/2"));
    }

    [Theory]
    [InlineData("COPY", "taken/2", "F2")]
    [InlineData("MOVE", "taken/2", "f2")]
    [InlineData("MOVE", "taken/1", "g")]
    [Trait("Fault", "A9")]
    public async Task A_copy_or_move_to_a_taken_attachment_name_is_refused_with_409_and_the_batch_changes_nothing(
        string kind, string target, string name)
    {
        await PutAsync("taken/1", "f1");
        await PutAsync("taken/1", "g");
        await PutAsync("taken/2", "f2");
        string before = await VersionAsync("taken/2");
        HttpAnswer answer = await SendAsync(
            """{"Type":"PUT","Id":"taken/2","Document":{"N":1}}""", Link(kind, "taken/1", "f1", target, name));
        answer.ExpectError(409, "already");
        Assert.EndsWith(".ConcurrencyException", (string?)answer.Json["Type"], StringComparison.Ordinal);
        Assert.Equal(before, await VersionAsync("taken/2"));
        Assert.Equal(["f1", "g"], await NamesAsync("taken/1"));
    }

    [Theory]
    [InlineData("COPY")]
    [InlineData("MOVE")]
    [Trait("Fault", "A9")]
    public async Task A_copy_or_move_with_a_stale_change_vector_is_refused_with_409(string kind)
    {
        string id = $"version/{kind}";
        await PutAsync(id, "f1");
        string link = Link(kind, id, "f1", id, "f2");
        (await SendAsync(link[..^1] + ""","ChangeVector":"A:1-x"}""")).ExpectError(409, "A:1-x");
        Assert.Equal(["f1"], await NamesAsync(id));
        await BatchAsync(Link(kind, id, "f1", id, "f2"));
    }

    [Fact]
    [Trait("Fault", "A9")]
    [Trait("Fault", "E22")]
    [Trait("Invariant", "ATT-1")]
    public async Task A_revision_keeps_the_attachments_of_its_version_and_statistics_count_them()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync(
            "POST", "~/admin/revisions/config", """{"Default":{"Disabled":false},"Collections":{}}"""))
            .Expect(HttpStatusCode.OK);
        await server.PutAsync("a", "{}");
        foreach (string name in (string[])["f1", "f2", "f3"])
        {
            (await server.SendAsync(
                "PUT", $"~/attachments?id=a&name={name}", new ByteArrayContent(Encoding.UTF8.GetBytes(name))))
                .Expect(HttpStatusCode.Created);
        }

        JsonArray revisions =
            (await server.SendAsync("GET", "~/revisions?id=a")).Expect(HttpStatusCode.OK).Json["Results"]!.AsArray();
        Assert.Equal([3, 2, 1, 0], revisions.Select(one => Names(one!).Length));
        JsonNode stats = (await server.SendAsync("GET", "~/stats")).Json;
        Assert.Equal(3 + 3 + 2 + 1, (int)stats["CountOfAttachments"]!);
        Assert.Equal(3, (int)stats["CountOfUniqueAttachments"]!);
        Assert.Equal(4, (int)stats["CountOfRevisionDocuments"]!);
    }

    [Theory]
    [InlineData("gzip")]
    [InlineData("br")]
    [InlineData("deflate")]
    [InlineData("identity")]
    [Trait("Fault", "E41")]
    public async Task A_part_of_a_multipart_body_is_decoded_by_its_own_Content_Encoding(string encoding)
    {
        string id = $"parts/{encoding}";
        byte[] attachment = [.. Enumerable.Range(0, 100_000).Select(number => (byte)(number / 100))];
        HttpAnswer answer = await Server.SendAsync("POST", "~/bulk_docs", Multipart(
            encoding,
            Encoding.UTF8.GetBytes($$"""
            {"Commands":[{"Type":"PUT","Id":"{{id}}","Document":{} },
                {"Type":"AttachmentPUT","Id":"{{id}}","Name":"f","ContentType":"a/b"}]}
            """),
            attachment));
        answer.Expect(HttpStatusCode.Created);
        Assert.Equal(attachment, (await Server.SendAsync("GET", $"~/attachments?id={id}&name=f")).Bytes);
    }

    [Fact]
    [Trait("Fault", "E41")]
    public async Task A_part_of_a_multipart_body_that_is_broken_too_large_or_of_unknown_encoding_is_refused()
    {
        byte[] commands = Encoding.UTF8.GetBytes("""{"Commands":[{"Type":"PUT","Id":"no/1","Document":{}}]}""");
        var unknown = new ByteArrayContent(commands);
        unknown.Headers.ContentEncoding.Add("zap");
        (await Server.SendAsync("POST", "~/bulk_docs", Form(unknown))).ExpectError(415, "zap");
        var broken = new ByteArrayContent(commands);
        broken.Headers.ContentEncoding.Add("gzip");
        (await Server.SendAsync("POST", "~/bulk_docs", Form(broken))).ExpectError(400, "broken");
        byte[] bomb = new byte[20_000_000];
        bomb.AsSpan().Fill((byte)' ');
        (await Server.SendAsync("POST", "~/bulk_docs", Multipart("gzip", bomb))).ExpectError(413, "inflates");
        (await Server.SendAsync("GET", "~/docs?id=no/1")).Expect(HttpStatusCode.NotFound);
        await Server.AssertServesAsync();
    }

    private static string Link(string kind, string id, string name, string target, string newName) =>
        $$"""{"Type":"Attachment{{kind}}","Id":"{{id}}","Name":"{{name}}","""
        + $$""" "DestinationId":"{{target}}","DestinationName":"{{newName}}"}""";

    private static MultipartFormDataContent Multipart(string encoding, params byte[][] parts) =>
        Form([.. parts.Select(part =>
        {
            var content = new ByteArrayContent(encoding switch
            {
                "gzip" => Packed(part, target => new GZipStream(target, CompressionLevel.Optimal)),
                "br" => Packed(part, target => new BrotliStream(target, CompressionLevel.Fastest)),
                "deflate" => Packed(part, target => new ZLibStream(target, CompressionLevel.Optimal)),
                _ => part,
            });
            content.Headers.ContentEncoding.Add(encoding);
            return content;
        })]);

    private static MultipartFormDataContent Form(params HttpContent[] parts)
    {
        var content = new MultipartFormDataContent();
        for (int i = 0; i < parts.Length; i++)
        {
            content.Add(parts[i], i == 0 ? "main" : $"attachment_{i - 1}");
        }

        return content;
    }

    private static byte[] Packed(byte[] bytes, Func<Stream, Stream> pack)
    {
        var target = new MemoryStream();
        using (Stream packer = pack(target))
        {
            packer.Write(bytes);
        }

        return target.ToArray();
    }

    private static string[] Names(JsonNode document) =>
        [.. (document["@metadata"]!["@attachments"]?.AsArray() ?? []).Select(one => (string)one!["Name"]!)];

    private Task<HttpAnswer> SendAsync(params string[] commands) =>
        Server.SendAsync("POST", "~/bulk_docs", $"{{\"Commands\":[{string.Join(',', commands)}]}}");

    private async Task<JsonArray> BatchAsync(params string[] commands) =>
        (await SendAsync(commands)).Expect(HttpStatusCode.Created).Json["Results"]!.AsArray();

    private async Task PutAsync(string id, string name)
    {
        if ((await Server.SendAsync("HEAD", $"~/docs?id={id}")).Status == 404)
        {
            await Server.PutAsync(id, "{}");
        }

        (await Server.SendAsync(
            "PUT", $"~/attachments?id={id}&name={name}", new ByteArrayContent(Encoding.UTF8.GetBytes(name))))
            .Expect(HttpStatusCode.Created);
    }

    private async Task<JsonNode> GetAsync(string id) =>
        (await Server.SendAsync("GET", $"~/docs?id={id}")).Expect(HttpStatusCode.OK).Json["Results"]![0]!;

    private async Task<string> VersionAsync(string id) => (string)(await GetAsync(id))["@metadata"]!["@change-vector"]!;

    private async Task<string[]> NamesAsync(string id) => Names(await GetAsync(id));
}
