using Raven.Documents.Indexing.Storage;
using Raven.Search;
using Raven.Storage.Errors;

namespace Raven.Documents.Indexing;

/// <summary>Work on the files of an index outside of its batches. Any thread.</summary>
public sealed class IndexFileMaintenance(DatabaseIndex index, DatabaseIndexes owner)
{
    // Commits of an earlier process may not be on the disk either.
    private volatile bool _isUnsynced = true;
    private volatile bool _hasCaughtUp;
    private bool _hasRun;

    /// <summary>Whether the index has caught up with the documents at some time since it was last rebuilt.</summary>
    internal bool HasCaughtUp
    {
        get => _hasCaughtUp;
        set => _hasCaughtUp = value;
    }

    /// <summary>
    /// Whether a run may have left large segments to merge, or without a graph; so may an earlier process that ended
    /// meanwhile. Called by the runs of the index.
    /// </summary>
    internal bool MayHaveLargeMerge(bool isCommitted)
    {
        bool isFirst = !_hasRun;
        _hasRun = true;
        return isFirst || isCommitted;
    }

    /// <summary>Merges small parts of the index after a batch that was committed.</summary>
    internal void Merge(SearchIndex search, BatchIndexer? batch)
    {
        long began = owner.Services.Clock.GetTimestamp();
        bool isMerged = false;
        while (batch is { IsStopping: false } && search.Merge())
        {
            isMerged = true;
            IndexingThreads.YieldThread();
        }

        if (isMerged)
        {
            index.Statistics.Batches.AddMerge(owner.Services.Clock.GetElapsedTime(began));
        }
    }

    /// <summary>Notes a commit that is only in memory.</summary>
    internal void NoteCommit() => _isUnsynced = true;

    /// <summary>The regular work on one index. Its failures stop no other index.</summary>
    internal void Tick()
    {
        try
        {
            SaveUseIfDue();
            SyncIfNeeded();
        }
        catch (Exception failure) when (LoadFailures.IsKnown(failure))
        {
            IndexLog.Failed(owner.Services.Log, failure, owner.Database.Name, index.Name);
        }
    }

    /// <summary>Syncs commits that are only in memory to the disk.</summary>
    private void SyncIfNeeded()
    {
        if (!_isUnsynced || index.OpenedStorage is not { } storage || !storage.TryHold())
        {
            return;
        }

        try
        {
            _isUnsynced = false;
            storage.Search.Sync();
        }
        catch (Exception failure) when (failure is IOException or StoragePoisonedException)
        {
            _isUnsynced = true;
        }
        finally
        {
            storage.Release();
        }
    }

    /// <summary>Gives back memory that is kept for the next batch or query. Skipped while a batch runs.</summary>
    internal void GiveIdleMemoryBack()
    {
        index.BetweenBatches(() => index.Memory?.Trim(0), waits: false);
        if (index.OpenedStorage is { } storage && storage.TryHold())
        {
            try
            {
                storage.Search.GiveIdleMemoryBack();
            }
            finally
            {
                storage.Release();
            }
        }
    }

    /// <summary>Called after damage was found in the index, which is then rebuilt (IDX-2).</summary>
    internal void ReportDamage(IndexStorage damaged, StorageCorruptedException damage)
    {
        if (ReferenceEquals(index.OpenedStorage, damaged))
        {
            index.NoteRebuilt(damage.Message);
            owner.Changes.BeginRebuild(index, damaged);
        }
    }

    /// <summary>Stores regularly when the index was last queried; skipped while a batch runs.</summary>
    private void SaveUseIfDue()
    {
        if (index.Use.IsUnsaved)
        {
            index.BetweenBatches(SaveUse, waits: false);
        }
    }

    /// <summary>Stores when the index was last queried. No batch may run.</summary>
    internal void SaveUse()
    {
        if (index.OpenedStorage is not { } storage || !storage.TryHold())
        {
            return;
        }

        try
        {
            if (index.Use.Save(storage.Search))
            {
                NoteCommit();
            }
        }
        catch (Exception failure) when (failure is IOException or StoragePoisonedException or StorageBusyException
            or StorageCorruptedException)
        {
            // Only the time is lost; a batch or a query fails in the same way, and reports it.
            IndexLog.Failed(owner.Services.Log, failure, owner.Database.Name, index.Name);
        }
        finally
        {
            storage.Release();
        }
    }

    /// <summary>Merges large segments beside the batches; called by the thread for that.</summary>
    internal void MergeLarge()
    {
        if (!owner.Database.TryEnter(out DatabaseStorage? documents))
        {
            return;
        }

        IndexStorage? storage = null;
        try
        {
            storage = index.TryHold();
            bool IsStopping() => index.IsGone || storage!.IsRetired || owner.Services.Merges.IsStopped;
            while (storage is not null && !IsStopping() && storage.Search.MergeLarge(IsStopping))
            {
                NoteCommit();
            }
        }
        catch (DatabaseDeletedException)
        {
            // The index was deleted before it was opened.
        }
        catch (Exception failure)
        {
            // The next batch queues it again, or fails in the same way; no merge may end the process.
            IndexLog.Failed(owner.Services.Log, failure, owner.Database.Name, index.Name);
        }
        finally
        {
            storage?.Release();
            documents.Release();
        }
    }

    /// <summary>
    /// Reads the failures of the index, also those from before a restart. The caller holds the database.
    /// </summary>
    public IndexFailure[] ReadFailures()
    {
        index.TryHold()?.Release();
        return index.Failures.ToArray();
    }

    /// <summary>Removes the failures of the index, also the stored ones. The caller holds the database.</summary>
    public void ClearFailures() => index.BetweenBatches(() =>
    {
        index.Failures.Clear();
        if (index.TryHold() is { } storage)
        {
            try
            {
                storage.Search.ChangeStructures(StoredFailures.Clear);
                NoteCommit();
            }
            finally
            {
                storage.Release();
            }
        }
    });
}
