using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using FastTests.Documents;
using FastTests.Server;
using Microsoft.Extensions.Logging;
using Raven.Security.Certificates;
using Raven.Server;
using Raven.Server.Http.Security;
using Raven.Server.Options;

namespace FastTests.Security;

/// <summary>A server over https whose certificate changes, or ends, while clients are connected.</summary>
public sealed class CertificateReloadTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("certificate-reload").FullName;
    private readonly TestClock _clock = new() { Now = TestCertificates.Now };
    private readonly WarningsLog _log = new();
    private readonly X509Certificate2 _own = TestCertificates.Make(
        "operator", to: TestCertificates.Now.AddYears(1));

    private string Pfx => Path.Combine(_folder, "server.pfx");

    public void Dispose()
    {
        _own.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    [Trait("Security", "14")]
    public async Task New_connections_get_a_new_certificate_and_those_before_go_on()
    {
        using X509Certificate2 first = Write(days: 30);
        await using ServerHost host = await StartAsync();
        using SecureClient before = Client(host, first);
        Assert.Equal(200, await before.GetAsync("/databases"));
        using X509Certificate2 second = Write(days: 60);
        _clock.Ring(CertificateWatch.PollInterval);
        using SecureClient after = Client(host, second);
        Assert.Equal(200, await after.GetAsync("/databases"));
        Assert.Equal(200, await before.GetAsync("/databases"));
        Assert.Equal(1, before.ConnectionCount);
        using SecureClient late = Client(host, first);
        await Assert.ThrowsAsync<HttpRequestException>(() => late.GetAsync("/databases"));

        File.WriteAllBytes(Pfx, [1, 2, 3]);
        Assert.Throws<CertificateException>(host.State.Security.RefreshCertificate);
        host.ReloadCertificate();
        using SecureClient again = Client(host, second);
        Assert.Contains(
            "\nraven_certificate_reload_failures_total 2\n", (await again.SendAsync("GET", "/metrics")).Body,
            StringComparison.Ordinal);
        Assert.Contains(
            "\"Certificate\":{\"DaysLeft\":59,\"IsReloadFailing\":true}",
            (await again.SendAsync("GET", "/healthz")).Body,
            StringComparison.Ordinal);
        using X509Certificate2 third = Write(days: 90);
        host.State.Security.RefreshCertificate();
        using SecureClient last = Client(host, third);
        Assert.Equal(200, await last.GetAsync("/databases"));
    }

    [Fact]
    [Trait("Security", "16")]
    public async Task A_certificate_that_ends_is_presented_on_and_refused_at_the_next_start()
    {
        using X509Certificate2 server = Write(days: 15);
        await using (ServerHost host = await StartAsync())
        {
            Assert.DoesNotContain(_log.Lines, line => line.Contains("of the server ends", StringComparison.Ordinal));
            _clock.Ring(TimeSpan.FromDays(2));
            Assert.Single(_log.Lines, line => line.Contains("of the server ends", StringComparison.Ordinal));
            _clock.Ring(TimeSpan.FromDays(14));
            Assert.Contains(_log.Lines, line => line.Contains("server ended at", StringComparison.Ordinal));
            using SecureClient client = Client(host, server);
            (int status, string metrics) = await client.SendAsync("GET", "/metrics");
            Assert.Equal(200, status);
            Assert.Contains("\nraven_certificate_expiry_seconds -86400\n", metrics, StringComparison.Ordinal);
        }

        ServerOptionException refused = await Assert.ThrowsAsync<ServerOptionException>(StartAsync);
        Assert.Contains("expired on", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Security", "14")]
    public async Task A_reload_that_a_request_asks_for_is_in_the_log_and_once_in_the_audit_log()
    {
        using X509Certificate2 first = Write(days: 30);
        using var log = new WarningsLog(LogLevel.Information);
        string audit = Path.Combine(_folder, "audit");
        await using ServerHost host = await StartAsync(log, audit);
        using SecureClient client = Client(host, first);
        using X509Certificate2 second = Write(days: 60);
        Assert.Equal(204, (await client.SendAsync("POST", "/admin/certificates/refresh")).Status);
        Assert.Single(log.Lines, line => line.StartsWith(
            $"The certificate was reloaded: {second.Thumbprint}", StringComparison.Ordinal));
        File.WriteAllBytes(Pfx, [1, 2, 3]);
        Assert.Equal(400, (await client.SendAsync("POST", "/admin/certificates/refresh")).Status);
        Assert.Single(log.Lines, line => line.StartsWith(
            "The certificate was not reloaded", StringComparison.Ordinal));
        using X509Certificate2 third = Write(days: 90);
        string body = JsonSerializer.Serialize(
            new { Certificate = Convert.ToBase64String(third.Export(X509ContentType.Pkcs12)) });
        Assert.Equal(204, (await client.SendAsync("POST", "/admin/certificates/replace-cluster-cert", body)).Status);
        Assert.Single(log.Lines, line => line.StartsWith(
            $"The certificate was reloaded: {third.Thumbprint}", StringComparison.Ordinal));

        // What the file system says of the new file is no second reload.
        _clock.Ring(CertificateWatch.PollInterval);
        Assert.Equal(3, log.Lines.Count(line => line.Contains("reloaded", StringComparison.Ordinal)));
        Assert.Equal(
            [
                "server.certificate.reloaded ok", "server.certificate.reloaded ok",
                "server.certificate.reloaded failed", "server.certificate.replaced ok",
            ],
            AuditedServer.LinesOf(audit).Select(line => JsonDocument.Parse(line).RootElement)
                .Select(line => $"{line.GetProperty("event")} {line.GetProperty("outcome")}")
                .Where(line => line.StartsWith("server.certificate", StringComparison.Ordinal)));
    }

    private X509Certificate2 Write(int days)
    {
        X509Certificate2 certificate = TestCertificates.Make(
            "localhost", to: TestCertificates.Now.AddDays(days), purpose: CertificateUse.ServerAuthentication,
            names: ["127.0.0.1"]);
        File.WriteAllBytes(Pfx, certificate.Export(X509ContentType.Pkcs12));
        return certificate;
    }

    private SecureClient Client(ServerHost host, X509Certificate2 server) =>
        new(host.Url, server, _own, TestCertificates.Now);

    private Task<ServerHost> StartAsync() => StartAsync(_log, audit: null);

    private async Task<ServerHost> StartAsync(WarningsLog log, string? audit)
    {
        ServerHost host = await ServerHost.StartAsync(
            new ServerOptions
            {
                ServerUrl = new Uri("https://127.0.0.1:0"),
                RunInMemory = true,
                Security = new SecurityOptions
                {
                    CertificatePath = Pfx, WellKnownAdministrators = [_own.Thumbprint], AuditFolder = audit,
                },
            },
            LoggerFactory.Create(logging => logging.AddProvider(log)), _clock);
        return host;
    }
}
