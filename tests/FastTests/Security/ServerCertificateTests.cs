using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using FastTests.Documents;
using Raven.Security.Certificates;

namespace FastTests.Security;

/// <summary>What a server presents: which files it takes, which it refuses and why, and how it is replaced.</summary>
public sealed class ServerCertificateTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("certificates").FullName;
    private readonly TestClock _clock = new() { Now = TestCertificates.Now };

    private string Pfx => Path.Combine(_folder, "server.pfx");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("pfx")]
    [InlineData("pfx with password")]
    [InlineData("pem")]
    [InlineData("pem and key beside it")]
    [InlineData("pem and key elsewhere")]
    [InlineData("pem with encrypted key")]
    public void Each_form_of_file_gives_the_certificate_with_its_key(string form)
    {
        using X509Certificate2 certificate = Server();
        using ECDsa key = certificate.GetECDsaPrivateKey()!;
        string pem = Path.Combine(_folder, "server.crt");
        string password = "";
        string? keyPath = null;
        switch (form)
        {
            case "pfx":
                File.WriteAllBytes(pem, certificate.Export(X509ContentType.Pkcs12));
                break;
            case "pfx with password":
                password = "secret";
                File.WriteAllBytes(pem, CertificateText.Pkcs12(certificate, password));
                break;
            case "pem":
                File.WriteAllText(pem, certificate.ExportCertificatePem() + "\n" + key.ExportPkcs8PrivateKeyPem());
                break;
            case "pem with encrypted key":
                password = "secret";
                File.WriteAllText(
                    pem,
                    certificate.ExportCertificatePem() + "\n" + key.ExportEncryptedPkcs8PrivateKeyPem(
                        password, new PbeParameters(PbeEncryptionAlgorithm.Aes256Cbc, HashAlgorithmName.SHA256, 1000)));
                break;
            default:
                keyPath = form.EndsWith("elsewhere", StringComparison.Ordinal)
                    ? Path.Combine(_folder, "secret.pem")
                    : null;
                File.WriteAllText(pem, certificate.ExportCertificatePem());
                File.WriteAllText(keyPath ?? Path.Combine(_folder, "server.key"), key.ExportECPrivateKeyPem());
                break;
        }

        ServerCertificate loaded = ServerCertificate.Load(
            new ServerCertificateSource(pem, keyPath, password.Length == 0 ? null : password, null), _clock);
        Assert.Equal(certificate.Thumbprint, loaded.Current.Thumbprint);
        Assert.True(loaded.Current.HasPrivateKey);
        Assert.Equal(certificate.Thumbprint, loaded.Context.TargetCertificate.Thumbprint);
    }

    [Fact]
    [Trait("Security", "1")]
    public void A_certificate_that_a_server_cannot_use_is_refused_with_the_reason()
    {
        AssertRefused("expired on", Server(to: _clock.Now.AddHours(-1)));
        AssertRefused("begins to count", Server(from: _clock.Now.AddHours(1)));
        AssertRefused("no serverAuth", Server(purpose: CertificateUse.ClientAuthentication));
        AssertRefused("no digitalSignature", Server(usage: X509KeyUsageFlags.CrlSign));
        using RSA small = RSA.Create(1024);
        AssertRefused("1024 bits", new CertificateRequest(
            "CN=small", small, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1).CreateSelfSigned(
            _clock.Now.AddDays(-1), _clock.Now.AddDays(1)));
        using X509Certificate2 whole = Server();
        File.WriteAllText(Pfx, whole.ExportCertificatePem());
        Assert.Contains("no private key", Refused(Pfx), StringComparison.Ordinal);
        File.WriteAllText(Pfx, "-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n");
        Assert.NotEmpty(Refused(Pfx));
        File.WriteAllBytes(Pfx, []);
        Assert.Contains("is empty", Refused(Pfx), StringComparison.Ordinal);
        File.WriteAllBytes(Pfx, new byte[(1 << 20) + 1]);
        Assert.Contains("more than 1", Refused(Pfx), StringComparison.Ordinal);
        Assert.Contains("cannot be read", Refused(Path.Combine(_folder, "none")), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Security", "1")]
    [Trait("Security", "9")]
    public void A_certificate_on_a_curve_without_a_name_is_refused_with_the_reason()
    {
        (X509Certificate2 certificate, ECDsa key) =
            TestCertificates.MakeWithExplicitCurve(CertificateUse.ServerAuthentication);
        using (key)
        using (certificate)
        using (X509Certificate2 whole = certificate.CopyWithPrivateKey(key))
        {
            AssertRefused("named curve", whole);
            using ECDsa numbers = ECDsa.Create(key.ExportExplicitParameters(includePrivateParameters: true));
            File.WriteAllText(Pfx, certificate.ExportCertificatePem() + "\n" + numbers.ExportECPrivateKeyPem());
            Assert.Contains("named curve", Refused(Pfx), StringComparison.Ordinal);
        }
    }

    [Fact]
    [Trait("Security", "14")]
    [Trait("Invariant", "CERT-1")]
    [Trait("Invariant", "CERT-3")]
    public void A_new_file_is_presented_from_the_next_look_on_and_a_handshake_keeps_the_one_it_has()
    {
        using X509Certificate2 first = Write(Server());
        ServerCertificate loaded = Load();
        X509Certificate2 held = loaded.Current;
        Assert.False(loaded.Reload(always: false));
        Assert.False(loaded.Reload(always: true));
        using X509Certificate2 second = Write(Server(to: _clock.Now.AddDays(2)));
        Assert.True(loaded.Reload(always: false));
        Assert.Equal(second.Thumbprint, loaded.Current.Thumbprint);
        Assert.Equal(TimeSpan.FromDays(2), loaded.Left);
        Assert.Equal(0, loaded.FailureCount);
        using ECDsa key = held.GetECDsaPrivateKey()!;
        Assert.NotEmpty(key.SignData([1], HashAlgorithmName.SHA256));
    }

    [Fact]
    [Trait("Security", "14")]
    [Trait("Invariant", "CERT-2")]
    public void A_file_that_cannot_be_used_leaves_the_certificate_before_it()
    {
        using X509Certificate2 first = Write(Server());
        ServerCertificate loaded = Load();
        byte[] good = File.ReadAllBytes(Pfx);
        using X509Certificate2 expired = Write(Server(to: _clock.Now.AddHours(-1)));
        int failures = 0;
        foreach (byte[] bad in (byte[][])[File.ReadAllBytes(Pfx), good[..(good.Length / 2)], [], [1, 2, 3]])
        {
            File.WriteAllBytes(Pfx, bad);
            Assert.Throws<CertificateException>(() => loaded.Reload(always: true));
            Assert.Equal(++failures, loaded.FailureCount);
            Assert.NotNull(loaded.LastFailure);
            Assert.Equal(first.Thumbprint, loaded.Current.Thumbprint);
        }

        File.Delete(Pfx);
        Assert.Throws<CertificateException>(() => loaded.Reload(always: false));
        File.WriteAllBytes(Pfx, good);
        Assert.False(loaded.Reload(always: false));
        Assert.Null(loaded.LastFailure);
    }

    [Fact]
    [Trait("Security", "14")]
    public void A_folder_that_is_replaced_behind_a_link_is_a_change()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        // As Kubernetes mounts a secret: server.pfx -> now/server.pfx, and now -> one of two folders.
        using X509Certificate2 first = Server();
        using X509Certificate2 second = Server(to: _clock.Now.AddDays(2));
        string now = Path.Combine(_folder, "now");
        foreach ((string name, X509Certificate2 certificate) in new[] { ("1", first), ("2", second) })
        {
            string folder = Directory.CreateDirectory(Path.Combine(_folder, name)).FullName;
            File.WriteAllBytes(Path.Combine(folder, "server.pfx"), certificate.Export(X509ContentType.Pkcs12));
            File.SetLastWriteTimeUtc(Path.Combine(folder, "server.pfx"), certificate.NotAfter.ToUniversalTime());
        }

        Directory.CreateSymbolicLink(now, "1");
        File.CreateSymbolicLink(Pfx, Path.Combine("now", "server.pfx"));
        ServerCertificate loaded = Load();
        Assert.False(loaded.Reload(always: false));
        Directory.Delete(now);
        Directory.CreateSymbolicLink(now, "2");
        Assert.True(loaded.Reload(always: false));
        Assert.Equal(second.Thumbprint, loaded.Current.Thumbprint);
    }

    [Fact]
    [Trait("Security", "14")]
    public void A_device_without_end_is_read_up_to_the_limit()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        File.CreateSymbolicLink(Pfx, "/dev/zero");
        Assert.Contains("more than 1", Refused(Pfx), StringComparison.Ordinal);
    }

    private static X509Certificate2 Server(
        DateTimeOffset? from = null, DateTimeOffset? to = null, string purpose = CertificateUse.ServerAuthentication,
        X509KeyUsageFlags usage = X509KeyUsageFlags.DigitalSignature) =>
        TestCertificates.Make("localhost", null, from ?? TestCertificates.Now.AddDays(-9), to, purpose, usage);

    private X509Certificate2 Write(X509Certificate2 certificate)
    {
        File.WriteAllBytes(Pfx, certificate.Export(X509ContentType.Pkcs12));
        return certificate;
    }

    private ServerCertificate Load() =>
        ServerCertificate.Load(new ServerCertificateSource(Pfx, null, null, null), _clock);

    private string Refused(string path) => Assert.Throws<CertificateException>(
        () => ServerCertificate.Load(new ServerCertificateSource(path, null, null, null), _clock)).Message;

    private void AssertRefused(string reason, X509Certificate2 certificate)
    {
        using X509Certificate2 written = Write(certificate);
        Assert.Contains(reason, Refused(Pfx), StringComparison.Ordinal);
    }
}
