namespace Raven.Server.Http.Cluster;

/// <summary>Whether a change of the cluster's records is done.</summary>
public enum ClusterOutcomeStatus
{
    /// <summary>It is done.</summary>
    Done,

    /// <summary>It was so already.</summary>
    Unchanged,

    /// <summary>There is no such node, database or member.</summary>
    Missing,

    /// <summary>Something of that name is there, or the record has another etag.</summary>
    Conflict,

    /// <summary>It contradicts a rule: nothing was done.</summary>
    Refused,

    /// <summary>The store, or a node that it needs, cannot be reached: surely not done.</summary>
    Unavailable,

    /// <summary>The answer was lost: perhaps done.</summary>
    Unknown,

    /// <summary>This server does not do that: it is in no cluster, or the change is of a later stage.</summary>
    NotServed,
}
