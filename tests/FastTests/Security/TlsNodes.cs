using System.Net;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using FastTests.Server.Forwarding;
using Raven.Security.Certificates;
using Raven.Security.Rights;
using Raven.Server.Http.Cluster;

namespace FastTests.Security;

/// <summary>
/// Two servers over TLS that believe to be the nodes A and B of a cluster, each with the database red, certificates of
/// nodes and a registry of its own. A is the primary, and B sends everything to it.
/// </summary>
internal sealed class TlsNodes : IDisposable
{
    private readonly X509Certificate2 _nodeA = TestCertificates.Make("node A");
    private readonly X509Certificate2 _nodeB = TestCertificates.Make("node B");
    private readonly List<X509Certificate2> _clients = [];

    internal TlsNodes()
    {
        NodeA = StandInNodes.Node("A", A.Host.Url);
        NodeB = StandInNodes.Node("B", B.Host.Url);
        OfA = ClusterOf("A", _nodeA, _nodeB, GroupRole.Primary);
        OfB = ClusterOf("B", _nodeB, _nodeA, GroupRole.Member);
        A.Host.State.Cluster = OfA;
        B.Host.State.Cluster = OfB;
    }

    internal TlsServer A { get; } = new();

    internal TlsServer B { get; } = new();

    internal StandInCluster OfA { get; }

    internal StandInCluster OfB { get; }

    internal NodeView NodeA { get; }

    internal NodeView NodeB { get; }

    /// <summary>A new certificate that both nodes know, with a right to red.</summary>
    internal X509Certificate2 Register(DatabaseRight right, Clearance clearance = Clearance.ValidUser)
    {
        X509Certificate2 certificate = TestCertificates.Make("client");
        _clients.Add(certificate);
        foreach (TlsServer node in (TlsServer[])[A, B])
        {
            node.Trust.Certificates.Put(
                TrustFixture.Local, "client", [ClientCertificate.Of(certificate)], clearance,
                SecuredServer.OnRed(right));
        }

        return certificate;
    }

    /// <summary>Gives a certificate another right at the primary, and lets its watch look. The follower is not told.
    /// </summary>
    internal void Narrow(X509Certificate2 certificate, DatabaseRight right)
    {
        A.Trust.Certificates.Edit(
            TrustFixture.Local, certificate.Thumbprint, "client", Clearance.ValidUser, SecuredServer.OnRed(right));
        A.Look(2);
    }

    /// <summary>A client of the follower, over HTTP/2.</summary>
    internal HttpClient Client(X509Certificate2 certificate)
    {
        HttpClient client = B.Client(certificate);
        client.DefaultRequestVersion = HttpVersion.Version20;
        client.DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact;
        return client;
    }

    public void Dispose()
    {
        A.Dispose();
        B.Dispose();
        _nodeA.Dispose();
        _nodeB.Dispose();
        _clients.ForEach(client => client.Dispose());
    }

    private StandInCluster ClusterOf(string tag, X509Certificate2 own, X509Certificate2 other, GroupRole role)
    {
        var cluster = new StandInCluster(tag)
        {
            NodeDigest = ClientCertificate.DigestOf(other),
            ForwardKey = null,
            Reads = _ => role == GroupRole.Primary ? ReadState.Readable : ReadState.NotNow,
            Handler = () => new SocketsHttpHandler
            {
                SslOptions = new SslClientAuthenticationOptions
                {
                    ClientCertificates = [own],
                    RemoteCertificateValidationCallback = (_, _, _, _) => true,
                },
            },
            Cluster = new ClusterView
            {
                ClusterId = "c", Etag = 5, Term = 3, Observer = "A", Nodes = [NodeA, NodeB],
            },
        };
        cluster.Set(new GroupView
        {
            Database = "red", Etag = 10, Epoch = 1, Role = role, IsOpen = true, Primary = NodeA,
            Nodes = [new GroupNode(NodeA, GroupRole.Primary), new GroupNode(NodeB, GroupRole.Member)], MinInSync = 1,
        });
        return cluster;
    }
}
