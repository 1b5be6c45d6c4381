using System.Text.Json.Serialization;

namespace Raven.Client.Documents.Operations.TimeSeries;

/// <summary>How entries of a stretch of time become one entry of a roll-up, and how long that one is kept.</summary>
public class TimeSeriesPolicy
{
    /// <summary>A policy to be filled.</summary>
    [JsonConstructor]
    public TimeSeriesPolicy()
    {
    }

    /// <summary>A policy whose roll-ups are kept for ever.</summary>
    /// <param name="name">Its name, the end of the names of its series.</param>
    /// <param name="aggregationTime">The stretch of time that one entry stands for.</param>
    public TimeSeriesPolicy(string name, TimeValue aggregationTime)
        : this(name, aggregationTime, TimeValue.MaxValue)
    {
    }

    /// <summary>A policy.</summary>
    /// <param name="name">Its name, the end of the names of its series.</param>
    /// <param name="aggregationTime">The stretch of time that one entry stands for.</param>
    /// <param name="retentionTime">How long entries are kept.</param>
    public TimeSeriesPolicy(string name, TimeValue aggregationTime, TimeValue retentionTime)
    {
        Name = name;
        AggregationTime = aggregationTime;
        RetentionTime = retentionTime;
    }

    /// <summary>Its name, the end of the names of its series.</summary>
    public string Name { get; set; } = "";

    /// <summary>How long entries are kept; for ever unless set.</summary>
    public TimeValue RetentionTime { get; set; } = TimeValue.MaxValue;

    /// <summary>The stretch of time that one entry stands for.</summary>
    public TimeValue AggregationTime { get; set; }

    /// <summary>The name of the roll-up of a series: <c>HeartRate@ByHour</c>.</summary>
    public string GetTimeSeriesName(string rawName) => $"{rawName}@{Name}";
}
