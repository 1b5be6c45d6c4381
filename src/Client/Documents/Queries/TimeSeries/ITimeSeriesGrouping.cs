namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>What can be worked out of a group of entries: a number for each of their values.</summary>
public interface ITimeSeriesGrouping
{
    /// <summary>How many there are of each value.</summary>
    long[] Count();

    /// <summary>The values of the first entry.</summary>
    double[] First();

    /// <summary>The values of the last entry.</summary>
    double[] Last();

    /// <summary>The least of each value.</summary>
    double[] Min();

    /// <summary>The greatest of each value.</summary>
    double[] Max();

    /// <summary>The sum of each value.</summary>
    double[] Sum();

    /// <summary>The mean of each value.</summary>
    double[] Average();

    /// <summary>The percentile of each value.</summary>
    /// <param name="number">From 0 to 100.</param>
    double[] Percentile(double number);

    /// <summary>How much each value changes in a millisecond; of groups by time alone.</summary>
    double[] Slope();

    /// <summary>The standard deviation of each value, of all of them.</summary>
    double[] StandardDeviation();
}
