namespace Raven.Client.Documents.Queries;

/// <summary>What the server says of a query beside its results.</summary>
public sealed class QueryStatistics
{
    /// <summary>Whether the index had not seen everything.</summary>
    public bool IsStale { get; internal set; }

    /// <summary>How many results there are, of which a page may have come.</summary>
    public long TotalResults { get; internal set; }

    /// <summary>How many results were left out on the way.</summary>
    public long SkippedResults { get; internal set; }

    /// <summary>How many results a filter looked into; 0 without one.</summary>
    public long ScannedResults { get; internal set; }

    /// <summary>How long it took on the server.</summary>
    public long DurationInMs { get; internal set; }

    /// <summary>The index that answered.</summary>
    public string? IndexName { get; internal set; }

    /// <summary>What stands for the state of the index.</summary>
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
