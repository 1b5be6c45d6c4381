using System.Globalization;
using System.Text;

namespace Raven.Tools.Bench.Suites.Http;

/// <summary>
/// Our server against bare Kestrel, minimal API and MVC, each in its own process on loopback, with the load generator
/// on the same cores. Sockets are nearly all of the cost, so the CPU of a request says more than the rate.
/// </summary>
internal sealed class HttpSuite : IBenchSuite
{
    private const string Ours = "Raven";
    private const string BareAgain = "bare Kestrel again";

    /// <summary>On a machine that is busy with other things the band says nothing: then this is the bound.</summary>
    private const double BandMax = 0.15;

    private const string VersionPath = "/build/version";
    private const string DocumentPath = "/databases/bench/docs?id=bench/1";

    public string Name => "http";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!OperatingSystem.IsLinux())
        {
            yield return BenchRow.Skip("GET over sockets", "us", "CPU of other processes is read from /proc");
            yield break;
        }

        if (context.Wants("GET /build/version") || context.Wants("GET docs") || context.Wants("memory"))
        {
            foreach (BenchRow row in GetSocketRows(context))
            {
                yield return row;
            }
        }
    }

    private static IEnumerable<BenchRow> GetSocketRows(BenchContext context)
    {
        using ServerUnderTest ours = ServerUnderTest.StartOurs(Path.Combine(context.ScratchDirectory, "http"));
        double idle = ours.ReadResidentMegabytes();
        yield return Absolute("idle memory of the server", "MB", idle, BenchTarget.AtMost(100));
        foreach (BenchRow row in Compare(context, ours, "GET /build/version", VersionPath, isDocument: false))
        {
            yield return row;
        }

        if (TryStoreDocument(ours, out string why))
        {
            foreach (BenchRow row in Compare(context, ours, "GET docs?id= of 1 KB", DocumentPath, isDocument: true))
            {
                yield return row;
            }
        }
        else
        {
            yield return BenchRow.Skip("GET docs?id= of 1 KB", "requests/s", why);
        }

        foreach (BenchRow row in GetMemoryRows(context, ours))
        {
            yield return row;
        }
    }

    private static IEnumerable<BenchRow> Compare(
        BenchContext context, ServerUnderTest ours, string name, string path, bool isDocument)
    {
        if (!context.Wants(name))
        {
            yield break;
        }

        string body = Path.Combine(context.ScratchDirectory, isDocument ? "document" : "version");
        PeerAnswers.Save(new Uri(ours.Url, path), body);

        using ServerUnderTest bare = ServerUnderTest.StartPeer(PeerServer.Bare, body);
        using ServerUnderTest again = ServerUnderTest.StartPeer(PeerServer.Bare, body);
        using ServerUnderTest minimal = ServerUnderTest.StartPeer(PeerServer.Minimal, body);
        using ServerUnderTest mvc = ServerUnderTest.StartPeer(PeerServer.Mvc, body);
        var rounds = new HttpRounds(
            [
                (PeerServer.Bare, bare), (Ours, ours), (PeerServer.Minimal, minimal), (BareAgain, again),
                (PeerServer.Mvc, mvc),
            ],
            path,
            context.Runs);
        foreach (BenchRow row in RowsOf(rounds, name, isDocument))
        {
            yield return row;
        }
    }

    private static IEnumerable<BenchRow> RowsOf(HttpRounds rounds, string name, bool isDocument)
    {
        double rateBand = rounds.BandOf(PeerServer.Bare, BareAgain, HttpRounds.RequestsPerSecond);
        double cpuBand = rounds.BandOf(PeerServer.Bare, BareAgain, HttpRounds.CpuMicroseconds);
        string rateName = string.Create(CultureInfo.InvariantCulture, $"{name}, A/A band of the rate +-{rateBand:P0}");
        string cpuName = string.Create(CultureInfo.InvariantCulture, $"{name}, A/A band of the CPU +-{cpuBand:P0}");
        double rateMin = 1 - Math.Min(rateBand, BandMax);
        double cpuMax = 1 + Math.Min(cpuBand, BandMax);
        BenchTarget rateTarget = isDocument ? BenchTarget.None : BenchTarget.RatioAtLeast(rateMin);
        BenchTarget cpuTarget = BenchTarget.RatioAtMost(isDocument ? 1.3 : cpuMax);
        BenchTarget noMore = isDocument ? BenchTarget.None : BenchTarget.RatioAtMost(1);
        yield return Row(rateName, BareAgain, PeerServer.Bare, HttpRounds.RequestsPerSecond, BenchTarget.None);
        yield return Row(cpuName, BareAgain, PeerServer.Bare, HttpRounds.CpuMicroseconds, BenchTarget.None);
        yield return Row(name, Ours, PeerServer.Bare, HttpRounds.RequestsPerSecond, rateTarget);
        yield return Row($"{name}, server CPU", Ours, PeerServer.Bare, HttpRounds.CpuMicroseconds, cpuTarget);
        yield return Row($"{name}, p99", Ours, PeerServer.Bare, HttpRounds.P99Microseconds, BenchTarget.None);
        foreach (string peer in (string[])[PeerServer.Minimal, PeerServer.Mvc])
        {
            yield return Row(name, Ours, peer, HttpRounds.RequestsPerSecond, BenchTarget.None);
            yield return Row($"{name}, server CPU", Ours, peer, HttpRounds.CpuMicroseconds, noMore);
            yield return Row($"{name}, p99", Ours, peer, HttpRounds.P99Microseconds, BenchTarget.None);
        }

        BenchRow Row(string rowName, string server, string peer, int metric, BenchTarget target) => new()
        {
            Name = rowName,
            Unit = metric switch
            {
                HttpRounds.RequestsPerSecond => "requests/s",
                HttpRounds.CpuMicroseconds => "us/request",
                _ => "us",
            },
            PeerName = peer,
            Target = target,
            WarmUpRuns = 0,
            RunsMade = rounds.RoundCount,
            Ours = rounds.Metric(server, metric),
            Peer = rounds.Metric(peer, metric),
        };
    }

    /// <summary>100 clients x 25,000 requests, under which memory must not grow.</summary>
    private static IEnumerable<BenchRow> GetMemoryRows(BenchContext context, ServerUnderTest ours)
    {
        const string Name = "memory after 2,500,000 GETs, over 250,000";
        if (!context.Wants(Name))
        {
            yield break;
        }

        ours.Load(VersionPath, clients: 100, duration: default, requestsPerClient: 2_500);
        double before = ours.ReadResidentMegabytes();
        double[] result = ours.Load(VersionPath, clients: 100, duration: default, requestsPerClient: 25_000);
        double after = ours.ReadResidentMegabytes();
        string shape = "100 clients x 25,000 (seeds: 75,000), after a warm-up";
        yield return Absolute(shape, "requests/s", result[HttpRounds.RequestsPerSecond], BenchTarget.None);
        yield return new BenchRow
        {
            Name = Name,
            Unit = "MB",
            PeerName = "before",
            Target = BenchTarget.RatioAtMost(1.1),
            WarmUpRuns = 0,
            Ours = () => after,
            Peer = () => before,
        };
    }

    private static BenchRow Absolute(string name, string unit, double value, BenchTarget target) => new()
    {
        Name = name,
        Unit = unit,
        Target = target,
        WarmUpRuns = 0,
        Ours = () => value,
    };

    private static bool TryStoreDocument(ServerUnderTest ours, out string why)
    {
        using var client = new HttpClient { BaseAddress = ours.Url };
        using var record = Json("""{"DatabaseName":"bench"}""");
        string text = new('x', 850);
        using var document = Json(
            $$"""{"@metadata":{"@collection":"Bench"},"Name":"bench","Text":"{{text}}"}""");
        using HttpResponseMessage created = client.PutAsync("/admin/databases?name=bench", record)
            .GetAwaiter().GetResult();
        using HttpResponseMessage stored = client.PutAsync(DocumentPath, document).GetAwaiter().GetResult();
        why = $"the document could not be stored: {(int)created.StatusCode} and {(int)stored.StatusCode}";
        return stored.IsSuccessStatusCode;
    }

    private static StringContent Json(string text) => new(text, Encoding.UTF8, "application/json");
}
