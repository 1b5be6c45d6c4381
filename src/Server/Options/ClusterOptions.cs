namespace Raven.Server.Options;

/// <summary>Which node of a cluster a server is; nothing of it is there for a server by itself.</summary>
public sealed record ClusterOptions
{
    /// <summary>The tag of this node, one to four of A to Z; null for a server in no cluster.</summary>
    public string? Node { get; init; }

    /// <summary>The nodes that the cluster begins with: their tags and where each is reached.</summary>
    public IReadOnlyList<KeyValuePair<string, Uri>> Peers { get; init; } = [];

    /// <summary>Where etcd serves, as urls; empty if each of <see cref="Peers"/> runs one of its own.</summary>
    public IReadOnlyList<Uri> Store { get; init; } = [];

    /// <summary>What keeps the cluster apart from others in the same etcd.</summary>
    public string Name { get; init; } = "raven";

    /// <summary>The etcd that is run; null for one beside the server, or in PATH.</summary>
    public string? EtcdPath { get; init; }

    /// <summary>How far the port of its own etcd is above the server's; the next one is for the others.</summary>
    public int EtcdPortOffset { get; init; } = 1;

    /// <summary>The most bytes that an etcd of its own keeps; then it makes room, and if it cannot, takes nothing more.
    /// </summary>
    public long EtcdQuotaBytes { get; init; } = 2L << 30;

    /// <summary>Who signs the certificates of nodes, a file of PEM; null without certificates.</summary>
    public string? CertificateAuthorityPath { get; init; }

    /// <summary>How long a node may not acknowledge until writes go on without it.</summary>
    public TimeSpan SilenceMax { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>How long an orderly stop waits until other nodes have taken over.</summary>
    public TimeSpan HandOverMax { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Whether this server is a node of a cluster.</summary>
    internal bool IsOn => Node is not null;

    /// <summary>Whether the nodes run the etcds themselves.</summary>
    internal bool IsManaged => Store.Count == 0;

    /// <summary>Where this node is reached.</summary>
    internal Uri OwnUrl => Peers.First(peer => peer.Key == Node).Value;

    /// <summary>Checks what belongs together.</summary>
    /// <exception cref="ServerOptionException">It does not.</exception>
    internal void Check(bool isSecured, bool isInMemory)
    {
        if (Node is null)
        {
            if (Peers.Count > 0 || Store.Count > 0)
            {
                throw new ServerOptionException(
                    "Cluster.Node", "Cluster.Peers and Cluster.Store are of a node of a cluster: give it a tag.");
            }

            return;
        }

        if (isInMemory)
        {
            throw new ServerOptionException("RunInMemory", "A node of a cluster keeps what it has acknowledged.");
        }

        if (!Peers.Any(peer => peer.Key == Node))
        {
            throw new ServerOptionException(
                "Cluster.Peers", $"The peers must have this node, too: {Node}=URL, as the others reach it.");
        }

        if (Peers.FirstOrDefault(peer => peer.Value.Scheme != (isSecured ? "https" : "http")).Key is { } other)
        {
            throw new ServerOptionException("Cluster.Peers", isSecured
                ? $"The url of {other} must begin with https://, as the server has a certificate."
                : $"The url of {other} must begin with http://, as the server has no certificate.");
        }

        if (!isSecured && Peers.FirstOrDefault(peer => !peer.Value.IsLoopback).Key is { } far)
        {
            throw new ServerOptionException(
                "Cluster.Peers",
                $"{far} is on another machine: nodes trust one another by certificates there. Give each a certificate "
                + "(Security.Certificate.Path) and name who signs them (Cluster.CertificateAuthority).");
        }

        if (isSecured && CertificateAuthorityPath is null)
        {
            throw new ServerOptionException(
                "Cluster.CertificateAuthority", "Name the file of who signs the certificates of the nodes.");
        }
    }
}
