using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Threading.Channels;
using Microsoft.Extensions.Logging;
using Raven.Cluster.Etcd;
using Raven.Cluster.Hosting;
using Raven.Cluster.Records;
using Raven.Cluster.Replication;
using Raven.Cluster.Store;
using Raven.Documents.Catalog;
using Raven.Security.Certificates;
using Raven.Server.Diagnostics;
using Raven.Server.Options;

namespace Raven.Server.Http.Cluster;

// A server is in one cluster for good: its data folder keeps the id of it, and another one is refused. What is said of
// nodes and groups comes from memory, and is what the store said last. A node trusts another one by the certificate
// that is in the store for its tag, or, on one machine without certificates, by a key that only the store and the nodes
// have; neither grants a right to data.

/// <summary>The part of a server in a cluster: its life, its databases, and what routes ask. Any thread.</summary>
internal sealed partial class ClusterService : IClusterNode, ISharedCatalog, IAsyncDisposable
{
    private const string ForwardKeyName = "forward-key";
    private const string NodesName = "nodes/";
    private const int FeatureLevel = 1;
    private const ushort FormatMin = 1;
    private const ushort FormatMax = 1;

    private static readonly TimeSpan LookEvery = TimeSpan.FromSeconds(2);

    private readonly TaskCompletionSource _known = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ConcurrentDictionary<string, GroupEntry> _groups = new(StringComparer.OrdinalIgnoreCase);
    private readonly ConcurrentDictionary<string, GroupEntry>.AlternateLookup<ReadOnlySpan<char>> _groupsByName;
    private readonly Channel<bool> _news = Channel.CreateBounded<bool>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });
    private readonly Channel<bool> _serverNews = Channel.CreateBounded<bool>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });
    private readonly CancellationTokenSource _stop = new();
    private readonly ServerState _state;
    private readonly ClusterOptions _options;
    private readonly ILogger _log;
    private readonly ClusterStore _store;
    private readonly ClusterSecrets _secrets;
    private readonly Task _running;
    private readonly Lock _viewGate = new();
    private NodeIdentity _identity;
    private ReplicaNode? _node;
    private volatile ClusterView _cluster;
    private volatile string? _refusal;
    private volatile bool _isJoined;
    private volatile string? _forwardKey;

    private ClusterService(ServerState state, IClusterStore? store)
    {
        _state = state;
        _options = state.Options.Cluster;
        _log = state.Loggers.CreateLogger("Raven.Server.Cluster");
        _groupsByName = _groups.GetAlternateLookup<ReadOnlySpan<char>>();
        _identity = NodeIdentity.Begin(state.Databases.Records);
        _store = new ClusterStore(state.Options, state.Security.Certificate, state.DataFolder, _log, store);
        _secrets = new ClusterSecrets(_store, state.Security, Tag, Nudge, _log);
        state.Security.Secrets.Shared = _secrets.Keys;
        state.Security.Trust.Shared = Share;
        state.Databases.Shared = this;
        state.Backups.Tasks.Wide.Shared = ShareServerWide;
        _cluster = ViewOfCluster();
        _running = Task.Run(RunAsync);
    }

    /// <inheritdoc/>
    public bool IsClustered => true;

    /// <inheritdoc/>
    public string Tag => _options.Node!;

    /// <inheritdoc/>
    public ClusterView Cluster => _cluster;

    /// <inheritdoc/>
    public long SeenIndex => Math.Max(0, _store.Mirror.Revision);

    /// <inheritdoc/>
    public IReadOnlyCollection<string> DatabaseNames =>
        [.. _groups.Values.Where(entry => entry.View is not null).Select(entry => entry.Name)];

    /// <inheritdoc/>
    public Task Known => _known.Task;

    /// <inheritdoc/>
    public string? ForwardKey => _forwardKey;

    /// <summary>Why this node takes no part; null if it does, as far as is known.</summary>
    internal string? Hindrance => _refusal ?? _node?.Hindrance ?? _store.Problem ?? _store.Mirror.Problem;

    /// <summary>Why this node has no part in a database, or files that are not the cluster's; null if nothing is
    /// wrong.</summary>
    internal string? ProblemOf(string database) =>
        _groups.TryGetValue(database, out GroupEntry? entry) ? entry.Problem : null;

    /// <summary>In which places this node's options and what the nodes say of themselves differ; null if nowhere.
    /// </summary>
    internal string? PeerDifference
    {
        get
        {
            string[] others = [.. _options.Peers.Where(peer => _cluster.Find(peer.Key) is { Url: { Length: > 0 } url }
                && url != UrlOf(peer.Value)).Select(
                    peer => $"{peer.Key} is at {_cluster.Find(peer.Key)!.Url}, not at {UrlOf(peer.Value)}")];
            return others.Length == 0 ? null : string.Join("; ", others) + ".";
        }
    }

    /// <summary>Which nodes have another time of day than this one; null if none has.</summary>
    internal string? ClockDifference
    {
        get
        {
            string[] others = [.. (_node?.OtherClocks ?? []).Select(other => FormattableString.Invariant(
                $"node {other.Tag} is {other.Ahead.Duration().TotalSeconds:0.0} s ")
                + (other.Ahead > TimeSpan.Zero ? "ahead" : "behind"))];
            return others.Length == 0 ? null : $"Seen from node {Tag}, {string.Join("; ", others)}.";
        }
    }

    /// <summary>How the etcd is that this node runs; null if it runs none.</summary>
    internal EtcdHealth? Etcd => _store.Health;

    /// <summary>When its quota was last used up, and room was made again; null if never.</summary>
    internal DateTimeOffset? EtcdClearedAt => _store.ClearedAt;

    /// <summary>How old what is known of the store may be.</summary>
    internal TimeSpan StoreAge => _store.Mirror.Age;

    /// <summary>The groups that this node knows of.</summary>
    internal IEnumerable<GroupEntry> Groups => _groups.Values;

    private bool IsSecured => _state.Security.IsSecured;

    /// <summary>Begins: connects to the store, and takes part as soon as it can.</summary>
    /// <param name="state">The server.</param>
    /// <param name="store">What it agrees on with others; null for etcd.</param>
    internal static ClusterService Start(ServerState state, IClusterStore? store = null) => new(state, store);

    /// <inheritdoc/>
    public bool TryGetGroup(ReadOnlySpan<char> database, [NotNullWhen(true)] out GroupView? group)
    {
        group = _groupsByName.TryGetValue(database, out GroupEntry? entry) ? entry.View : null;
        return group is not null;
    }

    /// <inheritdoc/>
    public async ValueTask WaitForChangeAsync(GroupView seen, CancellationToken cancellation)
    {
        if (_groups.TryGetValue(seen.Database, out GroupEntry? entry))
        {
            await entry.WaitAsync(seen, cancellation).ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public async ValueTask WaitForIndexAsync(long index, CancellationToken cancellation)
    {
        if (!await _store.Mirror.WaitForAsync(index, cancellation).ConfigureAwait(false))
        {
            cancellation.ThrowIfCancellationRequested();
        }
    }

    /// <inheritdoc/>
    public bool IsNode(string tag, string? certificateDigest, string? key)
    {
        if (tag == Tag || _store.Mirror.Find(ClusterKeys.Node(tag)) is null)
        {
            return false;
        }

        // In constant time, as the answer says how much of it is right.
        string? expected = IsSecured ? DigestOf(tag) : _forwardKey;
        string? shown = IsSecured ? certificateDigest : key;
        return expected is not null && shown is not null && CryptographicOperations.FixedTimeEquals(
            Encoding.UTF8.GetBytes(expected), Encoding.UTF8.GetBytes(shown));
    }

    /// <inheritdoc/>
    public SocketsHttpHandler CreateHandler() => new()
    {
        UseCookies = false,
        UseProxy = false,
        AllowAutoRedirect = false,
        ConnectTimeout = TimeSpan.FromSeconds(5),
        SslOptions = ClientOptions(null, null),
    };

    /// <summary>How a connection to another node is secured: it shows this node's certificate, and takes one that the
    /// authority has signed and that is a node's.</summary>
    /// <param name="host">The name of the other one; null if whoever connects knows it.</param>
    /// <param name="tag">Its tag; null for any node.</param>
    internal SslClientAuthenticationOptions ClientOptions(string? host, string? tag) => new()
    {
        TargetHost = host,
        LocalCertificateSelectionCallback = (_, _, _, _, _) => _state.Security.Certificate?.Current!,
        RemoteCertificateValidationCallback = (_, certificate, _, _) =>
            certificate is X509Certificate2 shown && IsOfNode(shown, tag),
    };

    /// <summary>Takes a connection of another node, which has proven who it is.</summary>
    internal async Task AcceptAsync(string database, Stream stream, string tag, CancellationToken stop)
    {
        if (_node is { } node)
        {
            await node.AcceptAsync(database, stream, tag, stop).ConfigureAwait(false);
        }
    }

    /// <summary>Hands groups over, as far as others can take them, and ends the part of this node.</summary>
    internal async Task StopAsync()
    {
        if (_node is { } node)
        {
            using var late = new CancellationTokenSource(_options.HandOverMax, _state.Time);
            try
            {
                await node.StopAsync(handsOver: true, late.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                ClusterLog.NotHandedOver(_log);
            }
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await _running.ConfigureAwait(false);
        await _voters.ConfigureAwait(false);
        await _relieving.ConfigureAwait(false);
        if (_node is { } node)
        {
            await node.DisposeAsync().ConfigureAwait(false);
        }

        await _store.DisposeAsync().ConfigureAwait(false);
        _secrets.Dispose();
        _stop.Dispose();
    }

    private async Task RunAsync()
    {
        try
        {
            await _store.StartAsync(_stop.Token).ConfigureAwait(false);
            ClusterMeta meta = await JoinAsync(_stop.Token).ConfigureAwait(false);
            if (_identity.ClusterId is { } own && own != meta.ClusterId)
            {
                Refuse($"The data folder belongs to the cluster {own}, and the store to {meta.ClusterId}. Give this "
                    + "node the store of its cluster, or an empty folder.");
                return;
            }

            if (meta.FeatureLevel > FeatureLevel)
            {
                Refuse($"The cluster is at feature level {meta.FeatureLevel}, and this program knows {FeatureLevel} at "
                    + "most: a newer one has raised it. Upgrade this node.");
                return;
            }

            _identity = _identity.Join(_state.Databases.Records, meta.ClusterId);
            _node = new ReplicaNode(
                new ReplicaNodeOptions
                {
                    Tag = Tag,
                    ClusterId = meta.ClusterId,
                    ServerId = _identity.ServerId,
                    Incarnation = _identity.Incarnation,
                    Url = UrlOf(_options.OwnUrl),
                    FormatMin = FormatMin,
                    FormatMax = FormatMax,
                    Version = ServerVersion.Program,
                    Replication = new ReplicaOptions { SilenceMax = _options.SilenceMax },
                },
                _store.Store, _store.Mirror, new NodeNetwork(this), _state.Loggers);
            if (await _node.StartAsync(_stop.Token).ConfigureAwait(false) is { } refusal)
            {
                Refuse(refusal);
                return;
            }

            ClusterLog.Joined(_log, Tag, meta.ClusterId);
            _node.Changed += Nudge;
            _store.Mirror.Changed += _ => Nudge();
            _isJoined = true;

            // Each on its own: either may wait for what the other does.
            await Task.WhenAll(Task.Run(PlanAsync), Task.Run(FollowServerAsync)).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            // The server stops.
        }
    }

    private async Task PlanAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                await ApplyAsync().ConfigureAwait(false);
                await KeepTasksAsync().ConfigureAwait(false);
                KeepVoters();
                Relieve();
                ShowAll();
                _known.TrySetResult();
            }
#pragma warning disable CA1031 // The node goes on with what it has; the failure is logged, and the next look is soon.
            catch (Exception e) when (!_stop.IsCancellationRequested)
#pragma warning restore CA1031
            {
                ClusterLog.PlanFailed(_log, e);
            }

            await PauseAsync(_news).ConfigureAwait(false);
        }
    }

    /// <summary>Waits until there is something new, or for a while: it looks again now and then.</summary>
    private async Task PauseAsync(Channel<bool> news)
    {
        using var pause = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
        pause.CancelAfter(LookEvery);
        try
        {
            await news.Reader.ReadAsync(pause.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // It is time to look.
        }
    }

    private void Nudge()
    {
        _news.Writer.TryWrite(true);
        _serverNews.Writer.TryWrite(true);
    }

    private void Refuse(string problem)
    {
        _refusal = problem;
        _known.TrySetResult();
        ClusterLog.Refused(_log, problem);
    }

    /// <summary>Reads what the cluster is, or begins it.</summary>
    private async Task<ClusterMeta> JoinAsync(CancellationToken stop)
    {
        while (true)
        {
            await _store.Mirror.ConfirmAsync(stop).ConfigureAwait(false);
            if (_store.Mirror.Find(ClusterKeys.Meta) is { } entry)
            {
                ClusterMeta meta = ClusterMeta.TryRead(entry.Value.Span, out ClusterMeta? read, out string? problem)
                    ? read
                    : throw new InvalidDataException($"The record of the cluster cannot be read: {problem}");
                bool isOther = _identity.ClusterId is { } own && own != meta.ClusterId;
                if (isOther || await FindForwardKeyAsync(stop).ConfigureAwait(false))
                {
                    return meta;
                }
            }
            else
            {
                var first = new ClusterMeta
                {
                    ClusterId = _identity.ClusterId ?? Guid.NewGuid().ToString("N"),
                    FeatureLevel = FeatureLevel,
                };
                await _store.Store.TxnAsync(StoreTxn.Put(ClusterKeys.Meta, 0, first.Write()), stop)
                    .ConfigureAwait(false);
            }

            await Task.Delay(TimeSpan.FromMilliseconds(100), TimeProvider.System, stop).ConfigureAwait(false);
        }
    }

    private async Task<bool> FindForwardKeyAsync(CancellationToken stop)
    {
        if (IsSecured)
        {
            return true;
        }

        string key = ClusterKeys.ServerOf(ForwardKeyName);
        if (_store.Mirror.Find(key) is { } entry)
        {
            _forwardKey = Encoding.ASCII.GetString(entry.Value.Span);
            return true;
        }

        byte[] made = Encoding.ASCII.GetBytes(RandomNumberGenerator.GetHexString(64, lowercase: true));
        await _store.Store.TxnAsync(StoreTxn.Put(key, 0, made), stop).ConfigureAwait(false);
        return false;
    }

    /// <summary>Keeps in the store what this node's certificate is recognised by.</summary>
    private async Task KeepCertificateAsync()
    {
        if (_state.Security.Certificate is { } certificate)
        {
            string digest = ClientCertificate.DigestOf(certificate.Current);
            if (DigestOf(Tag) != digest)
            {
                string key = ClusterKeys.ServerOf(NodesName + Tag);
                await _store.Store.TxnAsync(
                    StoreTxn.Put(key, _store.Mirror.Find(key)?.ModRevision ?? 0, Encoding.ASCII.GetBytes(digest)),
                    _stop.Token).ConfigureAwait(false);
            }
        }
    }

    private string? DigestOf(string tag) =>
        _store.Mirror.Find(ClusterKeys.ServerOf(NodesName + tag)) is { } entry
            ? Encoding.ASCII.GetString(entry.Value.Span)
            : null;

    private bool IsOfNode(X509Certificate2 shown, string? tag)
    {
        if (!NodeChain.IsOf(shown, _store.Roots))
        {
            return false;
        }

        string digest = ClientCertificate.DigestOf(shown);
        return tag is not null
            ? DigestOf(tag) == digest
            : _cluster.Nodes.Any(node => DigestOf(node.Tag) == digest);
    }

    private static string UrlOf(Uri url) => url.GetLeftPart(UriPartial.Authority);
}
