using System.Net;
using System.Text;

namespace FastTests.Server;

/// <summary>
/// Bodies, ids and parameters that are wrong: a 4xx that names the error and its place, nothing half-written, and the
/// same connection and process continue to serve.
/// </summary>
public sealed class BadInputHttpTests
{
    [Theory]
    [InlineData("", "There is no value")]
    [InlineData("{", "line 1, column 2")]
    [InlineData("{\"a\":1", "line 1")]
    [InlineData("{\n \"a\":\n  nul}", "line 3")]
    [InlineData("{\"a\":1}}", "Only white space")]
    [InlineData("{\"a\":1,\"a\":2}", "a")]
    [InlineData("{\"a\":1,\"\\u0061\":2}", "a")]
    [InlineData("{\"a\":\"\\ud800\"}", "line 1")]
    [InlineData("{\"a\":01}", "line 1")]
    [InlineData("{\"a\":NaN}", "line 1")]
    [InlineData("{'a':1}", "line 1")]
    [InlineData("[]", "starts with {")]
    [InlineData("7", "starts with {")]
    [InlineData("{\"@metadata\":[]}", "@metadata")]
    [InlineData("{\"@metadata\":{\"@collection\":1}}", "@collection")]
    public async Task A_document_that_is_no_valid_JSON_object_is_refused_with_its_position(string body, string says)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("PUT", "~/docs?id=bad", body)).ExpectError(400, says);
        (await server.SendAsync("GET", "~/docs?id=bad")).Expect(HttpStatusCode.NotFound);
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task A_document_that_is_too_deep_or_not_UTF8_is_refused()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string deep = string.Concat(Enumerable.Repeat("{\"a\":", 200_000));
        (await server.SendAsync("PUT", "~/docs?id=deep", deep)).ExpectError(400, "deep");
        foreach (byte[] bad in new byte[][] { [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80] })
        {
            using var body = new ByteArrayContent([.. "{\"a\":\""u8, .. bad, .. "\"}"u8]);
            (await server.SendAsync("PUT", "~/docs?id=utf", body)).ExpectError(400, "line 1");
        }

        await server.AssertServesAsync();
    }

    [Theory]
    [InlineData("a%00b", "control character")]
    [InlineData("a%1Fb", "control character")]
    [InlineData("%FF", "percent-encoded UTF-8")]
    [InlineData("%C0%80", "percent-encoded UTF-8")]
    [InlineData("%", "percent-encoded UTF-8")]
    public async Task An_invalid_id_is_refused_by_every_endpoint(string encoded, string says)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        foreach (string method in new[] { "PUT", "GET", "DELETE" })
        {
            using var connection = new RawConnection(server.Port);
            string body = method == "PUT" ? "{}" : "";
            connection.Send(
                $"{method} /databases/db/docs?id={encoded} HTTP/1.1\r\nHost: localhost\r\n"
                + $"Content-Length: {body.Length}\r\n\r\n{body}");
            (int status, _, string answer) = connection.Receive();
            Assert.Equal(400, status);
            Assert.Contains(says, answer, StringComparison.Ordinal);
        }

        (await server.SendAsync("PUT", $"~/docs?id={new string('x', 513)}", "{}")).ExpectError(400, "513 bytes");
        (await server.SendAsync("PUT", $"~/docs?id={new string('x', 512)}", "{}")).Expect(HttpStatusCode.Created);
        (await server.SendAsync("PUT", "~/docs", "{}")).ExpectError(400, "'id' is missing");
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task A_body_over_the_limit_is_refused_with_413_with_and_without_Content_Length()
    {
        using TestServer server = await TestServer.WithDatabaseAsync(o => o with { RequestBodySizeBytesMax = 100_000 });
        string big = $"{{\"a\":\"{new string('x', 200_000)}\"}}";
        using (var declared = new RawConnection(server.Port))
        {
            declared.Send(
                "PUT /databases/db/docs?id=a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n");
            Assert.Equal(413, declared.Receive().Status);
        }

        foreach (string encoding in new[] { "gzip", "br", "zstd", "deflate" })
        {
            using var body = new ByteArrayContent(Compressed.By(encoding, Encoding.UTF8.GetBytes(big)));
            body.Headers.ContentEncoding.Add(encoding);
            (await server.SendAsync("PUT", "~/docs?id=a", body)).ExpectError(413, "inflates to more than 100000 bytes");
        }

        (await server.SendAsync("GET", "~/docs?id=a")).Expect(HttpStatusCode.NotFound);
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task A_compressed_bomb_is_refused_with_413_by_its_ratio_and_an_unknown_encoding_with_415()
    {
        using TestServer server = await TestServer.WithDatabaseAsync(o => o with { InflationRatioMax = 20 });
        byte[] zeros = [.. "{\"a\":\""u8, .. Enumerable.Repeat((byte)'x', 20_000_000), .. "\"}"u8];
        foreach (string encoding in new[] { "gzip", "zstd" })
        {
            using var bomb = new ByteArrayContent(Compressed.By(encoding, zeros));
            bomb.Headers.ContentEncoding.Add(encoding);
            (await server.SendAsync("PUT", "~/docs?id=a", bomb)).ExpectError(413, "20 times its size");
        }

        foreach (string unknown in new[] { "lzma", "gzip, gzip", "compress" })
        {
            using var body = new StringContent("{}");
            body.Headers.TryAddWithoutValidation("Content-Encoding", unknown);
            (await server.SendAsync("PUT", "~/docs?id=a", body)).ExpectError(415, unknown);
        }

        using var broken = new ByteArrayContent([1, 2, 3, 4]);
        broken.Headers.ContentEncoding.Add("gzip");
        (await server.SendAsync("PUT", "~/docs?id=a", broken)).ExpectError(400, "compressed body is broken");
        await server.AssertServesAsync();
    }

    [Theory]
    [InlineData("gzip")]
    [InlineData("deflate")]
    [InlineData("br")]
    [InlineData("zstd")]
    [Trait("Fault", "E45")]
    public async Task A_compressed_body_that_is_cut_or_broken_anywhere_is_refused_as_broken(string encoding)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        byte[] whole = Compressed.By(encoding, "{\"Name\":\"a text that is long enough\"}"u8.ToArray());
        for (int length = 1; length <= whole.Length; length++)
        {
            using var body = new ByteArrayContent(whole, 0, length);
            body.Headers.ContentEncoding.Add(encoding);
            HttpAnswer answer = await server.SendAsync("PUT", $"~/docs?id=cut/{length}", body);
            if (length == whole.Length)
            {
                answer.Expect(HttpStatusCode.Created);
            }
            else
            {
                answer.ExpectError(400, "compressed body is broken");
            }
        }

        for (int place = 0; place < whole.Length; place++)
        {
            byte[] broken = [.. whole];
            broken[place] ^= 0x55;
            using var body = new ByteArrayContent(broken);
            body.Headers.ContentEncoding.Add(encoding);
            HttpAnswer answer = await server.SendAsync("PUT", "~/docs?id=flipped", body);
            Assert.True(answer.Status is 400 or 201, $"{answer.Status} at {place}: {answer.Text}");

            // The others have no checksum, or a part of the head that says nothing of the contents.
            Assert.True(answer.Status == 400 || encoding == "br" || place < 10, $"taken at {place} of {whole.Length}");
        }

        await server.AssertServesAsync();
    }

    [Fact]
    public async Task The_depth_and_the_number_of_properties_of_a_body_are_limited_by_options()
    {
        using TestServer server = await TestServer.WithDatabaseAsync(o => o with { DepthMax = 8, PropertiesMax = 16 });
        string Nested(int depth) => new StringBuilder()
            .Insert(0, "{\"a\":", depth - 1).Append("{}").Append('}', depth - 1).ToString();
        string Wide(int count) => $"{{{string.Join(',', Enumerable.Range(0, count).Select(i => $"\"p{i}\":0"))}}}";
        await server.PutAsync("deep", Nested(8));
        (await server.SendAsync("PUT", "~/docs?id=a", Nested(9))).ExpectError(400, "8");
        await server.PutAsync("wide", Wide(16));
        (await server.SendAsync("PUT", "~/docs?id=a", Wide(17))).ExpectError(400, "16");
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task The_refusal_of_a_batch_names_the_number_of_the_invalid_command()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync(
            "POST", "~/bulk_docs", """
            {"Commands":[{"Type":"DELETE","Id":"a"},{"Type":"PUT","Id":"b\u0000c","Document":{}}]}
            """)).ExpectError(400, "Command 1: Bad id");
        (await server.SendAsync(
            "POST", "~/bulk_docs", """
            {"Commands":[{"Type":"PUT","Id":"a","Document":{"@metadata":7}},{"Type":"DELETE","Id":"a"}]}
            """)).ExpectError(400, "Command 0: Document 'a'");
    }

    [Theory]
    [InlineData("PUT", "~/docs?id=a&id=b", "id")]
    [InlineData("DELETE", "~/docs?id=a&ID=a", "id")]
    [InlineData("HEAD", "~/docs?id=a&id=a", null)]
    [InlineData("PATCH", "~/docs?id=a&id=a", "id")]
    [InlineData("GET", "~/attachments?id=a&name=x&name=y", "name")]
    public async Task A_repeated_single_parameter_is_refused_with_its_name(string method, string path, string? name)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        HttpAnswer answer = await server.SendAsync(
            method, path, method is "PUT" or "PATCH" ? "{\"Patch\":{\"Script\":\"\"}}" : null);
        Assert.Equal(400, answer.Status);
        if (name != null)
        {
            answer.ExpectError(400, $"'{name}' is there twice");
        }
    }

    [Theory]
    [InlineData("GET", "~/docs?id=a&pageSize=x", 400, "pageSize")]
    [InlineData("GET", "~/docs?start=-1", 400, "start")]
    [InlineData("GET", "~/docs?id=a&metadataOnly=maybe", 400, "metadataOnly")]
    [InlineData("GET", "~/docs?id=a&timeseriescount=likes", 400, "timeseriescount=likes")]
    [InlineData("GET", "~/streams/docs?format=xml", 400, "xml")]
    [InlineData("GET", "~/hilo/next", 400, "tag")]
    [InlineData("PUT", "~/hilo/return?tag=users&end=1&last=5", 400, "range")]
    [InlineData("POST", "~/identity/next", 400, "name")]
    [InlineData("GET", "~/admin/smuggler/import?url=http://127.0.0.1/", 501, "not served")]
    [InlineData("POST", "~/smuggler/export?operationId=x", 400, "operationId")]
    [InlineData("POST", "~/queries", 400, "no value")]
    [InlineData("PATCH", "~/docs?id=a", 400, "no value")]
    [InlineData("PUT", "~/subscriptions", 400, "no value")]
    [InlineData("RESET", "~/indexes?name=x", 400, "no index")]
    [InlineData("GET", "~/operations/state?id=77", 404, "77")]
    [InlineData("GET", "~/nothing", 404, "/databases/db/nothing")]
    [InlineData("BREW", "~/docs", 405, "BREW")]
    [InlineData("DELETE", "~/stats", 405, "GET, HEAD, OPTIONS")]
    [InlineData("GET", "/topology", 400, "name")]
    [InlineData("DELETE", "/admin/databases", 400, "no value")]
    public async Task A_wrong_request_is_refused_with_its_status_and_the_reason(
        string method, string path, int status, string says)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync(method, path)).ExpectError(status, says);
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task A_refused_request_leaves_its_connection_usable()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using var connection = new RawConnection(server.Port);
        for (int i = 0; i < 3; i++)
        {
            connection.Send(
                "PUT /databases/db/docs?id=a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n{bad}");
            Assert.Equal(400, connection.Receive().Status);
            connection.Send("GET /databases/no/docs?id=a HTTP/1.1\r\nHost: localhost\r\n\r\n");
            Assert.Equal(503, connection.Receive().Status);
        }

        connection.Send("PUT /databases/db/docs?id=a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}");
        Assert.Equal(201, connection.Receive().Status);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_bug_is_answered_with_500_and_an_id_and_with_the_stack_trace_if_an_option_allows_it(bool isShown)
    {
        using TestServer shy = await TestServer.WithDatabaseAsync(o => o with { ShowStackTraces = isShown });
        shy.Host.State.Databases.Dispose();
        HttpAnswer answer = await shy.SendAsync("PUT", "/admin/databases?name=other", "{}");
        answer.ExpectError(500, "error ");
        Assert.Equal(isShown, answer.Text.Contains("   at Raven.Server.", StringComparison.Ordinal));
        Assert.Equal(isShown, ((string?)answer.Json["Error"])?.Contains(nameof(ObjectDisposedException)) ?? false);
        Assert.Equal(1, shy.Host.State.Counters.ServerErrors);
    }
}
