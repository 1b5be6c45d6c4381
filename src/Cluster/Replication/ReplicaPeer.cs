namespace Raven.Cluster.Replication;

/// <summary>What a primary knows of another node of its group.</summary>
internal sealed class ReplicaPeer
{
    /// <summary>The connection of its last hello; 0 for none.</summary>
    internal long Link;

    /// <summary>It has acknowledged something in this session: records go to it.</summary>
    internal bool IsInSession;

    /// <summary>Its journal has everything up to here.</summary>
    internal long Acknowledged;

    /// <summary>The next transaction to send.</summary>
    internal long Next;

    /// <summary>When it was heard last.</summary>
    internal TimeSpan HeardAt;

    /// <summary>The newest ping that it has acknowledged.</summary>
    internal long Ponged;

    /// <summary>When it left the set in sync, or was first seen out of it.</summary>
    internal TimeSpan OutAt;

    /// <summary>It counts as in sync and has not the commits: it leaves whatever the minimum is.</summary>
    internal bool IsLost;

    /// <summary>Its newest question that is not answered; 0 for none.</summary>
    internal long Asked;

    /// <summary>The ping that all must have acknowledged before it is answered.</summary>
    internal long AskedPing;

    internal void EndSession()
    {
        Link = 0;
        IsInSession = false;
        Asked = 0;
    }
}
