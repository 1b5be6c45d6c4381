using System.Diagnostics.CodeAnalysis;

namespace Raven.Server.Http.Cluster;

/// <summary>
/// What routes ask of the cluster: who has which database, whether this node may answer, and the changes of
/// administrators. A server without a cluster has a <see cref="SingleNode"/>. Safe for all threads. What it tells of
/// nodes and groups comes from memory, also while the store is away, and allocates nothing.
/// </summary>
public interface IClusterNode
{
    /// <summary>False for a server without a cluster: then nothing but <see cref="Tag"/> is asked for on the way of a
    /// request. It never changes.</summary>
    bool IsClustered { get; }

    /// <summary>The tag of this node.</summary>
    string Tag { get; }

    /// <summary>The nodes of the cluster as this node knows them now.</summary>
    ClusterView Cluster { get; }

    /// <summary>The index of the last change of the cluster's records that this node has seen: the
    /// <c>RaftCommandIndex</c> that clients wait for.</summary>
    long SeenIndex { get; }

    /// <summary>The names of all databases of the cluster, also of those that this node has no part in.</summary>
    IReadOnlyCollection<string> DatabaseNames { get; }

    /// <summary>Ends when this node knows which databases the cluster has. Before that a group that it does not know
    /// may be there.</summary>
    Task Known { get; }

    /// <summary>The group of a database as this node knows it now. Another one is another object.</summary>
    /// <param name="database">Its name, in either case.</param>
    /// <param name="group">The group.</param>
    /// <returns>False if the cluster has no such database.</returns>
    bool TryGetGroup(ReadOnlySpan<char> database, [NotNullWhen(true)] out GroupView? group);

    /// <summary>Waits until the group of a database is another one than it was, or is gone.</summary>
    /// <param name="seen">The group that was of no use.</param>
    /// <param name="cancellation">Ends the wait, with an <see cref="OperationCanceledException"/>.</param>
    ValueTask WaitForChangeAsync(GroupView seen, CancellationToken cancellation);

    /// <summary>Waits until this node has seen a change of the cluster's records.</summary>
    /// <param name="index">The index of the change.</param>
    /// <param name="cancellation">Ends the wait, with an <see cref="OperationCanceledException"/>.</param>
    ValueTask WaitForIndexAsync(long index, CancellationToken cancellation);

    /// <summary>
    /// Makes sure that a snapshot that is taken from now on has everything that was acknowledged before the call, or
    /// what <paramref name="wish"/> asks for. Completed at once on a primary with a lease.
    /// </summary>
    /// <param name="group">The group of the database, of which this node is a part.</param>
    /// <param name="wish">What the request asks for.</param>
    /// <param name="cancellation">Ends the wait, with an <see cref="OperationCanceledException"/>.</param>
    ValueTask<ReadState> ReadableAsync(GroupView group, ReadWish wish, CancellationToken cancellation);

    /// <summary>Waits until a number of other members have all that the primary, this node, has committed.</summary>
    /// <param name="group">The group.</param>
    /// <param name="count">How many others.</param>
    /// <param name="cancellation">Ends the wait, with an <see cref="OperationCanceledException"/>.</param>
    /// <returns>How many have it.</returns>
    ValueTask<int> WaitForReplicasAsync(GroupView group, int count, CancellationToken cancellation);

    /// <summary>Whether the other end of a connection has proven to be a node of this cluster.</summary>
    /// <param name="tag">The tag that it says it has.</param>
    /// <param name="certificateDigest">What the certificate of its handshake is recognised by
    /// (<c>ClientCertificate.DigestOf</c>); null without TLS.</param>
    /// <param name="key">The key of <see cref="ForwardKey"/> that it has sent; null if it has sent none.</param>
    bool IsNode(string tag, string? certificateDigest, string? key);

    /// <summary>What nodes without certificates show one another, made at random when the cluster is made and kept in
    /// the store; null with TLS, where their certificates do.</summary>
    string? ForwardKey { get; }

    /// <summary>Makes what sends requests to other nodes: it shows this node's certificate, and takes those of nodes of
    /// this cluster alone. One for the life of the server; the caller disposes it.</summary>
    SocketsHttpHandler CreateHandler();

    /// <summary>What is known of how far the nodes of a group are, for people.</summary>
    /// <param name="group">The group.</param>
    GroupHealth HealthOf(GroupView group);

    /// <summary>Adds a node to the cluster, or to its voters.</summary>
    /// <param name="url">Where it is reached.</param>
    /// <param name="tag">Its tag; null for the next one that is free.</param>
    /// <param name="cancellation">Ends the wait.</param>
    ValueTask<ClusterOutcome> AddNodeAsync(string url, string? tag, CancellationToken cancellation);

    /// <summary>Takes a node out of the cluster, and of all groups.</summary>
    /// <param name="tag">Its tag.</param>
    /// <param name="cancellation">Ends the wait.</param>
    ValueTask<ClusterOutcome> RemoveNodeAsync(string tag, CancellationToken cancellation);

    /// <summary>Gives a node a voice in the store, or takes it.</summary>
    /// <param name="tag">Its tag.</param>
    /// <param name="hasVoice">Whether it is to have one.</param>
    /// <param name="cancellation">Ends the wait.</param>
    ValueTask<ClusterOutcome> SetVoiceAsync(string tag, bool hasVoice, CancellationToken cancellation);

    /// <summary>Makes a database, and waits until its primary serves it. The settings of the record have been applied
    /// on the primary by then.</summary>
    /// <param name="name">Its name, which is a valid one.</param>
    /// <param name="record">The record as it was sent: JSON.</param>
    /// <param name="placement">On which nodes.</param>
    /// <param name="cancellation">Ends the wait.</param>
    ValueTask<ClusterOutcome> CreateDatabaseAsync(
        string name, ReadOnlyMemory<byte> record, DatabasePlacement placement, CancellationToken cancellation);

    /// <summary>Replaces the record of a database.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="etag">The etag that it must have.</param>
    /// <param name="record">The record as it was sent: JSON.</param>
    /// <param name="cancellation">Ends the wait.</param>
    ValueTask<ClusterOutcome> UpdateDatabaseAsync(
        string name, long etag, ReadOnlyMemory<byte> record, CancellationToken cancellation);

    /// <summary>Deletes a database on all nodes.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="isHard">Whether its files go, too.</param>
    /// <param name="cancellation">Ends the wait.</param>
    ValueTask<ClusterOutcome> DeleteDatabaseAsync(string name, bool isHard, CancellationToken cancellation);

    /// <summary>Gives a database one more node, which copies it.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="tag">The node; null for the one with the fewest databases.</param>
    /// <param name="cancellation">Ends the wait.</param>
    ValueTask<ClusterOutcome> AddMemberAsync(string name, string? tag, CancellationToken cancellation);

    /// <summary>Takes nodes from a database; if the primary is one, another takes over first.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="tags">The nodes.</param>
    /// <param name="isHard">Whether the files on those nodes go, too.</param>
    /// <param name="cancellation">Ends the wait.</param>
    ValueTask<ClusterOutcome> RemoveMembersAsync(
        string name, IReadOnlyList<string> tags, bool isHard, CancellationToken cancellation);

    /// <summary>Makes a promotable a member at once; with <paramref name="acceptsDataLoss"/> makes a node the primary
    /// of another lineage, whatever the others may have (an unclean promotion).</summary>
    /// <param name="name">The database.</param>
    /// <param name="tag">The node.</param>
    /// <param name="acceptsDataLoss">Whether what only other nodes have may be lost.</param>
    /// <param name="cancellation">Ends the wait.</param>
    ValueTask<ClusterOutcome> PromoteMemberAsync(
        string name, string tag, bool acceptsDataLoss, CancellationToken cancellation);

    /// <summary>Sets the order in which clients are told of the nodes of a database.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="tags">All of its nodes, in their order.</param>
    /// <param name="cancellation">Ends the wait.</param>
    ValueTask<ClusterOutcome> ReorderAsync(string name, IReadOnlyList<string> tags, CancellationToken cancellation);

    /// <summary>Makes another node the primary of a database: shuts the gate, waits for the last commit, hands over.
    /// </summary>
    /// <param name="name">Its name.</param>
    /// <param name="tag">The node, which must be in sync.</param>
    /// <param name="cancellation">Ends the wait.</param>
    ValueTask<ClusterOutcome> HandOverAsync(string name, string tag, CancellationToken cancellation);
}
