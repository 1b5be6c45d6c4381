namespace Raven.Cluster.Hosting;

/// <summary>How the nodes of a cluster reach one another. Any thread.</summary>
public interface IReplicaNetwork
{
    /// <summary>
    /// Connects to a node, for the log of a database. The other one gives its end to
    /// <see cref="ReplicaNode.AcceptAsync"/>. What nodes say there is checked by frames, who they are by this.
    /// </summary>
    /// <param name="tag">The node.</param>
    /// <param name="database">The database.</param>
    /// <param name="stop">Ends the attempt.</param>
    /// <returns>A stream of bytes both ways, which the caller disposes of; null if the node cannot be reached. One that
    /// is disposed of ends what is being read and written.</returns>
    ValueTask<Stream?> DialAsync(string tag, string database, CancellationToken stop);
}
