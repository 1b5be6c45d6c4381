namespace Raven.Client.Documents.Queries.Timings;

/// <summary>The times of a query on the server, stage by stage; filled by the answer.</summary>
public sealed class QueryTimings
{
    /// <summary>How long it took, in milliseconds.</summary>
    public double DurationInMs { get; set; }

    /// <summary>Its stages by name; null if it has none.</summary>
    public Dictionary<string, QueryTimings>? Timings { get; set; }

    internal void CopyFrom(QueryTimings other)
    {
        DurationInMs = other.DurationInMs;
        Timings = other.Timings;
    }
}
