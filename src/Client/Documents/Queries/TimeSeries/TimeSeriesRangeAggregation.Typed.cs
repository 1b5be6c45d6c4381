using System.Text.Json.Serialization;
using Raven.Client.Documents.Session.TimeSeries;
using Raven.Client.Json;

namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>
/// A group of the entries of a time series, whose values are objects; NaN for what was not asked for.
/// </summary>
public sealed class TimeSeriesRangeAggregation<T> where T : new()
{
    /// <summary>When the group begins.</summary>
    [JsonPropertyName("From")]
    public DateTime From { get; set; }

    /// <summary>When the group ends, which is no more of it.</summary>
    [JsonPropertyName("To")]
    public DateTime To { get; set; }

    /// <summary>The second key of the group: a text, a number, a boolean; null if there is none.</summary>
    [JsonPropertyName("Key")]
    [JsonConverter(typeof(SeriesKeyConverter))]
    public object? Key { get; set; }

    /// <summary>How many there are of each value.</summary>
    [JsonIgnore]
    public T Count => TimeSeriesValues<T>.Read(CountValues);

    /// <summary>The values of the first entry.</summary>
    [JsonIgnore]
    public T First => TimeSeriesValues<T>.Read(FirstValues);

    /// <summary>The values of the last entry.</summary>
    [JsonIgnore]
    public T Last => TimeSeriesValues<T>.Read(LastValues);

    /// <summary>The least of each value.</summary>
    [JsonIgnore]
    public T Min => TimeSeriesValues<T>.Read(MinValues);

    /// <summary>The greatest of each value.</summary>
    [JsonIgnore]
    public T Max => TimeSeriesValues<T>.Read(MaxValues);

    /// <summary>The sum of each value.</summary>
    [JsonIgnore]
    public T Sum => TimeSeriesValues<T>.Read(SumValues);

    /// <summary>The mean of each value.</summary>
    [JsonIgnore]
    public T Average => TimeSeriesValues<T>.Read(AverageValues);

    /// <summary>The percentile of each value.</summary>
    [JsonIgnore]
    public T Percentile => TimeSeriesValues<T>.Read(PercentileValues);

    /// <summary>How much each value changes in a millisecond.</summary>
    [JsonIgnore]
    public T Slope => TimeSeriesValues<T>.Read(SlopeValues);

    /// <summary>The standard deviation of each value.</summary>
    [JsonIgnore]
    public T StandardDeviation => TimeSeriesValues<T>.Read(StandardDeviationValues);

    [JsonInclude]
    [JsonPropertyName("Count")]
    [JsonConverter(typeof(SeriesNumbersConverter))]
    internal double[] CountValues { get; set; } = [];

    [JsonInclude]
    [JsonPropertyName("First")]
    [JsonConverter(typeof(SeriesNumbersConverter))]
    internal double[] FirstValues { get; set; } = [];

    [JsonInclude]
    [JsonPropertyName("Last")]
    [JsonConverter(typeof(SeriesNumbersConverter))]
    internal double[] LastValues { get; set; } = [];

    [JsonInclude]
    [JsonPropertyName("Min")]
    [JsonConverter(typeof(SeriesNumbersConverter))]
    internal double[] MinValues { get; set; } = [];

    [JsonInclude]
    [JsonPropertyName("Max")]
    [JsonConverter(typeof(SeriesNumbersConverter))]
    internal double[] MaxValues { get; set; } = [];

    [JsonInclude]
    [JsonPropertyName("Sum")]
    [JsonConverter(typeof(SeriesNumbersConverter))]
    internal double[] SumValues { get; set; } = [];

    [JsonInclude]
    [JsonPropertyName("Average")]
    [JsonConverter(typeof(SeriesNumbersConverter))]
    internal double[] AverageValues { get; set; } = [];

    [JsonInclude]
    [JsonPropertyName("Percentile")]
    [JsonConverter(typeof(SeriesNumbersConverter))]
    internal double[] PercentileValues { get; set; } = [];

    [JsonInclude]
    [JsonPropertyName("Slope")]
    [JsonConverter(typeof(SeriesNumbersConverter))]
    internal double[] SlopeValues { get; set; } = [];

    [JsonInclude]
    [JsonPropertyName("Standard Deviation")]
    [JsonConverter(typeof(SeriesNumbersConverter))]
    internal double[] StandardDeviationValues { get; set; } = [];
}
