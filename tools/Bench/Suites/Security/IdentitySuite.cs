using Raven.Tools.Bench.Suites.Http;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Security;

/// <summary>
/// What an identity costs on the way of a request over TLS 1.3: our server that looks at the right of each request,
/// beside the same server over the same TLS without rights, and beside bare Kestrel with TLS that gives the same bytes.
/// </summary>
internal sealed class IdentitySuite : IBenchSuite
{
    private const string RowName = "GET of 1 KB over TLS 1.3";
    private const string ByCertificate = "by certificate";
    private const string ByKey = "by API key";
    private const string WithoutRights = "without rights";
    private const string WithoutRightsAgain = "without rights again";
    private const double RateMin = 0.95;
    private const double CpuMax = 1.05;

    public string Name => "security";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!context.Wants(RowName))
        {
            yield break;
        }

        if (!OperatingSystem.IsLinux())
        {
            yield return BenchRow.Skip(RowName, "requests/s", "CPU of other processes is read from /proc");
            yield break;
        }

        string folder = Directory.CreateDirectory(Path.Combine(context.ScratchDirectory, "identities")).FullName;
        using var setup = new SecuredSetup(Path.Combine(folder, "data"));
        string body = Path.Combine(folder, "body");
        setup.SaveAnswer(SecuredSetup.DocumentPath, body);
        using ServerUnderTest free = StartWithoutRights(setup);
        using ServerUnderTest again = StartWithoutRights(setup);
        using ServerUnderTest bare = ServerUnderTest.StartChild(
            PeerServer.Secure, PeerServer.ProgramName, PeerServer.Secure, body, setup.ServerFile);
        var rounds = new HttpRounds(
            [
                (ByCertificate, LoadOf(setup.Ours, setup.ByCertificate)),
                (WithoutRights, LoadOf(free, setup.ByCertificate)),
                (ByKey, LoadOf(setup.Ours, setup.WithoutCertificate, setup.Key)),
                (PeerServer.Secure, LoadOf(bare, setup.ByCertificate)),
                (WithoutRightsAgain, LoadOf(again, setup.ByCertificate)),
            ],
            context.Runs);
        foreach (BenchRow row in RowsOf(rounds))
        {
            yield return row;
        }
    }

    private static IEnumerable<BenchRow> RowsOf(HttpRounds rounds)
    {
        yield return Rate(rounds, WithoutRightsAgain, WithoutRights, BenchTarget.None);
        yield return Cpu(rounds, WithoutRightsAgain, WithoutRights, BenchTarget.None);
        foreach (string identity in (string[])[ByCertificate, ByKey])
        {
            yield return Rate(rounds, identity, WithoutRights, BenchTarget.RatioAtLeast(RateMin));
            yield return Cpu(rounds, identity, WithoutRights, BenchTarget.RatioAtMost(CpuMax));
            yield return P99(rounds, identity, WithoutRights);
            yield return Rate(rounds, identity, PeerServer.Secure, BenchTarget.None);
            yield return Cpu(rounds, identity, PeerServer.Secure, BenchTarget.None);
            yield return P99(rounds, identity, PeerServer.Secure);
        }
    }

    private static BenchRow Rate(HttpRounds rounds, string ours, string peer, BenchTarget target) =>
        Row(rounds, ours, peer, "", "requests/s", HttpRounds.RequestsPerSecond, target);

    private static BenchRow Cpu(HttpRounds rounds, string ours, string peer, BenchTarget target) =>
        Row(rounds, ours, peer, ", server CPU", "us/request", HttpRounds.CpuMicroseconds, target);

    private static BenchRow P99(HttpRounds rounds, string ours, string peer) =>
        Row(rounds, ours, peer, ", p99", "us", HttpRounds.P99Microseconds, BenchTarget.None);

    private static BenchRow Row(
        HttpRounds rounds, string ours, string peer, string what, string unit, int metric, BenchTarget target) => new()
        {
            Name = $"{RowName}, {ours}{what}",
            Unit = unit,
            PeerName = peer,
            Target = target,
            WarmUpRuns = 0,
            RunsMade = rounds.RoundCount,
            Ours = rounds.Metric(ours, metric),
            Peer = rounds.Metric(peer, metric),
        };

    private static ServerUnderTest StartWithoutRights(SecuredSetup setup) =>
        ServerUnderTest.StartChild(WithoutRights, RightsFreeServer.ProgramName, setup.ServerFile);

    private static Func<TimeSpan, double[]> LoadOf(ServerUnderTest server, LoadTls tls, string? key = null)
    {
        LoadOptions options = SecuredSetup.Load(server, tls, SecuredSetup.DocumentPath, key);
        return time => server.Load(options with { Duration = time });
    }
}
