using System.Collections;
using Raven.Server.Options;

namespace FastTests.Server;

/// <summary>What makes a server a node of a cluster, and what is refused.</summary>
public sealed class ClusterOptionsTests
{
    private const string Peers = "--Cluster.Peers=A=http://127.0.0.1:8080,B=http://127.0.0.1:8090";

    [Fact]
    public void Without_a_tag_a_server_is_by_itself()
    {
        ServerOptions options = Read();
        Assert.False(options.Cluster.IsOn);
        Assert.Empty(options.Cluster.Peers);
    }

    [Fact]
    public void A_node_has_a_tag_and_peers_and_runs_an_etcd_unless_it_is_told_of_one()
    {
        ServerOptions options = Read("--Cluster.Node=A", Peers);
        Assert.True(options.Cluster.IsOn);
        Assert.True(options.Cluster.IsManaged);
        Assert.Equal(["A", "B"], options.Cluster.Peers.Select(peer => peer.Key));
        Assert.Equal(8080, options.Cluster.OwnUrl.Port);

        options = Read("--Cluster.Node=B", Peers, "--Cluster.Store=http://127.0.0.1:2379,http://127.0.0.1:2479");
        Assert.False(options.Cluster.IsManaged);
        Assert.Equal([2379, 2479], options.Cluster.Store.Select(url => url.Port));
    }

    [Theory]
    [InlineData("Cluster.Node", "--Cluster.Node=a", Peers)]
    [InlineData("Cluster.Node", "--Cluster.Node=ABCDE", Peers)]
    [InlineData("Cluster.Node", Peers)]
    [InlineData("Cluster.Peers", "--Cluster.Node=C", Peers)]
    [InlineData("Cluster.Peers", "--Cluster.Node=A", "--Cluster.Peers=A")]
    [InlineData("Cluster.Peers", "--Cluster.Node=A", "--Cluster.Peers=A=http://127.0.0.1:1,A=http://127.0.0.1:2")]
    [InlineData("Cluster.Peers", "--Cluster.Node=A", "--Cluster.Peers=A=ftp://127.0.0.1:1")]
    [InlineData("Cluster.Peers", "--Cluster.Node=A", "--Cluster.Peers=A=https://127.0.0.1:1")]
    [InlineData("Cluster.Peers", "--Cluster.Node=A", "--Cluster.Peers=A=http://127.0.0.1:1,B=http://10.0.0.1:1")]
    [InlineData("Cluster.Name", "--Cluster.Node=A", Peers, "--Cluster.Name=a/b")]
    [InlineData("RunInMemory", "--Cluster.Node=A", Peers, "--RunInMemory=true")]
    public void What_contradicts_itself_or_is_unsafe_is_refused_by_name(string key, params string[] arguments)
    {
        ServerOptionException refused = Assert.Throws<ServerOptionException>(() => Read(arguments));
        Assert.Equal(key, refused.Key);
    }

    [Fact]
    public void A_server_in_no_cluster_gives_its_log_to_nobody()
    {
        using var server = new InMemoryServer();
        var request = new InMemoryRequest("GET", "/replication/log", "?db=db");
        Assert.Equal(400, server.Send(request));
    }

    private static ServerOptions Read(params string[] arguments) =>
        OptionReader.Read(arguments, new Hashtable(), AppContext.BaseDirectory);
}
