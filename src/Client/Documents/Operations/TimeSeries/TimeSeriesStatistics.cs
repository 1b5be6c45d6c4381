namespace Raven.Client.Documents.Operations.TimeSeries;

/// <summary>Which time series a document has.</summary>
public sealed record TimeSeriesStatistics
{
    /// <summary>The document.</summary>
    public string DocumentId
    {
        get => field ?? "";
        init;
    }

    /// <summary>Its series.</summary>
    public List<TimeSeriesItemDetail> TimeSeries
    {
        get => field ??= [];
        init;
    }
}

/// <summary>One time series of a document.</summary>
public sealed record TimeSeriesItemDetail
{
    /// <summary>Its name.</summary>
    public string Name
    {
        get => field ?? "";
        init;
    }

    /// <summary>How many entries it has.</summary>
    public long NumberOfEntries { get; init; }

    /// <summary>The time of the first entry.</summary>
    public DateTime StartDate { get; init; }

    /// <summary>The time of the last entry.</summary>
    public DateTime EndDate { get; init; }
}
