using System.Security.Cryptography.X509Certificates;

namespace Raven.Security.Certificates;

/// <summary>A certificate with its private key, and those between it and its root. Owns all of them.</summary>
public sealed class CertificateBundle : IDisposable
{
    internal CertificateBundle(X509Certificate2 leaf, X509Certificate2Collection intermediates)
    {
        Leaf = leaf;
        Intermediates = intermediates;
    }

    /// <summary>The certificate itself, with its key.</summary>
    public X509Certificate2 Leaf { get; }

    /// <summary>The certificates that a peer needs to follow it to its root; may be empty.</summary>
    public X509Certificate2Collection Intermediates { get; }

    /// <inheritdoc/>
    public void Dispose()
    {
        Leaf.Dispose();
        foreach (X509Certificate2 certificate in Intermediates)
        {
            certificate.Dispose();
        }
    }
}
