namespace Raven.Cluster.Hosting;

/// <summary>What has become of a change of a group's record.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Revision">The revision of the record now; 0 if it is not known.</param>
/// <param name="Problem">Why it was not done, for people.</param>
public readonly record struct GroupChange(GroupChangeStatus Status, long Revision, string? Problem = null);

/// <summary>How a change of a group's record ended.</summary>
public enum GroupChangeStatus
{
    /// <summary>It is done.</summary>
    Done,

    /// <summary>It was so before.</summary>
    Unchanged,

    /// <summary>There is no such group or node.</summary>
    Missing,

    /// <summary>It would contradict a rule.</summary>
    Refused,

    /// <summary>The store cannot be reached: not done.</summary>
    Unavailable,

    /// <summary>The call was ended, or the answer is lost: perhaps done.</summary>
    Unknown,
}
