using System.Net;
using System.Text.Json.Nodes;
using FastTests.Server;
using Microsoft.Extensions.Logging;
using Raven.Security.Keys;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Server.Options;

namespace FastTests.Security;

/// <summary>The routes of API keys, and what counts as one.</summary>
public sealed class ApiKeysHttpTests(RegistryServer server) : IClassFixture<RegistryServer>
{
    private const string Keys = "/admin/api-keys";
    private const string Who = "/certificates/whoami";

    [Fact]
    public void A_key_is_shown_once_and_works_until_it_is_removed()
    {
        JsonNode made = Make(
            """
            {"Name":"k","SecurityClearance":"ValidUser","Permissions":{"Db":"ReadWrite"},"Scopes":["monitoring"],
             "ExpiresAt":"2027-01-01T00:00:00Z","AllowedAddresses":["127.0.0.0/8","::1"]}
            """);
        string key = (string)made["Key"]!;
        string id = (string)made["Id"]!;
        Assert.Equal(ApiKey.Length, key.Length);
        Assert.StartsWith($"rvk_{id}_", key, StringComparison.Ordinal);
        string url = $"{Keys}?id={id}";
        JsonNode entry = Assert.Single(server.Results(server.Operator, url))!;
        Assert.Equal(
            [
                "Id", "Name", "SecurityClearance", "Permissions", "Scopes", "AllowedAddresses", "CreatedAt",
                "CreatedBy", "ExpiresAt", "LastUsedAt", "Disabled",
            ],
            entry.AsObject().Select(member => member.Key));
        Assert.Equal(["127.0.0.0/8", "::1/128"], entry["AllowedAddresses"]!.AsArray().Select(one => (string?)one));
        Assert.Equal("2027-01-01T00:00:00.0000000Z", (string?)entry["ExpiresAt"]);
        string secret = key.Split('_', 3)[2];
        Assert.DoesNotContain(secret, server.Stored, StringComparison.Ordinal);
        Assert.DoesNotContain(
            secret, server.Expect(200, server.Operator, "GET", Keys).Answer, StringComparison.Ordinal);

        server.Expect(200, null, "GET", "/databases/db/stats", "", Bearer(key));
        server.Expect(200, null, "GET", "/metrics", "", Bearer(key));
        server.Expect(403, null, "GET", "/admin/requests/running", "", Bearer(key));
        server.Expect(
            204, server.Operator, "PUT", url,
            """{"Name":"k2","SecurityClearance":"ValidUser","Permissions":{},"ExpiresAt":null}""");
        server.Expect(403, null, "GET", "/databases/db/stats", "", Bearer(key));
        server.Expect(403, null, "GET", "/metrics", "", Bearer(key));
        server.Expect(204, server.Operator, "DELETE", url);
        server.Expect(204, server.Operator, "DELETE", url);
        server.Expect(401, null, "GET", Who, "", Bearer(key));
        server.Expect(404, server.Operator, "GET", url);
        server.Expect(400, server.Operator, "DELETE", Keys);
    }

    [Theory]
    [InlineData("\"Scopes\":[\"everything\"]")]
    [InlineData("\"Scopes\":\"monitoring\"")]
    [InlineData("\"AllowedAddresses\":[\"10.0.0.1/8\"]")]
    [InlineData("\"AllowedAddresses\":[\"10.1\"]")]
    [InlineData("\"AllowedAddresses\":[\"::ffff:10.0.0.0/104\"]")]
    [InlineData("\"AllowedAddresses\":[\"all\"]")]
    [InlineData("\"AllowedAddresses\":[1]")]
    [InlineData("\"Id\":1,\"name\":\"y\"")]
    [InlineData("\"ExpiresAt\":\"2020-01-01T00:00:00Z\"")]
    [InlineData("\"ExpiresAt\":\"soon\"")]
    [InlineData("\"ExpiresAt\":5")]
    [InlineData("")]
    public void A_key_that_could_mean_something_else_is_not_made(string members)
    {
        string before = server.Stored;
        string expiry = members.Length == 0 || members.Contains("ExpiresAt", StringComparison.Ordinal)
            ? ""
            : ",\"ExpiresAt\":null";
        string comma = members.Length == 0 ? "" : ",";
        server.Expect(
            400, server.Operator, "POST", Keys,
            $"{{\"Name\":\"x\",\"SecurityClearance\":\"ValidUser\",\"Permissions\":{{}}{comma}{members}{expiry}}}");
        Assert.Equal(before, server.Stored);
    }

    [Fact]
    [Trait("Security", "36")]
    [Trait("Invariant", "CHANGE-1")]
    public void A_key_manages_neither_keys_nor_certificates_and_learns_only_who_it_is()
    {
        JsonNode made = Make("""{"Name":"boss","SecurityClearance":"Operator","ExpiresAt":null}""");
        string key = (string)made["Key"]!;
        string id = (string)made["Id"]!;
        string before = server.Stored;
        (string Method, string Target)[] attempts =
        [
            ("POST", Keys), ("GET", Keys), ("GET", $"{Keys}?id={id}"), ("PUT", $"{Keys}?id={id}"),
            ("DELETE", $"{Keys}?id={id}"), ("POST", $"{Keys}/rotate?id={id}"),
            ("GET", "/admin/certificates"), ("PUT", "/admin/certificates"), ("POST", "/admin/certificates"),
            ("POST", "/admin/certificates/edit"), ("DELETE", "/admin/certificates?thumbprint=x"),
            ("DELETE", "/admin/certificates/purge"), ("GET", "/admin/certificates/export"),
            ("POST", "/admin/certificates/replace-cluster-cert"), ("POST", "/admin/certificates/refresh"),
        ];
        foreach ((string method, string target) in attempts)
        {
            server.Expect(403, null, method, target, method == "GET" ? "" : "{", Bearer(key));
        }

        InMemoryRequest answer = server.Expect(200, null, "GET", Who, "", Bearer(key));
        JsonNode who = JsonNode.Parse(answer.Answer)!;
        Assert.Equal(
            ["Name", "KeyId", "Kind", "SecurityClearance", "Permissions", "NotAfter"],
            who.AsObject().Select(member => member.Key));
        Assert.Equal(("boss", id, "ApiKey"), ((string?)who["Name"], (string?)who["KeyId"], (string?)who["Kind"]));
        Assert.DoesNotContain(key.Split('_', 3)[2], answer.Answer, StringComparison.Ordinal);
        Assert.Equal(before, server.Stored);
    }

    [Fact]
    [Trait("Security", "42")]
    public void A_header_that_does_not_count_is_refused_with_one_text_also_beside_a_certificate()
    {
        using var own = new RegistryServer();
        JsonNode made = JsonNode.Parse(own.Expect(201, own.Operator, "POST", Keys, Reader).Answer)!;
        string key = (string)made["Key"]!;
        string[] headers =
        [
            "", "Bearer", "Bearer ", $"Bearer {new string('x', 1 << 16)}", $"Bearer {ApiKey.Make((string)made["Id"]!)}",
            $"Bearer {ApiKey.Make(ApiKey.MakeId())}", $"Bearer {key}x", $"Bearer {key[..^1]}", $"Basic {key}", key,
            $"Bearer {key}, Bearer {key}",
        ];
        HashSet<string> texts = [];
        foreach (string header in headers)
        {
            InMemoryRequest answer = own.Expect(401, own.Admin, "GET", Who, "", "Authorization: " + header);
            Assert.Equal("Bearer", RegistryServer.Header(answer, "WWW-Authenticate"));
            texts.Add(answer.Answer);
        }

        Assert.Single(texts);
        own.Expect(200, null, "GET", Who, "", $"Authorization: bearer {key}");
        own.Expect(403, null, "GET", $"{Who}?access_token={key}&authorization=Bearer%20{key}");
    }

    [Fact]
    [Trait("Security", "42")]
    public void A_rotated_key_counts_for_its_grace_and_a_removed_or_ended_one_not_at_all()
    {
        using var own = new RegistryServer();
        JsonNode made = JsonNode.Parse(own.Expect(201, own.Operator, "POST", Keys, Reader).Answer)!;
        string id = (string)made["Id"]!;
        string first = (string)made["Key"]!;
        JsonNode rotated = JsonNode.Parse(
            own.Expect(200, own.Operator, "POST", $"{Keys}/rotate?id={id}&graceSec=60").Answer)!;
        string second = (string)rotated["Key"]!;
        Assert.Equal(id, (string?)rotated["Id"]);
        Assert.NotEqual(first, second);
        own.Expect(200, null, "GET", Who, "", Bearer(first));
        own.Expect(200, null, "GET", Who, "", Bearer(second));
        own.Clock.Now += TimeSpan.FromSeconds(61);
        own.Expect(401, null, "GET", Who, "", Bearer(first));
        own.Expect(200, null, "GET", Who, "", Bearer(second));
        own.Expect(400, own.Operator, "POST", $"{Keys}/rotate?id={id}&graceSec=86401");
        own.Expect(400, own.Operator, "POST", $"{Keys}/rotate?id=none");
        own.Expect(400, own.Operator, "POST", $"{Keys}/rotate?id={new string('a', 500)}");
        own.Clock.Now += TimeSpan.FromDays(2);
        own.Expect(401, null, "GET", Who, "", Bearer(second));
    }

    [Fact]
    [Trait("Security", "43")]
    public void A_disabled_key_stays_so_when_it_is_edited_and_a_rotation_ends_its_secret()
    {
        JsonNode made = Make(Reader);
        string id = (string)made["Id"]!;
        string leaked = (string)made["Key"]!;
        server.Trust.Keys.Disable(TrustFixture.Local, id);
        server.Expect(401, null, "GET", Who, "", Bearer(leaked));
        server.Expect(204, server.Operator, "PUT", $"{Keys}?id={id}", Reader);
        server.Expect(401, null, "GET", Who, "", Bearer(leaked));
        Assert.True((bool)Assert.Single(server.Results(server.Operator, $"{Keys}?id={id}"))!["Disabled"]!);
        string next = (string)JsonNode.Parse(
            server.Expect(200, server.Operator, "POST", $"{Keys}/rotate?id={id}&graceSec=600").Answer)!["Key"]!;
        server.Expect(200, null, "GET", Who, "", Bearer(next));
        server.Expect(401, null, "GET", Who, "", Bearer(leaked));
    }

    [Fact]
    [Trait("Security", "43")]
    public void A_key_that_another_machine_sends_in_the_clear_is_disabled_and_that_is_written_down()
    {
        string audit = Directory.CreateTempSubdirectory("clear").FullName;
        using var log = new WarningsLog();
        using (var exposed = new InMemoryServer(
            configure: options => options with
            {
                ServerUrl = new Uri("http://0.0.0.0:8080"),
                UnsecuredAccess = UnsecuredAccess.PublicNetwork,
                Security = new SecurityOptions { AuditFolder = audit },
            },
            loggers: new LoggerFactory([log])))
        {
            KeyRegistry keys = exposed.State.Security.Trust.Keys;
            string key = keys.Create(TrustFixture.Local, TrustFixture.WantedKey(), out RegisteredKey entry);

            // Who only guesses a key disables none, and on this machine no one is between.
            Assert.Equal(200, Send(exposed, ApiKey.Make(entry.Id), "192.0.2.1").StatusCode);
            Assert.Equal(200, Send(exposed, key, "127.0.0.1").StatusCode);
            Assert.False(exposed.State.Security.Trust.Current.FindKey(entry.Id)!.IsDisabled);

            InMemoryRequest refused = Send(exposed, key, "192.0.2.1");
            Assert.Equal(403, refused.StatusCode);
            Assert.Contains($"{entry.Id} came over plain http", refused.Answer, StringComparison.Ordinal);
            Assert.DoesNotContain(key.Split('_', 3)[2], refused.Answer, StringComparison.Ordinal);
            Assert.True(exposed.State.Security.Trust.Current.FindKey(entry.Id)!.IsDisabled);
            Assert.False(keys.TryCheck(key, out _, out _));
            Assert.Contains(
                $"The API key {entry.Id} came from 192.0.2.1 without encryption", Assert.Single(log.Lines),
                StringComparison.Ordinal);
            string line = Assert.Single(
                AuditedServer.LinesOf(audit), line => line.Contains("key.disabled", StringComparison.Ordinal));
            Assert.Contains(entry.Id, line, StringComparison.Ordinal);
        }

        Directory.Delete(audit, recursive: true);

        static InMemoryRequest Send(InMemoryServer server, string key, string from)
        {
            var request = new InMemoryRequest("GET", "/build/version") { RemoteIpAddress = IPAddress.Parse(from) };
            request.Request["Authorization"] = "Bearer " + key;
            server.Send(request);
            return request;
        }
    }

    [Fact]
    [Trait("Invariant", "CHANGE-3")]
    public void A_key_that_is_asked_for_twice_is_made_once()
    {
        server.Expect(201, server.Operator, "POST", Keys + "?raft-request-id=k1", Reader);
        int before = server.Trust.Current.Keys.Count;
        server.Expect(409, server.Operator, "POST", Keys + "?raft-request-id=k1", Reader);
        Assert.Equal(before, server.Trust.Current.Keys.Count);
    }

    [Fact]
    public void A_key_is_never_an_administrator_and_no_user_makes_one()
    {
        server.Expect(
            400, server.Admin, "POST", Keys, """{"Name":"x","SecurityClearance":"ClusterAdmin","ExpiresAt":null}""");
        server.Expect(403, server.Writer, "POST", Keys, Reader);
        server.Expect(403, server.Writer, "GET", Keys);
    }

    [Theory]
    [Trait("Invariant", "CHANGE-2")]
    [InlineData("127.0.0.1", 201)]
    [InlineData("::ffff:127.0.0.1", 201)]
    [InlineData("::1", 201)]
    [InlineData("192.0.2.1", 403)]
    [InlineData("10.0.0.1", 403)]
    public void A_server_without_a_certificate_takes_changes_from_its_own_machine_only(string address, int status)
    {
        using (var exposed = new InMemoryServer(configure: options => options with
        {
            ServerUrl = new Uri("http://0.0.0.0:8080"),
            UnsecuredAccess = UnsecuredAccess.PublicNetwork,
        }))
        {
            var sent = new InMemoryRequest(
                "POST", Keys, body: """{"Name":"r","SecurityClearance":"Operator","ExpiresAt":null}""")
            {
                RemoteIpAddress = IPAddress.Parse(address),
            };
            Assert.Equal(403, exposed.Send(sent));
            Assert.Empty(exposed.State.Security.Trust.Current.Keys);
        }

        using var open = new InMemoryServer();
        var request = new InMemoryRequest(
            "POST", Keys, body: """{"Name":"r","SecurityClearance":"Operator","ExpiresAt":null}""")
        {
            RemoteIpAddress = IPAddress.Parse(address),
        };
        Assert.Equal(status, open.Send(request));
        Assert.Equal(status == 201 ? 1 : 0, open.State.Security.Trust.Current.Keys.Count);
        var who = new InMemoryRequest("GET", Who);
        Assert.Equal(200, open.Send(who));
        Assert.Equal(
            Clearances.Unauthenticated, (string?)JsonNode.Parse(who.Answer)!["SecurityClearance"]);
    }

    private const string Reader =
        """
        {"Name":"r","SecurityClearance":"ValidUser","Permissions":{"db":"Read"},"ExpiresAt":"2026-11-23T00:00:00Z"}
        """;

    private JsonNode Make(string body)
    {
        InMemoryRequest answer = server.Expect(201, server.Operator, "POST", Keys, body);
        Assert.Equal("no-store", RegistryServer.Header(answer, "Cache-Control"));
        return JsonNode.Parse(answer.Answer)!;
    }

    private static string Bearer(string key) => "Authorization: Bearer " + key;
}
