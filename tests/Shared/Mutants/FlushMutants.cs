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
            "if (_environment.Readers.OldestTransaction() < _boundary.TransactionId)",
            "if (false)")),
        new("FlushAboveBoundary", [CrashesAndFaults], new SourceEdit(
            Flusher,
            "CollectVersions(data.Applied.TransactionId, _boundary.TransactionId, _versions);",
            "CollectVersions(data.Applied.TransactionId, long.MaxValue, _versions);")),
        new("FlushSkipsAPage", [CrashesAndFaults, StructureLists, DocumentLists], new SourceEdit(
            Flusher,
            "PageBatch.Write(data, _versions);",
            """
            if (_versions.Count > 0)
            {
                _versions.RemoveAt(_versions.Count / 2);
            }

            PageBatch.Write(data, _versions);
            """)),
        new("HeaderBeforeData", [CrashesAndFaults], new SourceEdit(
            Flusher,
            "PageBatch.Write(data, _versions);",
            "_environment.WriteHeader(point); PageBatch.Write(data, _versions);")),
        new("RecycledBeforeHeader", [CrashesAndFaults], new SourceEdit(
            Flusher,
            "PageBatch.Write(data, _versions);",
            "_environment.Journal.Recycle(point); PageBatch.Write(data, _versions);")),
        new("DataNotSyncedBeforeHeader", [CrashesAndFaults, EveryCut], new SourceEdit(
            Flusher,
            "Sync(data); _environment.WriteHeader(point);",
            "_environment.WriteHeader(point);")),
        new("LazyJournalNotSynced", [CrashesAndFaults], new SourceEdit(
            Flusher,
            "_environment.Journal.Sync();",
            "")),
        new("WritesGoOnAfterFailedSync", [CrashesAndFaults],
            new SourceEdit(
                Flusher,
                "data.Sync(); } catch (Exception failure) { _environment.Faults.Trip(failure); throw; }",
                "data.Sync(); } catch (Exception) { data.Sync(); }"),
            new SourceEdit(
                "src/Storage/Paging/DataFile.cs",
                "_failedSync = failure; throw;",
                "_ = failure; throw;")),
        new("DropsMoreThanFlushed", [CrashesAndFaults, StructureLists], new SourceEdit(
            "src/Storage/Transactions/StorageEnvironment.cs",
            "_snapshots.DropVersions(appliedTransaction);",
            "_snapshots.DropVersions(appliedTransaction + 1);")),
    ];
}
