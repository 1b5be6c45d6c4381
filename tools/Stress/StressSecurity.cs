using System.Net;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Raven.Tools.Stress;

/// <summary>
/// New certificates for a server that speaks https and for the writers, in a folder that is deleted with this. The
/// server knows that of the writers by its options.
/// </summary>
internal sealed class StressSecurity : IDisposable
{
    private const string ServerAuthentication = "1.3.6.1.5.5.7.3.1";
    private const string ClientAuthentication = "1.3.6.1.5.5.7.3.2";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("raven-stress-tls-");
    private readonly X509Certificate2 _server = Make("localhost", ServerAuthentication);
    private readonly X509Certificate2 _own = Make("stress", ClientAuthentication);

    internal StressSecurity()
    {
        string path = Path.Combine(_folder.FullName, "server.pfx");
        File.WriteAllBytes(path, _server.Export(X509ContentType.Pkcs12));
        ServerArguments =
        [
            "--ServerUrl=https://127.0.0.1:0", $"--Security.Certificate.Path={path}",
            $"--Security.WellKnownCertificates.Admin={_own.Thumbprint}",
        ];
    }

    /// <summary>The arguments of the server.</summary>
    internal IReadOnlyList<string> ServerArguments { get; }

    /// <summary>Connections that show the certificate, to this server alone.</summary>
    internal SocketsHttpHandler NewHandler() => new()
    {
        SslOptions = new SslClientAuthenticationOptions
        {
            ClientCertificateContext = SslStreamCertificateContext.Create(_own, null, offline: true),
            RemoteCertificateValidationCallback = (_, theirs, _, _) =>
                theirs != null && theirs.GetRawCertData().AsSpan().SequenceEqual(_server.RawDataMemory.Span),
        },
    };

    /// <inheritdoc/>
    public void Dispose()
    {
        _server.Dispose();
        _own.Dispose();
        _folder.Delete(recursive: true);
    }

    private static X509Certificate2 Make(string name, string purpose)
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=" + name, key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(
            new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, critical: true));
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(purpose)], critical: false));
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("localhost");
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        DateTimeOffset now = TimeProvider.System.GetUtcNow();
        return request.CreateSelfSigned(now.AddDays(-1), now.AddDays(30));
    }
}
