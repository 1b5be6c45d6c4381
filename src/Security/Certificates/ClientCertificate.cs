using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Raven.Security.Certificates;

/// <summary>The public part of a client's certificate, and the hashes by which it is known.</summary>
/// <param name="Der">The certificate, DER.</param>
/// <param name="Digest">SHA-256 of <paramref name="Der"/>, hexadecimal: what a certificate is recognised by.</param>
/// <param name="Thumbprint">SHA-1 of it, 40 hexadecimal digits in capitals: its name in the HTTP API, no proof.</param>
/// <param name="PinningHash">SHA-256 of the public key (SubjectPublicKeyInfo), base64.</param>
/// <param name="Issuer">Whom it names as its issuer, DER in base64.</param>
/// <param name="NotBefore">When it begins to count.</param>
/// <param name="NotAfter">When it ends.</param>
public sealed record ClientCertificate(
    byte[] Der,
    string Digest,
    string Thumbprint,
    string PinningHash,
    string Issuer,
    DateTimeOffset NotBefore,
    DateTimeOffset NotAfter)
{
    /// <summary>Takes the public part of a certificate.</summary>
    public static ClientCertificate Of(X509Certificate2 certificate)
    {
        ArgumentNullException.ThrowIfNull(certificate);
        byte[] der = certificate.RawData;
        return new ClientCertificate(
            der,
            DigestOf(certificate),
            certificate.Thumbprint,
            Convert.ToBase64String(SHA256.HashData(certificate.PublicKey.ExportSubjectPublicKeyInfo())),
            Convert.ToBase64String(certificate.IssuerName.RawData),
            new DateTimeOffset(certificate.NotBefore.ToUniversalTime()),
            new DateTimeOffset(certificate.NotAfter.ToUniversalTime()));
    }

    /// <summary>What a certificate is recognised by.</summary>
    public static string DigestOf(X509Certificate2 certificate)
    {
        ArgumentNullException.ThrowIfNull(certificate);
        return Convert.ToHexString(SHA256.HashData(certificate.RawDataMemory.Span));
    }
}
