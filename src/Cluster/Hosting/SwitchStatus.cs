namespace Raven.Cluster.Hosting;

/// <summary>What has become of a planned switch, or of a promotion.</summary>
public enum SwitchStatus
{
    /// <summary>The other node is primary.</summary>
    Done,

    /// <summary>This node is not the primary, or not yet.</summary>
    NotPrimary,

    /// <summary>The other node is not in sync.</summary>
    NotInSync,

    /// <summary>The other node has not taken over in time; this one goes on.</summary>
    TimedOut,
}
