using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Raven.DependencyInjection;

/// <summary>Reads certificates from files. What it says of a failure has the path, and no password.</summary>
internal static class CertificateFiles
{
    private const string Section = "the configuration of Raven";

    /// <summary>A certificate with its private key; null if no file is named. The caller disposes it.</summary>
    /// <exception cref="InvalidOperationException">The file cannot be read.</exception>
    internal static X509Certificate2? Read(RavenCertificateOptions options)
    {
        if (options.Path is not { Length: > 0 } path)
        {
            return null;
        }

        try
        {
            return Path.GetExtension(path).ToUpperInvariant() is ".PFX" or ".P12"
                ? X509CertificateLoader.LoadPkcs12FromFile(path, options.Password)
                : ReadPem(path, options.KeyPath, options.Password);
        }
        catch (Exception e) when (e is CryptographicException or IOException or UnauthorizedAccessException)
        {
            throw new InvalidOperationException(
                $"Certificate:Path of {Section} names {path}, and no certificate with a private key can be read from "
                + $"it: {e.Message}", e);
        }
    }

    /// <summary>All certificates of a file, of which none needs a key; none if no file is named.</summary>
    /// <exception cref="InvalidOperationException">The file cannot be read.</exception>
    internal static X509Certificate2Collection ReadAuthorities(string? path)
    {
        X509Certificate2Collection found = [];
        if (string.IsNullOrEmpty(path))
        {
            return found;
        }

        try
        {
            found.ImportFromPemFile(path);
            if (found.Count == 0)
            {
                found.Add(X509CertificateLoader.LoadCertificateFromFile(path));
            }

            return found;
        }
        catch (Exception e) when (e is CryptographicException or IOException or UnauthorizedAccessException)
        {
            throw new InvalidOperationException(
                $"CertificateAuthorities of {Section} names {path}, and no certificate can be read from it: "
                + e.Message, e);
        }
    }

    private static X509Certificate2 ReadPem(string path, string? keyPath, string? password)
    {
        X509Certificate2 certificate = string.IsNullOrEmpty(password)
            ? X509Certificate2.CreateFromPemFile(path, keyPath)
            : X509Certificate2.CreateFromEncryptedPemFile(path, password, keyPath);
        if (!OperatingSystem.IsWindows())
        {
            return certificate;
        }

        // Windows takes no key for TLS that is only in memory.
        using (certificate)
        {
            return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pkcs12), password: null);
        }
    }
}
