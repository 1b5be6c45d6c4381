using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Raven.Security.Certificates;

/// <summary>Whether a certificate may be used by a server, or by a client (RFC 5280, 4.2.1.3 and 4.2.1.12).</summary>
public static class CertificateUse
{
    /// <summary>The shortest RSA key, in bits.</summary>
    public const int RsaBitsMin = 2048;

    /// <summary>The longest RSA key: a longer one costs each handshake too much.</summary>
    public const int RsaBitsMax = 8192;

    internal const string ServerAuthentication = "1.3.6.1.5.5.7.3.1";
    internal const string ClientAuthentication = "1.3.6.1.5.5.7.3.2";

    private const string CurveKey = "1.2.840.10045.2.1";
    private const byte ObjectIdentifierTag = 0x06;

    /// <summary>Checks the certificate that a server is to present.</summary>
    /// <exception cref="CertificateException">It cannot be used; the message says why.</exception>
    public static void CheckServer(X509Certificate2 certificate, DateTimeOffset now, string name)
    {
        ArgumentNullException.ThrowIfNull(certificate);
        if (!certificate.HasPrivateKey)
        {
            throw new CertificateException($"{name} has no private key.");
        }

        if (now > certificate.NotAfter)
        {
            throw new CertificateException(
                $"{name} expired on {Day(certificate.NotAfter)}. Renew it, or make one for tests: --setup dev-cert.");
        }

        if (now < certificate.NotBefore)
        {
            throw new CertificateException(
                $"{name} begins to count on {Day(certificate.NotBefore)}; this machine says that it is {Day(now)}.");
        }

        CheckKey(certificate, name);
        if (!Allows(certificate, X509KeyUsageFlags.DigitalSignature))
        {
            throw new CertificateException(
                $"{name} may not sign: its key usage has no digitalSignature, which each handshake needs.");
        }

        if (!Allows(certificate, ServerAuthentication))
        {
            throw new CertificateException(
                $"{name} is no certificate for servers: its extended key usage has no serverAuth.");
        }
    }

    /// <summary>Checks the certificate of a client that is to be registered.</summary>
    /// <returns>Why it cannot be used; null if it can.</returns>
    public static string? WhyNoClient(X509Certificate2 certificate, DateTimeOffset now)
    {
        ArgumentNullException.ThrowIfNull(certificate);
        if (now > certificate.NotAfter)
        {
            return $"The certificate expired on {Day(certificate.NotAfter)}.";
        }

        try
        {
            CheckKey(certificate, "The certificate");
        }
        catch (CertificateException e)
        {
            return e.Message;
        }

        return Allows(certificate, ClientAuthentication)
            ? null
            : "The certificate is none for clients: its extended key usage has no clientAuth.";
    }

    /// <summary>The names and addresses that a server's certificate is good for.</summary>
    public static IReadOnlyList<string> NamesOf(X509Certificate2 certificate)
    {
        ArgumentNullException.ThrowIfNull(certificate);
        X509SubjectAlternativeNameExtension? names =
            certificate.Extensions.OfType<X509SubjectAlternativeNameExtension>().FirstOrDefault();
        return names == null
            ? []
            : [.. names.EnumerateDnsNames(), .. names.EnumerateIPAddresses().Select(address => address.ToString())];
    }

    /// <summary>
    /// Refuses a key on a curve that has anything but the curve's name (RFC 5480, 2.1.1). The bytes are asked: .NET
    /// gives a curve that it knows its name, in whichever form it came, and OpenSSL accepts no such certificate of a
    /// peer.
    /// </summary>
    /// <exception cref="CertificateException">The certificate has such a key.</exception>
    internal static void CheckCurve(X509Certificate2 certificate, string name)
    {
        PublicKey key = certificate.PublicKey;
        if (key.Oid.Value == CurveKey && key.EncodedParameters?.RawData is not [ObjectIdentifierTag, ..])
        {
            throw new CertificateException(
                $"{name} has a key on a curve that it gives by numbers (explicit parameters), which TLS refuses: "
                + "make the key on a named curve (openssl ecparam -name prime256v1 -genkey).");
        }
    }

    private static void CheckKey(X509Certificate2 certificate, string name)
    {
        try
        {
            using RSA? rsa = certificate.GetRSAPublicKey();
            if (rsa != null)
            {
                if (rsa.KeySize is < RsaBitsMin or > RsaBitsMax)
                {
                    throw new CertificateException(
                        $"{name} has an RSA key of {rsa.KeySize} bits; it takes {RsaBitsMin} to {RsaBitsMax}.");
                }

                return;
            }

            CheckCurve(certificate, name);
            using ECDsa? curve = certificate.GetECDsaPublicKey();
            if (curve == null || !curve.ExportParameters(false).Curve.IsNamed)
            {
                throw new CertificateException($"{name} has neither an RSA key nor one on a named curve.");
            }
        }
        catch (CryptographicException e)
        {
            throw new CertificateException($"{name} has a key that cannot be read: {e.Message}", e);
        }
    }

    /// <summary>No such extension allows all.</summary>
    private static bool Allows(X509Certificate2 certificate, X509KeyUsageFlags usage) =>
        certificate.Extensions.OfType<X509KeyUsageExtension>().All(extension => extension.KeyUsages.HasFlag(usage));

    private static bool Allows(X509Certificate2 certificate, string purpose) =>
        certificate.Extensions.OfType<X509EnhancedKeyUsageExtension>().All(
            extension => extension.EnhancedKeyUsages.Cast<Oid>().Any(oid => oid.Value == purpose));

    private static string Day(DateTimeOffset time) =>
        time.UtcDateTime.ToString("yyyy-MM-dd HH:mm 'UTC'", System.Globalization.CultureInfo.InvariantCulture);
}
