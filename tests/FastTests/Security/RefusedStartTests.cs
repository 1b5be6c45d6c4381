using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using FastTests.Documents;
using Raven.Security.Certificates;
using Raven.Server;
using Raven.Server.Options;

namespace FastTests.Security;

/// <summary>
/// A server that must not start is refused before it opens its port: the tests have the port, so that a server which
/// opened it first would fail for that.
/// </summary>
[Trait("Security", "1")]
public sealed class RefusedStartTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("refused").FullName;
    private readonly TcpListener _taken = new(IPAddress.Loopback, 0);
    private readonly TestClock _clock = new() { Now = TestCertificates.Now };

    public RefusedStartTests() => _taken.Start();

    private string Pfx => Path.Combine(_folder, "server.pfx");

    private int Port => ((IPEndPoint)_taken.LocalEndpoint).Port;

    public void Dispose()
    {
        _taken.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Theory]
    [InlineData("expired", "expired on")]
    [InlineData("early", "begins to count")]
    [InlineData("for clients", "no serverAuth")]
    [InlineData("for lists", "no digitalSignature")]
    [InlineData("of a small key", "1024 bits")]
    [InlineData("without a key", "no private key")]
    [InlineData("nonsense", "cannot be read")]
    [InlineData("empty", "is empty")]
    [InlineData("missing", "cannot be read")]
    [Trait("Invariant", "START-3")]
    public void A_certificate_that_cannot_be_used_is_refused_as_an_option_before_the_port_is_opened(
        string certificate, string reason)
    {
        Write(certificate);
        ServerOptionException e = Refused($"https://127.0.0.1:{Port}", Pfx);
        Assert.Equal("Security.Certificate.Path", e.Key);
        Assert.Contains(reason, e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("http://0.0.0.0", false, null)]
    [InlineData("http://[::]", false, UnsecuredAccess.Local)]
    [InlineData("http://127.0.0.1", false, UnsecuredAccess.None)]
    [InlineData("http://127.0.0.1", true, null)]
    [InlineData("https://127.0.0.1", false, UnsecuredAccess.PublicNetwork)]
    [Trait("Invariant", "START-3")]
    public void A_url_that_is_against_the_rules_is_refused_before_the_port_is_opened(
        string url, bool hasCertificate, UnsecuredAccess? access)
    {
        Write("good");
        Assert.Equal("ServerUrl", Refused($"{url}:{Port}", hasCertificate ? Pfx : null, access).Key);
    }

    [Fact]
    public void A_start_that_is_allowed_comes_as_far_as_the_port()
    {
        Write("good");
        ServerStartException e = Assert.Throws<ServerStartException>(
            () => Start($"https://127.0.0.1:{Port}", Pfx, access: null));
        Assert.Contains("Cannot listen on", e.Message, StringComparison.Ordinal);
    }

    private ServerOptionException Refused(string url, string? path, UnsecuredAccess? access = null) =>
        Assert.Throws<ServerOptionException>(() => Start(url, path, access));

    private void Start(string url, string? path, UnsecuredAccess? access)
    {
        var options = new ServerOptions
        {
            ServerUrl = new Uri(url),
            RunInMemory = true,
            Security = new SecurityOptions { CertificatePath = path },
        };
        ServerHost.Start(access is { } set ? options with { UnsecuredAccess = set } : options, time: _clock).Dispose();
    }

    private void Write(string kind)
    {
        using X509Certificate2 certificate = Make(kind);
        switch (kind)
        {
            case "missing":
                break;
            case "empty":
                File.WriteAllBytes(Pfx, []);
                break;
            case "nonsense":
                File.WriteAllBytes(Pfx, [1, 2, 3]);
                break;
            case "without a key":
                File.WriteAllText(Pfx, certificate.ExportCertificatePem());
                break;
            default:
                File.WriteAllBytes(Pfx, certificate.Export(X509ContentType.Pkcs12));
                break;
        }
    }

    private X509Certificate2 Make(string kind)
    {
        if (kind == "of a small key")
        {
            using RSA small = RSA.Create(1024);
            return new CertificateRequest("CN=small", small, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1)
                .CreateSelfSigned(_clock.Now.AddDays(-1), _clock.Now.AddDays(1));
        }

        return TestCertificates.Make(
            "localhost",
            from: kind == "early" ? _clock.Now.AddHours(1) : _clock.Now.AddDays(-9),
            to: kind == "expired" ? _clock.Now.AddHours(-1) : null,
            purpose: kind == "for clients"
                ? CertificateUse.ClientAuthentication
                : CertificateUse.ServerAuthentication,
            usage: kind == "for lists" ? X509KeyUsageFlags.CrlSign : X509KeyUsageFlags.DigitalSignature);
    }
}
