using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Raven.Tools.Load;

/// <summary>
/// How a load speaks TLS: what it trusts, and what it shows of itself. Each connection makes a whole handshake, as no
/// session is resumed. Shared by all clients.
/// </summary>
public sealed class LoadTls
{
    private readonly SslClientAuthenticationOptions _options;

    private LoadTls(SslClientAuthenticationOptions options)
    {
        _options = options;
    }

    /// <summary>Makes it from certificates.</summary>
    /// <param name="host">The name or address that the server's certificate must be for.</param>
    /// <param name="certificate">The certificate of the clients, with its key; null for none.</param>
    /// <param name="authorities">What is trusted; null for what the system trusts.</param>
    /// <param name="protocols">The versions of TLS; those of the system if not given.</param>
    public static LoadTls Create(
        string host, X509Certificate2? certificate, X509Certificate2Collection? authorities,
        SslProtocols protocols = SslProtocols.None)
    {
        var policy = new X509ChainPolicy { RevocationMode = X509RevocationMode.NoCheck };
        if (authorities != null)
        {
            policy.TrustMode = X509ChainTrustMode.CustomRootTrust;
            policy.CustomTrustStore.AddRange(authorities);
        }

        return new LoadTls(new SslClientAuthenticationOptions
        {
            TargetHost = host,
            ClientCertificateContext = certificate == null
                ? null
                : SslStreamCertificateContext.Create(certificate, additionalCertificates: null, offline: true),
            CertificateChainPolicy = policy,
            EnabledSslProtocols = protocols,
            AllowTlsResume = false,
        });
    }

    /// <summary>Makes it from files.</summary>
    /// <param name="host">The name or address that the server's certificate must be for.</param>
    /// <param name="certificate">A .pfx without a password, or a PEM file with certificate and key; null for
    /// none.</param>
    /// <param name="authorities">A PEM file with the certificates that are trusted; null for those of the
    /// system.</param>
    /// <exception cref="FormatException">A file is none of these.</exception>
    /// <exception cref="IOException">A file cannot be read.</exception>
    public static LoadTls FromFiles(string host, FileInfo? certificate, FileInfo? authorities)
    {
        try
        {
            X509Certificate2Collection? trusted = null;
            if (authorities != null)
            {
                trusted = [];
                trusted.ImportFromPemFile(authorities.FullName);
            }

            return Create(host, certificate == null ? null : ReadCertificate(certificate.FullName), trusted);
        }
        catch (CryptographicException e)
        {
            throw new FormatException($"A certificate cannot be read: {e.Message}", e);
        }
    }

    /// <summary>Makes the handshake over a connection, which the stream owns from then on.</summary>
    internal async ValueTask<SslStream> ConnectAsync(Socket socket)
    {
        var stream = new SslStream(new NetworkStream(socket, ownsSocket: true));
        try
        {
            await stream.AuthenticateAsClientAsync(_options);
            return stream;
        }
        catch
        {
            await stream.DisposeAsync();
            throw;
        }
    }

    private static X509Certificate2 ReadCertificate(string path) =>
        Path.GetExtension(path).ToUpperInvariant() is ".PFX" or ".P12"
            ? X509CertificateLoader.LoadPkcs12FromFile(path, password: null)
            : X509Certificate2.CreateFromPemFile(path);
}
