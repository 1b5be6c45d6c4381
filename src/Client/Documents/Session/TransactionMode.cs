namespace Raven.Client.Documents.Session;

/// <summary>Whether a save is a transaction of one server or of the cluster.</summary>
public enum TransactionMode
{
    /// <summary>A transaction of the server that receives it.</summary>
    SingleNode,

    /// <summary>One transaction of the cluster, which can change compare-exchange values too.</summary>
    ClusterWide,
}
