using System.Net;
using FastTests.Documents;
using Raven.Server;
using Raven.Server.Diagnostics;
using Raven.Server.Options;

namespace FastTests.Server;

/// <summary>What starts, what is refused, and whose connections are taken then.</summary>
[Trait("Security", "1")]
public sealed class StartRuleTests
{
    private const string Starts = "starts";
    private const string Warns = "starts with a warning";
    private const string Refused = "refused";

    private static readonly string[] LoopbackHosts = ["127.0.0.1", "127.1.2.3", "[::1]", "localhost"];
    private static readonly string[] OtherHosts = ["0.0.0.0", "[::]", "10.1.2.3", "8.8.8.8", "db.example.org"];

    [Theory]
    [InlineData("http", false, null, Starts, Refused)]
    [InlineData("http", false, UnsecuredAccess.None, Refused, Refused)]
    [InlineData("http", false, UnsecuredAccess.Local, Starts, Refused)]
    [InlineData("http", false, UnsecuredAccess.PrivateNetwork, Starts, Starts)]
    [InlineData("http", false, UnsecuredAccess.PublicNetwork, Starts, Starts)]
    [InlineData("http", true, null, Refused, Refused)]
    [InlineData("http", true, UnsecuredAccess.PublicNetwork, Refused, Refused)]
    [InlineData("https", false, null, Refused, Refused)]
    [InlineData("https", false, UnsecuredAccess.PublicNetwork, Refused, Refused)]
    [InlineData("https", true, null, Starts, Starts)]
    [InlineData("https", true, UnsecuredAccess.None, Warns, Warns)]
    [InlineData("https", true, UnsecuredAccess.Local, Warns, Warns)]
    [InlineData("https", true, UnsecuredAccess.PublicNetwork, Warns, Warns)]
    [Trait("Invariant", "START-1")]
    public void A_server_starts_by_its_url_its_certificate_and_the_option(
        string scheme, bool hasCertificate, UnsecuredAccess? access, string onLoopback, string elsewhere)
    {
        foreach (string host in LoopbackHosts.Concat(OtherHosts))
        {
            StartDecision decision = StartRules.Decide(Options($"{scheme}://{host}:8080", access), hasCertificate);
            string outcome = decision.RefusedKey != null ? Refused : decision.Warnings.Count > 0 ? Warns : Starts;
            bool isLoopback = LoopbackHosts.Contains(host);
            Assert.Equal((host, isLoopback ? onLoopback : elsewhere), (host, outcome));
            Assert.Equal(outcome != Refused && scheme == "https", decision.IsSecured);
            Assert.Equal(outcome != Refused && scheme == "http" && !isLoopback, decision.IsUnsecured);
        }
    }

    [Theory]
    [InlineData("http://0.0.0.0:8080", UnsecuredAccess.Local)]
    [InlineData("http://127.0.0.1:8080", UnsecuredAccess.None)]
    [InlineData("https://127.0.0.1:8080", UnsecuredAccess.Local)]
    public void A_refusal_names_each_way_out(string url, UnsecuredAccess access)
    {
        StartDecision decision = StartRules.Decide(Options(url, access), hasCertificate: false);
        Assert.Equal("ServerUrl", decision.RefusedKey);
        string[] ways =
        [
            "Security.Certificate.Path", "--setup dev-cert", "Security.UnsecuredAccessAllowed", "docs/operations.md",
        ];
        foreach (string way in ways)
        {
            Assert.Contains(way, decision.Refusal, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("https://127.0.0.1:443", "http://127.0.0.1:8082", true, "Http2Url")]
    [InlineData("https://127.0.0.1:443", "https://127.0.0.1:8082", true, "Http2Url")]
    [InlineData("http://127.0.0.1:8080", "https://127.0.0.1:8082", true, "ServerUrl")]
    [InlineData("http://127.0.0.1:8080", "https://127.0.0.1:8082", false, "Http2Url")]
    [InlineData("http://127.0.0.1:8080", "http://0.0.0.0:8082", false, "Http2Url")]
    [Trait("Invariant", "START-2")]
    public void A_second_url_is_refused_beside_https_and_goes_by_the_rules_of_the_first(
        string url, string second, bool hasCertificate, string key)
    {
        ServerOptions options = Options(url, null) with { Http2Url = new Uri(second) };
        Assert.Equal(key, StartRules.Decide(options, hasCertificate).RefusedKey);
    }

    [Fact]
    [Trait("Invariant", "START-3")]
    public void A_server_that_is_refused_opens_neither_a_port_nor_a_file()
    {
        string folder = Path.Combine(Path.GetTempPath(), $"raven-refused-{Guid.NewGuid():N}");
        ServerOptions options = Options("http://0.0.0.0:0", null) with { DataDirectory = folder };
        Assert.Throws<ServerOptionException>(() => ServerHost.Start(options));
        Assert.False(Directory.Exists(folder));
    }

    [Fact]
    public void A_public_url_that_the_certificate_is_not_for_makes_a_warning()
    {
        ServerOptions options = Options("https://0.0.0.0:443", null)
            with
        { PublicServerUrl = new Uri("https://db.example.org") };
        Assert.Empty(StartRules.Decide(options, true, name => name == "db.example.org").Warnings);
        Assert.Contains(
            "'db.example.org'", StartRules.Decide(options, true, name => name == "localhost").Warnings.Single(),
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_server_that_all_can_reach_says_so_in_its_log_at_once_and_every_hour()
    {
        var clock = new TestClock();
        using var log = new WarningsLog();
        ServerOptions options = Options("http://0.0.0.0:8080", UnsecuredAccess.PrivateNetwork);
        StartDecision start = StartRules.Decide(options, hasCertificate: false);
        using (UnsecuredReminder.Begin(start, options, "http://0.0.0.0:8080", log, clock))
        {
            Assert.Contains(
                "Security.UnsecuredAccessAllowed=PrivateNetwork", Assert.Single(log.Lines), StringComparison.Ordinal);
            clock.Ring(TimeSpan.FromHours(1));
            Assert.Equal(2, log.Lines.Count);
        }

        clock.Ring(TimeSpan.FromHours(1));
        Assert.Equal(2, log.Lines.Count);
        ServerOptions local = Options("http://127.0.0.1:8080", UnsecuredAccess.PublicNetwork);
        Assert.Null(UnsecuredReminder.Begin(StartRules.Decide(local, false), local, "", log, clock));
    }

    [Theory]
    [InlineData("127.0.0.1", true, true)]
    [InlineData("127.200.0.1", true, true)]
    [InlineData("::1", true, true)]
    [InlineData("::ffff:127.0.0.1", true, true)]
    [InlineData("::ffff:127.0.0.9", true, true)]
    [InlineData("10.0.0.1", false, true)]
    [InlineData("172.15.255.255", false, false)]
    [InlineData("172.16.0.1", false, true)]
    [InlineData("172.31.255.255", false, true)]
    [InlineData("172.32.0.1", false, false)]
    [InlineData("192.168.1.1", false, true)]
    [InlineData("192.169.0.1", false, false)]
    [InlineData("100.63.255.255", false, false)]
    [InlineData("100.64.0.1", false, true)]
    [InlineData("100.127.255.255", false, true)]
    [InlineData("100.128.0.1", false, false)]
    [InlineData("169.254.1.1", false, true)]
    [InlineData("::ffff:10.1.2.3", false, true)]
    [InlineData("::ffff:8.8.8.8", false, false)]
    [InlineData("fe80::1%2", false, true)]
    [InlineData("fc00::1", false, true)]
    [InlineData("fdff::1", false, true)]
    [InlineData("fe00::1", false, false)]
    [InlineData("2001:db8::1", false, false)]
    [InlineData("::10.0.0.1", false, false)]
    [InlineData("8.8.8.8", false, false)]
    public void A_peer_is_of_this_machine_of_a_private_network_or_of_neither(
        string address, bool isLocal, bool isPrivate)
    {
        IPAddress peer = IPAddress.Parse(address);
        Assert.Equal(isLocal, PeerNetwork.Loopback.Contains(peer));
        Assert.Equal(isPrivate, PeerNetwork.Private.Contains(peer));
        Assert.True(PeerNetwork.Any.Contains(peer));
        Assert.True(PeerNetwork.Loopback.Contains(null));
    }

    [Theory]
    [InlineData("http://127.0.0.1:8080", null, nameof(PeerNetwork.Loopback))]
    [InlineData("http://127.0.0.1:8080", UnsecuredAccess.PublicNetwork, nameof(PeerNetwork.Loopback))]
    [InlineData("http://0.0.0.0:8080", UnsecuredAccess.PrivateNetwork, nameof(PeerNetwork.Private))]
    [InlineData("http://0.0.0.0:8080", UnsecuredAccess.PublicNetwork, nameof(PeerNetwork.Any))]
    [InlineData("https://127.0.0.1:8080", null, nameof(PeerNetwork.Any))]
    [InlineData("https://0.0.0.0:8080", UnsecuredAccess.PrivateNetwork, nameof(PeerNetwork.Any))]
    public void The_peers_of_a_server_go_by_its_url_and_the_option(string url, UnsecuredAccess? access, string peers)
    {
        ServerOptions options = Options(url, access);
        StartDecision decision = StartRules.Decide(options, options.ServerUrl.Scheme == Uri.UriSchemeHttps);
        Assert.Equal(peers, decision.Peers.ToString());
    }

    private static ServerOptions Options(string url, UnsecuredAccess? access)
    {
        ServerOptions options = new() { ServerUrl = new Uri(url) };
        return access is { } chosen ? options with { UnsecuredAccess = chosen } : options;
    }
}
