namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>What can be worked out of a group of entries whose values are objects.</summary>
public interface ITimeSeriesGrouping<T> where T : new()
{
    /// <summary>How many there are of each value.</summary>
    T Count();

    /// <summary>The values of the first entry.</summary>
    T First();

    /// <summary>The values of the last entry.</summary>
    T Last();

    /// <summary>The least of each value.</summary>
    T Min();

    /// <summary>The greatest of each value.</summary>
    T Max();

    /// <summary>The sum of each value.</summary>
    T Sum();

    /// <summary>The mean of each value.</summary>
    T Average();

    /// <summary>The percentile of each value.</summary>
    /// <param name="number">From 0 to 100.</param>
    T Percentile(double number);

    /// <summary>How much each value changes in a millisecond; of groups by time alone.</summary>
    T Slope();

    /// <summary>The standard deviation of each value, of all of them.</summary>
    T StandardDeviation();
}
