namespace Raven.Documents.Rows;

/// <summary>
/// What belongs to a document, or which kind of version it is. The numbers are on disk and never change their meaning.
/// </summary>
[Flags]
public enum DocumentFlags
{
    /// <summary>An ordinary document.</summary>
    None = 0,

    /// <summary>Attachments are linked to it.</summary>
    HasAttachments = 1 << 0,

    /// <summary>The document has counters.</summary>
    HasCounters = 1 << 1,

    /// <summary>The document has time series.</summary>
    HasTimeSeries = 1 << 2,

    /// <summary>Revisions of the document are kept.</summary>
    HasRevisions = 1 << 3,

    /// <summary>The row is a revision itself.</summary>
    Revision = 1 << 4,

    /// <summary>The row marks a deletion among the revisions.</summary>
    DeleteRevision = 1 << 5,
}
