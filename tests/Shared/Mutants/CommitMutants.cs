using static Shared.Mutants.MutantCheck;

namespace Shared.Mutants;

/// <summary>Mistakes in write transactions, in their commit and in their merging.</summary>
internal static class CommitMutants
{
    private const string Protocol = "src/Storage/Transactions/CommitProtocol.cs";
    private const string CommitRecord = "src/Storage/Journal/CommitRecord.cs";
    private const string Merger = "src/Storage/GroupCommit/TransactionMerger.cs";
    private const string WriteTransaction = "src/Storage/Transactions/WriteTransaction.cs";

    internal static IReadOnlyList<Mutant> All { get; } =
    [
        new("JournalNotWritten", [CrashesAndFaults], new SourceEdit(
            Protocol,
            "_journal.Append(commit.File, commit.Record.Header, commit.Record.Bytes);",
            "")),
        new("PublishedBeforeDurable", [CrashesAndFaults], new SourceEdit(
            Protocol,
            "if (commit.HasDirectRuns) { _data.Sync();",
            "_snapshots.Publish(commit.Point); if (commit.HasDirectRuns) { _data.Sync();")),
        new("DirectRunNotSynced", [CrashesAndFaults], new SourceEdit(
            Protocol,
            "if (commit.HasDirectRuns) { _data.Sync(); }",
            "")),
        new("AnsweredBeforeDurable", [CrashesAndFaults], new SourceEdit(
            Protocol,
            "WaitForJournal(); ThrowIfRefused();",
            "")),
        new("BoundaryOffByOne", [CrashesAndFaults], new SourceEdit(
            "src/Storage/Transactions/CommitState.cs",
            "_boundary = _last.TransactionId; Volatile.Write(",
            "_boundary = _last.TransactionId - 1; Volatile.Write(")),
        new("FirstHeaderNotWritten", [CrashesAndFaults], new SourceEdit(
            Protocol,
            "_header.Write(applied);",
            "")),
        new("WritesGoOnAfterFailedWrite", [CrashesAndFaults],
            new SourceEdit(
                Protocol,
                "// Whatever failed: the record has its place in the chain, and no record may follow one that is "
                    + "missing. Exception cause = CauseOf(failure, commit.Gate, commit.Point); _faults.Trip(cause);",
                "Exception cause = failure;"),
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
            Protocol,
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
