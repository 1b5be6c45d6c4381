using System.Security.Cryptography.X509Certificates;
using System.Text.Json.Nodes;
using FastTests.Server;
using Raven.Security.Certificates;
using Raven.Security.Keys;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Server.Http.Security;
using Raven.Server.Options;

namespace FastTests.Security;

/// <summary>Browsers that sign in with an API key: what their cookie is good for, and when it ends.</summary>
[Trait("Invariant", "SESS-1")]
public sealed class StudioSessionTests : IDisposable
{
    private const string Path = "/studio/session";
    private const string Who = "/certificates/whoami";
    private const string Own = "Sec-Fetch-Site: same-origin";
    private const string Document = "/databases/db/docs?id=a/1";

    private readonly RegistryServer _server = new(options => options);

    [Fact]
    public void A_session_has_the_rights_of_its_key_and_ends_with_the_sign_out()
    {
        (string key, string _) = Make(DatabaseRight.ReadWrite);
        InMemoryRequest begun = _server.Expect(200, null, "POST", Path, "", Bearer(key));
        JsonNode answer = JsonNode.Parse(begun.Answer)!;
        Assert.Equal("browser", (string?)answer["Name"]);
        Assert.Equal(_server.Clock.Now.AddHours(12).UtcDateTime, ((DateTime)answer["EndsAt"]!).ToUniversalTime());
        Assert.Equal("no-store", RegistryServer.Header(begun, "Cache-Control"));
        string set = RegistryServer.Header(begun, "Set-Cookie");
        Assert.Matches(
            "^__Host-raven-studio=[A-Za-z0-9_-]{43}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=43800$", set);
        string cookie = "Cookie: theme=dark; " + set.Split(';')[0];
        Assert.DoesNotContain(set.Split('=', ';')[1], begun.Answer, StringComparison.Ordinal);

        InMemoryRequest who = _server.Expect(200, null, "GET", Who, "", cookie);
        Assert.Contains("\"Kind\":\"ApiKey\"", who.Answer, StringComparison.Ordinal);
        Assert.Equal("no-store", RegistryServer.Header(who, "Cache-Control"));
        Assert.Equal("private, no-cache", RegistryServer.Header(
            _server.Expect(200, null, "GET", "/databases/db/stats", "", cookie), "Cache-Control"));
        _server.Expect(201, null, "PUT", Document, "{}", cookie, Own);
        _server.Expect(403, null, "GET", "/admin/requests/running", "", cookie);
        _server.Expect(403, null, "GET", "/databases/other/stats", "", cookie);
        _server.Expect(403, null, "GET", "/admin/api-keys", "", cookie);

        InMemoryRequest gone = _server.Expect(204, null, "DELETE", Path, "", cookie);
        Assert.EndsWith("Max-Age=0", RegistryServer.Header(gone, "Set-Cookie"), StringComparison.Ordinal);
        AssertEnded(cookie);
        _server.Expect(204, null, "DELETE", Path, "", cookie);
        _server.Expect(204, null, "DELETE", Path);
    }

    [Fact]
    public void A_page_of_this_server_can_tell_that_nobody_is_signed_in()
    {
        InMemoryRequest nobody = _server.Expect(401, null, "GET", Who, "", Own);
        Assert.Equal("Bearer", RegistryServer.Header(nobody, "WWW-Authenticate"));
        _server.Expect(401, null, "PUT", Document, "{}", Own);
        foreach (string site in new[] { "none", "same-site", "cross-site" })
        {
            _server.Expect(403, null, "GET", Who, "", $"Sec-Fetch-Site: {site}");
        }

        _server.Expect(403, null, "GET", Who);
        _server.Expect(403, _server.Writer, "GET", "/admin/requests/running", "", Own);
    }

    [Theory]
    [InlineData("deleted")]
    [InlineData("disabled")]
    [InlineData("rotated")]
    [InlineData("rotated and over")]
    [InlineData("over")]
    [InlineData("12 hours")]
    public void A_session_ends_with_its_key(string how)
    {
        (string key, string id) = Make(
            DatabaseRight.Read, how == "over" ? _server.Clock.Now.AddMinutes(5) : null);
        string cookie = Begin(key);
        _server.Expect(200, null, "GET", Who, "", cookie);
        switch (how)
        {
            case "deleted":
                _server.Trust.Keys.Delete(TrustFixture.Local, id);
                break;
            case "disabled":
                _server.Trust.Keys.Disable(TrustFixture.Local, id);
                break;
            case "rotated":
                _server.Trust.Keys.Rotate(TrustFixture.Local, id, TimeSpan.Zero);
                break;
            case "rotated and over":
                _server.Trust.Keys.Rotate(TrustFixture.Local, id, TimeSpan.FromMinutes(5));
                _server.Expect(200, null, "GET", Who, "", cookie);
                _server.Clock.Now += TimeSpan.FromMinutes(6);
                break;
            case "over":
                _server.Clock.Now += TimeSpan.FromMinutes(6);
                break;
            default:
                _server.Clock.Now += TimeSpan.FromHours(12) - TimeSpan.FromSeconds(1);
                _server.Expect(200, null, "GET", Who, "", cookie);
                _server.Clock.Now += TimeSpan.FromSeconds(2);
                break;
        }

        AssertEnded(cookie);
    }

    [Fact]
    public void A_session_follows_a_change_of_its_keys_rights_and_addresses()
    {
        (string key, string id) = Make(DatabaseRight.ReadWrite);
        string cookie = Begin(key);
        _server.Expect(201, null, "PUT", Document, "{}", cookie, Own);
        _server.Trust.Keys.Edit(TrustFixture.Local, id, Wanted(DatabaseRight.Read, null));
        _server.Expect(403, null, "PUT", Document, "{}", cookie, Own);
        _server.Expect(200, null, "GET", "/databases/db/stats", "", cookie);
        _server.Trust.Keys.Edit(TrustFixture.Local, id, Wanted(DatabaseRight.Read, null, "10.0.0.0/8"));
        AssertEnded(cookie);
    }

    [Fact]
    [Trait("Invariant", "SESS-2")]
    [Trait("Security", "19")]
    public void A_cookie_counts_for_writes_of_pages_of_this_server_alone()
    {
        (string key, string _) = Make(DatabaseRight.ReadWrite);
        string cookie = Begin(key);
        foreach (string[] headers in new string[][]
        {
            [], ["Sec-Fetch-Site: none"], ["Sec-Fetch-Site: same-site"], ["Sec-Fetch-Site: cross-site"],
            ["Sec-Fetch-Site: same-site", "Origin: https://127.0.0.1:8080"],
        })
        {
            _server.Expect(403, null, "PUT", Document, "{}", [cookie, .. headers]);
            _server.Expect(403, null, "DELETE", Document, "", [cookie, .. headers]);
        }

        _server.Expect(403, null, "GET", Who, "", cookie, "Sec-Fetch-Site: same-site");
        _server.Expect(403, null, "GET", Who, "", cookie, "Sec-Fetch-Site: cross-site");
        _server.Expect(200, null, "GET", Who, "", cookie, "Sec-Fetch-Site: none");
        _server.Expect(404, null, "GET", Document, "", cookie);
        Assert.Equal(0, _server.Server.State.Security.FailureCount);
    }

    [Fact]
    [Trait("Invariant", "SESS-2")]
    [Trait("Security", "19")]
    public void A_cookie_counts_for_no_page_of_another_origin_that_is_trusted()
    {
        const string trusted = "Origin: https://app.example";
        const string own = "Origin: http://127.0.0.1:8080";
        using var server = new RegistryServer(options => options, "https://app.example");
        string key = Bearer(server.Trust.Keys.Create(
            TrustFixture.Local, Wanted(DatabaseRight.ReadWrite, null), out RegisteredKey _));
        string cookie = CookieOf(server.Expect(200, null, "POST", Path, "", key, Own, own));
        server.Expect(200, null, "GET", Who, "", cookie);
        server.Expect(200, null, "GET", Who, "", cookie, Own, own);
        server.Expect(403, null, "GET", Who, "", cookie, trusted);
        server.Expect(403, null, "GET", Who, "", cookie, Own, trusted);
        server.Expect(403, null, "PUT", Document, "{}", cookie, Own, trusted);
        server.Expect(201, null, "PUT", Document, "{}", cookie, Own, own);
        server.Expect(200, null, "GET", Who, "", key, trusted);
        foreach (string page in new[] { trusted, "Sec-Fetch-Site: none", "Sec-Fetch-Site: cross-site" })
        {
            InMemoryRequest refused = server.Expect(403, null, "POST", Path, "", key, page);
            Assert.Equal("", RegistryServer.Header(refused, "Set-Cookie"));
        }
    }

    [Fact]
    [Trait("Invariant", "AUTH-1")]
    public void A_header_comes_before_a_cookie_and_a_cookie_before_a_certificate()
    {
        (string key, string _) = Make(DatabaseRight.Read);
        string cookie = Begin(key);
        Assert.Contains("browser", _server.Expect(200, _server.Admin, "GET", Who, "", cookie).Answer,
            StringComparison.Ordinal);
        _server.Expect(403, _server.Admin, "GET", "/admin/requests/running", "", cookie);
        (string other, string _) = Make(DatabaseRight.ReadWrite);
        _server.Expect(201, null, "PUT", Document, "{}", cookie, Bearer(other));
        _server.Expect(401, null, "GET", Who, "", cookie, Bearer(ApiKey.Make(ApiKey.MakeId())));
        _server.Expect(401, _server.Admin, "GET", Who, "", cookie + "x");
        _server.Expect(200, _server.Admin, "GET", Who, "", "Cookie: theme=dark; x__Host-raven-studio=1");
    }

    [Fact]
    public void Nothing_that_was_found_for_a_cookie_stays_with_the_connection()
    {
        (string key, string _) = Make(DatabaseRight.Read);
        string cookie = Begin(key);
        var connection = new InMemoryRequest("GET", Who);
        connection.Request["Cookie"] = cookie["Cookie: ".Length..];
        Assert.Equal(200, _server.Server.Send(connection));
        connection.Request.Remove("Cookie");
        Assert.Equal(403, _server.Server.Send(connection));
        connection.Request["Authorization"] = "Bearer " + key;
        Assert.Equal(200, _server.Server.Send(connection));
        connection.Request.Remove("Authorization");
        connection.Request["Cookie"] = cookie["Cookie: ".Length..];
        Assert.Equal(200, _server.Server.Send(connection));
        _server.Expect(204, null, "DELETE", Path, "", cookie);
        Assert.Equal(401, _server.Server.Send(connection));
    }

    [Fact]
    public void Signing_in_again_ends_the_session_before()
    {
        (string key, string _) = Make(DatabaseRight.Read);
        (string other, string _) = Make(DatabaseRight.Read);
        string first = Begin(key);
        string second = Begin(other, first);
        AssertEnded(first);
        _server.Expect(200, null, "GET", Who, "", second);
        string third = Begin(key, "Cookie: __Host-raven-studio=x");
        _server.Expect(200, null, "GET", Who, "", second);
        _server.Expect(200, null, "GET", Who, "", third);
    }

    [Fact]
    [Trait("Security", "42")]
    public void A_failed_sign_in_counts_as_any_failed_login()
    {
        string wrong = Bearer(ApiKey.Make(ApiKey.MakeId()));
        for (int i = 0; i < 20; i++)
        {
            _server.Expect(401, null, "POST", Path, "", wrong);
        }

        Assert.Equal(20, _server.Server.State.Security.FailureCount);
        InMemoryRequest waits = _server.Expect(429, null, "POST", Path, "", wrong);
        Assert.NotEqual("", RegistryServer.Header(waits, "Retry-After"));
        _server.Expect(429, null, "GET", Who, "", "Cookie: __Host-raven-studio=" + new string('a', 42));
        (string key, string _) = Make(DatabaseRight.Read);
        _server.Expect(200, null, "POST", Path, "", Bearer(key));
    }

    [Fact]
    [Trait("Security", "42")]
    public void The_tabs_of_an_ended_session_are_no_failed_logins()
    {
        (string key, string _) = Make(DatabaseRight.Read);
        string cookie = Begin(key);
        _server.Expect(204, null, "DELETE", Path, "", cookie);
        for (int i = 0; i < 30; i++)
        {
            AssertEnded(cookie);
        }

        Assert.Equal(0, _server.Server.State.Security.FailureCount);
        _server.Expect(401, null, "GET", Who, "", "Cookie: __Host-raven-studio=" + new string('\u00e4', 43));
        Assert.Equal(1, _server.Server.State.Security.FailureCount);
    }

    [Fact]
    public void A_sign_in_without_a_key_of_ours_is_refused_without_reading_a_body()
    {
        InMemoryRequest answer = _server.Expect(401, null, "POST", Path, "{\"ApiKey\":\"x\"}");
        Assert.False(answer.WasBodyRead);
        Assert.Equal("", RegistryServer.Header(answer, "Set-Cookie"));
        _server.Expect(401, _server.Admin, "POST", Path);
        using var open = new InMemoryServer();
        var request = new InMemoryRequest("POST", Path);
        Assert.Equal(400, open.Send(request));
        Assert.Contains("asks nobody", request.Answer, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "SESS-3")]
    public void The_oldest_session_of_a_key_makes_room_and_none_of_another_key()
    {
        (string key, string _) = Make(DatabaseRight.Read);
        (string other, string _) = Make(DatabaseRight.Read);
        string first = Begin(other);
        string[] cookies = [.. Enumerable.Range(0, StudioSessions.PerKeyMax + 1).Select(_ => Begin(key))];
        AssertEnded(cookies[0]);
        _server.Expect(200, null, "GET", Who, "", cookies[1]);
        _server.Expect(200, null, "GET", Who, "", cookies[^1]);
        _server.Expect(200, null, "GET", Who, "", first);
        Assert.Equal(StudioSessions.PerKeyMax + 1, _server.Server.State.Security.Sessions.Count);
        _server.Clock.Now += TimeSpan.FromHours(13);
        Begin(other);
        Assert.Equal(1, _server.Server.State.Security.Sessions.Count);
    }

    [Fact]
    [Trait("Security", "61")]
    public void Signing_in_and_out_are_lines_of_the_audit_log_without_secrets()
    {
        string folder = Directory.CreateTempSubdirectory("session-log").FullName;
        string log = System.IO.Path.Combine(folder, "log");
        const string client = "X-Forwarded-For: 203.0.113.7";
        try
        {
            using X509Certificate2 proxy = TestCertificates.Make("proxy");
            using var server = new RegistryServer(options => options with
            {
                AuditFolder = log,
                TrustedProxies = [TrustedProxy.Parse("127.0.0.0/8=" + ClientCertificate.DigestOf(proxy))],
            });
            string key = server.Trust.Keys.Create(
                TrustFixture.Local, Wanted(DatabaseRight.Read, null), out RegisteredKey entry);
            string cookie = RegistryServer.Header(
                server.Expect(200, proxy, "POST", Path, "", Bearer(key), client), "Set-Cookie").Split(';')[0];
            server.Expect(204, proxy, "DELETE", Path, "", "Cookie: " + cookie, client);
            string[] lines = AuditedServer.LinesOf(log);
            foreach (string name in new[] { "session.begun", "session.ended" })
            {
                string line = Assert.Single(lines, one => one.Contains($"\"{name}\"", StringComparison.Ordinal));
                Assert.Contains($"\"resource\":\"{entry.Id}\"", line, StringComparison.Ordinal);
                JsonNode read = JsonNode.Parse(line)!;
                Assert.Equal("browser", (string?)read["who"]?["name"]);
                Assert.StartsWith("203.0.113.7 through 127.", (string?)read["from"], StringComparison.Ordinal);
            }

            string all = string.Concat(lines);
            Assert.DoesNotContain(cookie.Split('=')[1], all, StringComparison.Ordinal);
            Assert.DoesNotContain(key, all, StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    public void Dispose() => _server.Dispose();

    private static string Bearer(string key) => $"Authorization: Bearer {key}";

    private static RegisteredKey Wanted(
        DatabaseRight right, DateTimeOffset? expiresAt, params string[] networks) => new()
        {
            Id = "",
            Hash = [],
            Name = "browser",
            Clearance = Clearance.ValidUser,
            Permissions = Permissions.Of([KeyValuePair.Create("db", right)]),
            AllowedAddresses = [.. networks.Select(System.Net.IPNetwork.Parse)],
            ExpiresAt = expiresAt,
            CreatedAt = default,
            CreatedBy = "",
        };

    private (string Key, string Id) Make(DatabaseRight right, DateTimeOffset? expiresAt = null)
    {
        string key = _server.Trust.Keys.Create(TrustFixture.Local, Wanted(right, expiresAt), out RegisteredKey entry);
        return (key, entry.Id);
    }

    private string Begin(string key, params string[] headers) =>
        CookieOf(_server.Expect(200, null, "POST", Path, "", [Bearer(key), .. headers]));

    private static string CookieOf(InMemoryRequest begun) =>
        "Cookie: " + RegistryServer.Header(begun, "Set-Cookie").Split(';')[0];

    private void AssertEnded(string cookie)
    {
        InMemoryRequest answer = _server.Expect(401, null, "GET", Who, "", cookie);
        Assert.EndsWith("Max-Age=0", RegistryServer.Header(answer, "Set-Cookie"), StringComparison.Ordinal);
    }
}
