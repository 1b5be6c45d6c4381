using Raven.Documents.Indexing.Extensions;
using Raven.Documents.Indexing.Storage;

namespace Raven.Documents.Indexing;

/// <summary>
/// The indexes of a node that does not write, or did not until now: their records are replicated with the documents,
/// and their contents are the node's own. A record and an index belong together by the number of the folder, which
/// belongs to one definition for good. Any thread.
/// </summary>
internal sealed class FollowedRecords(DatabaseIndexes owner, IndexFolders folders, IndexExtensions extensions)
{
    private readonly Lock _lock = new();
    private bool _isBehind;
    private volatile TaskCompletionSource? _done;

    /// <summary>Ends when the records were read that the last call of <see cref="Begin"/> wants.</summary>
    internal Task Done => _done?.Task ?? Task.CompletedTask;

    /// <summary>Reads the records again, on a thread of the pool; a call that comes meanwhile has them read once more.
    /// </summary>
    internal void Begin()
    {
        if (!owner.IsLoaded)
        {
            return;
        }

        lock (_lock)
        {
            if (_isBehind)
            {
                return;
            }

            _isBehind = true;
            _done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        ThreadPool.UnsafeQueueUserWorkItem(static one => one.Run(), this, preferLocal: false);
    }

    /// <summary>This node writes from now on: indexes whose results become documents are made anew, as the node that
    /// wrote before may not have written all of them.</summary>
    internal void Lead()
    {
        foreach (DatabaseIndex index in owner.Known)
        {
            if (!string.IsNullOrEmpty(index.Definition.OutputReduceToCollection))
            {
                Renew(index);
            }
            else if (index.Maintenance.HasCaughtUp)
            {
                // One that is built to replace another takes its place by the node that writes.
                owner.CaughtUp(index);
            }
        }
    }

    /// <summary>Makes an index anew in another folder of this node.</summary>
    internal void Renew(DatabaseIndex index)
    {
        folders.Renew(index.Record);
        index.Reset(index.Record, keepsFailures: true);
    }

    /// <summary>The same for one whose analyzer, one of all databases, is another one now: each node gets that by
    /// itself, and rebuilds what it has.</summary>
    internal async ValueTask RemakeAsync(string name)
    {
        await owner.Changes.Gate.WaitAsync().ConfigureAwait(false);
        try
        {
            if (owner.Find(name) is { } index)
            {
                index.Remove();
                folders.Renew(index.Record);
                owner.Publish([owner.CreateKept(index.Record)], []);
            }
        }
        finally
        {
            owner.Changes.Gate.Release();
        }
    }

    private async void Run()
    {
        TaskCompletionSource? done = null;
        try
        {
            await owner.Changes.Gate.WaitAsync().ConfigureAwait(false);
            try
            {
                lock (_lock)
                {
                    _isBehind = false;
                    done = _done;
                }

                if (owner.Database.TryBeginReadIfOpen(out DocumentSnapshot? snapshot))
                {
                    using (snapshot)
                    {
                        extensions.Replace(ExtensionStore.ReadAll(snapshot.Transaction));
                        Take(IndexRecords.ReadAll(snapshot.Transaction));
                    }
                }
            }
            finally
            {
                owner.Changes.Gate.Release();
            }
        }
        catch (Exception failure)
        {
            // No caller handles the exception: the indexes stay as they were until a record changes again.
            IndexLog.CannotPoll(owner.Services.Log, failure, owner.Database.Name);
        }
        finally
        {
            done?.SetResult();
        }
    }

    private void Take(List<IndexRecord> records)
    {
        Dictionary<long, DatabaseIndex> former = owner.Known.ToDictionary(index => index.Record.Folder);
        List<DatabaseIndex> come = [];
        HashSet<string> names = new(StringComparer.OrdinalIgnoreCase);
        foreach (IndexRecord record in records)
        {
            names.Add(record.Definition.Name);
            folders.Note(record);
            if (former.Remove(record.Folder, out DatabaseIndex? there))
            {
                bool isRenamed = there.Name != record.Definition.Name;
                if (!there.Record.ToBytes().AsSpan().SequenceEqual(record.ToBytes()))
                {
                    there.Update(record);
                }

                if (isRenamed)
                {
                    come.Add(there);
                }
            }
            else
            {
                // What an index of that number has left was never a part of the group's history.
                owner.DeleteFolder(record);
                come.Add(owner.CreateKept(record));
            }
        }

        string[] gone = [.. owner.Names.Where(name => !names.Contains(name))];
        if (come.Count > 0 || gone.Length > 0)
        {
            owner.Publish(come, gone);
        }

        foreach (DatabaseIndex index in former.Values)
        {
            index.Remove();
        }
    }
}
