using Raven.Server.Documents;
using Raven.Server.Indexing.Storage;
using Raven.Storage.Errors;

namespace Raven.Server.Indexing;

/// <summary>What is done with the files of an index beside its batches. Any thread.</summary>
internal sealed class IndexUpkeep(DatabaseIndex index, DatabaseIndexes room)
{
    // What a former process has committed may not be on the medium either.
    private volatile bool _isUnsynced = true;
    private volatile bool _hasCaughtUp;

    /// <summary>Whether it had all documents once, since it was made anew.</summary>
    internal bool HasCaughtUp
    {
        get => _hasCaughtUp;
        set => _hasCaughtUp = value;
    }

    /// <summary>Something was committed that is only in memory.</summary>
    internal void NoteCommit() => _isUnsynced = true;

    /// <summary>What is done from time to time. What one index meets holds up no other.</summary>
    internal void Tick()
    {
        try
        {
            KeepUseIfDue();
            SyncIfNeeded();
        }
        catch (Exception failure) when (LoadFailures.IsKnown(failure))
        {
            IndexLog.Failed(room.Services.Log, failure, room.Database.Name, index.Name);
        }
    }

    /// <summary>Brings commits that are only in memory to the medium.</summary>
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

    /// <summary>Gives memory back that is only kept for the next batch or query. Not where a batch runs.</summary>
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

    /// <summary>Somebody met damage in it: what it holds is thrown away, and indexed anew (IDX-2).</summary>
    internal void ReportDamage(IndexStorage damaged, StorageCorruptedException damage)
    {
        if (ReferenceEquals(index.OpenedStorage, damaged))
        {
            index.NoteMadeAnew(damage.Message);
            room.Changes.BeginRebuild(index, damaged);
        }
    }

    /// <summary>Keeps when it was last asked, from time to time; not where a batch runs.</summary>
    private void KeepUseIfDue()
    {
        if (index.Use.IsToBeKept)
        {
            index.BetweenBatches(KeepUse, waits: false);
        }
    }

    /// <summary>Keeps when it was last asked. No batch may be under way.</summary>
    internal void KeepUse()
    {
        if (index.OpenedStorage is not { } storage || !storage.TryHold())
        {
            return;
        }

        try
        {
            if (index.Use.Keep(storage.Search))
            {
                NoteCommit();
            }
        }
        catch (Exception failure) when (failure is IOException or StoragePoisonedException or StorageBusyException
            or StorageCorruptedException)
        {
            // It is about a time alone; a batch or a query meets the same, and says so.
            IndexLog.Failed(room.Services.Log, failure, room.Database.Name, index.Name);
        }
        finally
        {
            storage.Release();
        }
    }

    /// <summary>Merges what is large beside the batches; called by the thread for that.</summary>
    internal void MergeLarge()
    {
        if (!room.Database.TryEnter(out DatabaseStorage? documents))
        {
            return;
        }

        IndexStorage? storage = null;
        try
        {
            storage = index.TryHold();
            bool IsStopping() => index.IsGone || storage!.IsRetired || room.Services.Merges.IsStopped;
            while (storage is not null && !IsStopping() && storage.Search.MergeLarge(IsStopping))
            {
                NoteCommit();
            }
        }
        catch (DatabaseDeletedException)
        {
            // It went before the index was opened.
        }
        catch (Exception failure)
        {
            // The next batch asks again, or meets the same; no merge may end the process.
            IndexLog.Failed(room.Services.Log, failure, room.Database.Name, index.Name);
        }
        finally
        {
            storage?.Release();
            documents.Release();
        }
    }

    /// <summary>What it could not take, also before a restart. The caller holds the database.</summary>
    internal IndexFailure[] ReadFailures()
    {
        index.TryHold()?.Release();
        return index.Failures.ToArray();
    }

    /// <summary>Forgets its failures, also those that are kept. The caller holds the database.</summary>
    internal void ClearFailures() => index.BetweenBatches(() =>
    {
        index.Failures.Clear();
        if (index.TryHold() is { } storage)
        {
            try
            {
                storage.Search.ChangeStructures(KeptFailures.Clear);
                NoteCommit();
            }
            finally
            {
                storage.Release();
            }
        }
    });
}
