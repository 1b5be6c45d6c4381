using System.Diagnostics.CodeAnalysis;

namespace Raven.Server.Http.Cluster;

/// <summary>A server without a cluster: it is the only node of its databases.</summary>
internal sealed class SingleNode : IClusterNode
{
    private const string Only =
        "This server is in no cluster. Start it with Cluster.Node and Cluster.Peers to make it the first node of one.";

    private static readonly ClusterOutcome NotServed = new(ClusterOutcomeStatus.NotServed, 0, Only);

    /// <summary>The one of all servers.</summary>
    internal static SingleNode Instance { get; } = new();

    /// <inheritdoc/>
    public bool IsClustered => false;

    /// <inheritdoc/>
    public string Tag => "A";

    /// <inheritdoc/>
    public ClusterView Cluster { get; } = new()
    {
        ClusterId = "", Etag = 1, Term = 1, Observer = "A", Nodes = [],
    };

    /// <inheritdoc/>
    public long SeenIndex => 0;

    /// <inheritdoc/>
    public IReadOnlyCollection<string> DatabaseNames => [];

    /// <inheritdoc/>
    public Task Known => Task.CompletedTask;

    /// <inheritdoc/>
    public string? ForwardKey => null;

    /// <inheritdoc/>
    public bool TryGetGroup(ReadOnlySpan<char> database, [NotNullWhen(true)] out GroupView? group)
    {
        group = null;
        return false;
    }

    /// <inheritdoc/>
    public ValueTask WaitForChangeAsync(GroupView seen, CancellationToken cancellation) =>
        throw new InvalidOperationException(Only);

    /// <inheritdoc/>
    public ValueTask WaitForIndexAsync(long index, CancellationToken cancellation) => ValueTask.CompletedTask;

    /// <inheritdoc/>
    public ValueTask<ReadState> ReadableAsync(GroupView group, ReadWish wish, CancellationToken cancellation) =>
        ValueTask.FromResult(ReadState.Readable);

    /// <inheritdoc/>
    public ValueTask<int> WaitForReplicasAsync(GroupView group, int count, CancellationToken cancellation) =>
        ValueTask.FromResult(0);

    /// <inheritdoc/>
    public bool IsNode(string tag, string? certificateDigest, string? key) => false;

    /// <inheritdoc/>
    public SocketsHttpHandler CreateHandler() => throw new InvalidOperationException(Only);

    /// <inheritdoc/>
    public GroupHealth HealthOf(GroupView group) => throw new InvalidOperationException(Only);

    /// <inheritdoc/>
    public ValueTask<ClusterOutcome> AddNodeAsync(string url, string? tag, CancellationToken cancellation) =>
        ValueTask.FromResult(NotServed);

    /// <inheritdoc/>
    public ValueTask<ClusterOutcome> RemoveNodeAsync(string tag, CancellationToken cancellation) =>
        ValueTask.FromResult(NotServed);

    /// <inheritdoc/>
    public ValueTask<ClusterOutcome> SetVoiceAsync(string tag, bool hasVoice, CancellationToken cancellation) =>
        ValueTask.FromResult(NotServed);

    /// <inheritdoc/>
    public ValueTask<ClusterOutcome> CreateDatabaseAsync(
        string name, ReadOnlyMemory<byte> record, DatabasePlacement placement, CancellationToken cancellation) =>
        ValueTask.FromResult(NotServed);

    /// <inheritdoc/>
    public ValueTask<ClusterOutcome> UpdateDatabaseAsync(
        string name, long etag, ReadOnlyMemory<byte> record, CancellationToken cancellation) =>
        ValueTask.FromResult(NotServed);

    /// <inheritdoc/>
    public ValueTask<ClusterOutcome> DeleteDatabaseAsync(string name, bool isHard, CancellationToken cancellation) =>
        ValueTask.FromResult(NotServed);

    /// <inheritdoc/>
    public ValueTask<ClusterOutcome> AddMemberAsync(string name, string? tag, CancellationToken cancellation) =>
        ValueTask.FromResult(NotServed);

    /// <inheritdoc/>
    public ValueTask<ClusterOutcome> RemoveMembersAsync(
        string name, IReadOnlyList<string> tags, bool isHard, CancellationToken cancellation) =>
        ValueTask.FromResult(NotServed);

    /// <inheritdoc/>
    public ValueTask<ClusterOutcome> PromoteMemberAsync(
        string name, string tag, bool acceptsDataLoss, CancellationToken cancellation) =>
        ValueTask.FromResult(NotServed);

    /// <inheritdoc/>
    public ValueTask<ClusterOutcome> ReorderAsync(
        string name, IReadOnlyList<string> tags, CancellationToken cancellation) =>
        ValueTask.FromResult(NotServed);

    /// <inheritdoc/>
    public ValueTask<ClusterOutcome> HandOverAsync(string name, string tag, CancellationToken cancellation) =>
        ValueTask.FromResult(NotServed);
}
