using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Raven.Security.Certificates;

/// <summary>
/// Makes certificates: a self-signed one for a server, and one for a client. Keys are RSA of 3072 bits, as the official
/// Node client reads no other kind from a PEM (it looks for <c>BEGIN RSA PRIVATE KEY</c>, PKCS#1).
/// </summary>
public sealed class CertificateMaker
{
    /// <summary>How long a server's certificate lasts: browsers take no longer one.</summary>
    public static readonly TimeSpan ServerLifetime = TimeSpan.FromDays(397);

    private const int RsaBits = 3072;
    private const int CommonNameLengthMax = 64;

    /// <summary>Clocks of other machines may be behind.</summary>
    private static readonly TimeSpan Early = TimeSpan.FromMinutes(5);

    private readonly TimeProvider _clock;

    /// <summary>Makes a maker.</summary>
    /// <param name="clock">Says from when on they count.</param>
    public CertificateMaker(TimeProvider clock)
    {
        _clock = clock;
    }

    /// <summary>A self-signed certificate for a server. The caller disposes of it.</summary>
    /// <param name="hosts">Names and addresses that it is good for; the first one is its name.</param>
    public X509Certificate2 MakeServer(IReadOnlyList<string> hosts)
    {
        ArgumentNullException.ThrowIfNull(hosts);
        using RSA key = RSA.Create(RsaBits);
        CertificateRequest request = Request(hosts[0], key, CertificateUse.ServerAuthentication);
        var names = new SubjectAlternativeNameBuilder();
        foreach (string host in hosts)
        {
            if (IPAddress.TryParse(host, out IPAddress? address))
            {
                names.AddIpAddress(address);
            }
            else
            {
                names.AddDnsName(host);
            }
        }

        request.CertificateExtensions.Add(names.Build());
        DateTimeOffset now = _clock.GetUtcNow();
        return request.CreateSelfSigned(now - Early, now + ServerLifetime);
    }

    /// <summary>A certificate for a client, signed by its own new key. The caller disposes of it.</summary>
    /// <param name="name">Its name, for people.</param>
    /// <param name="notAfter">When it ends.</param>
    /// <exception cref="ArgumentException">The name cannot be one, or it ends before now.</exception>
    public X509Certificate2 MakeClient(string name, DateTimeOffset notAfter)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        using RSA key = RSA.Create(RsaBits);
        CertificateRequest request = Request(name, key, CertificateUse.ClientAuthentication);
        return request.CreateSelfSigned(_clock.GetUtcNow() - Early, notAfter);
    }

    /// <summary>The part of a name that a certificate has room for (RFC 5280, ub-common-name).</summary>
    private static string Shortened(string name)
    {
        int length = Math.Min(name.Length, CommonNameLengthMax);
        return name[..(length < name.Length && char.IsHighSurrogate(name[length - 1]) ? length - 1 : length)];
    }

    private static CertificateRequest Request(string name, RSA key, string purpose)
    {
        var subject = new X500DistinguishedNameBuilder();
        subject.AddCommonName(Shortened(name));
        var request = new CertificateRequest(
            subject.Build(), key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(
            new X509BasicConstraintsExtension(certificateAuthority: false, false, 0, critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(
            X509KeyUsageFlags.DigitalSignature | X509KeyUsageFlags.KeyEncipherment, critical: true));
        request.CertificateExtensions.Add(
            new X509EnhancedKeyUsageExtension([new Oid(purpose)], critical: false));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, critical: false));
        return request;
    }
}
