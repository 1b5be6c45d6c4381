namespace Raven.Client.Documents;

/// <summary>How aggressive caching notices that something changed.</summary>
public enum AggressiveCacheMode
{
    /// <summary>The server tells of each change, and cached answers are asked for again then.</summary>
    TrackChanges,

    /// <summary>It does not: an answer is taken until it is too old.</summary>
    DoNotTrackChanges,
}
