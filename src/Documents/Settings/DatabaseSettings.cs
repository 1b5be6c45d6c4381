using Raven.Documents.Schemas;

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

    /// <summary>Whether documents are archived.</summary>
    internal SweepConfiguration Archival { get; init; } = SweepConfiguration.Off;

    /// <summary>When the revisions of deleted documents go.</summary>
    internal RevisionsBinConfiguration RevisionsBin { get; init; } = RevisionsBinConfiguration.Off;

    /// <summary>What documents must look like; null if they may be anything.</summary>
    internal SchemaRules? Schemas { get; init; }

    /// <summary>Which values are unique; null if none are.</summary>
    internal UniqueRules? Unique { get; init; }
}
