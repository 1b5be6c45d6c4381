using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace Raven.Security.Certificates;

/// <summary>
/// The certificates in what a client sends to have them registered: DER, PEM, or PKCS#12. A private key among them is
/// dropped, and that it was there is said: it has been on the wire.
/// </summary>
public sealed class PostedCertificates
{
    /// <summary>The most certificates of one request.</summary>
    public const int CountMax = 64;

    private PostedCertificates(IReadOnlyList<ClientCertificate> certificates, bool hadPrivateKey)
    {
        Certificates = certificates;
        HadPrivateKey = hadPrivateKey;
    }

    /// <summary>The public parts, in order.</summary>
    public IReadOnlyList<ClientCertificate> Certificates { get; }

    /// <summary>True if a private key came with them.</summary>
    public bool HadPrivateKey { get; }

    /// <summary>Reads what was sent.</summary>
    /// <param name="bytes">DER, PEM or PKCS#12, decoded from base64.</param>
    /// <param name="now">The time; certificates that have ended are refused.</param>
    /// <exception cref="CertificateException">It cannot be read, or one of them cannot be used.</exception>
    public static PostedCertificates Read(ReadOnlySpan<byte> bytes, DateTimeOffset now)
    {
        if (bytes.Length is 0 or > CertificateReader.SizeBytesMax)
        {
            throw new CertificateException(
                $"A certificate has 1 to {CertificateReader.SizeBytesMax:N0} bytes, this has {bytes.Length:N0}.");
        }

        var all = new X509Certificate2Collection();
        try
        {
            bool hadKey = Load(bytes, all);
            if (all.Count is 0 or > CountMax)
            {
                throw new CertificateException($"There are {all.Count} certificates; it takes 1 to {CountMax}.");
            }

            foreach (X509Certificate2 certificate in all)
            {
                if (CertificateUse.WhyNoClient(certificate, now) is { } why)
                {
                    throw new CertificateException(why);
                }
            }

            return new PostedCertificates([.. all.Select(ClientCertificate.Of)], hadKey);
        }
        catch (CryptographicException e)
        {
            throw new CertificateException(
                "This is no certificate in DER, PEM, or PKCS#12 without a password.", e);
        }
        finally
        {
            foreach (X509Certificate2 certificate in all)
            {
                certificate.Dispose();
            }
        }
    }

    private static bool Load(ReadOnlySpan<byte> bytes, X509Certificate2Collection all)
    {
        if (CertificateReader.IsPem(bytes))
        {
            string text = Encoding.Latin1.GetString(bytes);
            all.ImportFromPem(text);
            return text.Contains("PRIVATE KEY-----", StringComparison.Ordinal);
        }

        if (X509Certificate2.GetCertContentType(bytes) == X509ContentType.Cert)
        {
            all.Add(X509CertificateLoader.LoadCertificate(bytes));
            return false;
        }

        all.AddRange(X509CertificateLoader.LoadPkcs12Collection(
            bytes, password: null, X509KeyStorageFlags.EphemeralKeySet, Pkcs12LoaderLimits.Defaults));
        return all.Any(certificate => certificate.HasPrivateKey);
    }
}
