using static Shared.Mutants.MutantCheck;

namespace Shared.Mutants;

/// <summary>Mistakes in the data file: how it is made, its header, and the check of its pages.</summary>
internal static class DataFileMutants
{
    private const string DataFile = "src/Storage/Paging/DataFile.cs";
    private const string PageCheck = "src/Storage/Paging/PageCheck.cs";

    internal static IReadOnlyList<Mutant> All { get; } =
    [
        new("DataFileNotSyncedWhenMade", [CrashesAndFaults], new SourceEdit(
            DataFile,
            "file.WriteAt(2L * PageSize, page); file.Sync();",
            "file.WriteAt(2L * PageSize, page);")),
        new("FolderNotSyncedForDataFile", [CrashesAndFaults], new SourceEdit(
            DataFile,
            "files.SyncDirectory();",
            "")),
        new("HeaderNotSynced", [CrashesAndFaults], new SourceEdit(
            DataFile,
            "_file.WriteAt(FileHeader.OffsetOf(header.Counter), sector); Sync();",
            "_file.WriteAt(FileHeader.OffsetOf(header.Counter), sector);")),
        new("HeaderAlwaysInOneSlot", [CrashesAndFaults], new SourceEdit(
            DataFile,
            "header.Counter++;",
            "header.Counter += 2;")),
        new("PageHashIgnored", [CrashesAndFaults, PageBits], new SourceEdit(
            PageCheck,
            "if (header.Checksum != checksum)",
            "if (false)")),
        new("PageNumberIgnored", [CrashesAndFaults], new SourceEdit(
            PageCheck,
            "if (header.PageNumber != page)",
            "if (false)")),
    ];
}
