using System.Security.Cryptography.X509Certificates;
using FastTests.Server;
using FastTests.Server.Forwarding;
using Raven.Security.Certificates;
using Raven.Server.Http.Cluster;

namespace FastTests.Security;

/// <summary>Who a request is from that a node of the cluster passes on.</summary>
[Trait("Invariant", "FWD-5")]
[Trait("Invariant", "PROXY-2")]
public sealed class ForwardedIdentityTests : IDisposable
{
    private readonly SecuredServer _secured = new();
    private readonly X509Certificate2 _node = TestCertificates.Make("node B");

    public ForwardedIdentityTests()
    {
        NodeView own = StandInNodes.Node("A", "https://127.0.0.1:1");
        var cluster = new StandInCluster("A")
        {
            NodeDigest = ClientCertificate.DigestOf(_node),
            ForwardKey = null,
        };
        cluster.Set(new GroupView
        {
            Database = "red", Etag = 1, Epoch = 1, Role = GroupRole.Primary, IsOpen = true, Primary = own,
            Nodes = [new GroupNode(own, GroupRole.Primary)], MinInSync = 1,
        });
        _secured.Server.State.Cluster = cluster;
    }

    public void Dispose()
    {
        _secured.Dispose();
        _node.Dispose();
    }

    [Fact]
    public void A_certificate_of_a_node_grants_nothing_by_itself()
    {
        Assert.Equal(403, Get(null).StatusCode);
        Assert.Equal(403, Get("B, 1").StatusCode);
        Assert.Equal(403, Get("B, 1", client: "U").StatusCode);
        Assert.Equal(403, Get("B, 1", client: "E").StatusCode);
    }

    [Fact]
    public void The_client_has_its_own_rights_and_no_others()
    {
        Assert.Equal(404, Get("B, 1", client: "R").StatusCode);
        Assert.Equal(403, Send("PUT", "B, 1", client: "R").StatusCode);
        Assert.Equal(201, Send("PUT", "B, 1", client: "W").StatusCode);
        Assert.Equal(200, Send("GET", "B, 1", header: "K").StatusCode);
        Assert.Equal(403, Send("GET", "B, 1", header: "M").StatusCode);
    }

    [Fact]
    public void A_client_that_has_signed_in_elsewhere_has_the_rights_of_its_key_here()
    {
        string id = _secured.Trust.Current.Keys.Single(key => key.Name == "K").Id;
        Assert.Equal(201, Send("PUT", "B, 1", session: id).StatusCode);
        Assert.Equal(401, Send("PUT", "B, 1", session: "unknown").StatusCode);
        Assert.Equal(403, Send("PUT", null, session: id).StatusCode);
        _secured.Trust.Keys.Delete(TrustFixture.Local, id);
        Assert.Equal(401, Send("PUT", "B, 1", session: id).StatusCode);
    }

    [Theory]
    [InlineData("A, 1")]
    [InlineData("B")]
    [InlineData("")]
    public void A_header_that_is_no_node_s_has_no_effect(string forwarded) =>
        Assert.Equal(403, Send("PUT", forwarded, client: "W").StatusCode);

    [Fact]
    public void What_a_client_says_of_another_has_no_effect()
    {
        InMemoryRequest request = _secured.Request(_secured.Caller("R"), "PUT", "/databases/red/docs?id=a", "{}");
        request.Request["Raven-Forwarded"] = "B, 1";
        request.Request["X-Raven-Client-Cert"] = Convert.ToBase64String(_secured.Caller("W").Certificate!.RawData);
        request.Request["X-Forwarded-For"] = "127.0.0.1";
        _secured.Server.Send(request);
        Assert.Equal(403, request.StatusCode);
    }

    [Fact]
    public void A_connection_of_a_node_is_for_the_client_of_each_request()
    {
        InMemoryRequest request = NewRequest("GET", "B, 1", client: "W");
        _secured.Server.Send(request);
        Assert.Equal(404, request.StatusCode);
        request.Request["X-Raven-Client-Cert"] = Convert.ToBase64String(_secured.Caller("U").Certificate!.RawData);
        _secured.Server.Send(request);
        Assert.Equal(403, request.StatusCode);
        request.Request["X-Raven-Client-Cert"] = Convert.ToBase64String(_secured.Caller("R").Certificate!.RawData);
        _secured.Server.Send(request);
        Assert.Equal(404, request.StatusCode);

        // The node itself asks: what its client before had is not its own.
        request.Request.Remove("Raven-Forwarded");
        _secured.Server.Send(request);
        Assert.Equal(403, request.StatusCode);
    }

    private InMemoryRequest Get(string? forwarded, string? client = null) => Send("GET", forwarded, client);

    private InMemoryRequest Send(
        string method, string? forwarded, string? client = null, string? header = null, string? session = null)
    {
        InMemoryRequest request = NewRequest(method, forwarded, client, header, session);
        _secured.Server.Send(request);
        return request;
    }

    private InMemoryRequest NewRequest(
        string method, string? forwarded, string? client = null, string? header = null, string? session = null)
    {
        InMemoryRequest request = _secured.Request(
            new TestCaller(_node, header == null ? null : _secured.Caller(header).Header), method,
            header == null ? "/databases/red/docs?id=a" : "/databases/red/stats", method == "PUT" ? "{}" : "");
        if (forwarded != null)
        {
            request.Request["Raven-Forwarded"] = forwarded;
            request.Request["X-Forwarded-For"] = request.RemoteIpAddress!.ToString();
        }

        if (client != null)
        {
            request.Request["X-Raven-Client-Cert"] =
                Convert.ToBase64String(_secured.Caller(client).Certificate!.RawData);
        }

        if (session != null)
        {
            request.Request["Raven-Forwarded-Session"] = session;
        }

        return request;
    }
}
