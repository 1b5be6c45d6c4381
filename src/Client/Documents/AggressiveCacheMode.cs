namespace Raven.Client.Documents;

/// <summary>How aggressive caching notices that something changed.</summary>
public enum AggressiveCacheMode
{
    /// <summary>
    /// The server reports each change of documents, counters and indexes, and cached answers are then requested again.
    /// Answers that were stale are requested again each time, and so are all while the server cannot report.
    /// </summary>
    TrackChanges,

    /// <summary>The server does not report changes: an answer is used until it is too old.</summary>
    DoNotTrackChanges,
}
