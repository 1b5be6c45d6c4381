using Raven.Cluster.Records;
using Raven.Cluster.Replication;
using Raven.Cluster.Store;

namespace Raven.Cluster.Hosting;

/// <content>The record of the group in the store: read, watched, and changed by comparison.</content>
public sealed partial class ReplicaHost
{
    /// <summary>How often a change of a group is tried while others change it.</summary>
    private const int ChangesMax = 20;

    /// <summary>Records whose revision may still be asked for.</summary>
    private const int RecordsKept = 8;

    private readonly string _key;
    private readonly Queue<(long Revision, DatabaseGroup Record)> _records = new();
    private DatabaseGroup? _record;

    /// <summary>Adds a node to the group: it copies the database, and then is a member. Any node may ask.</summary>
    /// <param name="tag">The node.</param>
    /// <param name="stop">Ends the wait.</param>
    public Task<GroupChange> AddMemberAsync(string tag, CancellationToken stop)
    {
        ArgumentNullException.ThrowIfNull(tag);
        return ChangeAsync(
            group => group.Members.Contains(tag) || group.Promotables.Contains(tag)
                ? (group, null)
                : _numbers.Of(tag) < 0
                    ? (group, $"'{tag}' is no tag of a node, or the group has no room for it.")
                    : (group with { Promotables = [.. group.Promotables, tag], Order = [.. group.Order, tag] }, null),
            stop);
    }

    /// <summary>Takes a node out of the group, which is not its primary. Any node may ask.</summary>
    /// <param name="tag">The node.</param>
    /// <param name="stop">Ends the wait.</param>
    public Task<GroupChange> RemoveMemberAsync(string tag, CancellationToken stop)
    {
        ArgumentNullException.ThrowIfNull(tag);
        return ChangeAsync(group => Without(group, tag), stop);
    }

    /// <summary>Sets in which order clients are told of the nodes. Any node may ask.</summary>
    /// <param name="tags">The nodes; those that are left out follow.</param>
    /// <param name="stop">Ends the wait.</param>
    public Task<GroupChange> ReorderAsync(IReadOnlyList<string> tags, CancellationToken stop)
    {
        ArgumentNullException.ThrowIfNull(tags);
        return ChangeAsync(
            group =>
            {
                string[] all = [.. group.Members, .. group.Promotables];
                if (tags.FirstOrDefault(tag => !all.Contains(tag)) is { } stranger)
                {
                    return (group, $"Node {stranger} has no part in '{Database}'.");
                }

                string[] order = [.. tags.Distinct(), .. group.Order.Where(tag => !tags.Contains(tag))];
                return order.SequenceEqual(group.Order) ? (group, null) : (group with { Order = order }, null);
            },
            stop);
    }

    /// <summary>The mirror of the store has another record.</summary>
    internal void Seen(StoreEntry entry)
    {
        if (TryRead(entry, out GroupState? group, out DatabaseGroup? record, out _))
        {
            Post(new HostEvent(HostEventKind.GroupSeen) { Group = group, Record = record });
        }
    }

    private static (DatabaseGroup Group, string? Problem) Without(DatabaseGroup group, string tag)
    {
        if (group.Primary == tag)
        {
            return (group, $"Node {tag} is the primary: another one has to take over first.");
        }

        if (!group.Members.Contains(tag) && !group.Promotables.Contains(tag))
        {
            return (group, null);
        }

        DatabaseGroup less = group with
        {
            InSync = [.. group.InSync.Where(each => each != tag)],
            Members = [.. group.Members.Where(each => each != tag)],
            Promotables = [.. group.Promotables.Where(each => each != tag)],
            Order = [.. group.Order.Where(each => each != tag)],
        };
        int minimum = less.MinInSync > 0 ? less.MinInSync : Math.Max(1, (less.Members.Count + 1) / 2);
        return less.InSync.Count < minimum
            ? (group, $"Without node {tag} {less.InSync.Count} would be in sync, and {minimum} must be.")
            : (less, null);
    }

    private async Task<GroupChange> ChangeAsync(
        Func<DatabaseGroup, (DatabaseGroup Group, string? Problem)> change, CancellationToken stop)
    {
        for (int i = 0; i < ChangesMax; i++)
        {
            StoreGetResult found = await _node.Store.GetAsync(_key, stop).ConfigureAwait(false);
            if (found.Status != StoreStatus.Ok)
            {
                return new GroupChange(GroupChangeStatus.Unavailable, 0, found.Problem ?? "The store cannot be read.");
            }

            if (found.Entry is null)
            {
                return new GroupChange(GroupChangeStatus.Missing, 0, $"There is no group of '{Database}'.");
            }

            if (!TryRead(found.Entry, out _, out DatabaseGroup? record, out string? problem))
            {
                return new GroupChange(GroupChangeStatus.Refused, found.Entry.ModRevision, problem);
            }

            (DatabaseGroup next, problem) = change(record);
            if (problem is not null || ReferenceEquals(next, record))
            {
                return new GroupChange(
                    problem is null ? GroupChangeStatus.Unchanged : GroupChangeStatus.Refused,
                    found.Entry.ModRevision,
                    problem);
            }

            StoreTxnResult done = await _node.Store.TxnAsync(
                StoreTxn.Put(_key, found.Entry.ModRevision, next.Write()), stop).ConfigureAwait(false);
            if (done.Status != StoreStatus.Ok)
            {
                return new GroupChange(
                    done.Status == StoreStatus.Unknown ? GroupChangeStatus.Unknown : GroupChangeStatus.Unavailable,
                    0,
                    done.Problem ?? $"The store says {done.Status}.");
            }

            if (done.Succeeded)
            {
                _ = ReadGroupAsync(HostEventKind.GroupSeen);
                return new GroupChange(GroupChangeStatus.Done, done.Revision);
            }
        }

        return new GroupChange(GroupChangeStatus.Unavailable, 0, "Others change the group all the time.");
    }

    private void HandleStore(in HostEvent happened, TimeSpan now)
    {
        if (happened is { Group: { } group, Record: { } record } && group.Revision > (_core.Group?.Revision ?? 0))
        {
            _records.Enqueue((group.Revision, record));
            while (_records.Count > RecordsKept)
            {
                _records.Dequeue();
            }
        }

        switch (happened.Kind)
        {
            case HostEventKind.GroupRead:
                _core.GroupRead(now, happened.Group);
                break;
            case HostEventKind.GroupSeen when happened.Group is not null:
                _core.GroupSeen(now, happened.Group);
                break;
            case HostEventKind.GroupWritten:
                _core.GroupWritten(now, happened.Number, happened.Flag, happened.Group);
                break;
        }

        _record = RecordOf(_core.Group?.Revision ?? 0) ?? _record;
        DropStrangers(now);
    }

    private DatabaseGroup? RecordOf(long revision)
    {
        foreach ((long each, DatabaseGroup record) in _records)
        {
            if (each == revision)
            {
                return record;
            }
        }

        return null;
    }

    /// <summary>Who has no part in the group any more gets no records any more.</summary>
    private void DropStrangers(TimeSpan now)
    {
        if (_core.Group is not { } group)
        {
            return;
        }

        List<long> gone = [];
        foreach (ReplicaLink link in _links.Values)
        {
            if (!link.IsDialed && !group.All.Contains(link.Node) && _core.PeerOf(link.Node).Link == link.Id)
            {
                gone.Add(link.Id);
            }
        }

        foreach (long id in gone)
        {
            Unlink(id);
            _core.Disconnected(now, id);
        }
    }

    private async Task ReadGroupAsync(HostEventKind kind = HostEventKind.GroupRead)
    {
        GroupState? group = null;
        DatabaseGroup? record = null;
        try
        {
            StoreGetResult found = await _node.Store.GetAsync(_key, _stop.Token).ConfigureAwait(false);
            if (found.Entry is { } entry && !TryRead(entry, out group, out record, out string? problem))
            {
                HostLog.BadRecord(Log, Database, problem!);
            }
        }
        catch (Exception fault)
        {
            // Whatever it is: without an answer the group would never be asked for again.
            StoreFailed(fault);
        }

        Post(new HostEvent(kind) { Group = group, Record = record });
    }

    private async Task WriteGroupAsync(GroupState wanted, long number)
    {
        DatabaseGroup? before = RecordOf(wanted.Revision);
        if (before is null)
        {
            // It is too old to be written over; the newer one will be seen.
            Post(new HostEvent(HostEventKind.GroupWritten) { Number = number });
            return;
        }

        GroupState? group = null;
        DatabaseGroup? record = null;
        bool isKnown = false;
        try
        {
            DatabaseGroup next = _numbers.Write(wanted, before);
            StoreTxnResult done = await _node.Store.TxnAsync(
                StoreTxn.Put(_key, wanted.Revision, next.Write()), _stop.Token).ConfigureAwait(false);
            isKnown = done.Status == StoreStatus.Ok;
            if (isKnown && done.Succeeded)
            {
                (group, record) = (wanted with { Revision = done.Revision }, next);
            }
            else if (done.Current.FirstOrDefault(entry => entry.Key == _key) is { } entry
                && !TryRead(entry, out group, out record, out string? problem))
            {
                HostLog.BadRecord(Log, Database, problem!);
            }
        }
        catch (Exception fault)
        {
            // It counts as an answer that was lost: the write is asked for again.
            StoreFailed(fault);
        }

        Post(new HostEvent(HostEventKind.GroupWritten)
        {
            Number = number, Flag = isKnown, Group = group, Record = record,
        });
    }

    private void StoreFailed(Exception fault)
    {
        if (!_isEnded)
        {
            HostLog.StoreFailed(Log, fault, Database);
        }
    }

    private bool TryRead(
        StoreEntry entry,
        [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out GroupState? group,
        [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out DatabaseGroup? record,
        [System.Diagnostics.CodeAnalysis.NotNullWhen(false)] out string? problem)
    {
        group = null;
        return DatabaseGroup.TryRead(entry.Value.Span, out record, out problem)
            && _numbers.TryRead(record, entry.ModRevision, out group, out problem);
    }
}
