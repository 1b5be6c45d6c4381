using System.Text.Json.Serialization;
using Raven.Client.Json;

namespace Raven.Client.Documents.Session.TimeSeries;

/// <summary>An entry of a time series: a time, its values, and perhaps a tag.</summary>
public class TimeSeriesEntry
{
    /// <summary>The time, UTC, to the millisecond.</summary>
    [JsonPropertyName("Timestamp")]
    public DateTime Timestamp { get; set; }

    /// <summary>Where the entry comes from, often the id of a document; null if nobody said so.</summary>
    [JsonPropertyName("Tag")]
    public string? Tag { get; set; }

    /// <summary>The values, 1 to 32; of a roll-up six for each: first, last, least, greatest, sum, count.</summary>
    [JsonPropertyName("Values")]
    [JsonConverter(typeof(SeriesNumbersConverter))]
    public double[] Values { get; set; } = [];

    /// <summary>Whether a policy has made the entry of those of a stretch of time.</summary>
    [JsonPropertyName("IsRollup")]
    public bool IsRollup { get; set; }

    /// <summary>What each database has added to an entry of an incremental series; null if not asked for.</summary>
    [JsonPropertyName("NodeValues")]
    public Dictionary<string, double[]>? NodeValues { get; set; }

    /// <summary>The first value.</summary>
    /// <exception cref="InvalidOperationException">There are several values, and one is set.</exception>
    [JsonIgnore]
    public double Value
    {
        get => Values[0];
        set => Values = Values.Length <= 1
            ? [value]
            : throw new InvalidOperationException("The entry has several values: set Values.");
    }
}
