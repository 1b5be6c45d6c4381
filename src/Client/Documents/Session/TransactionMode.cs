namespace Raven.Client.Documents.Session;

/// <summary>How far a save is one.</summary>
public enum TransactionMode
{
    /// <summary>One transaction of the server that takes it.</summary>
    SingleNode,

    /// <summary>One transaction of the cluster, which can change compare-exchange values too.</summary>
    ClusterWide,
}
