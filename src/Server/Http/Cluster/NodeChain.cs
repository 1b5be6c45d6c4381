using System.Security.Cryptography.X509Certificates;

namespace Raven.Server.Http.Cluster;

/// <summary>Whether a certificate is one of a node.</summary>
internal static class NodeChain
{
    /// <summary>Whether the authority of the nodes has signed a certificate, which counts now.</summary>
    internal static bool IsOf(X509Certificate2 certificate, X509Certificate2Collection? roots)
    {
        using var chain = new X509Chain();
        chain.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        chain.ChainPolicy.CustomTrustStore.AddRange(roots ?? []);
        chain.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
        return chain.Build(certificate);
    }
}
