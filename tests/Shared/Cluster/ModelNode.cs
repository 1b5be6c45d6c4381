namespace Shared.Cluster;

/// <summary>A node of the model.</summary>
internal struct ModelNode
{
    internal bool IsUp;
    internal bool IsPrimary;

    /// <summary>The epoch that it believes in; 0 while it is down.</summary>
    internal int Epoch;

    /// <summary>As primary: the set in sync that it believes in.</summary>
    internal int InSync;

    /// <summary>As primary: it knows the newest record of the group. As follower: it is in a session.</summary>
    internal bool IsFresh;

    /// <summary>As primary: its last transaction is not committed under its epoch.</summary>
    internal bool IsInFlight;

    /// <summary>As primary: the node that it asks to be added to the set in sync; -1 for none.</summary>
    internal int Added;

    internal ModelLog Log;

    internal static ModelNode Follower(int epoch, ModelLog log) =>
        new() { IsUp = true, Epoch = epoch, Added = -1, Log = log };
}
