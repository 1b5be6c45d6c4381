using Raven.Storage.Log;

namespace Raven.Cluster.Hosting;

/// <summary>A piece of work on the files of a database.</summary>
internal readonly record struct HostJob(HostJobKind Kind)
{
    internal LogPosition Position { get; init; }

    internal long TransactionId { get; init; }

    internal long Epoch { get; init; }

    internal ulong Lineage { get; init; }

    internal ReadOnlyMemory<byte> Record { get; init; }

    /// <summary>Of an apply: the connection that the record came by. Of a copy: none.</summary>
    internal ReplicaLink? Link { get; init; }

    /// <summary>Of a copy: the node that has the pages.</summary>
    internal string? Tag { get; init; }

    internal bool Flag { get; init; }

    /// <summary>Of a close: what went wrong with the files; null if nothing did.</summary>
    internal Exception? Cause { get; init; }

    internal TaskCompletionSource? Done { get; init; }
}
