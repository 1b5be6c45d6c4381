using System.Net;
using Raven.Tools.Bench.Suites.Documents;
using Raven.Tools.Bench.Suites.Http;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Cluster;

/// <summary>What one round of load gives, the same of each peer.</summary>
internal static class ClusterLoad
{
    internal const int RequestsPerSecond = 0;
    internal const int CpuMicroseconds = 1;
    internal const int P99Microseconds = 2;
    internal const int P50Microseconds = 3;

    /// <summary>How long each server of ours is loaded first, until what is called often was compiled for that.</summary>
    internal static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(6);

    /// <summary>The figures of a report.</summary>
    /// <param name="report">What was sent.</param>
    /// <param name="cpuSeconds">What that cost the servers.</param>
    internal static double[] FiguresOf(LoadReport report, double cpuSeconds) =>
    [
        report.RequestsPerSecond,
        cpuSeconds * 1e6 / Math.Max(1, report.Requests),
        report.Latency.GetPercentile(0.99) / 1000.0,
        report.Latency.GetPercentile(0.5) / 1000.0,
    ];

    /// <summary>Documents of 1 KB, put one by one: the figures of a round.</summary>
    /// <param name="server">The server that is asked.</param>
    /// <param name="all">All servers that have work by it.</param>
    /// <param name="connections">Connections, each with one request under way.</param>
    /// <param name="duration">For how long.</param>
    internal static double[] Put(
        ServerUnderTest server, IEnumerable<ServerUnderTest> all, int connections, TimeSpan duration)
    {
        ServerUnderTest[] servers = [.. all];
        double before = servers.Sum(each => each.ReadCpuSeconds());
        LoadReport report = BenchDatabase.Run(
            server, "PUT", "docs?id=", connections, rate: 0, first: 0, BenchDatabase.DocumentCount, duration);
        return FiguresOf(report, servers.Sum(each => each.ReadCpuSeconds()) - before);
    }

    /// <summary>Documents, read one by one.</summary>
    /// <param name="server">The server that is asked.</param>
    /// <param name="connections">Connections, each with one request under way.</param>
    /// <param name="duration">For how long.</param>
    /// <param name="headers">What else a request says.</param>
    internal static double[] Get(
        ServerUnderTest server, int connections, TimeSpan duration, params string[] headers)
    {
        string url = new Uri(server.Url, $"/databases/{BenchCluster.Database}/docs?id=bench/").AbsoluteUri + "{n}";
        double before = server.ReadCpuSeconds();
        LoadReport report = LoadRun.RunAsync(new LoadOptions
        {
            Server = new IPEndPoint(IPAddress.Loopback, server.Url.Port),
            Requests = [RequestTemplate.Create("GET", url, body: null, keepAlive: true, headers)],
            Clients = connections,
            Duration = duration,
            NumberCount = BenchCluster.ReadCount,
        }).GetAwaiter().GetResult();
        return report.Successful == report.Requests
            ? FiguresOf(report, server.ReadCpuSeconds() - before)
            : throw new InvalidOperationException($"{server.Name}: {report.FirstFailure}");
    }
}
