using Raven.Cluster.Replication;

namespace Raven.Tools.Stress.Cluster;

/// <summary>A transaction of the simulation: it writes one page.</summary>
internal sealed record SimulatedRecord(LogPoint Point, ulong PreviousHash, int Page, long Value);
