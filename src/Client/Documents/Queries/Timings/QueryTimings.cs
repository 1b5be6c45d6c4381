namespace Raven.Client.Documents.Queries.Timings;

/// <summary>How long a query took on the server, stage by stage; filled by the answer.</summary>
public sealed class QueryTimings
{
    /// <summary>How long the query or the stage took, in milliseconds.</summary>
    public double DurationInMs { get; set; }

    /// <summary>The stages of it by name; null if it has none.</summary>
    public Dictionary<string, QueryTimings>? Timings { get; set; }

    internal void CopyFrom(QueryTimings other)
    {
        DurationInMs = other.DurationInMs;
        Timings = other.Timings;
    }
}
