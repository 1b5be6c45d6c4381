using Raven.Cluster.Replication;
using Raven.Storage.Log;

namespace Raven.Tools.Stress.Cluster;

/// <summary>A transaction of the simulation: it writes one page.</summary>
internal sealed record SimulatedRecord(LogPosition Point, ulong PreviousHash, int Page, long Value);
