using System.Security.Cryptography.X509Certificates;
using FastTests.Server;
using Raven.Security.Certificates;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Server.Http.Security;

namespace FastTests.Security;

/// <summary>When a certificate is looked at again, and what the log is given of it.</summary>
public sealed class CertificateWatchTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("certificate-watch").FullName;
    private readonly TrustFixture _trust = new();
    private readonly WarningsLog _log = new();

    private string Crt => Path.Combine(_folder, "server.crt");

    private string Key => Path.Combine(_folder, "server.key");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    [Trait("Security", "14")]
    public void A_pair_that_is_half_written_is_read_again_before_it_is_a_failure()
    {
        using X509Certificate2 first = Make(9);
        Write(first);
        ServerCertificate presented = Load();
        using var watch = Watch(presented);
        using X509Certificate2 second = Make(20);
        File.WriteAllText(Crt, second.ExportCertificatePem());
        _trust.Clock.Ring(CertificateWatch.PollInterval);
        Assert.Equal(first.Thumbprint, presented.Current.Thumbprint);
        Assert.Empty(Failures());
        Write(second);
        _trust.Clock.Ring(CertificateWatch.RetryDelay);
        Assert.Equal(second.Thumbprint, presented.Current.Thumbprint);
        Assert.Empty(Failures());
    }

    [Fact]
    [Trait("Security", "14")]
    public void What_stays_wrong_leaves_the_certificate_before_it_and_is_logged_once_an_hour()
    {
        using X509Certificate2 first = Make(9);
        Write(first);
        ServerCertificate presented = Load();
        using var watch = Watch(presented);
        File.WriteAllText(Crt, "-----BEGIN CERTIFICATE-----");
        for (int i = 0; i < 10; i++)
        {
            _trust.Clock.Ring(CertificateWatch.PollInterval);
        }

        Assert.Single(Failures());
        Assert.Equal(10, presented.FailureCount);
        _trust.Clock.Ring(TimeSpan.FromHours(1));
        Assert.Equal(2, Failures().Length);
        Assert.Throws<CertificateException>(() => watch.Refresh(isByRequest: false));
        Assert.Equal(3, Failures().Length);
        Assert.Equal(first.Thumbprint, presented.Current.Thumbprint);

        // The same file as before is no new certificate, and no failure either.
        Write(first);
        _trust.Clock.Ring(CertificateWatch.PollInterval);
        Assert.Null(presented.LastFailure);
        watch.Refresh(isByRequest: false);
        Assert.Equal(3, Failures().Length);
    }

    [Fact]
    [Trait("Security", "16")]
    public void The_log_warns_once_a_day_of_what_ends_within_two_weeks()
    {
        using X509Certificate2 server = Make(20);
        Write(server);
        _trust.Registry.Certificates.Put(
            TrustFixture.Admin, "alice", [TestCertificates.Client("alice", to: TestCertificates.Now.AddDays(10))],
            Clearance.ClusterAdmin, Permissions.None);
        _trust.Registry.Keys.Create(TrustFixture.Operator, Wanted("scraper", 3), out _);
        _trust.Registry.Keys.Create(TrustFixture.Operator, Wanted("later", 60), out _);
        _trust.Registry.Keys.Create(TrustFixture.Operator, Wanted("never", null), out _);
        using var watch = Watch(Load());
        Assert.Equal(2, _log.Lines.Count);
        Assert.Contains(_log.Lines, line => line.Contains("'alice'", StringComparison.Ordinal)
            && line.Contains("in 10 days", StringComparison.Ordinal));
        Assert.Contains(_log.Lines, line => line.Contains("'scraper'", StringComparison.Ordinal)
            && line.Contains("in 3 days", StringComparison.Ordinal));
        _trust.Clock.Ring(CertificateWatch.PollInterval);
        Assert.Equal(2, _log.Lines.Count);

        _log.Lines.Clear();
        _trust.Clock.Ring(TimeSpan.FromDays(7));
        Assert.Equal(2, _log.Lines.Count); // The key has ended: it is no longer warned of.
        Assert.Contains(_log.Lines, line => line.Contains("of the server", StringComparison.Ordinal)
            && line.Contains("in 12 days", StringComparison.Ordinal));
        _log.Lines.Clear();
        _trust.Clock.Ring(TimeSpan.FromDays(30));
        Assert.Contains("The certificate of the server ended", Assert.Single(
            _log.Lines, line => !line.Contains("'later'", StringComparison.Ordinal)), StringComparison.Ordinal);
    }

    private static RegisteredKey Wanted(string name, int? days) => new()
    {
        Id = "",
        Hash = [],
        Name = name,
        Clearance = Clearance.ValidUser,
        Permissions = Permissions.None,
        ExpiresAt = days is { } count ? TestCertificates.Now.AddDays(count) : null,
        CreatedAt = TestCertificates.Now,
        CreatedBy = "",
    };

    private static X509Certificate2 Make(int days) => TestCertificates.Make(
        "localhost", to: TestCertificates.Now.AddDays(days), purpose: CertificateUse.ServerAuthentication);

    private void Write(X509Certificate2 certificate)
    {
        using System.Security.Cryptography.ECDsa key = certificate.GetECDsaPrivateKey()!;
        File.WriteAllText(Crt, certificate.ExportCertificatePem());
        File.WriteAllText(Key, key.ExportECPrivateKeyPem());
    }

    private ServerCertificate Load() =>
        ServerCertificate.Load(new ServerCertificateSource(Crt, null, null, null), _trust.Clock);

    private CertificateWatch Watch(ServerCertificate certificate) =>
        new(certificate, _trust.Registry, _log, _trust.Clock);

    private string[] Failures() =>
        [.. _log.Lines.Where(line => line.Contains("was not reloaded", StringComparison.Ordinal))];
}
