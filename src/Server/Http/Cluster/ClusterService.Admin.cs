using System.Text.Json;
using System.Text.Json.Nodes;
using Raven.Cluster.Hosting;
using Raven.Cluster.Records;
using Raven.Cluster.Store;
using Raven.Documents;

namespace Raven.Server.Http.Cluster;

/// <summary>The changes of administrators: each is one transaction of the store.</summary>
internal sealed partial class ClusterService
{
    private static readonly TimeSpan LookForNewEvery = TimeSpan.FromMilliseconds(20);

    /// <summary>Why this node changes nothing; null if it does. One that has no part must not write into the store.
    /// </summary>
    private ClusterOutcome? Absent => _isJoined && _refusal is null && _node?.Hindrance is null
        ? null
        : new ClusterOutcome(
            ClusterOutcomeStatus.Unavailable, 0,
            $"Nothing has changed: {Hindrance ?? "this node has not joined its cluster yet."}");

    private static readonly ClusterOutcome Nowhere =
        new(ClusterOutcomeStatus.Missing, 0, "The cluster has no such database.");

    /// <inheritdoc/>
    public async ValueTask<ClusterOutcome> AddNodeAsync(string url, string? tag, CancellationToken cancellation)
    {
        if (Absent is { } absent)
        {
            return absent;
        }

        NodeView? there = _cluster.Nodes.FirstOrDefault(node => node.Url == url.TrimEnd('/') || node.Tag == tag);
        return there is not null && there.Url != url.TrimEnd('/')
            ? new ClusterOutcome(
                ClusterOutcomeStatus.Refused, 0,
                $"Node {there.Tag} is at {there.Url}: take it out first, or give the new one another tag.")
            : there is not null
                ? new ClusterOutcome(ClusterOutcomeStatus.Unchanged, SeenIndex) { Tags = [there.Tag] }
                : await LetInAsync(url, tag, cancellation).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async ValueTask<ClusterOutcome> RemoveNodeAsync(string tag, CancellationToken cancellation)
    {
        if (Absent is { } absent)
        {
            return absent;
        }

        if (_store.Mirror.Find(ClusterKeys.Node(tag)) is not { } node)
        {
            return new ClusterOutcome(ClusterOutcomeStatus.Missing, 0, $"There is no node {tag}.");
        }

        foreach (GroupEntry entry in _groups.Values)
        {
            if (entry.View is { } view && view.Nodes.Any(each => each.Node.Tag == tag))
            {
                ClusterOutcome left = await RemoveMembersAsync(entry.Name, [tag], isHard: false, cancellation)
                    .ConfigureAwait(false);
                if (left.Status is not (ClusterOutcomeStatus.Done or ClusterOutcomeStatus.Unchanged))
                {
                    return left;
                }
            }
        }

        if (!ClusterNode.TryRead(node.Value.Span, out ClusterNode? record, out string? problem))
        {
            return new ClusterOutcome(
                ClusterOutcomeStatus.Refused, 0, $"The record of node {tag} is of no use: {problem}");
        }

        // Who is gone has had the key of the cluster's secrets: the observer replaces it (CSEC-3). And it does not come
        // back by itself: its machine may run, and its certificate may be good for long.
        ClusterNode gone = record with { Rest = new JsonObject { ["tag"] = tag } };
        ClusterOutcome removed = OutcomeOf(await _store.Store.TxnAsync(
            new StoreTxn(
                [new StoreCondition(node.Key, node.ModRevision)],
                [
                    new StoreChange(node.Key, null),
                    new StoreChange(ClusterKeys.RemovedOf(record.ServerId), gone.Write()),
                    .. ClusterSecrets.Gone(tag),
                ]), cancellation).ConfigureAwait(false));
        Nudge();
        return removed.Status == ClusterOutcomeStatus.Done
            ? await RemoveVoterAsync(tag, removed, cancellation).ConfigureAwait(false)
            : removed;
    }

    /// <inheritdoc/>
    public async ValueTask<ClusterOutcome> SetVoiceAsync(string tag, bool hasVoice, CancellationToken cancellation) =>
        hasVoice
            ? await PromoteVoterAsync(tag, cancellation).ConfigureAwait(false)
            : new ClusterOutcome(
                ClusterOutcomeStatus.NotServed, 0,
                "A voice is not taken from a node that stays: take the node out, and add it without an etcd "
                + "(docs/cluster.md, 'etcd').");

    /// <inheritdoc/>
    public async ValueTask<ClusterOutcome> CreateDatabaseAsync(
        string name, ReadOnlyMemory<byte> record, DatabasePlacement placement, CancellationToken cancellation)
    {
        if (Absent is { } absent)
        {
            return absent;
        }

        string[] tags = [.. Place(placement)];
        if (tags.FirstOrDefault(tag => _cluster.Find(tag) is null) is { } stranger)
        {
            return new ClusterOutcome(ClusterOutcomeStatus.Missing, 0, $"There is no node {stranger}.");
        }

        if (tags.Length < placement.Factor)
        {
            return new ClusterOutcome(
                ClusterOutcomeStatus.Refused, 0,
                $"The cluster has {tags.Length} nodes that are alive; a factor of {placement.Factor} needs more.");
        }

        byte[] rest = RecordSettings.Extract(record, out RecordSettings _);
        StoreTxnResult done = await CreateInStoreAsync(
            name, _state.Databases.Sealed(name, rest, null), SettingsOf(record),
            ReplicaNode.NewGroup(NewLineage(), tags[0], tags[1..]), cancellation)
            .ConfigureAwait(false);
        if (done is not { Status: StoreStatus.Ok, Succeeded: true })
        {
            return OutcomeOf(done, $"Database '{name}' exists.");
        }

        Nudge();
        while (!IsReady(name))
        {
            await Task.Delay(LookForNewEvery, _state.Time, cancellation).ConfigureAwait(false);
        }

        return new ClusterOutcome(ClusterOutcomeStatus.Done, done.Revision) { Tags = tags };
    }

    /// <inheritdoc/>
    public async ValueTask<string?> TakeInAsync(string name, CancellationToken cancellation)
    {
        Nudge();
        while (!TryGetGroup(name, out GroupView? group) || group.Role != GroupRole.Primary)
        {
            if (group is not null && group.Primary is { } primary && primary.Tag != Tag)
            {
                return $"Node {primary.Tag} has made a database '{name}' meanwhile. Take another name.";
            }

            await Task.Delay(LookForNewEvery, _state.Time, cancellation).ConfigureAwait(false);
        }

        return null;
    }

    /// <inheritdoc/>
    public async ValueTask<ClusterOutcome> UpdateDatabaseAsync(
        string name, long etag, ReadOnlyMemory<byte> record, CancellationToken cancellation)
    {
        if (Absent is { } absent)
        {
            return absent;
        }

        if (_store.Mirror.Find(ClusterKeys.RecordOf(name)) is not { } stored)
        {
            return Nowhere;
        }

        if (stored.ModRevision != etag && etag > 0)
        {
            return new ClusterOutcome(
                ClusterOutcomeStatus.Conflict, 0,
                $"The record of '{name}' has the etag {stored.ModRevision}, not {etag}.");
        }

        byte[] rest = RecordSettings.Extract(record, out RecordSettings settings);
        string known = NameIn(stored) ?? name;
        byte[] named = NamedRecord(known, _state.Databases.Sealed(known, rest, stored.Value.ToArray()));
        StoreTxnResult done = await _store.Store.TxnAsync(ChangeOf(stored, named), cancellation)
            .ConfigureAwait(false);
        if (done is { Status: StoreStatus.Ok, Succeeded: true })
        {
            await SeeAsync(done, cancellation).ConfigureAwait(false);
            _state.Databases.TryTakeRecord(known, named);
        }

        if (done is { Status: StoreStatus.Ok, Succeeded: true }
            && _state.Databases.TryGet(name, out Database? database) && database.Replica is { IsPrimary: true })
        {
            await settings.ApplyAsync(database, _state.Time.GetUtcNow()).ConfigureAwait(false);
        }

        Nudge();
        return OutcomeOf(done, $"The record of '{name}' was changed meanwhile.");
    }

    /// <inheritdoc/>
    public async ValueTask<ClusterOutcome> DeleteDatabaseAsync(
        string name, bool isHard, CancellationToken cancellation)
    {
        if (Absent is { } absent)
        {
            return absent;
        }

        StoreEntry? record = _store.Mirror.Find(ClusterKeys.RecordOf(name));
        while (_store.Mirror.Find(ClusterKeys.GroupOf(name)) is { } group)
        {
            List<StoreChange> changes =
            [
                new(group.Key, null), new(ClusterKeys.RecordOf(name), null),
                new(GoneOf(name, null), isHard ? "1"u8.ToArray() : "0"u8.ToArray()),
            ];
            StoreTxnResult done = await _store.Store.TxnAsync(
                new StoreTxn([new StoreCondition(group.Key, group.ModRevision)], changes), cancellation)
                .ConfigureAwait(false);
            if (done is not { Status: StoreStatus.Ok, Succeeded: false })
            {
                Nudge();
                return OutcomeOf(done);
            }

            await _store.Mirror.ConfirmAsync(cancellation).ConfigureAwait(false);
        }

        return record is null ? Nowhere : new ClusterOutcome(ClusterOutcomeStatus.Done, SeenIndex);
    }

    /// <inheritdoc/>
    public async ValueTask<ClusterOutcome> AddMemberAsync(string name, string? tag, CancellationToken cancellation)
    {
        if (Absent is { } absent)
        {
            return absent;
        }

        if (!TryGetGroup(name, out GroupView? group))
        {
            return Nowhere;
        }

        tag ??= ByLoad().FirstOrDefault(each => group.Nodes.All(node => node.Node.Tag != each));
        if (tag is null || _cluster.Find(tag) is null)
        {
            return new ClusterOutcome(
                ClusterOutcomeStatus.Missing, 0,
                tag is null ? "Each node that is alive has it already." : $"There is no node {tag}.");
        }

        return await ChangeAsync(name, record =>
            record.Members.Contains(tag) || record.Promotables.Contains(tag)
                ? null
                : record with { Promotables = [.. record.Promotables, tag], Order = [.. record.Order, tag] },
            [tag], cancellation, clears: GoneOf(name, tag)).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async ValueTask<ClusterOutcome> RemoveMembersAsync(
        string name, IReadOnlyList<string> tags, bool isHard, CancellationToken cancellation)
    {
        if (Absent is { } absent)
        {
            return absent;
        }

        ClusterOutcome last = new(ClusterOutcomeStatus.Unchanged, SeenIndex);
        foreach (string tag in tags)
        {
            if (!TryGetGroup(name, out GroupView? group))
            {
                return Nowhere;
            }

            if (group.Primary?.Tag == tag)
            {
                string? next = group.Nodes.FirstOrDefault(
                    each => each.Node.Tag != tag && each.Role == GroupRole.Member)?.Node.Tag;
                if (next is null || tag != Tag)
                {
                    return new ClusterOutcome(ClusterOutcomeStatus.Refused, 0, next is null
                        ? $"{tag} is the only node that has everything of '{name}'."
                        : $"{tag} is the primary of '{name}': make another one primary first.");
                }

                ClusterOutcome handed = await HandOverAsync(name, next, cancellation).ConfigureAwait(false);
                if (handed.Status != ClusterOutcomeStatus.Done)
                {
                    return handed;
                }
            }

            if (isHard)
            {
                string key = GoneOf(name, tag);
                await _store.Store.TxnAsync(
                    StoreTxn.Put(key, _store.Mirror.Find(key)?.ModRevision ?? 0, "1"u8.ToArray()), cancellation)
                    .ConfigureAwait(false);
            }

            last = await ChangeAsync(name, record =>
                !record.Members.Contains(tag) && !record.Promotables.Contains(tag)
                    ? null
                    : record with
                    {
                        InSync = [.. record.InSync.Where(each => each != tag)],
                        Members = [.. record.Members.Where(each => each != tag)],
                        Promotables = [.. record.Promotables.Where(each => each != tag)],
                        Order = [.. record.Order.Where(each => each != tag)],
                    },
                [tag], cancellation, isOfPrimary: tag).ConfigureAwait(false);
        }

        return last;
    }

    /// <inheritdoc/>
    public async ValueTask<ClusterOutcome> PromoteMemberAsync(
        string name, string tag, bool acceptsDataLoss, CancellationToken cancellation)
    {
        if (!_groups.TryGetValue(name, out GroupEntry? entry) || entry.View is null)
        {
            return Nowhere;
        }

        if (!acceptsDataLoss)
        {
            return new ClusterOutcome(
                ClusterOutcomeStatus.Unchanged, SeenIndex, "It becomes a member by itself when it has everything.");
        }

        if (tag != Tag || entry.Host is not { } host)
        {
            return new ClusterOutcome(
                ClusterOutcomeStatus.Refused, 0, $"Send this to the node {tag}: it alone can begin with what it has.");
        }

        return OutcomeOf(await host.PromoteUncleanAsync(cancellation).ConfigureAwait(false));
    }

    /// <inheritdoc/>
    public ValueTask<ClusterOutcome> ReorderAsync(
        string name, IReadOnlyList<string> tags, CancellationToken cancellation) => ChangeAsync(
        name,
        record => record.Order.SequenceEqual(tags) ? null : record with { Order = [.. tags] },
        tags, cancellation);

    /// <inheritdoc/>
    public async ValueTask<ClusterOutcome> HandOverAsync(string name, string tag, CancellationToken cancellation)
    {
        if (!_groups.TryGetValue(name, out GroupEntry? entry) || entry.View is not { } view)
        {
            return Nowhere;
        }

        if (view.Primary?.Tag == tag)
        {
            return new ClusterOutcome(ClusterOutcomeStatus.Unchanged, SeenIndex);
        }

        return entry.Host is { } host && view.Role == GroupRole.Primary
            ? OutcomeOf(await host.HandOverAsync(tag, cancellation).ConfigureAwait(false))
            : new ClusterOutcome(
                ClusterOutcomeStatus.Refused, 0, $"The primary, {view.Primary?.Tag}, hands over: send this to it.");
    }

    /// <summary>Whether a new database has a primary, which has its settings and, if it is this node, takes writes.
    /// </summary>
    private bool IsReady(string name) => TryGetGroup(name, out GroupView? group) && group.Primary is { } primary
        && (primary.Tag != Tag || group.Role == GroupRole.Primary) && _store.Mirror.Find(SettingsOf(name)) is null;

    /// <summary>The nodes of a new database: the one that was asked first, then those with the fewest databases.
    /// </summary>
    private IEnumerable<string> Place(DatabasePlacement placement) => placement.Tags.Count > 0
        ? placement.Tags
        : ByLoad().OrderByDescending(tag => tag == (placement.First ?? Tag)).Take(placement.Factor);

    private IEnumerable<string> ByLoad()
    {
        Dictionary<string, int> counts = _groups.Values.SelectMany(entry => entry.View?.Nodes ?? [])
            .GroupBy(node => node.Node.Tag).ToDictionary(group => group.Key, group => group.Count());
        return _cluster.Nodes.Where(node => node.IsAlive).Select(node => node.Tag)
            .OrderBy(tag => counts.GetValueOrDefault(tag));
    }

    /// <summary>Changes the record of a group as often as another one has changed it meanwhile.</summary>
    private async ValueTask<ClusterOutcome> ChangeAsync(
        string name, Func<DatabaseGroup, DatabaseGroup?> change, IReadOnlyList<string> tags,
        CancellationToken cancellation, string? clears = null, string? isOfPrimary = null)
    {
        while (true)
        {
            StoreGetResult found = await _store.Store.GetAsync(ClusterKeys.GroupOf(name), cancellation)
                .ConfigureAwait(false);
            if (found.Status != StoreStatus.Ok)
            {
                return OutcomeOf(new StoreTxnResult(found.Status, false, 0, [], found.Problem));
            }

            if (found.Entry is not { } entry
                || !DatabaseGroup.TryRead(entry.Value.Span, out DatabaseGroup? record, out _))
            {
                return Nowhere;
            }

            if (record.Primary == isOfPrimary)
            {
                return new ClusterOutcome(ClusterOutcomeStatus.Refused, 0, $"{isOfPrimary} is the primary.");
            }

            if (change(record) is not { } next)
            {
                return new ClusterOutcome(ClusterOutcomeStatus.Unchanged, found.Revision) { Tags = tags };
            }

            if (next.ProblemOf() is { } problem)
            {
                return new ClusterOutcome(ClusterOutcomeStatus.Refused, 0, $"The group would be of no use: {problem}.");
            }

            List<StoreChange> changes = [new(entry.Key, next.Write())];
            if (clears is not null && _store.Mirror.Find(clears) is not null)
            {
                changes.Add(new StoreChange(clears, null));
            }

            StoreTxnResult done = await _store.Store.TxnAsync(
                new StoreTxn([new StoreCondition(entry.Key, entry.ModRevision)], changes), cancellation)
                .ConfigureAwait(false);
            if (done is not { Status: StoreStatus.Ok, Succeeded: false })
            {
                Nudge();
                return OutcomeOf(done) with { Tags = tags };
            }
        }
    }

    /// <summary>The settings of a record, for the first primary; null if there are none.</summary>
    private static byte[]? SettingsOf(ReadOnlyMemory<byte> record)
    {
        JsonObject settings = [];
        foreach ((string key, JsonNode? value) in JsonNode.Parse(record.Span)!.AsObject())
        {
            if (value is not null && RecordSettings.Names.Contains(key))
            {
                settings[key] = value.DeepClone();
            }
        }

        return settings.Count == 0 ? null : JsonSerializer.SerializeToUtf8Bytes(settings);
    }

    private static ClusterOutcome OutcomeOf(StoreTxnResult done, string? conflict = null) => done.Status switch
    {
        StoreStatus.Ok when done.Succeeded => new ClusterOutcome(ClusterOutcomeStatus.Done, done.Revision),
        StoreStatus.Ok => new ClusterOutcome(
            ClusterOutcomeStatus.Conflict, done.Revision, conflict ?? "It was changed meanwhile."),
        StoreStatus.Unknown => new ClusterOutcome(ClusterOutcomeStatus.Unknown, 0, done.Problem),
        StoreStatus.Refused => new ClusterOutcome(ClusterOutcomeStatus.Refused, 0, done.Problem),
        _ => new ClusterOutcome(
            ClusterOutcomeStatus.Unavailable, 0, done.Problem ?? "The store of the cluster cannot be reached."),
    };

    private ClusterOutcome OutcomeOf(SwitchStatus status) => status switch
    {
        SwitchStatus.Done => new ClusterOutcome(ClusterOutcomeStatus.Done, SeenIndex),
        SwitchStatus.NotPrimary => new ClusterOutcome(
            ClusterOutcomeStatus.Refused, 0, "This node is not the primary, or not yet."),
        SwitchStatus.NotInSync => new ClusterOutcome(
            ClusterOutcomeStatus.Refused, 0, "The other node is not in sync."),
        _ => new ClusterOutcome(
            ClusterOutcomeStatus.Unavailable, 0, "The other node has not taken over in time; this one goes on."),
    };
}
