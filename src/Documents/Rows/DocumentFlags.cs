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

    /// <summary>It has counters.</summary>
    HasCounters = 1 << 1,

    /// <summary>It has time series.</summary>
    HasTimeSeries = 1 << 2,

    /// <summary>Earlier versions of it are kept.</summary>
    HasRevisions = 1 << 3,

    /// <summary>It is an earlier version itself.</summary>
    Revision = 1 << 4,

    /// <summary>It is the mark of a deletion among the revisions.</summary>
    DeleteRevision = 1 << 5,
}
