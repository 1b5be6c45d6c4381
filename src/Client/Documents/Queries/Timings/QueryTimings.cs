namespace Raven.Client.Documents.Queries.Timings;

/// <summary>Where the time of a query went on the server, stage by stage; filled once the answer is there.</summary>
public sealed class QueryTimings
{
    /// <summary>How long it took, in milliseconds.</summary>
    public double DurationInMs { get; set; }

    /// <summary>Its stages by name; null where it has none.</summary>
    public Dictionary<string, QueryTimings>? Timings { get; set; }

    internal void CopyFrom(QueryTimings other)
    {
        DurationInMs = other.DurationInMs;
        Timings = other.Timings;
    }
}
