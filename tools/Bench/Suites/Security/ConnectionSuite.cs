using System.Diagnostics;
using System.Globalization;
using Raven.Tools.Bench.Suites.Documents;
using Raven.Tools.Bench.Suites.Http;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Security;

/// <summary>
/// What a new connection with a client certificate costs, beside nginx that asks for one and takes any
/// (<c>ssl_verify_client optional_no_ca</c>), and beside bare Kestrel: the same key of RSA 3072, TLS 1.3, no session
/// resumed, one small request on each.
/// </summary>
internal sealed class ConnectionSuite : IBenchSuite
{
    private const string RowName = "new connection with a client certificate";
    private const string Ours = "Raven";
    private const string Nginx = "nginx";
    private const int Clients = 16;
    private const double CpuMax = 2;

    public string Name => "security";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!context.Wants(RowName))
        {
            yield break;
        }

        if (!OperatingSystem.IsLinux())
        {
            yield return BenchRow.Skip(RowName, "us/connection", "CPU of other processes is read from /proc");
            yield break;
        }

        string folder = Directory.CreateDirectory(Path.Combine(context.ScratchDirectory, "connections")).FullName;
        using var setup = new SecuredSetup(Path.Combine(folder, "data"));
        string body = Path.Combine(folder, "body");
        setup.SaveAnswer(SecuredSetup.VersionPath, body);
        setup.WritePem(Path.Combine(folder, "server.crt"), Path.Combine(folder, "server.key"));
        using ServerUnderTest? nginx = TryStart(folder, out string why);
        if (nginx is null)
        {
            yield return BenchRow.Skip(RowName, "us/connection", why);
            yield break;
        }

        using ServerUnderTest bare = ServerUnderTest.StartChild(
            PeerServer.Secure, PeerServer.ProgramName, PeerServer.Secure, body, setup.ServerFile);
        var rounds = new HttpRounds(
            [
                (Ours, LoadOf(setup.Ours, setup)), (Nginx, LoadOf(nginx, setup)),
                (PeerServer.Secure, LoadOf(bare, setup)),
            ],
            context.Runs);
        yield return Row(rounds, Nginx, ", server CPU", "us/connection", HttpRounds.CpuMicroseconds) with
        {
            Target = BenchTarget.RatioAtMost(CpuMax),
        };
        yield return Row(rounds, Nginx, "", "connections/s", HttpRounds.RequestsPerSecond);
        yield return Row(rounds, PeerServer.Secure, ", server CPU", "us/connection", HttpRounds.CpuMicroseconds);
        yield return Row(rounds, PeerServer.Secure, "", "connections/s", HttpRounds.RequestsPerSecond);
    }

    private static BenchRow Row(HttpRounds rounds, string peer, string what, string unit, int metric) => new()
    {
        Name = RowName + what,
        Unit = unit,
        PeerName = peer,
        WarmUpRuns = 0,
        RunsMade = rounds.RoundCount,
        Ours = rounds.Metric(Ours, metric),
        Peer = rounds.Metric(peer, metric),
    };

    private static Func<TimeSpan, double[]> LoadOf(ServerUnderTest server, SecuredSetup setup)
    {
        LoadOptions options = SecuredSetup.Load(
            server, setup.ByCertificate, SecuredSetup.VersionPath, keepAlive: false);
        return time => server.Load(options with { Clients = Clients, Duration = time });
    }

    private static ServerUnderTest? TryStart(string folder, out string why)
    {
        (int exitCode, string output, string error) = PeerScript.Run("nginx.sh", "start", folder);
        string[] words = output.Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries);
        why = exitCode == 0 && words.Length == 2 ? "" : $"nginx did not start: {error.Trim()}";
        return why.Length > 0
            ? null
            : ServerUnderTest.Adopt(
                Nginx, Process.GetProcessById(int.Parse(words[1], CultureInfo.InvariantCulture)),
                new Uri($"https://127.0.0.1:{words[0]}"), () => PeerScript.Run("nginx.sh", "stop", folder));
    }
}
