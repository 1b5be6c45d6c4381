using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Raven.Security.Certificates;

namespace FastTests.Security;

/// <summary>Certificates for tests. Keys are on curves, which are made in a millisecond.</summary>
internal static class TestCertificates
{
    internal static readonly DateTimeOffset Now = new(2026, 11, 21, 12, 0, 0, TimeSpan.Zero);

    /// <summary>A self-signed certificate.</summary>
    internal static X509Certificate2 Make(
        string name, ECDsa? key = null, DateTimeOffset? from = null, DateTimeOffset? to = null,
        string? purpose = CertificateUse.ClientAuthentication,
        X509KeyUsageFlags usage = X509KeyUsageFlags.DigitalSignature, IReadOnlyList<string>? names = null)
    {
        using ECDsa? own = key == null ? ECDsa.Create(ECCurve.NamedCurves.nistP256) : null;
        var request = new CertificateRequest("CN=" + name, key ?? own!, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509KeyUsageExtension(usage, critical: true));
        if (purpose != null)
        {
            request.CertificateExtensions.Add(
                new X509EnhancedKeyUsageExtension([new Oid(purpose)], critical: false));
        }

        if (names != null)
        {
            var builder = new SubjectAlternativeNameBuilder();
            foreach (string one in names)
            {
                if (IPAddress.TryParse(one, out IPAddress? address))
                {
                    builder.AddIpAddress(address);
                }
                else
                {
                    builder.AddDnsName(one);
                }
            }

            request.CertificateExtensions.Add(builder.Build());
        }

        return request.CreateSelfSigned(from ?? Now.AddDays(-1), to ?? Now.AddDays(30));
    }

    /// <summary>
    /// A self-signed certificate whose key is on P-256, given by its numbers instead of by its name; and the key.
    /// </summary>
    internal static (X509Certificate2 Certificate, ECDsa Key) MakeWithExplicitCurve(string purpose)
    {
        ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using ECDsa numbers = ECDsa.Create(key.ExportExplicitParameters(includePrivateParameters: true));
        PublicKey open = PublicKey.CreateFromSubjectPublicKeyInfo(numbers.ExportSubjectPublicKeyInfo(), out _);
        Assert.NotEqual(0x06, open.EncodedParameters!.RawData[0]); // No object identifier, which is a name.
        var name = new X500DistinguishedName("CN=explicit");
        var request = new CertificateRequest(name, open, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(purpose)], critical: false));
        return (
            request.Create(name, X509SignatureGenerator.CreateForECDsa(key), Now.AddDays(-1), Now.AddDays(30), [1]),
            key);
    }

    /// <summary>The public part of a new certificate.</summary>
    internal static ClientCertificate Client(string name, ECDsa? key = null, DateTimeOffset? to = null)
    {
        using X509Certificate2 certificate = Make(name, key, to: to);
        return ClientCertificate.Of(certificate);
    }
}
