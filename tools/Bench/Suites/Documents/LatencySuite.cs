using Raven.Tools.Bench.Suites.Http;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>
/// How long a durable PUT takes over 64 connections, at a pace (counted from when it was due) and saturated. The
/// machine's own part is measured by two peers that do nothing else: one that reads the body and answers, and one that
/// has it in a log on the disk before it answers. And what a PUT costs the server's processors, beside the same two.
/// </summary>
internal sealed class LatencySuite : IBenchSuite
{
    private const string PacedName = "p99 of PUT at 10,000/s over 64 connections";
    private const string BusyName = $"{PacedName}, beside two busy loops";
    private const string SaturatedName = "p99 of PUT, saturated by 64 connections";
    private const string CpuName = "PUT docs 1 KB, server CPU";
    private const string Docs = "docs?id=";
    private const int Connections = 64;
    private const double Pace = 10_000;

    public string Name => "documents";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!context.Wants(BusyName) && !context.Wants(SaturatedName) && !context.Wants(CpuName))
        {
            yield break;
        }

        using BenchDatabase ours = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "latency"));
        ours.Load();
        string answer = Path.Combine(context.ScratchDirectory, "answer");
        File.WriteAllText(answer, "{\"Id\":\"bench/0000000000\",\"ChangeVector\":\"A:1-0123456789012345678901\"}");
        using ServerUnderTest log = ServerUnderTest.StartPeer(PeerServer.Log, answer);
        using ServerUnderTest sink = ServerUnderTest.StartPeer(PeerServer.Sink, answer);
        foreach (BenchRow row in Paced(PacedName, BenchTarget.AtMost(2), ours.Server, log, sink))
        {
            yield return row;
        }

        using (context.Wants(BusyName) ? new BusyLoops(count: 2) : null)
        {
            foreach (BenchRow row in Paced(BusyName, BenchTarget.RatioAtMost(1.3), ours.Server, log, sink))
            {
                yield return row;
            }
        }

        yield return Saturated(ours.Server, SaturatedName, BenchTarget.RatioAtMost(2.5));
        yield return Saturated(log, $"{SaturatedName}: {PeerServer.Log}", BenchTarget.None);
        yield return Saturated(sink, $"{SaturatedName}: {PeerServer.Sink}", BenchTarget.None);
        foreach (int connections in (int[])[16, Connections])
        {
            yield return Cpu(ours.Server, log, PeerServer.Log, connections);
            yield return Cpu(ours.Server, sink, PeerServer.Sink, connections);
        }
    }

    private static IEnumerable<BenchRow> Paced(
        string name, BenchTarget target, ServerUnderTest ours, ServerUnderTest log, ServerUnderTest sink)
    {
        var runs = new SharedRuns(() => [Percentile(ours, Pace)]);
        BenchRow beside(ServerUnderTest peer, string peerName, BenchTarget target) => new()
        {
            Name = name,
            Unit = "ms",
            PeerName = peerName,
            Target = target,
            WarmUpRuns = 1,
            Ours = runs.Metric(0),
            Peer = () => Percentile(peer, Pace),
        };

        yield return beside(log, PeerServer.Log, target);
        yield return beside(sink, PeerServer.Sink, BenchTarget.None);
    }

    private static BenchRow Cpu(ServerUnderTest ours, ServerUnderTest peer, string peerName, int connections) => new()
    {
        Name = $"{CpuName}, {connections} connections",
        Unit = "us/request",
        PeerName = peerName,
        WarmUpRuns = 1,
        Ours = () => MeasureCpu(ours, connections),
        Peer = () => MeasureCpu(peer, connections),
    };

    private static BenchRow Saturated(ServerUnderTest server, string name, BenchTarget target)
    {
        var runs = new SharedRuns(() =>
        {
            LatencyHistogram latency = Run(server, rate: 0);
            return [latency.GetPercentile(0.99) / 1e6, latency.SumNanoseconds / latency.Count / 1e6];
        });
        return new BenchRow
        {
            Name = name,
            Unit = "ms",
            PeerName = "its mean",
            Target = target,
            WarmUpRuns = 1,
            Ours = runs.Metric(0),
            Peer = runs.Metric(1),
        };
    }

    private static double MeasureCpu(ServerUnderTest server, int connections)
    {
        double before = server.ReadCpuSeconds();
        LoadReport report = BenchDatabase.Run(
            server, "PUT", Docs, connections, rate: 0, first: 0, BenchDatabase.DocumentCount);
        return (server.ReadCpuSeconds() - before) * 1e6 / report.Requests;
    }

    private static double Percentile(ServerUnderTest server, double rate) =>
        Run(server, rate).GetPercentile(0.99) / 1e6;

    private static LatencyHistogram Run(ServerUnderTest server, double rate) =>
        BenchDatabase.Run(server, "PUT", Docs, Connections, rate, first: 0, BenchDatabase.DocumentCount).Latency;
}
