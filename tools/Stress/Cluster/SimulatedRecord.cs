using Raven.Storage.Log;

namespace Raven.Tools.Stress.Cluster;

/// <summary>A transaction of the simulation: it writes one page, or is what real storage made of that.</summary>
internal sealed record SimulatedRecord(LogPosition Point, ulong PreviousHash, int Page, long Value)
{
    /// <summary>The record of real storage.</summary>
    internal ReadOnlyMemory<byte> Bytes { get; init; }

    /// <summary>What it counts for among those that are kept.</summary>
    internal int Length => Bytes.IsEmpty ? 100 : Bytes.Length;
}
