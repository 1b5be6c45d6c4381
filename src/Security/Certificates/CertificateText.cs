using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Raven.Security.Certificates;

/// <summary>Certificates as files: PKCS#12 and PEM.</summary>
public static class CertificateText
{
    /// <summary>Rounds of the derivation of the key that a .pfx is encrypted with.</summary>
    private const int Pkcs12Rounds = 100_000;

    /// <summary>The certificate alone, as PEM.</summary>
    public static string CertificatePem(X509Certificate2 certificate)
    {
        ArgumentNullException.ThrowIfNull(certificate);
        return certificate.ExportCertificatePem() + "\n";
    }

    /// <summary>The private key as PKCS#1, the form that the official Node client reads.</summary>
    /// <exception cref="ArgumentException">The certificate has no RSA key.</exception>
    public static string KeyPem(X509Certificate2 certificate)
    {
        ArgumentNullException.ThrowIfNull(certificate);
        using RSA key = certificate.GetRSAPrivateKey()
            ?? throw new ArgumentException("The certificate has no private RSA key.", nameof(certificate));
        return key.ExportRSAPrivateKeyPem() + "\n";
    }

    /// <summary>
    /// Certificate and key as PKCS#12 under a password (PBES2 with AES-256). Without a password it is the file's rights
    /// alone that protect it.
    /// </summary>
    public static byte[] Pkcs12(X509Certificate2 certificate, string? password)
    {
        ArgumentNullException.ThrowIfNull(certificate);
        return certificate.ExportPkcs12(Pbes2(), password);
    }

    /// <summary>The public parts of certificates as PKCS#12, without a password: nothing in it is secret.</summary>
    public static byte[] PublicPkcs12(IEnumerable<X509Certificate2> certificates)
    {
        ArgumentNullException.ThrowIfNull(certificates);
        X509Certificate2Collection all =
            [.. certificates.Select(one => X509CertificateLoader.LoadCertificate(one.RawDataMemory.Span))];
        try
        {
            return all.ExportPkcs12(Pbes2(), password: null);
        }
        finally
        {
            foreach (X509Certificate2 certificate in all)
            {
                certificate.Dispose();
            }
        }
    }

    /// <summary>A PKCS#12 without a password, under a password.</summary>
    internal static byte[] UnderPassword(ReadOnlySpan<byte> pkcs12, string password)
    {
        X509Certificate2Collection all = X509CertificateLoader.LoadPkcs12Collection(
            pkcs12, password: null, X509KeyStorageFlags.Exportable, Pkcs12LoaderLimits.Defaults);
        try
        {
            return all.ExportPkcs12(Pbes2(), password);
        }
        finally
        {
            foreach (X509Certificate2 certificate in all)
            {
                certificate.Dispose();
            }
        }
    }

    private static PbeParameters Pbes2() =>
        new(PbeEncryptionAlgorithm.Aes256Cbc, HashAlgorithmName.SHA256, Pkcs12Rounds);
}
