namespace Raven.Tools.Bench.Suites.Cluster;

/// <summary>Says where the figures of a server are that is in no cluster: other suites have them.</summary>
internal sealed class ClusterSingleSuite : IBenchSuite
{
    private const string Row = "a single server, in no cluster";

    public string Name => "cluster";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (context.Wants(Row))
        {
            yield return BenchRow.Skip(
                Row, "", "by `bench storage`, `http` and `documents`: they have to stay in the band of before");
        }
    }
}
