using System.Globalization;
using Raven.Cluster.Records;
using Raven.Cluster.Store;
using Raven.Documents;

namespace Raven.Server.Http.Cluster;

//   TASKS-1  A task of a schedule is run by the node that the store names as its owner, and no other. A node makes
//            itself the owner only while the store says that it is the primary of the database: so a primary that was
//            replaced, and does not know it yet, runs none that the new one has taken.

/// <summary>Which node does the tasks of databases.</summary>
internal sealed partial class ClusterService
{
    /// <inheritdoc/>
    public string? OwnerOf(string database, long task) =>
        _store.Mirror.Find(KeyOfTask(database, task)) is { } entry
        && NodeNote.TryRead(entry.Value.Span, out NodeNote? note, out _)
            ? note.Node
            : null;

    /// <inheritdoc/>
    public bool TryOwn(string database, long task)
    {
        if (OwnerOf(database, task) == Tag)
        {
            return true;
        }

        if (_isJoined && _state.Databases.TryGet(database, out Database? found)
            && found.Replica is { IsPrimary: true })
        {
            _ = Task.Run(() => OwnAsync(database, task));
        }

        return false;
    }

    private static string KeyOfTask(string database, long task) =>
        ClusterKeys.TaskOf(database, task.ToString(CultureInfo.InvariantCulture));

    private async Task OwnAsync(string database, long task)
    {
        StoreEntry? owner = _store.Mirror.Find(KeyOfTask(database, task));
        if (_store.Mirror.Find(ClusterKeys.GroupOf(database)) is not { } entry
            || !DatabaseGroup.TryRead(entry.Value.Span, out DatabaseGroup? group, out _) || group.Primary != Tag)
        {
            return;
        }

        var note = new NodeNote { Node = Tag, Incarnation = _identity.Incarnation };
        await _store.Store.TxnAsync(
            new StoreTxn(
                [
                    new StoreCondition(KeyOfTask(database, task), owner?.ModRevision ?? 0),
                    new StoreCondition(entry.Key, entry.ModRevision),
                ],
                [new StoreChange(KeyOfTask(database, task), note.Write())]), _stop.Token).ConfigureAwait(false);
    }

    /// <summary>Takes the owners of tasks from the store that are gone: those of this node's, and those of databases
    /// that are.</summary>
    private async Task KeepTasksAsync()
    {
        bool isObserver = _node!.IsObserver;
        foreach ((string key, StoreEntry entry) in _store.Mirror.Entries)
        {
            if (!key.StartsWith(ClusterKeys.Tasks, StringComparison.Ordinal)
                || key[ClusterKeys.Tasks.Length..].Split('/') is not [var database, var id])
            {
                continue;
            }

            bool isGone = _store.Mirror.Find(ClusterKeys.GroupOf(database)) is null
                ? isObserver
                : NodeNote.TryRead(entry.Value.Span, out NodeNote? note, out _) && note.Node == Tag
                    && _state.Databases.TryGet(database, out Database? here) && here.Replica is { IsPrimary: true }
                    && long.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out long number)
                    && !Array.Exists(_state.Backups.Tasks.Of(database), task => task.TaskId == number);
            if (isGone)
            {
                await _store.Store.TxnAsync(StoreTxn.Delete(key, entry.ModRevision), _stop.Token)
                    .ConfigureAwait(false);
            }
        }
    }
}
