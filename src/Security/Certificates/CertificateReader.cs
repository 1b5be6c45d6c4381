using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace Raven.Security.Certificates;

/// <summary>
/// Reads certificates with their keys: PKCS#12 (.pfx, .p12) or PEM. Nothing that it is given makes it work long: the
/// size is limited, and so are the rounds of the derivation of keys in PKCS#12
/// (<see cref="Pkcs12LoaderLimits.Defaults"/>).
/// </summary>
public static class CertificateReader
{
    /// <summary>The most bytes of a file of certificates.</summary>
    public const int SizeBytesMax = 1 << 20;

    private static ReadOnlySpan<byte> PemBegin => "-----BEGIN "u8;

    /// <summary>Whether bytes are PEM, which is text, and not PKCS#12 or DER.</summary>
    public static bool IsPem(ReadOnlySpan<byte> bytes) => bytes.IndexOf(PemBegin) >= 0;

    /// <summary>Reads a certificate with its private key.</summary>
    /// <param name="bytes">The content of a .pfx, or of a .pem with the certificates, its own first.</param>
    /// <param name="keyPem">The content of a file with the key, if it stands apart; null otherwise.</param>
    /// <param name="password">The password of the .pfx or of the key; null if there is none.</param>
    /// <param name="name">What to call it in messages.</param>
    /// <exception cref="CertificateException">It cannot be read, or has no private key.</exception>
    public static CertificateBundle Read(ReadOnlySpan<byte> bytes, string? keyPem, string? password, string name)
    {
        if (bytes.Length == 0)
        {
            throw new CertificateException($"{name} is empty.") { MayBeHalfWritten = true };
        }

        if (bytes.Length > SizeBytesMax)
        {
            throw new CertificateException($"{name} has {bytes.Length:N0} bytes, the most are {SizeBytesMax:N0}.");
        }

        try
        {
            return IsPem(bytes) ? ReadPem(bytes, keyPem, password, name) : ReadPkcs12(bytes, password, name);
        }
        catch (Exception e) when (e is CryptographicException or ArgumentException or DecoderFallbackException)
        {
            throw new CertificateException(
                $"{name} cannot be read as {(IsPem(bytes) ? "PEM" : "PKCS#12 (.pfx)")}: {e.Message} "
                + "If it has a password, set Security.Certificate.Password.", e)
            { MayBeHalfWritten = true };
        }
    }

    private static CertificateBundle ReadPkcs12(ReadOnlySpan<byte> bytes, string? password, string name)
    {
        X509Certificate2Collection all = X509CertificateLoader.LoadPkcs12Collection(
            bytes, password, X509KeyStorageFlags.DefaultKeySet, Pkcs12LoaderLimits.Defaults);
        X509Certificate2? leaf = all.FirstOrDefault(certificate => certificate.HasPrivateKey);
        if (leaf == null)
        {
            DisposeAll(all);
            throw new CertificateException(
                $"{name} has no private key. Export it with its key (openssl pkcs12 -export -inkey ...).");
        }

        all.Remove(leaf);
        return new CertificateBundle(leaf, all);
    }

    private static CertificateBundle ReadPem(
        ReadOnlySpan<byte> bytes, string? keyPem, string? password, string name)
    {
        string text = Encoding.UTF8.GetString(bytes);
        string key = keyPem ?? text;
        if (!key.Contains("PRIVATE KEY-----", StringComparison.Ordinal))
        {
            throw new CertificateException(
                $"{name} has no private key. Set Security.Certificate.KeyPath, or append the key to the file.")
            {
                MayBeHalfWritten = true,
            };
        }

        var all = new X509Certificate2Collection();
        all.ImportFromPem(text);
        if (all.Count == 0)
        {
            throw new CertificateException($"{name} has no certificate.") { MayBeHalfWritten = true };
        }

        // Such a key does not fit its own certificate, for .NET: the reason would not be said.
        CertificateUse.CheckCurve(all[0], name);
        DisposeAll(all[0]);
        all.RemoveAt(0);
        X509Certificate2 leaf = key.Contains("BEGIN ENCRYPTED PRIVATE KEY-----", StringComparison.Ordinal)
            ? X509Certificate2.CreateFromEncryptedPem(text, key, password)
            : X509Certificate2.CreateFromPem(text, key);
        return new CertificateBundle(Reload(leaf), all);
    }

    /// <summary>
    /// The same certificate with a key that the system's TLS takes: Windows refuses keys that live in memory alone.
    /// </summary>
    private static X509Certificate2 Reload(X509Certificate2 leaf)
    {
        if (!OperatingSystem.IsWindows())
        {
            return leaf;
        }

        using (leaf)
        {
            return X509CertificateLoader.LoadPkcs12(leaf.Export(X509ContentType.Pkcs12), password: null);
        }
    }

    private static void DisposeAll(params IEnumerable<X509Certificate2> certificates)
    {
        foreach (X509Certificate2 certificate in certificates)
        {
            certificate.Dispose();
        }
    }
}
