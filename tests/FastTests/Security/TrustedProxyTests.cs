using System.Net;
using System.Security.Cryptography.X509Certificates;
using FastTests.Server;
using Raven.Server.Options;

namespace FastTests.Security;

/// <summary>A proxy that is listed says for whom a request is; from all others its headers have no effect.</summary>
[Trait("Security", "44")]
public sealed class TrustedProxyTests : IClassFixture<ProxiedServer>
{
    private const string Docs = "/databases/red/docs";
    private const string Forwarded = "198.51.100.1, 203.0.113.7";

    private const string CertificateHeader = "X-Raven-Client-Cert";
    private const string AddressHeader = "X-Forwarded-For";
    private const string Digest =
        "3F:A0:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD";

    private readonly X509Certificate2 _proxy;
    private readonly SecuredServer _secured;

    public TrustedProxyTests(ProxiedServer server)
    {
        (_proxy, _secured) = (server.Proxy, server.Secured);

        // The failed logins of other tests are over.
        _secured.Clock.Now += TimeSpan.FromMinutes(2);
    }

    [Theory]
    [InlineData("R", "GET", Docs, 200)]
    [InlineData("R", "DELETE", Docs + "?id=a", 403)]
    [InlineData("W", "DELETE", Docs + "?id=a", 204)]
    [InlineData("R", "GET", "/databases/blue/docs", 403)]
    [InlineData("C", "GET", "/databases/blue/docs", 200)]
    [InlineData("U", "GET", Docs, 403)]
    [InlineData("E", "GET", Docs, 403)]
    [InlineData("N", "GET", Docs, 403)]
    [InlineData("K", "GET", Docs, 200)]
    [Trait("Invariant", "PROXY-2")]
    public void A_request_of_a_proxy_has_the_rights_of_its_client_alone(
        string client, string method, string target, int status)
    {
        foreach (bool isPem in new[] { true, false })
        {
            InMemoryRequest request = Passed(client, method, target, isPem);
            Assert.Equal(status, _secured.Server.Send(request));
            Assert.Equal(IPAddress.Parse("203.0.113.7"), request.HostContext!.Caller!.Address);
            Assert.StartsWith(
                "203.0.113.7 through 127.", request.HostContext.Caller.ToString(), StringComparison.Ordinal);
        }
    }

    [Fact]
    [Trait("Invariant", "PROXY-2")]
    public void Requests_of_many_clients_over_one_connection_are_told_apart()
    {
        InMemoryRequest connection = Passed("C", "GET", Docs);
        foreach ((string client, int status) in new[]
            { ("C", 200), ("C", 200), ("N", 403), ("W", 200), ("U", 403), ("R", 200), ("N", 403) })
        {
            connection.Request[CertificateHeader] = HeaderOf(_secured.Caller(client).Certificate, isPem: true);
            Assert.Equal(status, _secured.Server.Send(connection));
        }
    }

    [Fact]
    public void Failed_logins_are_counted_by_the_address_of_the_client()
    {
        InMemoryRequest connection = Passed("U", "GET", Docs);
        int status = 0;
        for (int i = 0; i < 40 && status != 429; i++)
        {
            status = _secured.Server.Send(connection);
        }

        Assert.Equal(429, status);
        Assert.False(connection.WasCloseRequested);
        connection.Request[AddressHeader] = "203.0.113.7, 203.0.113.8";
        Assert.Equal(403, _secured.Server.Send(connection));
    }

    [Fact]
    [Trait("Invariant", "PROXY-1")]
    public void From_another_network_or_without_its_certificate_a_proxy_is_none()
    {
        InMemoryRequest request = Passed("R", "GET", Docs);
        request.RemoteIpAddress = IPAddress.Parse("10.0.0.1");
        Assert.Equal(200, _secured.Server.Send(request));
        Assert.Equal("proxy", request.HostContext!.Caller!.Identity!.Name);

        request = Passed("C", "GET", Docs);
        request.ClientCertificate = null;
        Assert.Equal(403, _secured.Server.Send(request));
        Assert.True(IPAddress.IsLoopback(request.HostContext!.Caller!.Address));

        request = Passed("C", "GET", Docs);
        request.ClientCertificate = _secured.Caller("R").Certificate;
        Assert.Equal(200, _secured.Server.Send(request));
        Assert.Equal("R", request.HostContext!.Caller!.Identity!.Name);
    }

    [Theory]
    [InlineData("MIIB", Forwarded, CertificateHeader)]
    [InlineData("%%%", Forwarded, CertificateHeader)]
    [InlineData("-----BEGIN%20CERTIFICATE-----nonsense", Forwarded, CertificateHeader)]
    [InlineData("", "", AddressHeader)]
    [InlineData("", "203.0.113.7, unknown", AddressHeader)]
    [InlineData("", "203.0.113.7,", AddressHeader)]
    public void Headers_that_cannot_be_read_are_refused_by_name(string certificate, string addresses, string named)
    {
        InMemoryRequest request = Passed("N", "GET", Docs);
        request.Request[CertificateHeader] = certificate;
        request.Request[AddressHeader] = addresses;
        Assert.Equal(403, _secured.Server.Send(request));
        Assert.Contains(named, request.Answer, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("10.0.0.0/8=", false)]
    [InlineData("10.0.0.0/8", false)]
    [InlineData("10.0.0.0/33=" + Digest, false)]
    [InlineData("proxy=" + Digest, false)]
    [InlineData("10.0.0.0/8=" + Digest + "00", false)]
    [InlineData("10.0.0.0/8=" + Digest, true)]
    [InlineData("10.0.0.5 = " + Digest, true)]
    [InlineData("fd00::/8=" + Digest, true)]
    public void A_proxy_is_listed_by_its_network_and_fingerprint(string text, bool isListed)
    {
        Exception? e = Record.Exception(() => TrustedProxy.Parse(text));
        Assert.Equal(isListed, e == null);
        Assert.True(e is null or FormatException);
        if (isListed)
        {
            Assert.Equal(TrustedProxy.Parse(text), TrustedProxy.Parse(TrustedProxy.Parse(text).ToString()));
        }
    }

    private static string HeaderOf(X509Certificate2? certificate, bool isPem) => certificate == null ? ""
        : isPem ? Uri.EscapeDataString(certificate.ExportCertificatePem())
        : Convert.ToBase64String(certificate.RawData);

    private InMemoryRequest Passed(string client, string method, string target, bool isPem = true)
    {
        InMemoryRequest request = _secured.Request(_secured.Caller(client), method, target);
        request.Request[CertificateHeader] = HeaderOf(request.ClientCertificate, isPem);
        request.Request[AddressHeader] = Forwarded;
        request.ClientCertificate = _proxy;
        return request;
    }
}
