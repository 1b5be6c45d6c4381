using System.Net;
using System.Text;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Http;

/// <summary>
/// How long writers wait beside scripts: durable PUTs over four connections, paced by their answers, alone and beside
/// sixteen clients whose patches run for about 10 ms each, every one on a document of its own.
/// </summary>
internal sealed class PatchersSuite : IBenchSuite
{
    private const int Writers = 4;
    private const int Patchers = 16;
    private const string Database = "/databases/patchers/docs?id=";

    /// <summary>A loop of this many turns takes about 10 ms.</summary>
    private const int Turns = 700_000;

    private static readonly TimeSpan Duration = TimeSpan.FromSeconds(4);

    public string Name => "documents";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!context.Wants("PUT beside patchers"))
        {
            yield break;
        }

        using ServerUnderTest ours = ServerUnderTest.StartOurs(Path.Combine(context.ScratchDirectory, "patchers"));
        using var client = new HttpClient { BaseAddress = ours.Url };
        Send(client, "/admin/databases?name=patchers", "{\"DatabaseName\":\"patchers\"}");
        for (int i = 0; i < Patchers; i++)
        {
            Send(client, $"{Database}patched/{i:D10}", "{\"N\":0}");
        }

        var beside = new SharedRuns(() => MeasureBeside(ours));
        var alone = new SharedRuns(() =>
        {
            LatencyHistogram latency = RunWriters(ours).Latency;
            return [latency.GetPercentile(0.99) / 1e3, latency.GetPercentile(0.5) / 1e3];
        });
        yield return new BenchRow
        {
            Name = "PUT beside patchers: p99 beside 16 patchers of 10 ms, against alone",
            Unit = "us",
            PeerName = "the same PUTs alone",
            Target = BenchTarget.RatioAtMost(2),
            WarmUpRuns = 1,
            Ours = beside.Metric(0),
            Peer = alone.Metric(0),
        };
        yield return new BenchRow
        {
            Name = "PUT beside patchers: p50",
            Unit = "us",
            PeerName = "the same PUTs alone",
            WarmUpRuns = 1,
            Ours = beside.Metric(1),
            Peer = alone.Metric(1),
        };
        yield return new BenchRow
        {
            Name = "PUT beside patchers: patches of 10 ms",
            Unit = "patches/s",
            WarmUpRuns = 1,
            Ours = beside.Metric(2),
        };
    }

    private static double[] MeasureBeside(ServerUnderTest ours)
    {
        Task<LoadReport> patching = RunPatchersAsync(ours);
        LoadReport writing = RunWriters(ours);
        LoadReport patched = Check(patching.GetAwaiter().GetResult());
        LatencyHistogram latency = writing.Latency;
        return [latency.GetPercentile(0.99) / 1e3, latency.GetPercentile(0.5) / 1e3, patched.RequestsPerSecond];
    }

    private static LoadReport RunWriters(ServerUnderTest ours) => Check(LoadRun.RunAsync(new LoadOptions
    {
        Server = new IPEndPoint(IPAddress.Loopback, ours.Url.Port),
        Requests = [Template(ours, "PUT", "put/", $"{{\"Text\":\"{new string('x', 900)}\"}}")],
        Clients = Writers,
        Duration = Duration,
        NumberCount = 4000,
    }).GetAwaiter().GetResult());

    private static Task<LoadReport> RunPatchersAsync(ServerUnderTest ours)
    {
        string script = $"let n = 0; for (let i = 0; i < {Turns}; i++) {{ n += i; }} this.N = this.N + 1;";
        return LoadRun.RunAsync(new LoadOptions
        {
            Server = new IPEndPoint(IPAddress.Loopback, ours.Url.Port),
            Requests = [Template(ours, "PATCH", "patched/", $"{{\"Patch\":{{\"Script\":\"{script}\"}}}}")],
            Clients = Patchers,
            Duration = Duration,
            NumberCount = Patchers,
        });
    }

    private static RequestTemplate Template(ServerUnderTest ours, string method, string prefix, string body) =>
        RequestTemplate.Create(
            method, new Uri(ours.Url, Database + prefix).AbsoluteUri + "{n}", Encoding.UTF8.GetBytes(body),
            keepAlive: true, []);

    private static LoadReport Check(LoadReport report) => report.Successful == report.Requests
        ? report
        : throw new InvalidOperationException(
            $"{report.Requests - report.Successful} of {report.Requests} requests failed: {report.FirstFailure}");

    private static void Send(HttpClient client, string path, string body)
    {
        using var content = new StringContent(body, Encoding.UTF8, "application/json");
        using HttpResponseMessage answer = client.PutAsync(path, content).GetAwaiter().GetResult();
        answer.EnsureSuccessStatusCode();
    }
}
