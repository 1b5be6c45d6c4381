namespace Raven.Documents.Changes;

/// <summary>The kinds of <see cref="ChangeWatch"/>.</summary>
public enum ChangeWatchKind
{
    /// <summary>Every document.</summary>
    AllDocuments,

    /// <summary>A document by its id.</summary>
    Document,

    /// <summary>Documents whose ids start with a text.</summary>
    Prefix,

    /// <summary>The documents of a collection.</summary>
    Collection,

    /// <summary>Every operation.</summary>
    AllOperations,

    /// <summary>An operation by its number.</summary>
    Operation,

    /// <summary>Every index.</summary>
    AllIndexes,

    /// <summary>An index by its name.</summary>
    Index,

    /// <summary>Every counter.</summary>
    AllCounters,

    /// <summary>Counters of a name, of any document.</summary>
    Counter,

    /// <summary>All counters of a document.</summary>
    CountersOfDocument,

    /// <summary>A counter of a document: id, 0x1E, name.</summary>
    CounterOfDocument,

    /// <summary>Every time series.</summary>
    AllTimeSeries,

    /// <summary>Time series of a name, of any document.</summary>
    TimeSeries,

    /// <summary>All time series of a document.</summary>
    TimeSeriesOfDocument,

    /// <summary>A time series of a document: id, 0x1E, name.</summary>
    OneTimeSeriesOfDocument,

    /// <summary>The nodes of the database's group.</summary>
    Topology,

    /// <summary>Any change that may make a cached answer stale.</summary>
    AggressiveCache,
}
