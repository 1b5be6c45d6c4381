using System.Text.Json.Serialization;
using Raven.Client.Json;

namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>A group of the entries of a time series; what was not asked for is empty.</summary>
public sealed class TimeSeriesRangeAggregation
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
    [JsonPropertyName("Count")]
    public long[] Count { get; set; } = [];

    /// <summary>The values of the first entry.</summary>
    [JsonPropertyName("First")]
    [JsonConverter(typeof(SeriesNumbersConverter))]
    public double[] First { get; set; } = [];

    /// <summary>The values of the last entry.</summary>
    [JsonPropertyName("Last")]
    [JsonConverter(typeof(SeriesNumbersConverter))]
    public double[] Last { get; set; } = [];

    /// <summary>The least of each value.</summary>
    [JsonPropertyName("Min")]
    [JsonConverter(typeof(SeriesNumbersConverter))]
    public double[] Min { get; set; } = [];

    /// <summary>The greatest of each value.</summary>
    [JsonPropertyName("Max")]
    [JsonConverter(typeof(SeriesNumbersConverter))]
    public double[] Max { get; set; } = [];

    /// <summary>The sum of each value.</summary>
    [JsonPropertyName("Sum")]
    [JsonConverter(typeof(SeriesNumbersConverter))]
    public double[] Sum { get; set; } = [];

    /// <summary>The mean of each value.</summary>
    [JsonPropertyName("Average")]
    [JsonConverter(typeof(SeriesNumbersConverter))]
    public double[] Average { get; set; } = [];

    /// <summary>The percentile of each value.</summary>
    [JsonPropertyName("Percentile")]
    [JsonConverter(typeof(SeriesNumbersConverter))]
    public double[] Percentile { get; set; } = [];

    /// <summary>How much each value changes in a millisecond.</summary>
    [JsonPropertyName("Slope")]
    [JsonConverter(typeof(SeriesNumbersConverter))]
    public double[] Slope { get; set; } = [];

    /// <summary>The standard deviation of each value.</summary>
    [JsonPropertyName("Standard Deviation")]
    [JsonConverter(typeof(SeriesNumbersConverter))]
    public double[] StandardDeviation { get; set; } = [];
}
