using System.Net;
using System.Text.Json;
using FastTests.Support;
using Raven.Server;
using Raven.Server.Options;

namespace FastTests.Server;

public sealed class ServerHostTests
{
    [Fact]
    public async Task A_server_starts_on_a_free_port_answers_requests_and_stops()
    {
        using var server = new TestServer();
        Assert.NotEqual(0, server.Port);
        using HttpResponseMessage answer = await server.Client.GetAsync("/build/version");
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        Assert.Equal("7.2.0", answer.Headers.GetValues("Raven-Server-Version").Single());
        Assert.Equal("application/json", answer.Content.Headers.ContentType!.MediaType);
        using JsonDocument json = JsonDocument.Parse(await answer.Content.ReadAsByteArrayAsync());
        Assert.Equal("7.2", json.RootElement.GetProperty("ProductVersion").GetString());
        Assert.Equal(72000, json.RootElement.GetProperty("BuildVersion").GetInt32());
    }

    [Fact]
    public async Task A_connection_that_never_sends_a_byte_is_closed_after_its_timeout()
    {
        using var server = new TestServer(options => options with { KeepAliveMax = TimeSpan.FromSeconds(1) });
        using var silent = new RawConnection(server.Port);
        Assert.True(await Task.Run(silent.IsClosed));
        Assert.Equal(HttpStatusCode.OK, (await server.Client.GetAsync("/build/version")).StatusCode);
    }

    [Fact]
    public async Task Requests_are_counted_and_timed_with_every_status()
    {
        using var server = new TestServer();
        await server.Client.GetAsync("/build/version");
        await server.Client.GetAsync("/nothing");
        await server.Client.PostAsync("/build/version", null);
        await Deadline.UntilAsync(() => server.Host.State.Counters.Count == 3);
        Assert.Equal(3, server.Host.State.Counters.Started);
        Assert.Equal(2, server.Host.State.Counters.ClientErrors);
        Assert.Equal(0, server.Host.State.Counters.ServerErrors);
        int route = server.Host.State.Routes.Routes.Single(r => r.Path == "/build/version").Number;
        (long count, double seconds, _, _) = server.Host.State.Counters.Of(route);
        Assert.Equal(1, count);
        Assert.InRange(seconds, 1e-9, 30);
    }

    [Fact]
    public void A_second_server_on_the_same_folder_is_refused_until_the_first_ends()
    {
        string folder = Directory.CreateTempSubdirectory("raven-host").FullName;
        try
        {
            var options = new ServerOptions { ServerUrl = new Uri("http://127.0.0.1:0"), DataDirectory = folder };
            using (ServerHost.Start(options))
            {
                var e = Assert.Throws<ServerStartException>(() => ServerHost.Start(options));
                Assert.Contains(folder, e.Message, StringComparison.Ordinal);
                Assert.Contains("in use", e.Message, StringComparison.Ordinal);
            }

            using ServerHost again = ServerHost.Start(options);
            Assert.NotEmpty(again.Url);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public void A_damaged_catalog_stops_the_start_with_its_folder_and_file()
    {
        string folder = Directory.CreateTempSubdirectory("raven-host").FullName;
        try
        {
            var options = new ServerOptions { ServerUrl = new Uri("http://127.0.0.1:0"), DataDirectory = folder };
            ServerHost.Start(options).Dispose();
            File.WriteAllBytes(Path.Combine(folder, "System~", "data.voron"), new byte[64 << 10]);
            var e = Assert.Throws<ServerStartException>(() => ServerHost.Start(options));
            Assert.Contains(Path.Combine(folder, "System~"), e.Message, StringComparison.Ordinal);
            Assert.Contains("data.voron", e.Message, StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public void A_taken_port_stops_the_start_with_its_number_and_frees_the_data_folder()
    {
        using var server = new TestServer();
        var options = new ServerOptions { ServerUrl = new Uri(server.Host.Url), RunInMemory = true };
        var e = Assert.Throws<ServerStartException>(() => ServerHost.Start(options));
        Assert.Contains($":{server.Port}", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("GET", "/nothing", 404, null)]
    [InlineData("BREW", "/build/version", 405, "GET, HEAD, OPTIONS")]
    [InlineData("DELETE", "/build/version", 405, "GET, HEAD, OPTIONS")]
    public async Task A_wrong_path_or_method_is_answered_with_404_or_405_and_a_JSON_error(
        string method, string path, int status, string? allow)
    {
        using var server = new TestServer();
        using var request = new HttpRequestMessage(new HttpMethod(method), path);
        using HttpResponseMessage answer = await server.Client.SendAsync(request);
        Assert.Equal(status, (int)answer.StatusCode);
        Assert.Equal(allow, allow == null ? null : string.Join(", ", answer.Content.Headers.Allow));
        using JsonDocument json = JsonDocument.Parse(await answer.Content.ReadAsByteArrayAsync());
        Assert.Equal(["Url", "Type", "Message", "Error"], json.RootElement.EnumerateObject().Select(p => p.Name));
        Assert.Equal(path, json.RootElement.GetProperty("Url").GetString());
        Assert.Contains(path, json.RootElement.GetProperty("Message").GetString()!, StringComparison.Ordinal);
    }

    [Fact]
    public async Task OPTIONS_names_the_methods_and_HEAD_sends_no_body()
    {
        using var server = new TestServer();
        using var options = new HttpRequestMessage(HttpMethod.Options, "/build/version");
        using HttpResponseMessage allowed = await server.Client.SendAsync(options);
        Assert.Equal(HttpStatusCode.NoContent, allowed.StatusCode);
        Assert.Equal(["GET", "HEAD", "OPTIONS"], allowed.Content.Headers.Allow);
        using var head = new HttpRequestMessage(HttpMethod.Head, "/build/version");
        using HttpResponseMessage answer = await server.Client.SendAsync(head);
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        Assert.InRange(answer.Content.Headers.ContentLength!.Value, 10, 1000);
        Assert.Empty(await answer.Content.ReadAsByteArrayAsync());
    }

    [Theory]
    [InlineData("localhost", true)]
    [InlineData("LOCALHOST:8080", true)]
    [InlineData("127.0.0.1:1", true)]
    [InlineData("127.9.9.9", true)]
    [InlineData("[::1]:80", true)]
    [InlineData("evil.example", false)]
    [InlineData("localhost.evil.example", false)]
    [InlineData("127.0.0.1.evil.example:80", false)]
    [InlineData("10.0.0.1", false)]
    [InlineData("localhost:80x", false)]
    [InlineData("[::1", false)]
    [InlineData("", false)]
    public void An_unsecured_loopback_server_answers_only_requests_for_local_hosts(string host, bool allowed)
    {
        using var server = new TestServer();
        using var connection = new RawConnection(server.Port);
        connection.Send($"GET /build/version HTTP/1.1\r\nHost: {host}\r\n\r\n");
        (int status, _, _) = connection.Receive();
        Assert.Equal(allowed, status == 200);
        Assert.True(allowed || status is 400 or 403, $"{status}");
    }

    [Theory]
    [InlineData("http://localhost:3000", 403)]
    [InlineData("https://evil.example", 403)]
    [InlineData("null", 403)]
    public async Task A_request_from_a_page_of_another_machine_is_refused(string origin, int status)
    {
        using var server = new TestServer();
        using var request = new HttpRequestMessage(HttpMethod.Get, "/build/version");
        request.Headers.TryAddWithoutValidation("Origin", origin);
        using HttpResponseMessage answer = await server.Client.SendAsync(request);
        Assert.Equal(status, (int)answer.StatusCode);
    }
}
