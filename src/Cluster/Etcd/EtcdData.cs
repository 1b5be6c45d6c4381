using Raven.Cluster.Store;

namespace Raven.Cluster.Etcd;

/// <summary>A member of etcd.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">Its name, a node's tag; "" until it has started.</param>
/// <param name="PeerUrls">Where it listens for the others.</param>
/// <param name="ClientUrls">Where it listens for servers; none until it has started.</param>
/// <param name="IsLearner">Whether it has no vote yet.</param>
public sealed record EtcdMember(
    ulong Id, string Name, IReadOnlyList<string> PeerUrls, IReadOnlyList<string> ClientUrls, bool IsLearner);

/// <summary>What a call about members found.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Members">The members, as far as they are known.</param>
/// <param name="Problem">What is wrong, for people.</param>
public sealed record EtcdMemberResult(
    StoreStatus Status, IReadOnlyList<EtcdMember> Members, string? Problem = null);

/// <summary>How a member of etcd is.</summary>
/// <param name="Version">Its version; null if it does not answer.</param>
/// <param name="HasLeader">Whether the members have a leader, without whom nothing is written.</param>
/// <param name="SizeBytes">How large its file is.</param>
/// <param name="UsedBytes">How much of it is in use.</param>
/// <param name="IsFull">Whether some member is over its quota: nothing is written then.</param>
/// <param name="Problem">What is wrong, for people.</param>
public sealed record EtcdHealth(
    EtcdVersion? Version, bool HasLeader, long SizeBytes, long UsedBytes, bool IsFull, string? Problem);

/// <summary>What a managed etcd does.</summary>
public enum EtcdState
{
    /// <summary>It is not started, or was stopped.</summary>
    Stopped,

    /// <summary>Its process runs.</summary>
    Running,

    /// <summary>Its process has ended, and is started again in a while.</summary>
    Waiting,
}
