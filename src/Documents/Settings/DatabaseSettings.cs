namespace Raven.Documents.Settings;

/// <summary>The settings of a database. Immutable: a change makes a new one.</summary>
public sealed record DatabaseSettings
{
    /// <summary>The settings of a database that has none.</summary>
    internal static DatabaseSettings None { get; } = new();

    /// <summary>Which versions are kept; null if none are.</summary>
    public RevisionsConfiguration? Revisions { get; init; }

    /// <summary>The configuration for clients of this database; null if there is none.</summary>
    public ClientConfiguration? Client { get; init; }

    /// <summary>What is done with time series; null if nothing was configured.</summary>
    internal TimeSeriesConfiguration? TimeSeries { get; init; }

    /// <summary>Whether documents expire.</summary>
    internal SweepConfiguration Expiration { get; init; } = SweepConfiguration.Off;

    /// <summary>Whether documents are refreshed.</summary>
    internal SweepConfiguration Refresh { get; init; } = SweepConfiguration.Off;
}
