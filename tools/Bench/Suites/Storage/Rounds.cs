namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// The same work by several stores: a round runs each of them once, from the first on or from the last, so that what
/// else the disk does falls on all alike, and every row beside a peer is of one run of ours. The n-th measurement of a
/// figure is of the n-th round.
/// </summary>
internal sealed class Rounds
{
    private readonly Func<double[]>?[] _sides;
    private readonly RunMemo<double[]?[]> _rounds;

    /// <summary>Takes what each of the stores does; null for one that is not there.</summary>
    internal Rounds(params Func<double[]>?[] sides)
    {
        _sides = sides;
        _rounds = new RunMemo<double[]?[]>(round => Run(isBackward: round % 2 == 1));
    }

    /// <summary>Whether there is anything to measure on this side.</summary>
    internal bool Has(int side) => _sides[side] is not null;

    /// <summary>A figure of one side, for <see cref="BenchRow.Ours"/> or <see cref="BenchRow.Peer"/>.</summary>
    internal Func<double> Metric(int side, int index) => _rounds.Metric(round => round[side]![index]);

    private double[]?[] Run(bool isBackward)
    {
        var round = new double[]?[_sides.Length];
        for (int i = 0; i < _sides.Length; i++)
        {
            int side = isBackward ? _sides.Length - 1 - i : i;
            GC.Collect();
            GC.WaitForPendingFinalizers();
            round[side] = _sides[side]?.Invoke();
        }

        return round;
    }
}
