using static Shared.Mutants.MutantCheck;

namespace Shared.Mutants;

/// <summary>
/// Mistakes in what replication asks of the storage: commits that are parked (PARK), the log (LOG), records that are
/// applied (APPLY), pages that are copied (DELTA), histories (LINEAGE).
/// </summary>
internal static class ReplicationMutants
{
    private const string Protocol = "src/Storage/Transactions/CommitProtocol.cs";
    private const string Applier = "src/Storage/Replication/LogApplier.cs";
    private const string Chain = "src/Storage/Log/LogChain.cs";
    private const string Delta = "src/Storage/Replication/PageDelta.cs";
    private const string Files = "src/Cluster/Replication/StorageReplicaFiles.cs";
    private const string Copy = "src/Cluster/Replication/PageCopy.cs";

    internal static IReadOnlyList<Mutant> All { get; } =
    [
        // PARK-1 to PARK-4.
        Make("PublishedBeforeTheGate", Protocol,
            "bool isParked = gate is not null || transaction.IsApplied;",
            "bool isParked = transaction.IsApplied;"),
        Make("ParkedCommitFlushed", Protocol,
            "_state.Advance(point, bytes, towardsFlush, directBytes);",
            "_state.Advance(point, bytes, towardsFlush, directBytes); _snapshots.Publish(point);"),
        Make("LostCommitGoesOn", Protocol,
            "_faults.Trip(doubt); _span.End(doubt);",
            "_span.End(doubt);"),
        Make("LostCommitToldAsDone", Protocol,
            "owner?.End(new StoragePoisonedException(doubt));",
            "owner?.End(null);"),
        Make("RefusedAfterDirectWrites", Protocol,
            "long epoch = _gate is null",
            "_ = DirectRuns.Write(transaction.Dirty, _data, point.NextPageNumber, _options.Hooks);"
                + "long epoch = _gate is null"),

        // LOG-1 to LOG-3.
        Make("EpochNotInTheLog", Chain,
            "BinaryPrimitives.WriteInt64LittleEndian(bytes[16..], epoch);",
            ""),
        Make("EntriesNotCompared", Chain,
            "return !isOwn || header.EntriesHash == HashOfEntries(EntriesOf(header, record))",
            "return !isOwn || EntriesOf(header, record).Length >= 0"),
        Make("LogWithoutAGate", Protocol,
            "else if (_gate is not null || _state.Last.LogHash != 0)",
            "else"),
        Make("FreedPagesNotFound", Applier,
            "if (header.IsRemade) { FindFreed(transaction); }",
            ""),

        // APPLY-1 to APPLY-3.
        Make("FreedPagesStay", Applier,
            "ApplyFreed(transaction, header, MemoryMarshal.Read<long>(entries.Freed[(i * sizeof(long))..]));",
            ""),
        Make("FreeSpaceNotTakenOver", Applier,
            "transaction.Environment.FreeSpace.TakeOver((int)index, before, "
                + "FreeSpace.WordsOf(page.Place.WritableSpan));",
            "_ = index; _ = before;"),
        Make("AnyRecordIsNext", Applier,
            "if (header.TransactionId != last.TransactionId + 1)",
            "if (header.TransactionId <= last.TransactionId)"),
        Make("PageOfAnotherNumber", Applier,
            "if (!fits || made.PageNumber != number || made.TransactionId != header.TransactionId || length != pages",
            "if (!fits"),
        Make("AppliedAndSeen", Applier,
            "environment.Commits.Park(commit, owner: null);",
            "environment.Commits.Park(commit, owner: null); environment.SettleCommit(commit.Point.TransactionId);"),

        // DELTA-1 and DELTA-2.
        Make("DeltaNotMarked", Delta,
            "Mark(); isMarked = true;",
            "isMarked = true;"),
        Make("DeltaMarkGoesFirst", Delta,
            "_data.EnsureLength(point.NextPageNumber); _data.Sync();",
            "_files.Delete(DataFile.DeltaMarkName); _files.SyncDirectory();"
                + "_data.EnsureLength(point.NextPageNumber); _data.Sync();"),
        Make("DeltaNotSynced", Delta,
            "_data.EnsureLength(point.NextPageNumber); _data.Sync();",
            "_data.EnsureLength(point.NextPageNumber);"),
        Make("DeltaOfAnyState", Delta,
            "header.EnvironmentId != _data.EnvironmentId || header.BaseTransactionId != Base.TransactionId",
            "header.EnvironmentId != _data.EnvironmentId"),

        // LINEAGE-1 and LINEAGE-2.
        Make("HistoryNotNoted", Files,
            "if (_lineages.Of(last, out _, out _) != lineage)",
            "if (_lineages.Of(last, out _, out _) == 0)"),
        Make("HistoriesNotedAfterPages", Copy,
            "histories.Write(options.FileSystem); await delta.ApplyAsync(Name, source, cancellation)"
                + ".ConfigureAwait(false);",
            "await delta.ApplyAsync(Name, source, cancellation).ConfigureAwait(false);"
                + "histories.Write(options.FileSystem);"),
    ];

    private static Mutant Make(string name, string file, string find, string replacement) =>
        new(name, [ReplicationTests], new SourceEdit(file, find, replacement));
}
