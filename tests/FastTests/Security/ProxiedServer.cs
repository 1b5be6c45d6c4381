using System.Security.Cryptography.X509Certificates;
using Raven.Security.Certificates;
using Raven.Security.Rights;
using Raven.Server.Options;

namespace FastTests.Security;

/// <summary>A secured server in memory that lists a proxy. One for the tests of a class.</summary>
public sealed class ProxiedServer : IDisposable
{
    public ProxiedServer()
    {
        string digest = ClientCertificate.DigestOf(Proxy);
        Secured = new SecuredServer(routes: null, security => security with
        {
            TrustedProxies = [TrustedProxy.Parse("127.0.0.0/8=" + digest)],
        });

        // As an administrator: what the proxy may do itself must not be done for its clients.
        Secured.Trust.Certificates.Put(
            TrustFixture.Local, "proxy", [ClientCertificate.Of(Proxy)], Clearance.ClusterAdmin, Permissions.None);
    }

    internal X509Certificate2 Proxy { get; } = TestCertificates.Make("proxy");

    internal SecuredServer Secured { get; }

    public void Dispose()
    {
        Secured.Dispose();
        Proxy.Dispose();
    }
}
