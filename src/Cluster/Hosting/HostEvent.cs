using Raven.Cluster.Records;
using Raven.Cluster.Replication;
using Raven.Storage.Log;

namespace Raven.Cluster.Hosting;

/// <summary>Something that has happened, for the loop of a host.</summary>
internal readonly record struct HostEvent(HostEventKind Kind)
{
    /// <summary>The connection, or the number of a question to the store.</summary>
    internal long Number { get; init; }

    internal int Node { get; init; }

    internal LogPosition Position { get; init; }

    internal int Bytes { get; init; }

    internal bool Flag { get; init; }

    internal ReplicaMessage Message { get; init; }

    internal ReadOnlyMemory<byte> Body { get; init; }

    internal GroupState? Group { get; init; }

    internal DatabaseGroup? Record { get; init; }

    /// <summary>A connection, a scan, a failure or something to be called: as its kind has it.</summary>
    internal object? Object { get; init; }
}
