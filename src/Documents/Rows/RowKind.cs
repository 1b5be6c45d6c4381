namespace Raven.Documents.Rows;

/// <summary>
/// What a row is, or, in a tombstone, what was deleted. The numbers are on disk and never change their meaning; those
/// of future features are reserved here, so that a row is never taken for another kind.
/// </summary>
internal enum RowKind : byte
{
    /// <summary>No row.</summary>
    None = 0,

    /// <summary>A document.</summary>
    Document = 1,

    /// <summary>Only in a tombstone: the document lives on, in another collection.</summary>
    LeftCollection = 2,

    /// <summary>An earlier version of a document.</summary>
    Revision = 3,

    /// <summary>A link from a document to an attachment's stream.</summary>
    Attachment = 4,

    /// <summary>Counters of a document.</summary>
    Counters = 5,

    /// <summary>A segment of a time series.</summary>
    TimeSeries = 6,
}
