namespace FastTests.Server;

/// <summary>Which pages may talk to the server: its own, and no others.</summary>
public sealed class OriginTests
{
    [Fact]
    [Trait("Security", "19")]
    public async Task A_page_of_this_server_may_send_everything_and_needs_no_CORS_headers()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string own = $"Origin: http://127.0.0.1:{server.Port}";
        HttpAnswer asked = await server.SendAsync("OPTIONS", "~/docs", (string?)null, own);
        Assert.Equal(204, asked.Status);
        Assert.Null(Header(asked, "Access-Control-Allow-Origin"));
        HttpAnswer put = await server.SendAsync("PUT", "~/docs?id=a", "{}", own);
        Assert.Equal(201, put.Status);
        Assert.Null(Header(put, "Access-Control-Allow-Origin"));
        Assert.Equal("nosniff", Header(put, "X-Content-Type-Options"));
    }

    [Theory]
    [InlineData("http://127.0.0.1:{0}", 101)]
    [InlineData("http://127.0.0.1:1", 403)]
    [InlineData("https://evil.example", 403)]
    [InlineData("null", 403)]
    [InlineData(null, 101)]
    [Trait("Security", "19")]
    public async Task A_WebSocket_opens_for_pages_of_this_server_and_for_programs_only(string? origin, int status)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using var connection = new RawConnection(server.Port);
        string? page = origin?.Replace("{0}", $"{server.Port}", StringComparison.Ordinal);
        string line = page == null ? "" : $"Origin: {page}\r\n";
        connection.Send(
            $"GET /databases/db/changes HTTP/1.1\r\nHost: 127.0.0.1:{server.Port}\r\n{line}Connection: Upgrade\r\n"
            + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n");
        Assert.Equal(status, connection.ReceiveStatusOrClose());
    }

    [Theory]
    [InlineData("http://localhost:1", 403)]
    [InlineData("http://example.com", 403)]
    [InlineData("null", 403)]
    public async Task A_page_of_another_origin_is_refused_with_403_and_gets_no_CORS_headers(string origin, int status)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        HttpAnswer answer = await server.SendAsync("GET", "~/stats", (string?)null, $"Origin: {origin}");
        Assert.Equal(status, answer.Status);
        Assert.Null(Header(answer, "Access-Control-Allow-Origin"));
    }

    [Fact]
    [Trait("Fault", "C3")]
    public async Task A_page_of_another_port_of_this_machine_may_write_only_if_its_origin_is_trusted()
    {
        using TestServer server = await TestServer.WithDatabaseAsync(
            options => options with { TrustedOrigins = ["http://localhost:3000"] });
        HttpAnswer listed = await server.SendAsync("PUT", "~/docs?id=a", "{}", "Origin: http://localhost:3000");
        Assert.Equal(201, listed.Status);
        Assert.Equal("http://localhost:3000", Header(listed, "Access-Control-Allow-Origin"));
        (await server.SendAsync("PUT", "~/docs?id=b", "{}", "Origin: http://localhost:3001"))
            .ExpectError(403, "Security.Csrf.TrustedOrigins does not list it");
        Assert.Equal(404, (await server.SendAsync("GET", "~/docs?id=b")).Status);
        (await server.SendAsync("PUT", "~/docs?id=c", "{}", $"Origin: https://127.0.0.1:{server.Port}"))
            .ExpectError(403, "set PublicServerUrl to it");
    }

    [Fact]
    [Trait("Fault", "C3")]
    public async Task A_page_that_comes_through_a_proxy_is_of_this_server_if_PublicServerUrl_says_so()
    {
        using TestServer server = await TestServer.WithDatabaseAsync(
            options => options with { PublicServerUrl = new Uri("https://db.example.org") });
        const string page = "Origin: https://db.example.org";
        Assert.Equal(201, (await server.SendAsync("PUT", "~/docs?id=c", "{}", page)).Status);
    }

    [Fact]
    [Trait("Fault", "C2")]
    public async Task An_attachment_in_HTML_is_sent_as_a_sandboxed_download()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        (await server.SendAsync(
            "PUT", "~/attachments?id=a&name=n.html&contentType=text/html", "<script>alert(1)</script>"))
            .Expect(System.Net.HttpStatusCode.Created);
        HttpAnswer page = await server.SendAsync("GET", "~/attachments?id=a&name=n.html");
        Assert.Equal("text/html", page.Message.Content.Headers.ContentType!.MediaType);
        Assert.Equal("attachment", page.Message.Content.Headers.ContentDisposition!.DispositionType);
        Assert.Equal("nosniff", Header(page, "X-Content-Type-Options"));
        Assert.StartsWith("sandbox", Header(page, "Content-Security-Policy"), StringComparison.Ordinal);
    }

    private static string? Header(HttpAnswer answer, string name) =>
        answer.Message.Headers.TryGetValues(name, out IEnumerable<string>? values) ? string.Join(", ", values) : null;
}
