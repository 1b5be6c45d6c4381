using System.Globalization;
using System.Text;
using System.Text.Json;
using Raven.Tools.Bench.Suites.Documents;
using Raven.Tools.Bench.Suites.Indexing;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>
/// A query over HTTP that finds 25 documents of 1 KB by a field, in an index that the first one made, beside PostgreSQL
/// with an index of the same expression, by its own protocol and prepared statements. The 25 lie as far from each other
/// as they can, in both.
/// </summary>
internal sealed class HttpQueriesSuite : IBenchSuite
{
    private const string QueryName = "query of 25 documents of 1 KB over HTTP";
    private const string Database = "queried";
    private const string Select = "select body::text from docs where body->>'Group' = $1";
    private const int Results = 25;
    private const int Groups = 8000;
    private const int Documents = Results * Groups;

    private static readonly TimeSpan RunTime = TimeSpan.FromSeconds(2);
    private static readonly int[] Clients = [16, 64];

    public string Name => "queries";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!Array.Exists(Clients, clients => context.Wants(RowName(clients))))
        {
            yield break;
        }

        using var server = new IndexedServer(Path.Combine(context.ScratchDirectory, "http-queries"));
        server.CreateDatabase(Database, indexes: 0);
        server.Load(Database, Enumerable.Range(0, Documents).Select(n => BodyOf(n)));
        Check(server);
        using PostgresPeer? postgres =
            PostgresPeer.TryStart(Path.Combine(context.ScratchDirectory, "postgres-queries"), out string why);
        if (postgres is null)
        {
            yield return BenchRow.Skip($"{QueryName} beside PostgreSQL", "queries/s", why);
        }
        else
        {
            postgres.Copy(Documents, BodyOf);
            postgres.Execute("create index docs_group on docs ((body->>'Group'))");
            postgres.Execute("vacuum analyze docs");
        }

        foreach (BenchRow row in Clients.SelectMany(clients => RowsOf(server, postgres, clients)))
        {
            yield return row;
        }
    }

    private static string RowName(int clients) => $"{QueryName}, {clients} clients";

    private static string GroupOf(long number) => $"group/{IndexedServer.Digits(number % Groups)}";

    private static string BodyOf(long number) =>
        IndexedServer.BodyOf(IndexedServer.Digits(number), IndexedServer.Digits(number % Groups));

    private static string QueryOf(string group) => IndexedServer.QueryOf("Group", group);

    /// <summary>The first query makes the index and waits for it; it must find what was loaded.</summary>
    private static void Check(IndexedServer server)
    {
        using JsonDocument answer = JsonDocument.Parse(
            server.Send(HttpMethod.Post, $"/databases/{Database}/queries", QueryOf(GroupOf(7))));
        JsonElement[] found = [.. answer.RootElement.GetProperty("Results").EnumerateArray()];
        if (found.Length != Results || answer.RootElement.GetProperty("IsStale").GetBoolean()
            || found.Any(document => document.GetProperty("Group").GetString() != GroupOf(7)))
        {
            throw new InvalidOperationException($"The query found {found.Length} documents, not {Results}.");
        }
    }

    private static IEnumerable<BenchRow> RowsOf(IndexedServer server, PostgresPeer? postgres, int clients)
    {
        string name = RowName(clients);
        var runs = new SharedRuns(() => Run(server, clients));
        SharedRuns? peers = postgres is null ? null : new SharedRuns(() => Run(postgres, clients));
        yield return new BenchRow
        {
            Name = name,
            Unit = "queries/s",
            PeerName = "PostgreSQL, expression index",
            Target = BenchTarget.RatioAtLeast(2),
            WarmUpRuns = 2,
            Ours = runs.Metric(0),
            Peer = peers?.Metric(0),
        };
        yield return new BenchRow
        {
            Name = $"{name}: server CPU",
            Unit = "us/query",
            PeerName = "PostgreSQL, expression index",
            WarmUpRuns = 2,
            Ours = runs.Metric(1),
            Peer = peers?.Metric(1),
        };
        yield return new BenchRow
        {
            Name = $"{name}: server time, p50",
            Unit = "ms",
            Target = BenchTarget.AtMost(0.3),
            WarmUpRuns = 2,
            Ours = runs.Metric(2),
        };
        yield return new BenchRow
        {
            Name = $"{name}: p99 of the clients",
            Unit = "ms",
            WarmUpRuns = 2,
            Ours = runs.Metric(3),
        };
    }

    private static double[] Run(PostgresPeer postgres, int clients)
    {
        double cpu = postgres.ReadCpuSeconds();
        double rate = postgres.Run(clients, RunTime, Select, GroupOf, bodyOf: null);
        return [rate, (postgres.ReadCpuSeconds() - cpu) * 1e6 / (rate * RunTime.TotalSeconds)];
    }

    private static double[] Run(IndexedServer server, int clients)
    {
        var request = RequestTemplate.Create(
            "POST", new Uri(server.Server.Url, $"/databases/{Database}/queries").AbsoluteUri,
            Encoding.UTF8.GetBytes(QueryOf("group/{n}")), keepAlive: true, []);
        double[] before = ReadDurations(server);
        double cpu = server.Server.ReadCpuSeconds();
        LoadReport report = server.Run(request, clients, RunTime, rate: 0, first: 0, Groups);
        cpu = server.Server.ReadCpuSeconds() - cpu;
        double[] after = ReadDurations(server);
        if (report.BytesRead < report.Requests * Results * 1000)
        {
            throw new InvalidOperationException("The answers are too short for 25 documents each.");
        }

        return
        [
            report.RequestsPerSecond, cpu * 1e6 / report.Requests, MedianOf(before, after) * 1e3,
            report.Latency.GetPercentile(0.99) / 1e6,
        ];
    }

    /// <summary>How many requests took no longer than each power of two of microseconds.</summary>
    private static double[] ReadDurations(IndexedServer server) =>
    [
        .. server.Send(HttpMethod.Get, "/metrics", null).Split('\n')
            .Where(line => line.StartsWith("raven_request_duration_seconds_bucket{", StringComparison.Ordinal)
                && !line.Contains("+Inf", StringComparison.Ordinal))
            .Select(line => double.Parse(line[line.LastIndexOf(' ')..], CultureInfo.InvariantCulture)),
    ];

    /// <summary>The median of what came between two readings, seconds: in its class by proportion.</summary>
    private static double MedianOf(double[] before, double[] after)
    {
        double half = (after[^1] - before[^1]) / 2;
        for (int i = 1; i < after.Length; i++)
        {
            double below = after[i - 1] - before[i - 1];
            double upTo = after[i] - before[i];
            if (upTo >= half)
            {
                double least = Math.Pow(2, i - 1) / 1e6;
                return least * (1 + ((half - below) / Math.Max(1, upTo - below)));
            }
        }

        throw new InvalidOperationException("The server has counted no requests.");
    }
}
