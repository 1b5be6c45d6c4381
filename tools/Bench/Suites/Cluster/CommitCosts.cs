namespace Raven.Tools.Bench.Suites.Cluster;

/// <summary>What a document costs on each node: processor and managed memory, over all rounds of a load.</summary>
internal sealed class CommitCosts(BenchCluster cluster, string primary, string follower)
{
    private readonly Dictionary<string, (double Cpu, double Bytes)> _sums = [];
    private double _documents;

    /// <summary>The names of its rows.</summary>
    internal static IEnumerable<string> NamesOf(string load) =>
        ((string[])["primary", "follower"]).SelectMany(node => (string[])[CpuName(load, node), BytesName(load, node)]);

    /// <summary>Puts documents, and adds what that costs: the figures of the round.</summary>
    internal double[] Put(int connections, TimeSpan duration)
    {
        string[] nodes = [primary, follower];
        (double Cpu, double Bytes)[] before = [.. nodes.Select(Read)];
        double[] figures = ClusterLoad.Put(
            cluster.Servers[primary], cluster.Servers.Values, connections, duration);
        _documents += figures[ClusterLoad.RequestsPerSecond] * duration.TotalSeconds;
        for (int n = 0; n < nodes.Length; n++)
        {
            (double cpu, double bytes) = Read(nodes[n]);
            (double cpuSum, double bytesSum) = _sums.GetValueOrDefault(nodes[n]);
            _sums[nodes[n]] = (cpuSum + cpu - before[n].Cpu, bytesSum + bytes - before[n].Bytes);
        }

        return figures;
    }

    /// <summary>Its rows, when the rounds are over.</summary>
    internal IEnumerable<BenchRow> Rows(string load)
    {
        foreach ((string node, string tag) in ((string, string)[])[("primary", primary), ("follower", follower)])
        {
            (double cpu, double bytes) = _sums[tag];
            yield return Row(CpuName(load, node), "us/document", cpu * 1e6 / _documents);
            yield return Row(BytesName(load, node), "B/document", bytes / _documents);
        }
    }

    private static string CpuName(string load, string node) => $"{load}: CPU of the {node}";

    private static string BytesName(string load, string node) => $"{load}: managed memory of the {node}";

    private static BenchRow Row(string name, string unit, double value) => new()
    {
        Name = name,
        Unit = unit,
        WarmUpRuns = 0,
        Runs = 1,
        Ours = () => value,
    };

    private (double Cpu, double Bytes) Read(string tag) =>
        (cluster.Servers[tag].ReadCpuSeconds(), cluster.AllocatedBytes(tag));
}
