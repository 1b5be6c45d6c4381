using System.Net;
using FastTests.Server;
using FastTests.Support;
using Microsoft.AspNetCore.Http;
using Raven.Server.Http;
using Raven.Server.Http.Admission;

namespace FastTests.Security;

/// <summary>What a browser sends for a page of another origin changes nothing, and no page can read it.</summary>
[Trait("Security", "19")]
public sealed class BrowserGuardTests(GuardFixture servers) : IClassFixture<GuardFixture>
{
    private const string Upgrade =
        "Connection: Upgrade|Upgrade: websocket|Sec-WebSocket-Version: 13|Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==";

    [Theory]
    [InlineData("127.0.0.1:8080", true)]
    [InlineData("LOCALHOST", true)]
    [InlineData("localhost.", true)]
    [InlineData("[::1]:1", true)]
    [InlineData("evil.example", false)]
    [InlineData("evil.example:8080", false)]
    [InlineData("10.1.2.3", false)]
    [InlineData("evil", false)]
    [InlineData("127.0.0.1@evil.example", false)]
    [InlineData("localhost:8080:80", false)]
    [InlineData("[::1].evil.example", false)]
    [InlineData("[127.0.0.1]", false)]
    [InlineData("", false)]
    [Trait("Invariant", "GUARD-2")]
    public void A_server_on_loopback_answers_to_names_of_this_machine_only(string host, bool isTaken)
    {
        string path = NewDocument();
        foreach (string method in new[] { "GET", "PUT", "OPTIONS", "BREW" })
        {
            InMemoryRequest answer = servers.Local.Send(method, path, "{}", $"Host: {host}");
            Assert.Equal(isTaken, answer.StatusCode != 403);
            Assert.Equal(!isTaken, answer.Answer.Contains("is no name of this server", StringComparison.Ordinal));
        }

        Assert.Equal(isTaken ? 200 : 404, servers.Local.Send("GET", path).StatusCode);
    }

    [Fact]
    [Trait("Invariant", "GUARD-2")]
    public void A_server_on_loopback_answers_to_names_that_its_operator_lists()
    {
        using var server = new GuardedServer(options => options with { AllowedHosts = ["db.example.org"] });
        Assert.Equal(200, server.Send("GET", "/build/version", "", "Host: DB.example.org:443").StatusCode);
        Assert.Equal(403, server.Send("GET", "/build/version", "", "Host: evil.db.example.org").StatusCode);
    }

    [Theory]
    [InlineData("10.0.0.5:8080", true)]
    [InlineData("[fd00::5]:8080", true)]
    [InlineData("localhost:9090", true)]
    [InlineData("raven:8080", true)]
    [InlineData("db.example.org", true)]
    [InlineData("DB.example.org.:443", true)]
    [InlineData("other.example.org", true)]
    [InlineData("", true)]
    [InlineData("evil.example", false)]
    [InlineData("db.example.org.evil.example", false)]
    [InlineData("10.0.0.5.evil.example", false)]
    [InlineData("db.example.org:80a", false)]
    [Trait("Invariant", "GUARD-2")]
    public void A_server_of_a_network_answers_to_the_names_that_it_knows(string host, bool isTaken)
    {
        InMemoryRequest answer = servers.Open.Send("GET", "/build/version", "", $"Host: {host}");
        Assert.Equal(isTaken ? 200 : 403, answer.StatusCode);
        Assert.Equal(!isTaken, answer.Answer.Contains("Security.AllowedHosts", StringComparison.Ordinal));
    }

    [Fact]
    [Trait("Invariant", "GUARD-2")]
    public void A_server_answers_to_the_names_of_the_certificate_that_it_presents_now()
    {
        GuardedServer server = servers.Secured;
        Assert.Equal(403, server.Send("GET", "/build/version", "", "Host: new.example.org").StatusCode);
        server.Server.State.CertificateCovers = name => name == "new.example.org";
        Assert.Equal(200, server.Send("GET", "/build/version", "", "Host: new.example.org").StatusCode);
        Assert.Equal(403, server.Send("GET", "/build/version", "", "Host: evil.example").StatusCode);
    }

    [Theory]
    [InlineData("http://127.0.0.1:8080", true)]
    [InlineData("HTTP://127.0.0.1:8080", true)]
    [InlineData("https://127.0.0.1:8080", false)]
    [InlineData("http://127.0.0.1", false)]
    [InlineData("http://127.0.0.1:8081", false)]
    [InlineData("http://localhost:8080", false)]
    [InlineData("http://evil.example", false)]
    [InlineData("http://127.0.0.1:8080.evil.example", false)]
    [InlineData("http://evil.example/http://127.0.0.1:8080", false)]
    [InlineData("null", false)]
    [InlineData("", false)]
    [InlineData("://127.0.0.1:8080", false)]
    [InlineData("http://127.0.0.1:8080, http://evil.example", false)]
    [InlineData("https://db.example.org", true)]
    [InlineData("http://db.example.org", false)]
    [InlineData("https://db.example.org:8443", false)]
    [Trait("Invariant", "GUARD-3")]
    public void Only_pages_of_this_server_may_write_or_open_a_WebSocket(string origin, bool isOwn)
    {
        GuardedServer server = servers.Local;
        string path = NewDocument();
        string header = $"Origin: {origin}";
        foreach (string method in new[] { "PUT", "POST", "DELETE", "PATCH", "RESET", "OPTIONS", "BREW" })
        {
            InMemoryRequest answer = server.Send(method, path, "{}", header);
            Assert.Equal(isOwn, answer.StatusCode != 403);
            AssertNoCors(answer);
        }

        // In memory nothing can be upgraded: that the request came so far is all that is asked here.
        InMemoryRequest socket = server.Send("GET", "/databases/db/changes", "", [header, .. Upgrade.Split('|')]);
        Assert.Equal(isOwn ? 426 : 403, socket.StatusCode);
        InMemoryRequest read = server.Send("GET", "/build/version", "", header);
        Assert.Equal(isOwn ? 200 : 403, read.StatusCode);
        AssertNoCors(read);
        if (!isOwn)
        {
            Assert.Contains("Security.Csrf.TrustedOrigins", read.Answer, StringComparison.Ordinal);
            Assert.Contains("PublicServerUrl", read.Answer, StringComparison.Ordinal);
            Assert.Contains("AuthorizationException", read.Answer, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("http", "localhost", "http://localhost:80")]
    [InlineData("http", "localhost:80", "http://localhost")]
    [InlineData("https", "localhost:443", "https://localhost")]
    public void The_port_that_a_scheme_has_anyway_may_be_named_or_not(string scheme, string host, string origin)
    {
        InMemoryRequest request = GuardedServer.Request(
            "PUT", NewDocument(), "{}", $"Host: {host}", $"Origin: {origin}");
        request.Scheme = scheme;
        Assert.Equal(201, servers.Local.Server.Send(request));
    }

    [Theory]
    [InlineData("PUT", "cross-site", 403)]
    [InlineData("PUT", "same-site", 403)]
    [InlineData("PUT", "same-origin", 201)]
    [InlineData("PUT", "none", 201)]
    [InlineData("GET", "cross-site", 404)]
    [Trait("Invariant", "GUARD-3")]
    public void A_write_without_Origin_is_refused_if_the_browser_says_that_its_page_is_from_elsewhere(
        string method, string site, int status) => Assert.Equal(
            status, servers.Local.Send(method, NewDocument(), "{}", $"Sec-Fetch-Site: {site}").StatusCode);

    [Theory]
    [InlineData("cross-site", "no-cors", 403)]
    [InlineData("same-site", "no-cors", 403)]
    [InlineData("cross-site", "cors", 403)]
    [InlineData("cross-site", "", 403)]
    [InlineData("cross-site", "navigate", 200)]
    [InlineData("same-origin", "no-cors", 200)]
    [InlineData("none", "navigate", 200)]
    [InlineData("", "", 200)]
    [Trait("Invariant", "GUARD-3")]
    public void A_page_of_elsewhere_has_no_image_or_script_fetched_from_here_and_may_link_to_it(
        string site, string mode, int status)
    {
        foreach (string method in new[] { "GET", "HEAD" })
        {
            InMemoryRequest answer = servers.Local.Send(
                method, "/databases/db/operations/next-operation-id", "", "Accept-Language: en",
                $"Sec-Fetch-Site: {site}", $"Sec-Fetch-Mode: {mode}", "Sec-Fetch-Dest: image");
            Assert.Equal(status, answer.StatusCode);
            AssertNoCors(answer);
        }
    }

    /// <summary>A browser in which the certificate of an administrator is installed.</summary>
    [Theory]
    [InlineData("Origin: https://evil.example")]
    [InlineData("Origin: null")]
    [InlineData("Sec-Fetch-Site: cross-site")]
    [Trait("Invariant", "GUARD-3")]
    public void A_certificate_of_a_browser_gives_no_right_to_pages_of_elsewhere(string header)
    {
        using var secured = new SecuredServer();
        string[] parts = header.Split(": ");
        foreach ((string method, string target, string body) in new[]
        {
            ("POST", "/databases/red/bulk_docs", """{"Commands":[{"Type":"PUT","Id":"a","Document":{}}]}"""),
            ("PUT", "/databases/red/docs?id=a", "{}"), ("DELETE", "/admin/databases?name=red", "{}"),
            ("POST", "/admin/api-keys", """{"Name":"x","SecurityClearance":"Operator","ExpiresAt":null}"""),
            ("GET", "/databases/red/hilo/next?tag=a", ""), ("GET", "/databases/red/changes", ""),
        })
        {
            InMemoryRequest request = secured.Request(secured.Caller("C"), method, target, body);
            request.Request["Content-Type"] = "text/plain";
            request.Request["Accept-Language"] = "en";
            request.Request[parts[0]] = parts[1];
            Assert.Equal(403, secured.Server.Send(request));
            AssertNoCors(request);
        }

        Assert.DoesNotContain(secured.Trust.Current.Keys, key => key.Name == "x");
        Assert.Equal(404, secured.Send("C", "GET", "/databases/red/docs?id=a").StatusCode);
    }

    [Fact]
    public void A_client_that_is_no_browser_needs_neither_Origin_nor_any_other_sign()
    {
        Assert.Equal(201, servers.Local.Send("PUT", NewDocument(), "{}", "Sec-Fetch-Mode: cors").StatusCode);
        InMemoryRequest socket = servers.Local.Send("GET", "/databases/db/changes", "", Upgrade.Split('|'));
        Assert.Equal(426, socket.StatusCode);
    }

    [Fact]
    public void A_page_of_a_trusted_origin_may_send_requests_and_read_the_answers()
    {
        using var server = new GuardedServer(
            options => options with { TrustedOrigins = ["https://app.example"] });
        const string trusted = "Origin: https://app.example";
        InMemoryRequest asked = server.Send(
            "OPTIONS", "/databases/db/docs", "", trusted, "Access-Control-Request-Headers: if-match");
        Assert.Equal(204, asked.StatusCode);
        Assert.Equal("if-match", GuardedServer.Header(asked, "Access-Control-Allow-Headers"));
        InMemoryRequest put = server.Send("PUT", NewDocument(), "{}", trusted);
        Assert.Equal(201, put.StatusCode);
        Assert.Equal("https://app.example", GuardedServer.Header(put, "Access-Control-Allow-Origin"));
        InMemoryRequest plain = server.Send("GET", "/build/version");
        AssertNoCors(plain);
        Assert.Equal("Origin", GuardedServer.Header(plain, "Vary"));
        Assert.Equal(
            403, server.Send("PUT", "/databases/db/docs?id=b", "{}", "Origin: https://app.example.evil").StatusCode);
    }

    [Theory]
    [InlineData(true, "10.9.9.9", 200)]
    [InlineData(true, "::ffff:192.168.0.9", 200)]
    [InlineData(true, "8.8.8.8", 403)]
    [InlineData(true, "::ffff:8.8.8.8", 403)]
    [InlineData(false, "8.8.8.8", 200)]
    [Trait("Invariant", "GUARD-1")]
    public void A_server_of_a_private_network_answers_its_machines_by_the_address_of_the_socket(
        bool isPrivate, string peer, int status)
    {
        GuardedServer server = isPrivate ? servers.Private : servers.Open;
        InMemoryRequest request = GuardedServer.Request(
            "GET", "/build/version", "", "X-Forwarded-For: 10.0.0.1", "Forwarded: for=10.0.0.1", "X-Real-IP: 8.8.8.8");
        request.RemoteIpAddress = IPAddress.Parse(peer);
        Assert.Equal(status, server.Server.Send(request));
        Assert.Equal(status, server.Server.Send(request));
    }

    [Fact]
    [Trait("Invariant", "GUARD-1")]
    public void A_server_on_loopback_answers_no_other_machine_however_it_got_through()
    {
        InMemoryRequest request = GuardedServer.Request("GET", "/build/version");
        request.RemoteIpAddress = IPAddress.Parse("10.0.0.7");
        Assert.Equal(403, servers.Local.Server.Send(request));
    }

    [Fact]
    [Trait("Invariant", "GUARD-4")]
    public void A_request_without_Origin_is_admitted_without_an_allocation()
    {
        InMemoryRequest request = GuardedServer.Request("DELETE", "/build/version");
        var context = new RequestContext(servers.Local.Server.State);
        context.Begin(request);
        var guard = new RequestGuard(servers.Local.Server.State);
        bool isAdmitted = false;
        long least = Allocated.Least(() => isAdmitted = guard.Admits(context));
        Assert.True(isAdmitted);

        context.Release();
        Assert.Equal(0, least);
    }

    [Theory]
    [Trait("Invariant", "GUARD-5")]
    [InlineData("chunked", 200)]
    [InlineData("Chunked", 200)]
    [InlineData("identity, chunked", 400)]
    [InlineData("gzip, chunked", 400)]
    [InlineData("chunked, chunked", 400)]
    [InlineData("identity", 400)]
    public void A_body_whose_end_two_readers_could_see_at_two_places_ends_the_connection(string coding, int status)
    {
        InMemoryRequest request = GuardedServer.Request("GET", "/build/version");
        ((IHeaderDictionary)request.Request).TransferEncoding = coding;
        Assert.Equal(status, servers.Local.Server.Send(request));
        Assert.Equal(status == 200 ? "" : "close", ((IHeaderDictionary)request.Response).Connection.ToString());
    }

    [Theory]
    [InlineData("db.example.org", "max-age=31536000")]
    [InlineData("db.example.org:8443", "max-age=31536000")]
    [InlineData("localhost", "")]
    [InlineData("127.0.0.1", "")]
    [InlineData("[fd00::1]:443", "")]
    public void Over_https_browsers_are_asked_to_use_nothing_else_for_a_name(string host, string header)
    {
        foreach (string path in new[] { "/build/version", "/nothing" })
        {
            InMemoryRequest answer = servers.Secured.Send("GET", path, "", $"Host: {host}");
            Assert.Equal(header, GuardedServer.Header(answer, "Strict-Transport-Security"));
        }
    }

    [Fact]
    public void An_option_leaves_out_what_browsers_are_asked()
    {
        using var server = new GuardedServer(options => options with
        {
            ServerUrl = new Uri("https://0.0.0.0:443"),
            HasCertificate = true,
            DisableHsts = true,
        });
        InMemoryRequest answer = server.Send("GET", "/build/version", "", "Host: raven");
        Assert.Equal(200, answer.StatusCode);
        Assert.Equal("", GuardedServer.Header(answer, "Strict-Transport-Security"));
    }

    [Fact]
    public void Over_http_browsers_are_not_asked_for_https()
    {
        InMemoryRequest answer = servers.Open.Send("GET", "/build/version", "", "Host: raven");
        Assert.Equal(200, answer.StatusCode);
        Assert.Equal("", GuardedServer.Header(answer, "Strict-Transport-Security"));
    }

    [Fact]
    public void The_metrics_say_whether_all_can_reach_the_server()
    {
        Assert.Contains("raven_unsecured 1\n", servers.Open.Send("GET", "/metrics").Answer, StringComparison.Ordinal);
        foreach (GuardedServer server in new[] { servers.Local, servers.Secured })
        {
            Assert.Contains(
                "raven_unsecured 0\n", server.Send("GET", "/metrics").Answer, StringComparison.Ordinal);
        }
    }

    private static string NewDocument() => $"/databases/db/docs?id={Guid.NewGuid():N}";

    private static void AssertNoCors(InMemoryRequest answer) => Assert.DoesNotContain(
        answer.Response.Keys, name => name.StartsWith("Access-Control-", StringComparison.OrdinalIgnoreCase));
}
