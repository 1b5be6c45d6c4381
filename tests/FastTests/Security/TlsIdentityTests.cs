using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Raven.Security.Certificates;
using Raven.Security.Rights;

namespace FastTests.Security;

/// <summary>Who a connection is from is said by its own handshake, and decided behind it.</summary>
public sealed class TlsIdentityTests
{
    private const string Docs = "/databases/red/docs";

    [Fact]
    [Trait("Invariant", "TLS-1")]
    public async Task A_certificate_that_is_not_registered_ends_at_the_gate_and_makes_the_server_look_nowhere()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var server = new TlsServer();
        using X509Certificate2 stranger = MakeStranger(
            $"http://127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}/");
        using HttpClient client = server.Client(stranger);
        using HttpResponseMessage answer = await client.GetAsync(Docs);
        Assert.Equal(HttpStatusCode.Forbidden, answer.StatusCode);
        Assert.Contains(stranger.Thumbprint, await answer.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        Assert.False(listener.Pending());
    }

    [Fact]
    [Trait("Invariant", "TLS-2")]
    public async Task A_connection_has_the_identity_of_its_own_handshake_and_not_that_of_one_before()
    {
        using var server = new TlsServer();
        using X509Certificate2 reader = server.Register(DatabaseRight.Read);
        using X509Certificate2 stranger = TestCertificates.Make("stranger");
        for (int i = 0; i < 5; i++)
        {
            foreach ((X509Certificate2 certificate, HttpStatusCode status) in new[]
                { (reader, HttpStatusCode.OK), (stranger, HttpStatusCode.Forbidden) })
            {
                using HttpClient client = server.Client(certificate);
                using HttpResponseMessage answer = await client.GetAsync(Docs);
                Assert.Equal(status, answer.StatusCode);
            }
        }
    }

    /// <summary>A certificate whose issuer, list of revoked ones and status are to be had at a url.</summary>
    private static X509Certificate2 MakeStranger(string url)
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=stranger", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(
            new X509EnhancedKeyUsageExtension([new Oid(CertificateUse.ClientAuthentication)], critical: false));
        request.CertificateExtensions.Add(new X509AuthorityInformationAccessExtension([url], [url]));
        request.CertificateExtensions.Add(
            CertificateRevocationListBuilder.BuildCrlDistributionPointExtension([url]));
        return request.CreateSelfSigned(TestCertificates.Now.AddDays(-1), TestCertificates.Now.AddDays(30));
    }
}
