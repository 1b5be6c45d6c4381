using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text;
using Raven.Tools.Bench.Suites.Http;
using Raven.Tools.Import.Server;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>
/// Documents of 1 KB over HTTP: durable PUTs, GETs, bulk insert and streams, beside PostgreSQL by its own protocol,
/// with server and load on the same cores; and the latency of writes at a pace.
/// </summary>
internal sealed class DocumentsSuite : IBenchSuite
{
    private const int BulkCount = 200_000;
    private const int KnownCount = 200_000;
    private static readonly TimeSpan RunTime = TimeSpan.FromSeconds(3);
    private static readonly string Text = new('x', 840);

    public string Name => "documents";

    /// <summary>The id of a document, the same here and in the peer.</summary>
    internal static string IdOf(long number) => string.Create(CultureInfo.InvariantCulture, $"bench/{number:D10}");

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        using ServerUnderTest ours = ServerUnderTest.StartOurs(Path.Combine(context.ScratchDirectory, "documents"));
        using var client = new HttpClient { BaseAddress = ours.Url, Timeout = TimeSpan.FromMinutes(5) };
        using var importer = new ServerClient(ours.Url, "bench");
        if (!CreateDatabase(client))
        {
            yield return BenchRow.Skip("documents", "documents/s", "this server has no databases");
            yield break;
        }

        string folder = Path.Combine(context.ScratchDirectory, "postgres");
        using PostgresPeer? postgres = PostgresPeer.TryStart(folder, out string why);
        if (postgres is null)
        {
            yield return BenchRow.Skip("everything beside PostgreSQL", "documents/s", why);
        }

        // Reads need documents, whatever the filter lets through.
        Load(importer);
        postgres?.Copy(BulkCount, BodyOf);
        foreach (BenchRow row in GetBulkRows(importer, postgres)
            .Concat(GetStreamRows(context, ours, client))
            .Concat(GetRequestRows(ours, postgres)).Concat(GetLatencyRows(ours)))
        {
            yield return row;
        }
    }

    private static IEnumerable<BenchRow> GetBulkRows(ServerClient importer, PostgresPeer? postgres)
    {
        yield return new BenchRow
        {
            Name = "bulk_insert 200,000 x 1 KB",
            Unit = "documents/s",
            PeerName = "PostgreSQL COPY",
            Target = BenchTarget.RatioAtLeast(2),
            WarmUpRuns = 0, // the first load was the warm-up
            Ours = () => Load(importer),
            Peer = postgres is null ? null : () => postgres.Copy(BulkCount, BodyOf),
        };
    }

    /// <summary>The peer sends the very bytes that we do, from memory.</summary>
    private static IEnumerable<BenchRow> GetStreamRows(BenchContext context, ServerUnderTest ours, HttpClient client)
    {
        const string Name = "stream 200,000 documents";
        if (!context.Wants(Name))
        {
            yield break;
        }

        var ourStream = new Uri(ours.Url, "/databases/bench/streams/docs?format=jsonl");
        string file = Path.Combine(context.ScratchDirectory, "stream");
        using (FileStream copy = File.Create(file))
        {
            using Stream body = client.GetStreamAsync(ourStream).GetAwaiter().GetResult();
            body.CopyTo(copy);
        }

        using ServerUnderTest bare = ServerUnderTest.StartPeer(PeerServer.Bare, file);
        yield return new BenchRow
        {
            Name = Name,
            Unit = "documents/s",
            PeerName = PeerServer.Bare,
            Target = BenchTarget.RatioAtLeast(0.55),
            WarmUpRuns = 1,
            Ours = () => ReadStream(client, ourStream),
            Peer = () => ReadStream(client, new Uri(bare.Url, "/")),
        };
    }

    private static IEnumerable<BenchRow> GetRequestRows(ServerUnderTest ours, PostgresPeer? postgres)
    {
        foreach ((int connections, double target) in ((int, double)[])[(1, 1), (16, 1.8), (64, 2.5)])
        {
            yield return new BenchRow
            {
                Name = $"PUT docs 1 KB, durable, {connections} connections",
                Unit = "documents/s",
                PeerName = "PostgreSQL upsert",
                Target = BenchTarget.RatioAtLeast(target),
                WarmUpRuns = 1,
                Ours = () => Load(ours, connections, isWrite: true, rate: 0).RequestsPerSecond,
                Peer = PeerRun(postgres, connections, isWrite: true),
            };
        }

        yield return new BenchRow
        {
            Name = "GET docs?id= of 1 KB, 64 connections",
            Unit = "documents/s",
            PeerName = "PostgreSQL select",
            Target = BenchTarget.RatioAtLeast(1.8),
            WarmUpRuns = 1,
            Ours = () => Load(ours, 64, isWrite: false, rate: 0).RequestsPerSecond,
            Peer = PeerRun(postgres, 64, isWrite: false),
        };
    }

    private static IEnumerable<BenchRow> GetLatencyRows(ServerUnderTest ours)
    {
        yield return new BenchRow
        {
            Name = "p99 of PUT at 10,000/s over 64 connections",
            Unit = "ms",
            Target = BenchTarget.AtMost(2),
            WarmUpRuns = 1,
            Ours = () => Load(ours, 64, isWrite: true, rate: 10_000).Latency.GetPercentile(0.99) / 1e6,
        };
        var saturated = new SharedRuns(() =>
        {
            LatencyHistogram latency = Load(ours, 64, isWrite: true, rate: 0).Latency;
            return [latency.GetPercentile(0.99) / 1e6, latency.SumNanoseconds / latency.Count / 1e6];
        });
        yield return new BenchRow
        {
            Name = "p99 of PUT, saturated by 64 connections",
            Unit = "ms",
            PeerName = "its mean",
            Target = BenchTarget.RatioAtMost(2.5),
            WarmUpRuns = 1,
            Ours = saturated.Metric(0),
            Peer = saturated.Metric(1),
        };
    }

    private static Func<double>? PeerRun(PostgresPeer? postgres, int connections, bool isWrite) => postgres is null
        ? null
        : () => postgres.Run(connections, RunTime, isWrite, KnownCount, BodyOf);

    private static LoadReport Load(ServerUnderTest ours, int connections, bool isWrite, double rate)
    {
        byte[]? body = isWrite ? Encoding.UTF8.GetBytes(BodyOf(0)) : null;
        string url = new Uri(ours.Url, "/databases/bench/docs?id=bench/").AbsoluteUri + "{n}";
        LoadReport report = LoadRun.RunAsync(new LoadOptions
        {
            Server = new IPEndPoint(IPAddress.Loopback, ours.Url.Port),
            Requests = [RequestTemplate.Create(isWrite ? "PUT" : "GET", url, body, keepAlive: true, [])],
            Clients = connections,
            Duration = RunTime,
            RatePerSecond = rate,
            NumberCount = KnownCount,
        }).GetAwaiter().GetResult();
        return report.Successful == report.Requests
            ? report
            : throw new InvalidOperationException(
                $"{report.Requests - report.Successful} of {report.Requests} requests failed: {report.FirstFailure}");
    }

    private static double Load(ServerClient client)
    {
        long start = Stopwatch.GetTimestamp();
        using BulkInsert bulk = client.BeginBulkInsertAsync().GetAwaiter().GetResult().Bulk;
        var envelope = new DocumentEnvelope(new IdentityOptions { IdProperty = "Id", Collection = "Bench" });
        for (int n = 0; n < BulkCount; n++)
        {
            byte[] document = Encoding.UTF8.GetBytes(BodyOf(n));
            _ = envelope.TryIdentify(document, out DocumentEnvelope.Identity identity, out _);
            envelope.WriteCommand(bulk.BeginCommand(), document, identity);
        }

        bulk.CompleteAsync().GetAwaiter().GetResult();
        return BulkCount / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    private static double ReadStream(HttpClient client, Uri url)
    {
        long start = Stopwatch.GetTimestamp();
        using HttpResponseMessage response = client.GetAsync(url, HttpCompletionOption.ResponseHeadersRead)
            .GetAwaiter().GetResult();
        using Stream body = response.EnsureSuccessStatusCode().Content.ReadAsStream();
        byte[] buffer = new byte[1024 * 1024];
        long lines = 0;
        for (int read = body.Read(buffer); read > 0; read = body.Read(buffer))
        {
            lines += buffer.AsSpan(0, read).Count((byte)'\n');
        }

        return lines >= BulkCount
            ? lines / Stopwatch.GetElapsedTime(start).TotalSeconds
            : throw new InvalidOperationException($"only {lines} documents came");
    }

    /// <summary>A document of about 1 KB, the same for both.</summary>
    private static string BodyOf(long number) => string.Create(
        CultureInfo.InvariantCulture,
        $"{{\"Id\":\"{IdOf(number % KnownCount)}\",\"Name\":\"User {number}\",\"Age\":{number % 90}," +
        $"\"Score\":{number % 1000 / 10.0:0.0},\"Tags\":[\"a\",\"b\",\"c\"]," +
        $"\"Address\":{{\"City\":\"Haifa\",\"Street\":\"Street {number % 500}\"}},\"Text\":\"{Text}\"}}");

    private static bool CreateDatabase(HttpClient client)
    {
        using var record = new StringContent("""{"DatabaseName":"bench"}""", Encoding.UTF8, "application/json");
        using HttpResponseMessage answer = client.PutAsync(
            new Uri("/admin/databases?name=bench", UriKind.Relative), record).GetAwaiter().GetResult();
        return answer.IsSuccessStatusCode;
    }
}
