using System.Net;
using System.Security.Cryptography.X509Certificates;
using FastTests.Server;
using FastTests.Support;
using Microsoft.AspNetCore.Http;
using Raven.Security.Certificates;
using Raven.Security.Floods;
using Raven.Security.Keys;
using Raven.Security.Rights;
using Raven.Server.Http.Admission;

namespace FastTests.Security;

/// <summary>What a request costs that no identity stands behind, and that it costs no one else anything.</summary>
public sealed class StrangerCostTests(SecuredServer secured) : IClassFixture<SecuredServer>
{
    private const long RefusedBytesMax = 8_000;

    private static readonly TestCaller WrongKey = new(Header: "Bearer rvk_aaaaaaaaaaaa_bbbb_cccccc");

    [Theory]
    [InlineData("PUT", "/databases/red/docs?id=a")]
    [InlineData("POST", "/databases/red/bulk_docs")]
    [InlineData("POST", "/databases/red/bulk_insert")]
    [InlineData("POST", "/databases/red/queries")]
    [InlineData("POST", "/databases/red/multi_get")]
    [InlineData("PUT", "/databases/red/attachments?id=a&name=b")]
    [InlineData("PUT", "/databases/missing/docs?id=a")]
    [InlineData("PUT", "/admin/certificates")]
    [InlineData("PUT", "/there/is/no/route")]
    [Trait("Security", "51")]
    [Trait("Invariant", "AUTH-3")]
    [Trait("Invariant", "GATE-1")]
    public void Nothing_of_a_strangers_body_is_read_and_little_of_it_is_taken(string method, string target)
    {
        foreach (TestCaller caller in new[] { "N", "U", "E" }.Select(secured.Caller).Append(WrongKey))
        {
            InMemoryRequest request = secured.Request(caller, method, target, new string('x', 1000));
            ((IHeaderDictionary)request.Request).ContentEncoding = "gzip";
            Assert.InRange(secured.Server.Send(request), 401, 403);
            Assert.False(request.WasBodyRead);
            Assert.Equal(UnreadBody.SizeBytesMax, request.MaxRequestBodySize);
        }
    }

    [Fact]
    [Trait("Security", "27")]
    [Trait("Invariant", "GATE-1")]
    public void Nothing_of_a_body_is_read_if_the_right_is_missing()
    {
        InMemoryRequest request = secured.Request(secured.Caller("R"), "POST", "/databases/red/bulk_docs", "{");
        Assert.Equal(403, secured.Server.Send(request));
        Assert.False(request.WasBodyRead);
    }

    [Fact]
    [Trait("Security", "46")]
    [Trait("Invariant", "FLOOD-1")]
    public void A_flood_of_unknown_certificates_is_answered_429_and_costs_its_neighbours_nothing()
    {
        IPAddress source = secured.NextAddress();
        for (int i = 0; i < FailedLogins.PerMinuteMax; i++)
        {
            InMemoryRequest refused = SendFrom(source, secured.Caller("U"));
            Assert.Equal((403, false), (refused.StatusCode, refused.WasCloseRequested));
        }

        InMemoryRequest waits = SendFrom(source, secured.Caller("U"));
        Assert.Equal((429, true), (waits.StatusCode, waits.WasCloseRequested));
        Assert.Equal("60", ((IHeaderDictionary)waits.Response).RetryAfter.ToString());
        foreach (string name in new[] { "R", "K", "C" })
        {
            Assert.Equal(200, SendFrom(source, secured.Caller(name)).StatusCode);
        }

        Assert.Equal(403, SendFrom(secured.NextAddress(), secured.Caller("U")).StatusCode);
    }

    [Fact]
    [Trait("Security", "46")]
    public void A_flood_of_wrong_keys_is_answered_429_on_its_connection_whichever_key_it_names()
    {
        IPAddress source = secured.NextAddress();
        string id = secured.Caller("K").Header!.Substring("Bearer ".Length + ApiKey.Prefix.Length, ApiKey.IdLength);
        var wrong = new TestCaller(Header: "Bearer " + ApiKey.Make(id));
        for (int i = 0; i < FailedLogins.PerMinuteMax; i++)
        {
            Assert.Equal(401, SendFrom(source, i % 2 == 0 ? wrong : WrongKey).StatusCode);
        }

        InMemoryRequest waits = SendFrom(source, wrong);
        Assert.Equal((429, false), (waits.StatusCode, waits.WasCloseRequested));
        Assert.Equal(200, SendFrom(source, secured.Caller("K")).StatusCode);
        Assert.Equal(200, SendFrom(secured.NextAddress(), secured.Caller("K")).StatusCode);
    }

    [Fact]
    [Trait("Security", "46")]
    [Trait("Invariant", "AUTH-3")]
    public void An_unknown_certificate_is_looked_for_once_a_connection_until_the_registry_changes()
    {
        using X509Certificate2 certificate = TestCertificates.Make("later");
        InMemoryRequest connection = secured.Request(new TestCaller(certificate), "GET", "/build/version");
        Assert.Equal(403, secured.Server.Send(connection));
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 100; i++)
        {
            Assert.InRange(secured.Server.Send(connection), 403, 429);
        }

        Assert.InRange((GC.GetAllocatedBytesForCurrentThread() - before) / 100, 0, RefusedBytesMax);
        secured.Trust.Certificates.Put(
            TrustFixture.Local, "later", [ClientCertificate.Of(certificate)], Clearance.ValidUser, Permissions.None);
        Assert.Equal(200, secured.Server.Send(connection));
    }

    [Theory]
    [InlineData("R")]
    [InlineData("K")]
    public void A_known_caller_costs_no_managed_memory(string caller)
    {
        InMemoryRequest connection = secured.Request(secured.Caller(caller), "GET", "/build/version");
        Assert.Equal(200, secured.Server.Send(connection));
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 100; i++)
            {
                secured.Server.Send(connection);
            }
        }));
    }

    private InMemoryRequest SendFrom(IPAddress source, TestCaller caller)
    {
        InMemoryRequest request = secured.Request(caller, "GET", "/build/version");
        request.RemoteIpAddress = source;
        secured.Server.Send(request);
        return request;
    }
}
