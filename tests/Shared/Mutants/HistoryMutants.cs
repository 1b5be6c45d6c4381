using static Shared.Mutants.MutantCheck;

namespace Shared.Mutants;

/// <summary>Mistakes in the replication that histories of real servers must find: durability and fencing are switched
/// off.</summary>
internal static class HistoryMutants
{
    internal static IReadOnlyList<Mutant> All { get; } =
    [
        new("CommitsAlone", [Histories], new SourceEdit(
            "src/Cluster/Replication/ReplicaCore.Primary.cs",
            "if (!peer.IsInSession || peer.Acknowledged < Last.TransactionId) { return; }",
            "_ = peer;")),
        new("LeaseForever", [Histories], new SourceEdit(
            "src/Cluster/Replication/ReplicaCore.Reads.cs",
            "if (ping <= _leaseFloor || now.Ticks - ping >= _options.Lease.Ticks)",
            "if (ping == long.MaxValue || now.Ticks < 0)")),
    ];
}
