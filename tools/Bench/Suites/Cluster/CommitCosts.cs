using Raven.Tools.Bench.Suites.Http;

namespace Raven.Tools.Bench.Suites.Cluster;

/// <summary>What a document costs a node, its processor and its managed memory, over all rounds of a load; beside a
/// server that is in no cluster.</summary>
internal sealed class CommitCosts(BenchCluster cluster, string primary, string follower, ServerUnderTest alone)
{
    private readonly Dictionary<ServerUnderTest, (double Cpu, double Bytes, double Documents)> _sums = [];

    private ServerUnderTest Primary => cluster.Servers[primary];

    private ServerUnderTest Follower => cluster.Servers[follower];

    /// <summary>The names of its rows.</summary>
    internal static IEnumerable<string> NamesOf(string load) =>
        ((string[])["primary", "follower"]).SelectMany(node => (string[])[CpuName(load, node), BytesName(load, node)]);

    /// <summary>Puts documents on three nodes, and adds what that costs: the figures of the round.</summary>
    internal double[] Put(int connections, TimeSpan duration) => Add(
        [Primary, Follower], () => ClusterLoad.Put(Primary, cluster.Servers.Values, connections, duration), duration);

    /// <summary>The same on the server that is alone.</summary>
    internal double[] PutAlone(int connections, TimeSpan duration) => Add(
        [alone], () => ClusterLoad.Put(alone, [alone], connections, duration), duration);

    /// <summary>Its rows, when the rounds are over.</summary>
    internal IEnumerable<BenchRow> Rows(string load)
    {
        (double alonePerCpu, double aloneBytes) = CostOf(alone);
        foreach ((string node, ServerUnderTest server) in ((string, ServerUnderTest)[])
            [("primary", Primary), ("follower", Follower)])
        {
            (double cpu, double bytes) = CostOf(server);
            yield return Row(CpuName(load, node), "us/document", cpu, alonePerCpu);
            yield return Row(BytesName(load, node), "B/document", bytes, aloneBytes);
        }
    }

    private static string CpuName(string load, string node) => $"{load}: CPU of the {node}";

    private static string BytesName(string load, string node) => $"{load}: managed memory of the {node}";

    private static BenchRow Row(string name, string unit, double value, double peer) => new()
    {
        Name = name,
        Unit = unit,
        PeerName = "one node",
        WarmUpRuns = 0,
        Runs = 1,
        Ours = () => value,
        Peer = () => peer,
    };

    private static (double Cpu, double Bytes) Read(ServerUnderTest server) =>
        (server.ReadCpuSeconds(), BenchCluster.AllocatedBytes(server.Url));

    private double[] Add(ServerUnderTest[] servers, Func<double[]> load, TimeSpan duration)
    {
        (double Cpu, double Bytes)[] before = [.. servers.Select(Read)];
        double[] figures = load();
        double documents = figures[ClusterLoad.RequestsPerSecond] * duration.TotalSeconds;
        for (int n = 0; n < servers.Length; n++)
        {
            (double cpu, double bytes) = Read(servers[n]);
            (double cpuSum, double bytesSum, double all) = _sums.GetValueOrDefault(servers[n]);
            _sums[servers[n]] = (cpuSum + cpu - before[n].Cpu, bytesSum + bytes - before[n].Bytes, all + documents);
        }

        return figures;
    }

    private (double CpuMicroseconds, double Bytes) CostOf(ServerUnderTest server)
    {
        (double cpu, double bytes, double documents) = _sums[server];
        return (cpu * 1e6 / documents, bytes / documents);
    }
}
