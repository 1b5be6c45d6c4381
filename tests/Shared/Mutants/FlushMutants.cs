using static Shared.Mutants.MutantCheck;

namespace Shared.Mutants;

/// <summary>Mistakes in the flush of changed pages to the data file.</summary>
internal static class FlushMutants
{
    private const string Flusher = "src/Storage/Transactions/Flusher.cs";

    internal static IReadOnlyList<Mutant> All { get; } =
    [
        new("FlushIgnoresReaders", [CrashesAndFaults, ReadersBesideWriter], new SourceEdit(
            Flusher,
            "if (_readers.OldestTransaction() < _boundary.TransactionId)",
            "if (false)")),
        new("FlushAboveBoundary", [CrashesAndFaults], new SourceEdit(
            Flusher,
            "CollectVersions(_data.Applied.TransactionId, _boundary.TransactionId, _versions);",
            "CollectVersions(_data.Applied.TransactionId, long.MaxValue, _versions);")),
        new("FlushSkipsAPage", [CrashesAndFaults, StructureLists, DocumentLists], new SourceEdit(
            Flusher,
            "PageBatch.Write(_data, _versions);",
            """
            if (_versions.Count > 0)
            {
                _versions.RemoveAt(_versions.Count / 2);
            }

            PageBatch.Write(_data, _versions);
            """)),
        new("HeaderBeforeData", [CrashesAndFaults], new SourceEdit(
            Flusher,
            "PageBatch.Write(_data, _versions);",
            "_header.Write(point); PageBatch.Write(_data, _versions);")),
        new("RecycledBeforeHeader", [CrashesAndFaults], new SourceEdit(
            Flusher,
            "PageBatch.Write(_data, _versions);",
            "_journal.Recycle(point); PageBatch.Write(_data, _versions);")),
        new("DataNotSyncedBeforeHeader", [CrashesAndFaults, EveryCut], new SourceEdit(
            Flusher,
            "SyncData(); _header.Write(point);",
            "_header.Write(point);")),
        new("LazyJournalNotSynced", [CrashesAndFaults], new SourceEdit(
            Flusher,
            "_journal.Sync();",
            "")),
        new("WritesGoOnAfterFailedSync", [CrashesAndFaults],
            new SourceEdit(
                Flusher,
                "_data.Sync(); } catch (Exception failure) { _faults.Trip(failure); throw; }",
                "_data.Sync(); } catch (Exception) { _data.Sync(); }"),
            new SourceEdit(
                "src/Storage/Paging/DataFile.cs",
                "_failedSync = failure; throw;",
                "_ = failure; throw;")),
        new("DropsMoreThanFlushed", [CrashesAndFaults, StructureLists], new SourceEdit(
            Flusher,
            "_snapshots.DropVersions(upTo);",
            "_snapshots.DropVersions(upTo + 1);")),
    ];
}
