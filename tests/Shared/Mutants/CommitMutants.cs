using static Shared.Mutants.MutantCheck;

namespace Shared.Mutants;

/// <summary>Mistakes in write transactions, in their commit and in their merging.</summary>
internal static class CommitMutants
{
    private const string Committer = "src/Storage/Transactions/Committer.cs";
    private const string CommitRecord = "src/Storage/Journal/CommitRecord.cs";
    private const string Merger = "src/Storage/Transactions/TransactionMerger.cs";
    private const string WriteTransaction = "src/Storage/Transactions/WriteTransaction.cs";

    internal static IReadOnlyList<Mutant> All { get; } =
    [
        new("JournalNotWritten", [CrashesAndFaults], new SourceEdit(
            Committer,
            "_environment.Journal.Append(commit.File, commit.Record.Header, commit.Record.Bytes);",
            "")),
        new("PublishedBeforeDurable", [CrashesAndFaults], new SourceEdit(
            Committer,
            "if (commit.HasDirectRuns) { _environment.Data.Sync();",
            "_snapshots.Publish(commit.Point); if (commit.HasDirectRuns) { _environment.Data.Sync();")),
        new("DirectRunNotSynced", [CrashesAndFaults], new SourceEdit(
            Committer,
            "if (commit.HasDirectRuns) { _environment.Data.Sync(); }",
            "")),
        new("AnsweredBeforeDurable", [CrashesAndFaults], new SourceEdit(
            Committer,
            "WaitForJournal(); _environment.Faults.ThrowIfTripped();",
            "")),
        new("BoundaryOffByOne", [CrashesAndFaults], new SourceEdit(
            Committer,
            "_boundary = _last.TransactionId; Volatile.Write(",
            "_boundary = _last.TransactionId - 1; Volatile.Write(")),
        new("FirstHeaderNotWritten", [CrashesAndFaults], new SourceEdit(
            Committer,
            "_environment.WriteHeader(applied);",
            "")),
        new("WritesGoOnAfterFailedWrite", [CrashesAndFaults],
            new SourceEdit(
                Committer,
                "// Whatever it is: the record has its place in the chain, and none may follow it before it is there. "
                    + "_environment.Faults.Trip(failure);",
                ""),
            new SourceEdit(
                "src/Storage/Journal/JournalWriter.cs",
                "file.Handle.WriteAt(offset, bytes); } catch (Exception failure) { _faults.Trip(failure);",
                "file.Handle.WriteAt(offset, bytes); } catch (Exception) {")),
        new("PatchesAcrossBoundary", [CrashesAndFaults], new SourceEdit(
            CommitRecord,
            "!page.Base.IsEmpty && table.NewestTransaction(page.Page) > boundary;",
            "!page.Base.IsEmpty;")),
        new("LastPageNotJournaled", [CrashesAndFaults], new SourceEdit(
            CommitRecord,
            "_hooks.Mark(canPatch ?",
            "if (i > 0 && i == dirty.Count - 1) { continue; } _hooks.Mark(canPatch ?")),
        new("CatalogNotSaved", [CrashesAndFaults, StructureLists, DocumentLists, CommitAudits], new SourceEdit(
            "src/Storage/Transactions/StorageEnvironment.cs",
            "transaction.SaveCatalog();",
            "")),
        new("DirectRunInAnyFreePages", [CrashesAndFaults], new SourceEdit(
            WriteTransaction,
            "isDirect ? _freeSpace.TryTakeClean(this, pages) : _freeSpace.TryTake(this, pages);",
            "_freeSpace.TryTake(this, pages);")),
        new("FreedTwiceAndReissued", [CrashesAndFaults, CommitAudits], new SourceEdit(
            WriteTransaction,
            "page = AddNew(number, pages, kind, runLengthBytes);",
            """
            bool isFreedAgain = !Unsafe.IsNullRef(ref _dirty.Find(number));
            page = AddNew(number, pages, kind, runLengthBytes);
            if (isFreedAgain)
            {
                _freeSpace.Give(this, number, pages);
            }

            """)),
        new("RollbackKeepsFreeSpace", [CrashesAndFaults, CommitAudits], new SourceEdit(
            WriteTransaction,
            "_freeSpace.Restore(this, committed.NextPageNumber, touched.Contains);",
            "")),
        new("GroupAcknowledgedThoughNotWritten", [CrashesAndFaults], new SourceEdit(
            Merger,
            "failure = thrown; } bool admits",
            "failure = null; _ = thrown; } bool admits")),
        new("FailedCommandKeepsGroup", [CrashesAndFaults], new SourceEdit(
            Merger,
            "ExecuteAll(transaction, ref group); group.FailedInCommand = false;",
            """
            try
            {
                ExecuteAll(transaction, ref group);
            }
            catch
            {
                transaction.Commit();
                throw;
            }

            group.FailedInCommand = false;
            """)),
    ];
}
