namespace Raven.Server.Indexing;

/// <summary>What changes a stream of an index tells of.</summary>
internal enum ChangeKind
{
    /// <summary>Documents that were written.</summary>
    Documents,

    /// <summary>Documents that were deleted, or left the collection.</summary>
    Tombstones,

    /// <summary>Compare-exchange values that were set or removed.</summary>
    Values,

    /// <summary>Counters that were created or have another value.</summary>
    Counters,
}
