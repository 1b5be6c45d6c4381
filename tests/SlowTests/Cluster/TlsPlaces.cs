using System.Net;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Shared.Cluster.Processes;

namespace SlowTests.Cluster;

/// <summary>
/// All processes on 127.0.0.1, servers over https: each has a certificate that one authority has signed, as a node of a
/// cluster needs it. The administrator's is of another hand.
/// </summary>
internal sealed class TlsPlaces : IProcessPlaces
{
    private const string ServerUse = "1.3.6.1.5.5.7.3.1";
    private const string ClientUse = "1.3.6.1.5.5.7.3.2";

    private readonly LoopbackPlaces _places = new();
    private readonly string _folder;
    private readonly X509Certificate2 _authority;

    /// <param name="folder">Takes the files.</param>
    internal TlsPlaces(string folder)
    {
        _folder = folder;
        Directory.CreateDirectory(folder);
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=nodes", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(
            X509KeyUsageFlags.KeyCertSign | X509KeyUsageFlags.DigitalSignature, true));
        _authority = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(30));
        File.WriteAllText(AuthorityFile, _authority.ExportCertificatePem());
        Administrator = NewClient("administrator");
    }

    /// <summary>The certificate of an administrator of all servers.</summary>
    internal X509Certificate2 Administrator { get; }

    private string AuthorityFile => Path.Combine(_folder, "nodes.pem");

    /// <inheritdoc/>
    public string UrlOf(string name, int port = 0) => IsServer(name)
        ? _places.UrlOf(name, port).Replace("http://", "https://", StringComparison.Ordinal)
        : _places.UrlOf(name, port);

    /// <inheritdoc/>
    public IReadOnlyList<string> PrefixOf(string name) => [];

    /// <inheritdoc/>
    public SocketsHttpHandler CreateHandler() => HandlerOf(Administrator);

    /// <summary>A certificate of a client, by which nobody is known yet.</summary>
    internal static X509Certificate2 NewClient(string name)
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(ClientUse)], false));
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(30));
    }

    /// <summary>Makes connections with a certificate, or without one.</summary>
    internal static SocketsHttpHandler HandlerOf(X509Certificate2? own) => new()
    {
        UseProxy = false,
        UseCookies = false,
        SslOptions = new SslClientAuthenticationOptions
        {
            ClientCertificateContext =
                own is null ? null : SslStreamCertificateContext.Create(own, null, offline: true),
            RemoteCertificateValidationCallback = (_, _, _, _) => true,
        },
    };

    /// <summary>The options of a server, with a certificate of its own.</summary>
    internal string[] OptionsOf(string tag)
    {
        string path = Path.Combine(_folder, $"{tag}.pfx");
        if (!File.Exists(path))
        {
            using X509Certificate2 certificate = NodeOf(tag);
            File.WriteAllBytes(path, certificate.Export(X509ContentType.Pkcs12));
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        }

        return
        [
            $"--Security.Certificate.Path={path}", $"--Cluster.CertificateAuthority={AuthorityFile}",
            $"--Security.WellKnownCertificates.Admin={Administrator.Thumbprint}",
        ];
    }

    /// <summary>The certificate of a server that has its options.</summary>
    internal X509Certificate2 CertificateOf(string tag) =>
        X509CertificateLoader.LoadPkcs12FromFile(Path.Combine(_folder, $"{tag}.pfx"), null);

    public ValueTask DisposeAsync()
    {
        _authority.Dispose();
        Administrator.Dispose();
        return _places.DisposeAsync();
    }

    private static bool IsServer(string name) => char.IsAsciiLetterUpper(name[0]);

    private X509Certificate2 NodeOf(string tag)
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN=node {tag}", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, true));
        request.CertificateExtensions.Add(
            new X509EnhancedKeyUsageExtension([new Oid(ServerUse), new Oid(ClientUse)], false));
        var names = new SubjectAlternativeNameBuilder();
        names.AddIpAddress(IPAddress.Loopback);
        names.AddDnsName("localhost");
        request.CertificateExtensions.Add(names.Build());
        using X509Certificate2 signed = request.Create(
            _authority, _authority.NotBefore, _authority.NotAfter, RandomNumberGenerator.GetBytes(8));
        return signed.CopyWithPrivateKey(key);
    }
}
