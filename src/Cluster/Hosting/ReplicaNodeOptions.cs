using Raven.Cluster.Replication;
using Raven.Storage.Platform;

namespace Raven.Cluster.Hosting;

/// <summary>What a node of a cluster is told at its start.</summary>
public sealed record ReplicaNodeOptions
{
    /// <summary>Its tag.</summary>
    public required string Tag { get; init; }

    /// <summary>The id of the cluster, as in <c>meta</c>.</summary>
    public required string ClusterId { get; init; }

    /// <summary>The id of the server, which its data folder keeps.</summary>
    public required string ServerId { get; init; }

    /// <summary>
    /// Counts the starts of the server. Its data folder keeps it, and has this one before the node starts: so a copy of
    /// the folder is found out.
    /// </summary>
    public required long Incarnation { get; init; }

    /// <summary>Where others reach it.</summary>
    public required string Url { get; init; }

    /// <summary>The oldest format of storage that it reads.</summary>
    public required ushort FormatMin { get; init; }

    /// <summary>The newest format of storage that it reads.</summary>
    public required ushort FormatMax { get; init; }

    /// <summary>The version of the program, which other nodes show to people; null for none.</summary>
    public string? Version { get; init; }

    /// <summary>Times and sizes of replication.</summary>
    public ReplicaOptions Replication { get; init; } = new();

    /// <summary>The clock: one that goes on while the machine sleeps.</summary>
    public TimeProvider Clock { get; init; } = BootClock.Instance;

    /// <summary>How often time is told to the groups.</summary>
    public TimeSpan TickEvery { get; init; } = TimeSpan.FromMilliseconds(25);

    /// <summary>How long a sign of life lasts.</summary>
    public TimeSpan LeaseTime { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a connection or a copy may take to say something.</summary>
    public TimeSpan DialMax { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How long files that failed are left alone before they are tried again: longer than it takes another
    /// node to become primary.</summary>
    public TimeSpan FailurePause { get; init; } = TimeSpan.FromSeconds(5);
}
