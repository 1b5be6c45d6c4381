namespace Raven.Client.Documents.Queries;

/// <summary>Statistics of a query that the server sends with its results.</summary>
public sealed class QueryStatistics
{
    /// <summary>Whether the index was stale: behind the documents.</summary>
    public bool IsStale { get; internal set; }

    /// <summary>How many results there are; the answer may have only a page of them.</summary>
    public long TotalResults { get; internal set; }

    /// <summary>How many results were skipped.</summary>
    public long SkippedResults { get; internal set; }

    /// <summary>How many results a filter scanned; 0 without one.</summary>
    public long ScannedResults { get; internal set; }

    /// <summary>How long the query took on the server, in milliseconds.</summary>
    public long DurationInMs { get; internal set; }

    /// <summary>The index that answered.</summary>
    public string? IndexName { get; internal set; }

    /// <summary>A hash of the state of the index.</summary>
    public long ResultEtag { get; internal set; }

    internal void CopyFrom(QueryStatistics other)
    {
        IsStale = other.IsStale;
        TotalResults = other.TotalResults;
        SkippedResults = other.SkippedResults;
        ScannedResults = other.ScannedResults;
        DurationInMs = other.DurationInMs;
        IndexName = other.IndexName;
        ResultEtag = other.ResultEtag;
    }
}
