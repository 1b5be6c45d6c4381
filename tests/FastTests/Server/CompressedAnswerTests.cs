using System.IO.Compression;
using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Answers are compressed for clients that ask for it, and the bytes are the same for all.</summary>
public sealed class CompressedAnswerTests
{
    private static readonly string Body =
        $"{{\"Text\":\"{string.Concat(Enumerable.Range(0, 2000).Select(i => $"word {i} "))}\"}}";

    [Theory]
    [InlineData("gzip, deflate", "gzip")]
    [InlineData("br", "br")]
    [InlineData("gzip;q=0.5, br;q=0.9", "br")]
    [InlineData("gzip, br;q=0.1", "gzip")]
    [InlineData("gzip;q=0", null)]
    [InlineData("identity", null)]
    [InlineData("zstd", "zstd")]
    [InlineData("gzip;q=0.5, zstd", "zstd")]
    [InlineData("compress", null)]
    [InlineData(null, null)]
    [Trait("Fault", "E45")]
    public async Task An_answer_has_the_encoding_that_the_client_prefers(string? accepts, string? encoding)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", Body);
        string[] headers = accepts == null ? [] : [$"Accept-Encoding: {accepts}"];
        HttpAnswer answer = (await server.SendAsync("GET", "~/docs?id=a", (string?)null, headers))
            .Expect(HttpStatusCode.OK);
        Assert.Equal(encoding, answer.Message.Content.Headers.ContentEncoding.SingleOrDefault());
        Assert.Equal("Accept-Encoding", answer.Message.Headers.Vary.Single());
        var bytes = new MemoryStream(answer.Bytes);
        using Stream plain = encoding switch
        {
            "gzip" => new GZipStream(bytes, CompressionMode.Decompress),
            "br" => new BrotliStream(bytes, CompressionMode.Decompress),
            "zstd" => new ZstdSharp.DecompressionStream(bytes),
            _ => bytes,
        };
        JsonNode document = (await JsonNode.ParseAsync(plain))!["Results"]![0]!;
        Assert.Equal((string?)JsonNode.Parse(Body)!["Text"], (string?)document["Text"]);
        Assert.True(encoding == null || answer.Bytes.Length < Body.Length / 2);
    }

    [Fact]
    public async Task Small_answers_and_attachments_are_sent_uncompressed()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        HttpAnswer small = await server.SendAsync("GET", "~/docs?id=a", (string?)null, "Accept-Encoding: gzip");
        Assert.Empty(small.Message.Content.Headers.ContentEncoding);
        await server.SendAsync("PUT", "~/attachments?id=a&name=n", Body);
        HttpAnswer attachment = await server.SendAsync(
            "GET", "~/attachments?id=a&name=n", (string?)null, "Accept-Encoding: gzip");
        Assert.Empty(attachment.Message.Content.Headers.ContentEncoding);
        Assert.Equal(Body, attachment.Text);
    }
}
