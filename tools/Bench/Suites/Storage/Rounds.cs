namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// The same work by several stores: a round runs each of them once, from the first on or from the last, so that what
/// else the disk does falls on all alike, and every row beside a peer is of one run of ours. The n-th measurement of a
/// figure is of the n-th round.
/// </summary>
/// <param name="sides">What each of them does; null for one that is not there.</param>
internal sealed class Rounds(params Func<double[]>?[] sides)
{
    private readonly List<double[]?[]> _rounds = [];

    /// <summary>Whether there is anything to measure on this side.</summary>
    internal bool Has(int side) => sides[side] is not null;

    /// <summary>A figure of one side, for <see cref="BenchRow.Ours"/> or <see cref="BenchRow.Peer"/>.</summary>
    internal Func<double> Metric(int side, int index)
    {
        int next = 0;
        return () =>
        {
            if (next == _rounds.Count)
            {
                _rounds.Add(Run(isBackward: next % 2 == 1));
            }

            return _rounds[next++][side]![index];
        };
    }

    private double[]?[] Run(bool isBackward)
    {
        var round = new double[]?[sides.Length];
        for (int i = 0; i < sides.Length; i++)
        {
            int side = isBackward ? sides.Length - 1 - i : i;
            GC.Collect();
            GC.WaitForPendingFinalizers();
            round[side] = sides[side]?.Invoke();
        }

        return round;
    }
}
