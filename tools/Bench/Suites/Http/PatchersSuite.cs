using System.Diagnostics;
using System.Net;
using System.Text;

namespace Raven.Tools.Bench.Suites.Http;

/// <summary>
/// How long writers wait beside scripts: durable PUTs over four connections, paced by their answers, alone and beside
/// sixteen clients whose patches run for about 10 ms each, every one on a document of its own.
/// </summary>
internal sealed class PatchersSuite : IBenchSuite
{
    private const int Writers = 4;
    private const int Patchers = 16;
    private const double Quantile = 0.99;

    /// <summary>A loop of this many turns takes about 10 ms.</summary>
    private const int Turns = 700_000;

    private static readonly TimeSpan Duration = TimeSpan.FromSeconds(4);

    public string Name => "http";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!context.Wants("PUT beside patchers"))
        {
            yield break;
        }

        using ServerUnderTest ours = ServerUnderTest.StartOurs(Path.Combine(context.ScratchDirectory, "patchers"));
        using var client = new HttpClient { BaseAddress = ours.Url };
        Send(client, HttpMethod.Put, "/admin/databases?name=patchers", "{\"DatabaseName\":\"patchers\"}");
        for (int i = 0; i < Patchers; i++)
        {
            Send(client, HttpMethod.Put, $"/databases/patchers/docs?id=patched/{i}", "{\"N\":0}");
        }

        yield return new BenchRow
        {
            Name = "PUT beside patchers: p99 beside 16 patchers of 10 ms, against alone",
            Unit = "us",
            PeerName = "the same PUTs alone",
            Target = BenchTarget.RatioAtMost(2),
            WarmUpRuns = 1,
            Ours = () => Measure(client, withPatchers: true),
            Peer = () => Measure(client, withPatchers: false),
        };
    }

    private static double Measure(HttpClient client, bool withPatchers)
    {
        using var stop = new CancellationTokenSource(Duration);
        List<double>[] latencies = new List<double>[Writers];
        List<Thread> threads = [];
        for (int i = 0; i < Writers; i++)
        {
            int writer = i;
            threads.Add(new Thread(() => latencies[writer] = Write(client, writer, stop.Token)));
        }

        for (int i = 0; withPatchers && i < Patchers; i++)
        {
            int patcher = i;
            threads.Add(new Thread(() => Patch(client, patcher, stop.Token)));
        }

        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        double[] sorted = [.. latencies.SelectMany(one => one).Order()];
        return sorted[(int)(Quantile * (sorted.Length - 1))];
    }

    private static List<double> Write(HttpClient client, int writer, CancellationToken stop)
    {
        List<double> microseconds = [];
        string body = $"{{\"Text\":\"{new string('x', 900)}\"}}";
        for (int i = 0; !stop.IsCancellationRequested; i++)
        {
            long began = Stopwatch.GetTimestamp();
            Send(client, HttpMethod.Put, $"/databases/patchers/docs?id=put/{writer}/{i % 1000}", body);
            microseconds.Add(Stopwatch.GetElapsedTime(began).TotalMicroseconds);
        }

        return microseconds;
    }

    private static void Patch(HttpClient client, int patcher, CancellationToken stop)
    {
        string script = $"let n = 0; for (let i = 0; i < {Turns}; i++) {{ n += i; }} this.N = this.N + 1;";
        while (!stop.IsCancellationRequested)
        {
            Send(
                client, HttpMethod.Patch, $"/databases/patchers/docs?id=patched/{patcher}",
                $"{{\"Patch\":{{\"Script\":\"{script}\"}}}}");
        }
    }

    private static void Send(HttpClient client, HttpMethod method, string path, string body)
    {
        using var request = new HttpRequestMessage(method, path)
        {
            Content = new StringContent(body, Encoding.UTF8, "application/json"),
        };
        using HttpResponseMessage answer = client.Send(request);
        if (answer.StatusCode is not (HttpStatusCode.OK or HttpStatusCode.Created))
        {
            throw new InvalidOperationException($"{method} {path}: {answer.StatusCode}");
        }
    }
}
