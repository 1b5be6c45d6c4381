using System.Diagnostics;
using System.Globalization;
using Raven.Tools.Bench.Suites.Documents;

namespace Raven.Tools.Bench.Suites.Http;

/// <summary>
/// How far a small answer of ours is from nginx, and what lies between: bare Kestrel, Kestrel's sockets without its
/// HTTP, and each of these with everything on the thread that waits for sockets, as nginx does it.
/// </summary>
internal sealed class NginxSuite : IBenchSuite
{
    private const string RowName = "GET /build/version beside nginx";
    private const string Path = "/build/version";
    private const string Ours = "Raven";
    private const string Nginx = "nginx";

    private static readonly string[] Kinds =
    [
        PeerServer.Bare, PeerServer.Bare + PeerServer.InlineSuffix, PeerServer.Transport,
        PeerServer.Transport + PeerServer.InlineSuffix,
    ];

    public string Name => "http";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!context.Wants(RowName))
        {
            yield break;
        }

        string folder = Directory.CreateDirectory(System.IO.Path.Combine(context.ScratchDirectory, Nginx)).FullName;
        string body = System.IO.Path.Combine(folder, "body");
        using ServerUnderTest ours =
            ServerUnderTest.StartOurs(System.IO.Path.Combine(context.ScratchDirectory, "nginx-ours"));
        PeerAnswers.Save(new Uri(ours.Url, Path), body);

        using ServerUnderTest? nginx = TryStart(folder, out string why);
        if (nginx is null)
        {
            yield return BenchRow.Skip(RowName, "requests/s", why);
            yield break;
        }

        List<(string Name, ServerUnderTest Server)> servers = [(Ours, ours), (Nginx, nginx)];
        try
        {
            servers.AddRange(Kinds.Select(kind => (kind, ServerUnderTest.StartPeer(kind, body))));
            var rounds = new HttpRounds(servers, Path, context.Runs);
            foreach ((string name, _) in servers.Where(one => one.Name != Nginx))
            {
                yield return Row(rounds, name, "requests/s", HttpRounds.RequestsPerSecond);
                yield return Row(rounds, name, "us of server CPU", HttpRounds.CpuMicroseconds);
            }
        }
        finally
        {
            servers.ForEach(one => one.Server.Dispose());
        }
    }

    private static BenchRow Row(HttpRounds rounds, string server, string unit, int metric) => new()
    {
        Name = $"{RowName}: {server}",
        Unit = unit,
        PeerName = Nginx,
        WarmUpRuns = 0,
        RunsMade = rounds.RoundCount,
        Ours = rounds.Metric(server, metric),
        Peer = rounds.Metric(Nginx, metric),
    };

    private static ServerUnderTest? TryStart(string folder, out string why)
    {
        (int exitCode, string output, string error) = PeerScript.Run("nginx.sh", "start", folder);
        string[] words = output.Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries);
        why = exitCode == 0 && words.Length == 2 ? "" : $"nginx did not start: {error.Trim()}";
        return why.Length > 0
            ? null
            : ServerUnderTest.Adopt(
                Nginx, Process.GetProcessById(int.Parse(words[1], CultureInfo.InvariantCulture)),
                new Uri($"http://127.0.0.1:{words[0]}"), () => PeerScript.Run("nginx.sh", "stop", folder));
    }
}
