using static Shared.Mutants.MutantCheck;

namespace Shared.Mutants;

/// <summary>Mistakes in the recovery of what the journal has.</summary>
internal static class RecoveryMutants
{
    private const string Recovery = "src/Storage/Recovery/JournalRecovery.cs";

    internal static IReadOnlyList<Mutant> All { get; } =
    [
        new("RecoveryNotSynced", [CrashesAndFaults], new SourceEdit(
            Recovery,
            "Replay(); _data.Sync();",
            "Replay();")),
        new("RecoveryKeepsOldState", [CrashesAndFaults], new SourceEdit(
            Recovery,
            "_point.NextPageNumber = header.NextPageNumber; _point.CatalogRecord = header.CatalogRecord;",
            "")),
        new("SwitchNotFollowed", [CrashesAndFaults, EveryCut], new SourceEdit(
            Recovery,
            "_options.Hooks.Mark(CoverageMark.SwitchFollowed); return true;",
            "_options.Hooks.Mark(CoverageMark.SwitchFollowed); return false;")),
        new("TornTailRefused", [CrashesAndFaults], new SourceEdit(
            Recovery,
            "_options.Hooks.Mark(CoverageMark.TailTorn);",
            """throw Damage(reader.Name, end, "a mutant");""")),
        new("LaterRecordsIgnored", [CrashesAndFaults],
            new SourceEdit(
                Recovery,
                "else { RequireNothingBehindClose(); }",
                ""),
            new SourceEdit(
                Recovery,
                "long end = _point.JournalOffset; for (",
                "return; long end = _point.JournalOffset; for (")),
    ];
}
