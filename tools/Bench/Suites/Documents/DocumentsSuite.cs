using System.Diagnostics;
using Raven.Tools.Bench.Suites.Http;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>
/// Documents of 1 KB over HTTP: durable PUTs, GETs, bulk insert and streams, beside PostgreSQL by its own protocol and
/// Redis, with server and load on the same cores.
/// </summary>
internal sealed class DocumentsSuite : IBenchSuite
{
    private const string BulkName = "bulk_insert 200,000 x 1 KB";
    private const string StreamName = "stream 200,000 documents";
    private const string GetName = "GET docs?id= of 1 KB, 64 connections";
    private const string Docs = "docs?id=";
    private const int RedisRequests = 100_000;

    private static readonly (int Connections, double Target)[] Puts = [(1, 1), (16, 1.8), (64, 2.5)];

    public string Name => "documents";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        string[] names =
            [BulkName, StreamName, GetName, .. Puts.Select(put => PutName(put.Connections))];
        if (!Array.Exists(names, context.Wants))
        {
            yield break;
        }

        using BenchDatabase ours = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "documents"));
        ours.Load(); // reads need documents, whatever the filter lets through
        foreach (BenchRow row in GetStreamRows(context, ours))
        {
            yield return row;
        }

        using PostgresPeer? postgres =
            PostgresPeer.TryStart(Path.Combine(context.ScratchDirectory, "postgres"), out string why);
        if (postgres is null)
        {
            yield return BenchRow.Skip("everything beside PostgreSQL", "documents/s", why);
        }

        postgres?.Copy(BenchDatabase.DocumentCount, BenchDatabase.BodyOf);
        foreach (BenchRow row in GetBulkRows(ours, postgres).Concat(GetRequestRows(ours, postgres)))
        {
            yield return row;
        }

        foreach (BenchRow row in GetRedisRows(context, ours))
        {
            yield return row;
        }
    }

    private static string PutName(int connections) => $"PUT docs 1 KB, durable, {connections} connections";

    private static IEnumerable<BenchRow> GetBulkRows(BenchDatabase ours, PostgresPeer? postgres)
    {
        yield return new BenchRow
        {
            Name = BulkName,
            Unit = "documents/s",
            PeerName = "PostgreSQL COPY",
            Target = BenchTarget.RatioAtLeast(2),
            WarmUpRuns = 0, // the first load was the warm-up
            Ours = ours.Load,
            Peer = postgres is null
                ? null
                : () => postgres.Copy(BenchDatabase.DocumentCount, BenchDatabase.BodyOf),
        };
    }

    /// <summary>The peer sends the very bytes that we do, from memory.</summary>
    private static IEnumerable<BenchRow> GetStreamRows(BenchContext context, BenchDatabase ours)
    {
        if (!context.Wants(StreamName))
        {
            yield break;
        }

        var ourStream = new Uri(ours.Server.Url, "/databases/bench/streams/docs?format=jsonl");
        string file = Path.Combine(context.ScratchDirectory, "stream");
        using (FileStream copy = File.Create(file))
        {
            using Stream body = ours.Client.GetStreamAsync(ourStream).GetAwaiter().GetResult();
            body.CopyTo(copy);
        }

        using ServerUnderTest bare = ServerUnderTest.StartPeer(PeerServer.Bare, file);
        yield return new BenchRow
        {
            Name = StreamName,
            Unit = "documents/s",
            PeerName = PeerServer.Bare,
            Target = BenchTarget.RatioAtLeast(0.55),
            WarmUpRuns = 1,
            Ours = () => ReadStream(ours.Client, ourStream),
            Peer = () => ReadStream(ours.Client, new Uri(bare.Url, "/")),
        };
        yield return new BenchRow
        {
            Name = $"{StreamName}, server CPU",
            Unit = "us/document",
            PeerName = PeerServer.Bare,
            WarmUpRuns = 0,
            Ours = () => CpuOf(ours.Server, () => ReadStream(ours.Client, ourStream)),
            Peer = () => CpuOf(bare, () => ReadStream(ours.Client, new Uri(bare.Url, "/"))),
        };
    }

    private static IEnumerable<BenchRow> GetRequestRows(BenchDatabase ours, PostgresPeer? postgres)
    {
        foreach ((int connections, double target) in Puts)
        {
            yield return new BenchRow
            {
                Name = PutName(connections),
                Unit = "documents/s",
                PeerName = "PostgreSQL upsert",
                Target = BenchTarget.RatioAtLeast(target),
                WarmUpRuns = 1,
                Ours = () => ours.Run("PUT", Docs, connections).RequestsPerSecond,
                Peer = postgres is null
                    ? null
                    : () => postgres.Run(
                        connections, BenchDatabase.RunTime, PostgresPeer.Upsert, BenchDatabase.IdOf,
                        BenchDatabase.BodyOf),
            };
        }

        yield return new BenchRow
        {
            Name = GetName,
            Unit = "documents/s",
            PeerName = "PostgreSQL select",
            Target = BenchTarget.RatioAtLeast(1.8),
            WarmUpRuns = 1,
            Ours = () => ours.Run("GET", Docs, 64).RequestsPerSecond,
            Peer = postgres is null
                ? null
                : () => postgres.Run(64, BenchDatabase.RunTime, PostgresPeer.Select, BenchDatabase.IdOf, null),
        };
    }

    private static IEnumerable<BenchRow> GetRedisRows(BenchContext context, BenchDatabase ours)
    {
        if (!context.Wants(PutName(64)) && !context.Wants(GetName))
        {
            yield break;
        }

        using RedisPeer? redis = RedisPeer.TryStart(Path.Combine(context.ScratchDirectory, "redis"), out string why);
        if (redis is null)
        {
            yield return BenchRow.Skip("everything beside Redis", "documents/s", why);
            yield break;
        }

        foreach (bool isWrite in (bool[])[true, false])
        {
            yield return new BenchRow
            {
                Name = isWrite ? PutName(64) : GetName,
                Unit = "documents/s",
                PeerName = isWrite ? "Redis SET, appendfsync always" : "Redis GET",
                Target = isWrite ? BenchTarget.RatioAtLeast(0.7) : BenchTarget.None,
                WarmUpRuns = 1,
                Ours = () => ours.Run(isWrite ? "PUT" : "GET", Docs, 64).RequestsPerSecond,
                Peer = () => redis.Run(64, RedisRequests, isWrite, BenchDatabase.DocumentCount),
            };
        }
    }

    private static double CpuOf(ServerUnderTest server, Action work)
    {
        double before = server.ReadCpuSeconds();
        work();
        return (server.ReadCpuSeconds() - before) * 1e6 / BenchDatabase.DocumentCount;
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

        return lines >= BenchDatabase.DocumentCount
            ? lines / Stopwatch.GetElapsedTime(start).TotalSeconds
            : throw new InvalidOperationException($"only {lines} documents came");
    }
}
