namespace Raven.Client.Documents;

/// <summary>How aggressive caching notices that something changed.</summary>
public enum AggressiveCacheMode
{
    /// <summary>
    /// The server tells of each change of documents, counters and indexes, and cached answers are asked for again then.
    /// Answers that were stale are asked for again each time, and so are all while the server tells nothing.
    /// </summary>
    TrackChanges,

    /// <summary>It does not: an answer is taken until it is too old.</summary>
    DoNotTrackChanges,
}
