using FastTests.Support;
using Microsoft.Extensions.Logging.Abstractions;
using Raven.Cluster.Hosting;
using Raven.Cluster.Records;
using Raven.Cluster.Replication;
using Raven.Cluster.Store;
using Shared.Cluster;
using Shared.Storage;

namespace FastTests.Cluster;

/// <summary>Nodes in one process, with files and connections in memory, one store, and a clock of the test's own.
/// </summary>
internal sealed class ReplicaCluster : IAsyncDisposable
{
    internal const string Database = "Orders";
    internal const ulong Lineage = 0x1234;

    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(20);

    private readonly LocalStore _store;

    internal ReplicaCluster()
    {
        _store = LocalStore.Open(new MemoryRecords(), new LocalStoreOptions { Clock = Clock });
        Store = new AwayStore(_store);
    }

    internal ManualClock Clock { get; } = new();

    internal MemoryNetwork Network { get; } = new();

    internal AwayStore Store { get; }

    internal Dictionary<string, Node> Nodes { get; } = [];

    internal ReplicaOptions Replication { get; set; } = new()
    {
        KeptBytesMax = 4000, OutMin = TimeSpan.FromSeconds(1),
    };

    /// <summary>Makes the files of a node, if they are not those in memory.</summary>
    internal Func<string, (IReplicaFiles Files, IReplicaDatabase Database)>? MakeFiles { get; set; }

    /// <summary>A group whose first node is A, and whose other nodes copy it.</summary>
    internal async Task CreateGroupAsync(params string[] others)
    {
        DatabaseGroup group = ReplicaNode.NewGroup(Lineage, "A", others);
        StoreTxnResult made = await _store.TxnAsync(
            StoreTxn.Put(ClusterKeys.GroupOf(Database), 0, group.Write()));
        Assert.True(made.Succeeded);
    }

    /// <summary>Starts a node; one that was there before goes on with its disk.</summary>
    internal async Task<string?> StartAsync(
        string tag, string? serverId = null, long? incarnation = null, string clusterId = "c1",
        MemoryReplicaDisk? disk = null, TimeProvider? clock = null)
    {
        Node? before = Nodes.GetValueOrDefault(tag);
        var store = new CertainStore(Store, new CertainStoreOptions { ClientId = tag, Clock = Clock });
        var mirror = new StoreMirror(store, new StoreMirrorOptions { Clock = Clock });
        var node = new ReplicaNode(
            new ReplicaNodeOptions
            {
                Tag = tag,
                ClusterId = clusterId,
                ServerId = serverId ?? "server-" + tag,
                Incarnation = incarnation ?? (before?.Incarnation ?? 0) + 1,
                Url = "http://" + tag.ToLowerInvariant(),
                FormatMin = 1,
                FormatMax = 1,
                Clock = clock ?? Clock,
                Replication = Replication,
            },
            store, mirror, Network.Of(tag), NullLoggerFactory.Instance);
        mirror.Start();
        string? problem = await node.StartAsync(CancellationToken.None);
        disk ??= before?.Disk ?? new MemoryReplicaDisk();
        var files = new MemoryReplicaFiles(disk);
        var started = new Node(node, mirror, files, disk, (before?.Incarnation ?? 0) + 1);
        Nodes[tag] = started;
        if (problem is null)
        {
            Network.Add(tag, node);
            (IReplicaFiles driven, IReplicaDatabase served) = MakeFiles?.Invoke(tag) ?? (files, files);
            started.Host = node.Add(Database, driven, served);
        }

        return problem;
    }

    internal async Task StartAllAsync()
    {
        await CreateGroupAsync("B", "C");
        await StartAsync("A");
        await StartAsync("B");
        await StartAsync("C");
        await UntilAsync(() => InSync() == "A,B,C" && Primary() is not null, "the group has not become whole");
    }

    /// <summary>The process of a node ends without a word.</summary>
    internal async Task KillAsync(string tag)
    {
        Network.Remove(tag);
        Node node = Nodes[tag];
        node.IsDead = true;
        Task stopped = node.Replica.DisposeAsync().AsTask();
        await UntilAsync(() => stopped.IsCompleted, "it does not stop");
        await stopped;
        await node.Mirror.DisposeAsync();
    }

    /// <summary>The node that takes writes; null if none does.</summary>
    internal string? Primary() => Nodes.FirstOrDefault(
        node => !node.Value.IsDead && node.Value.Host is { View.TakesWrites: true }).Key;

    /// <summary>Who is in sync, as the store has it.</summary>
    internal string InSync() => string.Join(',', Group().InSync);

    internal DatabaseGroup Group()
    {
        Task<StoreGetResult> found = _store.GetAsync(ClusterKeys.GroupOf(Database)).AsTask();
        Assert.True(found.IsCompleted);
        Assert.True(DatabaseGroup.TryRead(
            found.GetAwaiter().GetResult().Entry!.Value.Span, out DatabaseGroup? group, out _));
        return group;
    }

    /// <summary>Lets time go on until something is so.</summary>
    internal async Task UntilAsync(Func<bool> condition, string otherwise = "it never happened")
    {
        // Far more time of the nodes' clocks than anything takes: then it is over, with what the nodes say.
        TimeSpan end = Clock.GetElapsedTime(0) + TimeSpan.FromMinutes(3);
        await Deadline.UntilAsync(() =>
        {
            Clock.Advance(Step);
            return condition() || Clock.GetElapsedTime(0) > end;
        });
        Assert.True(
            condition() || Clock.GetElapsedTime(0) <= end,
            otherwise + ": " + string.Join("; ", Nodes.Select(node => $"{node.Key} {node.Value.Host?.View}")));
    }

    /// <summary>Lets time go on until something is done.</summary>
    internal async Task<T> DoneAsync<T>(Task<T> task)
    {
        await UntilAsync(() => task.IsCompleted);
        return await task;
    }

    /// <summary>Lets a time pass.</summary>
    internal async Task PassAsync(TimeSpan time)
    {
        TimeSpan end = Clock.GetElapsedTime(0) + time;
        await UntilAsync(() => Clock.GetElapsedTime(0) >= end);
    }

    /// <summary>Writes on the primary, whoever that is, until a write is acknowledged.</summary>
    internal async Task WriteAsync(string key, string value)
    {
        while (true)
        {
            await UntilAsync(() => Primary() is not null, "nobody takes writes");
            Task write = Nodes[Primary() ?? "A"].Files.WriteAsync(key, value);
            await UntilAsync(() => write.IsCompleted, "a write is not answered");
            if (write.IsCompletedSuccessfully)
            {
                return;
            }

            Assert.NotNull(write.Exception);
        }
    }

    /// <summary>Waits until all living nodes show the same.</summary>
    internal async Task AssertEqualAsync(params string[] tags)
    {
        await UntilAsync(
            () => tags.All(
                tag => Nodes[tag].Files.IsServing && Nodes[tag].Files.Visible == Nodes[tags[0]].Files.Visible),
            "the nodes have not become equal");
        Assert.All(tags, tag => Assert.Equal(Nodes[tags[0]].Files.Values, Nodes[tag].Files.Values));
    }

    public async ValueTask DisposeAsync()
    {
        foreach (string tag in Nodes.Keys.Where(tag => !Nodes[tag].IsDead).ToArray())
        {
            await KillAsync(tag);
        }

        await _store.DisposeAsync();
    }

    /// <summary>A node that is not the one that it says it is.</summary>
    internal sealed class Stranger : IAsyncDisposable
    {
        private readonly StoreMirror _mirror;

        internal Stranger(ReplicaCluster cluster, string tag, string serverId, long incarnation, string clusterId)
        {
            var store = new CertainStore(
                cluster.Store, new CertainStoreOptions { ClientId = "X" + tag, Clock = cluster.Clock });
            _mirror = new StoreMirror(store, new StoreMirrorOptions { Clock = cluster.Clock });
            Node = new ReplicaNode(
                new ReplicaNodeOptions
                {
                    Tag = tag, ClusterId = clusterId, ServerId = serverId, Incarnation = incarnation, Url = "http://x",
                    FormatMin = 1, FormatMax = 1, Clock = cluster.Clock,
                },
                store, _mirror, cluster.Network.Of(tag), NullLoggerFactory.Instance);
        }

        internal ReplicaNode Node { get; }

        public async ValueTask DisposeAsync()
        {
            await Node.DisposeAsync();
            await _mirror.DisposeAsync();
        }
    }

    internal sealed class Node(
        ReplicaNode replica, StoreMirror mirror, MemoryReplicaFiles files, MemoryReplicaDisk disk, long incarnation)
    {
        internal ReplicaNode Replica => replica;

        internal StoreMirror Mirror => mirror;

        internal MemoryReplicaFiles Files => files;

        internal MemoryReplicaDisk Disk => disk;

        internal long Incarnation => incarnation;

        internal ReplicaHost? Host { get; set; }

        internal bool IsDead { get; set; }
    }
}
