namespace Raven.Tools.Bench;

/// <summary>
/// Measures rows: warm-up, then ours and the peer in turn, the one that goes first changing every round, so that
/// whatever else the machine does falls on both alike. Medians, not means: a run that was interrupted does not count.
/// </summary>
public sealed class BenchRunner
{
    private readonly int _runs;
    private readonly Action _beforeRun;

    /// <summary>A runner that measures each side <paramref name="runs"/> times.</summary>
    public BenchRunner(int runs)
        : this(runs, CollectGarbage)
    {
    }

    /// <summary>A runner with something else to do before each run than to collect all garbage.</summary>
    internal BenchRunner(int runs, Action beforeRun)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(runs, 1);
        _runs = runs;
        _beforeRun = beforeRun;
    }

    /// <summary>Measures one row. A failure of the measured code becomes part of the result.</summary>
    public BenchResult Run(BenchRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        if (row.Skipped is not null)
        {
            return new BenchResult(row, Ours: null, Peer: null, SpreadPercent: 0, Failure: null);
        }

        if (row.Ours is null)
        {
            return new BenchResult(row, null, null, 0, "the row has nothing to measure");
        }

        try
        {
            return Measure(row, row.Ours, row.Peer);
        }
        catch (Exception failure) when (failure is not OutOfMemoryException)
        {
            return new BenchResult(row, null, null, 0, $"{failure.GetType().Name}: {failure.Message}");
        }
    }

    /// <summary>The middle of the values; of the two middle ones of an even count, their mean.</summary>
    public static double Median(IReadOnlyList<double> values)
    {
        ArgumentNullException.ThrowIfNull(values);
        double[] sorted = [.. values.Order()];
        int middle = sorted.Length / 2;
        return sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private BenchResult Measure(BenchRow row, Func<double> measureOurs, Func<double>? measurePeer)
    {
        for (int run = 0; run < row.WarmUpRuns; run++)
        {
            _ = measureOurs();
            _ = measurePeer?.Invoke();
        }

        int runs = row.RunsMade > 0 ? row.RunsMade : Math.Min(row.Runs ?? _runs, _runs);
        var ours = new List<double>(runs);
        var peer = new List<double>(runs);
        for (int run = 0; run < runs; run++)
        {
            bool oursFirst = run % 2 == 0;
            if (oursFirst)
            {
                ours.Add(MeasureClean(measureOurs));
            }

            if (measurePeer is not null)
            {
                peer.Add(MeasureClean(measurePeer));
            }

            if (!oursFirst)
            {
                ours.Add(MeasureClean(measureOurs));
            }
        }

        double median = Median(ours);
        double spread = median == 0 ? 0 : (ours.Max() - ours.Min()) / Math.Abs(median) * 100;
        return new BenchResult(row, median, peer.Count == 0 ? null : Median(peer), spread, Failure: null);
    }

    private double MeasureClean(Func<double> measure)
    {
        _beforeRun();
        return measure();
    }

    /// <summary>Each run starts with an empty young heap, so that no side pays for the garbage of the other.</summary>
    private static void CollectGarbage()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }
}
