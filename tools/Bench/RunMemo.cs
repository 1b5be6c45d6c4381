namespace Raven.Tools.Bench;

/// <summary>
/// Runs that several figures are taken from: the n-th measurement of every figure is of the n-th run, which happens
/// only once.
/// </summary>
/// <param name="run">A run, given its number, from 0.</param>
internal sealed class RunMemo<T>(Func<int, T> run)
{
    private readonly List<T> _results = [];

    /// <summary>All runs so far, warm-up first.</summary>
    internal IReadOnlyList<T> Results => _results;

    /// <summary>
    /// The measurement of one figure, for <see cref="BenchRow.Ours"/> or <see cref="BenchRow.Peer"/>.
    /// </summary>
    internal Func<double> Metric(Func<T, double> figure)
    {
        int next = 0;
        return () =>
        {
            if (next == _results.Count)
            {
                _results.Add(run(next));
            }

            return figure(_results[next++]);
        };
    }
}
