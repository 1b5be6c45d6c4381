namespace Raven.Documents.Indexing;

/// <summary>The kinds of changes in a stream of an index.</summary>
internal enum ChangeKind
{
    /// <summary>Documents that were written.</summary>
    Documents,

    /// <summary>Documents that were deleted, or have another collection.</summary>
    Tombstones,

    /// <summary>Compare-exchange values that were set or removed.</summary>
    Values,

    /// <summary>Counters that were created or have another value.</summary>
    Counters,

    /// <summary>Segments of time series that were written.</summary>
    TimeSeries,

    /// <summary>Ranges that were deleted from time series.</summary>
    TimeSeriesDeletions,
}
