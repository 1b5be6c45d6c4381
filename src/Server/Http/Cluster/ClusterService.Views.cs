using Raven.Cluster.Hosting;
using Raven.Cluster.Records;
using Raven.Cluster.Replication;
using Raven.Cluster.Store;
using Raven.Storage.Paging;
using Raven.Storage.Transactions;

namespace Raven.Server.Http.Cluster;

/// <summary>What this node tells of nodes and groups.</summary>
internal sealed partial class ClusterService
{
    /// <inheritdoc/>
    public async ValueTask<ReadState> ReadableAsync(GroupView group, ReadWish wish, CancellationToken cancellation)
    {
        if (!_groups.TryGetValue(group.Database, out GroupEntry? entry) || entry.Host is not { } host)
        {
            return ReadState.NotHere;
        }

        if (wish.MaxStaleness is not { } staleness || host.CommitAge > staleness || !host.View.IsServing)
        {
            ReadStatus status = await host.ReadableAsync(cancellation).ConfigureAwait(false);
            if (status != ReadStatus.Readable)
            {
                return status == ReadStatus.NotHere ? ReadState.NotHere : ReadState.NotNow;
            }

            if (_state.Databases.TryGet(group.Database, out Documents.Database? database)
                && database.Replica is { } replica)
            {
                await replica.TakenInAsync(cancellation).ConfigureAwait(false);
            }
        }

        while (wish.MinEtag > 0 && LastEtagOf(group.Database) is { } last && last < wish.MinEtag)
        {
            if (!await host.WaitForPublishedAsync(host.Published + 1, cancellation).ConfigureAwait(false))
            {
                return ReadState.NotNow;
            }
        }

        return ReadState.Readable;
    }

    /// <inheritdoc/>
    public async ValueTask<int> WaitForReplicasAsync(GroupView group, int count, CancellationToken cancellation) =>
        _groups.TryGetValue(group.Database, out GroupEntry? entry) && entry.Host is { } host
            ? await host.WaitForReplicasAsync(count, cancellation).ConfigureAwait(false)
            : 0;

    /// <inheritdoc/>
    public GroupHealth HealthOf(GroupView group)
    {
        ReplicaHost? host = _groups.TryGetValue(group.Database, out GroupEntry? entry) ? entry.Host : null;
        return new GroupHealth
        {
            Committed = host?.Committed ?? 0,
            Published = host?.Published ?? 0,
            Failovers = host?.View.Takeovers ?? 0,
            KeptAsideBytes = host?.KeptAsideBytes ?? 0,
            UsedBytes = UsedBytesOf(group.Database),
            CopiedBytes = host is { View.Role: ReplicaRole.Copying } ? host.CopiedBytes : null,
            Peers = host is null ? [] : [.. host.Peers.Select(peer => new PeerHealth(
                peer.Tag, peer.Acknowledged, peer.LagTransactions, peer.LagBytes,
                peer.LagTransactions > 0 ? peer.Silence : default,
                WhyNotInSync(host.View, peer)))],
        };
    }

    /// <inheritdoc/>
    public StoreHealth Store => new()
    {
        IsManaged = _options.IsManaged,
        Member = _store.Health,
        Age = _store.Mirror.Age,
        Problem = _store.Problem ?? _store.Mirror.Problem,
    };

    private long? UsedBytesOf(string name) =>
        _state.Databases.TryGet(name, out Documents.Database? database)
        && database.TryGetStorageStatistics(out StorageStatistics? storage)
            ? (storage.Pages - storage.FreePages) * PageHeader.PageSizeInBytes
            : null;

    private static string? WhyNotInSync(ReplicaView view, ReplicaPeerView peer) =>
        view.Group?.InSync.Contains(peer.Tag) == true ? null
        : !peer.IsConnected ? $"It is not connected, and was last heard {peer.Silence.TotalSeconds:F0} s ago."
        : peer.LagTransactions > 0 ? $"It lacks {peer.LagTransactions} transactions, {peer.LagBytes} bytes."
        : "It has everything, and will be in sync soon.";

    private long? LastEtagOf(string database)
    {
        if (!_state.Databases.TryGet(database, out Documents.Database? found) || found.OpenStorage is null)
        {
            return null;
        }

        using Documents.DocumentSnapshot snapshot = found.BeginRead();
        return snapshot.LastEtag;
    }

    /// <summary>Shows the nodes and all groups as they are known now.</summary>
    private void ShowAll()
    {
        lock (_viewGate)
        {
            _cluster = ViewOfCluster();
        }

        foreach (GroupEntry entry in _groups.Values)
        {
            Show(entry);
        }
    }

    private void Show(GroupEntry entry)
    {
        lock (_viewGate)
        {
            GroupView? before = entry.View;
            entry.Show(ViewOf(entry));
            if (entry.View is { } now && (before?.Role != now.Role || before.Epoch != now.Epoch))
            {
                ClusterLog.Role(_log, entry.Name, now.Role.ToString(), now.Epoch);
            }
        }
    }

    private ClusterView ViewOfCluster()
    {
        StoreMirror mirror = _store.Mirror;
        long etag = mirror.Find(ClusterKeys.Meta)?.ModRevision ?? 0;
        List<NodeView> nodes = [];
        foreach ((string key, StoreEntry entry) in mirror.Entries)
        {
            if (key.StartsWith(ClusterKeys.Nodes, StringComparison.Ordinal))
            {
                etag = Math.Max(etag, entry.CreateRevision);
                nodes.Add(ViewOfNode(key[ClusterKeys.Nodes.Length..], entry));
            }
        }

        return new ClusterView
        {
            ClusterId = _identity.ClusterId ?? "",
            Etag = Math.Max(1, etag),
            Term = 1,
            Observer = _node?.Observer,
            Nodes = nodes,
        };
    }

    private GroupView? ViewOf(GroupEntry entry)
    {
        StoreEntry? stored = _store.Mirror.Find(ClusterKeys.GroupOf(entry.Name));
        ReplicaView? own = entry.Host?.View;
        DatabaseGroup? group = null;
        if (stored is not null)
        {
            DatabaseGroup.TryRead(stored.Value.Span, out group, out _);
        }

        long revision = stored?.ModRevision ?? 0;
        if (own?.Group is { } seen && own.Revision > revision)
        {
            (group, revision) = (seen, own.Revision);
        }

        if (group is null)
        {
            return null;
        }

        bool isWritten = own is { TakesWrites: true } && _state.Databases.TryGet(entry.Name, out Documents.Database? db)
            && db.Replica is { IsPrimary: true };
        List<GroupNode> nodes = [];
        foreach (string tag in (string[])
            [group.Primary, .. group.Order, .. group.Members, .. group.Promotables])
        {
            if (!nodes.Exists(each => each.Node.Tag == tag)
                && (group.Members.Contains(tag) || group.Promotables.Contains(tag)))
            {
                nodes.Add(new GroupNode(NodeOf(tag), RoleIn(group, tag)));
            }
        }

        GroupRole role = RoleIn(group, Tag);
        return new GroupView
        {
            Database = entry.Name,
            Etag = TopologyBase + revision,
            Epoch = group.Epoch,
            Role = isWritten ? GroupRole.Primary : role == GroupRole.Primary ? GroupRole.Member : role,
            IsOpen = own is { IsServing: true },
            Primary = group.Epoch == 0 ? null : NodeOf(group.Primary),
            Nodes = nodes,
            MinInSync = group.MinInSync > 0 ? group.MinInSync : Math.Max(1, (group.Members.Count + 1) / 2),
            Hindrance = own?.Hindrance ?? entry.Problem ?? Hindrance,
        };
    }

    private long TopologyBase => _store.Mirror.Find(ClusterKeys.Meta) is { } entry
        && ClusterMeta.TryRead(entry.Value.Span, out ClusterMeta? meta, out _) ? meta.TopologyBase : 0;

    private NodeView ViewOfNode(string tag, StoreEntry entry)
    {
        bool isRead = ClusterNode.TryRead(entry.Value.Span, out ClusterNode? node, out string? problem);
        return new NodeView
        {
            Tag = tag,
            Url = node?.Url ?? "",
            Version = node?.Version,
            Role = node is { IsWatcher: true } ? NodeRole.Watcher : NodeRole.Member,
            IsAlive = _store.Mirror.Find(ClusterKeys.AliveOf(tag)) is not null,
            Hindrance = isRead ? tag == Tag ? _refusal : null : problem,
        };
    }

    /// <summary>A node of a group: of one that the last look at the nodes has not seen, what the store says.</summary>
    private NodeView NodeOf(string tag) => _cluster.Find(tag)
        ?? (_store.Mirror.Find(ClusterKeys.Node(tag)) is { } entry
            ? ViewOfNode(tag, entry)
            : new NodeView { Tag = tag, Url = "", Role = NodeRole.Member, IsAlive = false });

    private static GroupRole RoleIn(DatabaseGroup group, string tag) =>
        group.Primary == tag && group.Epoch > 0 ? GroupRole.Primary
        : group.InSync.Contains(tag) ? GroupRole.Member
        : group.Members.Contains(tag) ? GroupRole.Rehab
        : group.Promotables.Contains(tag) ? GroupRole.Promotable
        : GroupRole.None;
}
