using static Shared.Mutants.MutantCheck;

namespace Shared.Mutants;

/// <summary>Mistakes in what readers see, and in the memory of pages that they see.</summary>
internal static class SnapshotMutants
{
    private const string Publisher = "src/Storage/Transactions/SnapshotPublisher.cs";
    private const string Scratch = "src/Storage/Platform/ScratchPool.cs";

    internal static IReadOnlyList<Mutant> All { get; } =
    [
        new("FreedPageKeepsOldVersion", [CrashesAndFaults], new SourceEdit(
            Publisher,
            "if (!place.IsEmpty || Table.NewestTransaction(page.Page) != 0)",
            "if (!place.IsEmpty)")),
        new("ScratchFreedEarly", [CrashesAndFaults], new SourceEdit(
            Publisher,
            "is { } table && IsUnreachable(retired, table, published))",
            "is { } table)")),
        new("SupersededFreedEarly", [CrashesAndFaults, StructureLists, ReadersBesideWriter], new SourceEdit(
            "src/Storage/Transactions/SupersededVersions.cs",
            "if (isReached)",
            "if (false)")),
        new("ScratchRunBrokenUp", [CrashesAndFaults],
            new SourceEdit(
                Scratch,
                "private long _committedBytes;",
                "private long _committedBytes; private byte* _brokenUp;"),
            new SourceEdit(
                Scratch,
                "// Counted when it is there: the system may refuse it.",
                """
                // Half of a free run is handed out as a page, and the run later.
                if (pages == 1 && _brokenUp == null && _withRoom[1] is { } broken)
                {
                    _brokenUp = broken.FirstFree;
                    return new NativeSlice(_brokenUp + bytes, bytes);
                }

                """),
            new SourceEdit(
                Scratch,
                "_usedBytes -= BytesTaken(pages);",
                """
                if (pages == 1 && run.Pointer == _brokenUp + run.Length)
                {
                    return;
                }

                _usedBytes -= BytesTaken(pages);
                """),
            new SourceEdit(
                Scratch,
                "internal byte* Take() =>",
                """
                internal byte* FirstFree => Start + (long)_free[_freeCount - 1] * _runSizeInBytes;

                internal byte* Take() =>
                """)),
    ];
}
