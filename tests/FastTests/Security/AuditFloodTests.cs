using System.Security.Cryptography.X509Certificates;
using System.Text.Json.Nodes;
using FastTests.Server;
using Raven.Security.Floods;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Server.Http.Security;

namespace FastTests.Security;

/// <summary>A flood of refusals does not fill the disk with lines, and the lines say how many are missing.</summary>
public sealed class AuditFloodTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("audit").FullName;
    private readonly RegistryServer _server;

    public AuditFloodTests()
    {
        _server = new RegistryServer(options => options with
        {
            AuditFolder = Path.Combine(_folder, "log"),
            KeysFolder = Path.Combine(_folder, "keys"),
        });
    }

    [Fact]
    [Trait("Security", "61")]
    [Trait("Invariant", "TRAIL-3")]
    public void Requests_without_the_right_are_counted_beyond_600_in_a_minute()
    {
        const int tries = AuditTrail.RefusedPerMinuteMax + 50;
        for (int i = 0; i < tries; i++)
        {
            _server.Expect(403, _server.Writer, "GET", "/admin/certificates");
        }

        Assert.Equal(AuditTrail.RefusedPerMinuteMax, Lines("access.denied").Length);
        _server.Clock.Now += TimeSpan.FromMinutes(1);
        _server.Expect(403, _server.Writer, "GET", "/admin/certificates");
        _server.Expect(403, _server.Writer, "GET", "/admin/certificates");
        JsonNode[] lines = Lines("access.denied");
        Assert.Equal(AuditTrail.RefusedPerMinuteMax + 2, lines.Length);
        Assert.Equal("50", (string?)lines[^2]["detail"]!["missing"]);
        Assert.Null(lines[^1]["detail"]!["missing"]);
    }

    [Fact]
    [Trait("Security", "61")]
    [Trait("Invariant", "TRAIL-3")]
    public void Browsers_that_sign_in_and_out_are_counted_beyond_600_in_a_minute()
    {
        const string path = "/studio/session";
        string key = _server.Trust.Keys.Create(
            TrustFixture.Local,
            new RegisteredKey
            {
                Id = "",
                Hash = [],
                Name = "browser",
                Clearance = Clearance.ValidUser,
                Permissions = Permissions.Of([KeyValuePair.Create("db", DatabaseRight.Read)]),
                ExpiresAt = null,
                CreatedAt = default,
                CreatedBy = "",
            },
            out _);
        for (int i = 0; i < (AuditTrail.SessionsPerMinuteMax / 2) + 25; i++)
        {
            SignInAndOut();
        }

        Assert.Equal(AuditTrail.SessionsPerMinuteMax / 2, Lines("session.begun").Length);
        Assert.Equal(AuditTrail.SessionsPerMinuteMax / 2, Lines("session.ended").Length);
        _server.Clock.Now += TimeSpan.FromMinutes(1);
        SignInAndOut();
        Assert.Equal("50", (string?)Lines("session.begun")[^1]["detail"]!["missing"]);
        Assert.Null(Lines("session.ended")[^1]["detail"]?["missing"]);

        void SignInAndOut()
        {
            InMemoryRequest begun = _server.Expect(200, null, "POST", path, "", "Authorization: Bearer " + key);
            string cookie = RegistryServer.Header(begun, "Set-Cookie").Split(';')[0];
            _server.Expect(204, null, "DELETE", path, "", "Cookie: " + cookie);
        }
    }

    [Fact]
    [Trait("Security", "46")]
    public void Failed_logins_of_an_address_are_20_lines_and_one_that_the_limit_is_reached()
    {
        using X509Certificate2 unknown = TestCertificates.Make("unknown");
        for (int i = 0; i < 100; i++)
        {
            InMemoryRequest answer = _server.Send(unknown, "GET", "/build/version");
            Assert.Equal(i < FailedLogins.PerMinuteMax ? 403 : 429, answer.StatusCode);
        }

        Assert.Equal(FailedLogins.PerMinuteMax, Lines("access.refused").Length);
        Assert.Single(Lines("access.limit"));
    }

    public void Dispose()
    {
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private JsonNode[] Lines(string name)
    {
        string path = Directory.EnumerateFiles(Path.Combine(_folder, "log")).Single();
        using var reader = new StreamReader(new FileStream(
            path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite));
        return [.. reader.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => JsonNode.Parse(line)!).Where(line => (string?)line["event"] == name)];
    }
}
