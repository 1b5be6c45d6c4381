using System.Diagnostics.CodeAnalysis;
using System.Text;
using Raven.Documents.Catalog;
using Raven.Server.Http.Cluster;

namespace FastTests.Server.Forwarding;

/// <summary>What one node knows of a cluster, by the word of a test: nothing is replicated.</summary>
internal sealed class StandInCluster : IClusterNode
{
    private readonly Lock _lock = new();
    private TaskCompletionSource _changed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private GroupView? _group;

    private Task _known = Task.CompletedTask;
    private int _knownAsked;

    internal StandInCluster(string tag) => Tag = tag;

    /// <summary>What was asked for, in words.</summary>
    internal List<string> Calls { get; } = [];

    internal ClusterOutcome Outcome { get; set; } = new(ClusterOutcomeStatus.Done, 42);

    internal Func<ReadWish, ReadState> Reads { get; set; } = _ => ReadState.Readable;

    internal int ReplicasThatHaveIt { get; set; }

    /// <summary>How often a request has looked whether this node knows its cluster.</summary>
    internal int KnownAsked => Volatile.Read(ref _knownAsked);

    /// <summary>How often a request has waited for another state of the group.</summary>
    internal int Waits { get; private set; }

    public bool IsClustered => true;

    public string Tag { get; }

    public ClusterView Cluster { get; set; } = new()
    {
        ClusterId = "c", Etag = 5, Term = 3, Observer = null, Nodes = [],
    };

    public long SeenIndex => 7;

    public Task Known
    {
        get
        {
            Interlocked.Increment(ref _knownAsked);
            return _known;
        }
        set => _known = value;
    }

    public IReadOnlyCollection<string> DatabaseNames => _group is { } group ? [group.Database] : [];

    public string? ForwardKey { get; set; } = "secret";

    public StoreHealth? Store { get; set; }

    /// <summary>Another state of the group; null if it is gone.</summary>
    internal void Set(GroupView? group)
    {
        TaskCompletionSource before;
        lock (_lock)
        {
            _group = group;
            before = _changed;
            _changed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        before.SetResult();
    }

    public bool TryGetGroup(ReadOnlySpan<char> database, [NotNullWhen(true)] out GroupView? group)
    {
        lock (_lock)
        {
            group = _group;
        }

        if (group != null && database.Equals(group.Database, StringComparison.OrdinalIgnoreCase))
        {
            return true;
        }

        group = null;
        return false;
    }

    public ValueTask WaitForChangeAsync(GroupView seen, CancellationToken cancellation)
    {
        lock (_lock)
        {
            Waits++;
            return ReferenceEquals(_group, seen) ? new(_changed.Task.WaitAsync(cancellation)) : ValueTask.CompletedTask;
        }
    }

    public ValueTask WaitForIndexAsync(long index, CancellationToken cancellation) => ValueTask.CompletedTask;

    public ValueTask<ReadState> ReadableAsync(GroupView group, ReadWish wish, CancellationToken cancellation) =>
        new(Reads(wish));

    public async ValueTask<int> WaitForReplicasAsync(GroupView group, int count, CancellationToken cancellation)
    {
        if (ReplicasThatHaveIt < count)
        {
            await new TaskCompletionSource().Task.WaitAsync(cancellation);
        }

        return ReplicasThatHaveIt;
    }

    /// <summary>The digest of the certificate of the other nodes; null if they have none, but a key.</summary>
    internal string? NodeDigest { get; set; }

    public bool IsNode(string tag, string? certificateDigest, string? key) =>
        tag != Tag && (NodeDigest is null ? key == ForwardKey : certificateDigest == NodeDigest);

    /// <summary>Makes what connects to other nodes.</summary>
    internal Func<SocketsHttpHandler> Handler { get; set; } = () => new SocketsHttpHandler();

    public SocketsHttpHandler CreateHandler() => Handler();

    public GroupHealth HealthOf(GroupView group) => new()
    {
        Committed = 11, Published = 10, Peers = [new PeerHealth("B", 9, 2, 128, TimeSpan.FromMilliseconds(30), "slow")],
    };

    public ValueTask<ClusterOutcome> AddNodeAsync(string url, string? tag, CancellationToken cancellation) =>
        Note($"add {url} {tag}");

    public ValueTask<ClusterOutcome> RemoveNodeAsync(string tag, CancellationToken cancellation) =>
        Note($"remove {tag}");

    public ValueTask<ClusterOutcome> SetVoiceAsync(string tag, bool hasVoice, CancellationToken cancellation) =>
        Note($"voice {tag} {hasVoice}");

    public ValueTask<ClusterOutcome> CreateDatabaseAsync(
        string name, ReadOnlyMemory<byte> record, DatabasePlacement placement, CancellationToken cancellation) =>
        Note($"create {name} {placement.Factor} {string.Join(',', placement.Tags)}");

    public ValueTask<ClusterOutcome> UpdateDatabaseAsync(
        string name, long etag, ReadOnlyMemory<byte> record, CancellationToken cancellation) =>
        Note($"update {name} {etag}");

    public bool TryGetRecord(string name, [NotNullWhen(true)] out DatabaseRecord? record)
    {
        record = null;
        return false;
    }

    public string? OwnerOf(string database, long task) => Tag;

    public bool TryOwn(string database, long task) => true;

    public ValueTask<string?> TakeInAsync(string name, CancellationToken cancellation) => new((string?)null);

    public ValueTask<ClusterOutcome> ChangeRecordAsync(
        string name, Func<ReadOnlyMemory<byte>, byte[]> change, CancellationToken cancellation) =>
        Note($"change {name} {Encoding.UTF8.GetString(change("{}"u8.ToArray()))}");

    public ValueTask<ClusterOutcome> DeleteDatabaseAsync(string name, bool isHard, CancellationToken cancellation) =>
        Note($"delete {name} {isHard}");

    public ValueTask<ClusterOutcome> AddMemberAsync(string name, string? tag, CancellationToken cancellation) =>
        Note($"add member {name} {tag}");

    public ValueTask<ClusterOutcome> RemoveMembersAsync(
        string name, IReadOnlyList<string> tags, bool isHard, CancellationToken cancellation) =>
        Note($"remove members {name} {string.Join(',', tags)} {isHard}");

    public ValueTask<ClusterOutcome> PromoteMemberAsync(
        string name, string tag, bool acceptsDataLoss, CancellationToken cancellation) =>
        Note($"promote {name} {tag} {acceptsDataLoss}");

    public ValueTask<ClusterOutcome> ReorderAsync(
        string name, IReadOnlyList<string> tags, CancellationToken cancellation) =>
        Note($"reorder {name} {string.Join(',', tags)}");

    public ValueTask<ClusterOutcome> HandOverAsync(string name, string tag, CancellationToken cancellation) =>
        Note($"hand over {name} {tag}");

    private ValueTask<ClusterOutcome> Note(string call)
    {
        lock (_lock)
        {
            Calls.Add(call.Trim());
        }

        return new ValueTask<ClusterOutcome>(Outcome);
    }
}
