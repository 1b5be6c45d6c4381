using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace FastTests.Client;

/// <summary>Certificates for TLS in tests. Keys are on curves, which are made in a millisecond.</summary>
internal static class TlsCertificates
{
    private static readonly DateTimeOffset Begin = new(2020, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly DateTimeOffset End = new(2060, 1, 1, 0, 0, 0, TimeSpan.Zero);

    /// <summary>An authority, which signs others.</summary>
    internal static X509Certificate2 Authority(string name)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=" + name, key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign, critical: true));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, critical: false));
        return request.CreateSelfSigned(Begin, End);
    }

    /// <summary>A certificate that an authority has signed, for an address.</summary>
    internal static X509Certificate2 Server(
        X509Certificate2 authority, IPAddress address, bool hasEnded = false, string? issuerUrl = null)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=server", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(
            new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, critical: true));
        request.CertificateExtensions.Add(
            new X509EnhancedKeyUsageExtension([new Oid("1.3.6.1.5.5.7.3.1")], critical: false));
        var names = new SubjectAlternativeNameBuilder();
        names.AddIpAddress(address);
        request.CertificateExtensions.Add(names.Build());
        if (issuerUrl != null)
        {
            request.CertificateExtensions.Add(
                new X509AuthorityInformationAccessExtension(ocspUris: [issuerUrl], caIssuersUris: [issuerUrl]));
            request.CertificateExtensions.Add(
                CertificateRevocationListBuilder.BuildCrlDistributionPointExtension([issuerUrl]));
        }

        using X509Certificate2 signed =
            request.Create(authority, Begin, hasEnded ? Begin.AddYears(1) : End.AddYears(-1), [1, 2, 3, 4]);
        return signed.CopyWithPrivateKey(key);
    }

    /// <summary>A self-signed certificate of a client.</summary>
    internal static X509Certificate2 Client(string name)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=" + name, key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(
            new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, critical: true));
        request.CertificateExtensions.Add(
            new X509EnhancedKeyUsageExtension([new Oid("1.3.6.1.5.5.7.3.2")], critical: false));
        return request.CreateSelfSigned(Begin, End);
    }
}
