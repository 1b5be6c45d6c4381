using System.Text.Json.Serialization;

namespace Raven.Client.Documents.Session.TimeSeries;

/// <summary>What a policy has made of the entries of a stretch of time, which begins at its time.</summary>
/// <typeparam name="T">A type with a <see cref="TimeSeriesValueAttribute"/> at each value.</typeparam>
public class TimeSeriesRollupEntry<T> : TimeSeriesEntry where T : new()
{
    /// <summary>How many numbers a roll-up has for each value.</summary>
    private const int Parts = 6;

    /// <summary>The values of the first entry.</summary>
    [JsonIgnore]
    public T First => TimeSeriesValues<T>.Read(Part(0));

    /// <summary>The values of the last entry.</summary>
    [JsonIgnore]
    public T Last => TimeSeriesValues<T>.Read(Part(1));

    /// <summary>The least of each value.</summary>
    [JsonIgnore]
    public T Min => TimeSeriesValues<T>.Read(Part(2));

    /// <summary>The greatest of each value.</summary>
    [JsonIgnore]
    public T Max => TimeSeriesValues<T>.Read(Part(3));

    /// <summary>The sum of each value.</summary>
    [JsonIgnore]
    public T Sum => TimeSeriesValues<T>.Read(Part(4));

    /// <summary>How many there were of each value.</summary>
    [JsonIgnore]
    public T Count => TimeSeriesValues<T>.Read(Part(5));

    /// <summary>The sum of each value, divided by how many there were.</summary>
    [JsonIgnore]
    public T Average => TimeSeriesValues<T>.Read(
        [.. Part(4).Zip(Part(5), (sum, count) => count == 0 ? double.NaN : sum / count)]);

    private double[] Part(int number) =>
        [.. Enumerable.Range(0, Values.Length / Parts).Select(i => Values[(i * Parts) + number])];
}
