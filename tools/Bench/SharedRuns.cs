namespace Raven.Tools.Bench;

/// <summary>
/// Lets one expensive run (a load test) feed several rows (requests/s, p99, CPU): the n-th measurement of every
/// metric is taken from the n-th run, which happens only once.
/// </summary>
public sealed class SharedRuns
{
    private readonly RunMemo<double[]> _runs;

    /// <summary>Wraps a run that gives all its metrics at once, always in the same order.</summary>
    public SharedRuns(Func<double[]> run)
    {
        ArgumentNullException.ThrowIfNull(run);
        _runs = new RunMemo<double[]>(_ => run());
    }

    /// <summary>All runs so far, warm-up first.</summary>
    public IReadOnlyList<double[]> Results => _runs.Results;

    /// <summary>
    /// The measurement of one metric, for <see cref="BenchRow.Ours"/> or <see cref="BenchRow.Peer"/>.
    /// </summary>
    public Func<double> Metric(int index) => _runs.Metric(metrics => metrics[index]);
}
