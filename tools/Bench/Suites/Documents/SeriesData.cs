namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>What the points of a benchmark are, the same for us and for the peers: one a second.</summary>
internal static class SeriesData
{
    /// <summary>The time of the first point, in ms since 1970: it begins an hour.</summary>
    internal const long Start = 1_767_225_600_000;

    /// <summary>The time between two points, in ms.</summary>
    internal const long Step = 1000;

    /// <summary>The values of one series, one array after the other, which are the same one again.</summary>
    internal static IEnumerable<double[]> Values(SeriesKind kind, int seed)
    {
        var random = new Random(seed);
        double[] values = new double[kind == SeriesKind.Prices ? 4 : 1];
        double last = 100;
        for (int i = 0; ; i++)
        {
            switch (kind)
            {
                case SeriesKind.Sensor:
                    double value = 20 + (3 * Math.Sin(i / 500.0)) + (random.NextDouble() / 5);
                    values[0] = Math.Round(value, 2);
                    break;
                case SeriesKind.Walk:
                    last = Math.Round(last + random.NextDouble() - 0.5, 6);
                    values[0] = last;
                    break;
                default:
                    SetPrices(random, values, ref last);
                    break;
            }

            yield return values;
        }
    }

    /// <summary>Open, close, high and low of a step, in cents.</summary>
    private static void SetPrices(Random random, double[] values, ref double last)
    {
        double open = last;
        last = Math.Max(1, Math.Round(last + ((random.NextDouble() - 0.5) / 5), 2));
        values[0] = open;
        values[1] = last;
        values[2] = Math.Round(Math.Max(open, last) + (random.NextDouble() / 10), 2);
        values[3] = Math.Round(Math.Min(open, last) - (random.NextDouble() / 10), 2);
    }
}
