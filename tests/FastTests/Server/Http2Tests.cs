using System.Net;
using System.Text;
using Raven.Server.Options;

namespace FastTests.Server;

/// <summary>The optional second endpoint: HTTP/2 by prior knowledge.</summary>
public sealed class Http2Tests
{
    [Fact]
    public async Task Requests_and_streams_are_served_side_by_side_over_one_connection_of_HTTP_2()
    {
        using var server = new TestServer(o => o with { Http2Url = new Uri("http://127.0.0.1:0") });
        (await server.SendAsync("PUT", "/admin/databases?name=db", "{}")).Expect(HttpStatusCode.Created);
        using HttpClient client = Client(server.Host.Http2Url!);
        string large = $"{{\"Text\":\"{new string('x', 300_000)}\"}}";
        HttpResponseMessage[] written = await Task.WhenAll(Enumerable.Range(0, 40).Select(i => SendAsync(
            client, HttpMethod.Put, $"/databases/db/docs?id=d/{i}", large)));
        Assert.All(written, one => Assert.Equal((HttpStatusCode.Created, 2), (one.StatusCode, one.Version.Major)));
        HttpResponseMessage[] read = await Task.WhenAll(Enumerable.Range(0, 40).Select(i => SendAsync(
            client, HttpMethod.Get, $"/databases/db/docs?id=d/{i}", null)));
        Assert.All(read, one => Assert.Equal(HttpStatusCode.OK, one.StatusCode));
        string stream = await (await SendAsync(
            client, HttpMethod.Get, "/databases/db/streams/docs?format=jsonl", null)).Content.ReadAsStringAsync();
        Assert.Equal(40, stream.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);

        HttpResponseMessage missing = await SendAsync(client, HttpMethod.Get, "/databases/none/stats", null);
        Assert.Equal("none", missing.Headers.GetValues("Database-Missing").Single());
        HttpResponseMessage changes = await SendAsync(client, HttpMethod.Get, "/databases/db/changes", null);
        Assert.Equal(426, (int)changes.StatusCode);
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task A_foreign_host_is_refused_over_HTTP_2()
    {
        using var server = new TestServer(o => o with { Http2Url = new Uri("http://127.0.0.1:0") });
        using HttpClient client = Client(server.Host.Http2Url!);
        using var request = new HttpRequestMessage(HttpMethod.Get, "/build/version");
        request.Version = HttpVersion.Version20;
        request.VersionPolicy = HttpVersionPolicy.RequestVersionExact;
        request.Headers.Host = "evil.example";
        Assert.Equal(HttpStatusCode.Forbidden, (await client.SendAsync(request)).StatusCode);
    }

    [Fact]
    public void The_HTTP_2_endpoint_is_off_without_its_option_and_binds_by_the_rules_of_the_first()
    {
        using (var server = new TestServer())
        {
            Assert.Null(server.Host.Http2Url);
        }

        Assert.Throws<ServerOptionException>(
            () => new ServerOptions { Http2Url = new Uri("http://0.0.0.0:8443") }.Check());
        Assert.Throws<ServerOptionException>(
            () => new ServerOptions { Http2Url = new Uri("https://127.0.0.1:8443") }.Check());
        Assert.Throws<ServerOptionException>(
            () => new ServerOptions { Http2Url = new Uri("http://127.0.0.1:8080") }.Check());
        Assert.False(new ServerOptions { Http2Url = new Uri("http://0.0.0.0:8443") }.IsLoopback);
    }

    private static HttpClient Client(string url) => new() { BaseAddress = new Uri(url) };

    private static Task<HttpResponseMessage> SendAsync(HttpClient client, HttpMethod method, string path, string? body)
    {
        var request = new HttpRequestMessage(method, path)
        {
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = body == null ? null : new StringContent(body, Encoding.UTF8, "application/json"),
        };
        return client.SendAsync(request);
    }
}
