namespace Raven.Client.Documents.Operations.TimeSeries;

/// <summary>What becomes of the time series of a database: roll-ups, retention, names of values.</summary>
public sealed record TimeSeriesConfiguration
{
    /// <summary>The policies of each collection.</summary>
    public Dictionary<string, TimeSeriesCollectionConfiguration> Collections
    {
        get => field ??= [];
        init;
    }

    /// <summary>How often the server looks for what is to be done; null for every ten minutes.</summary>
    public TimeSpan? PolicyCheckFrequency { get; init; }

    /// <summary>The names of the values, by collection and series.</summary>
    public Dictionary<string, Dictionary<string, string[]>> NamedValues
    {
        get => field ??= [];
        init;
    }
}

/// <summary>What becomes of the time series of a collection.</summary>
public sealed record TimeSeriesCollectionConfiguration
{
    /// <summary>Whether nothing is done for now.</summary>
    public bool Disabled { get; init; }

    /// <summary>The roll-ups, each made of the one before it, the finest of what was written.</summary>
    public List<TimeSeriesPolicy> Policies
    {
        get => field ??= [];
        init;
    }

    /// <summary>How long entries are kept as they were written; null for ever.</summary>
    public RawTimeSeriesPolicy? RawPolicy { get; init; }
}
