using System.Collections.Concurrent;
using System.IO.Hashing;
using System.Text;
using Microsoft.Extensions.Logging;
using Raven.Cluster.Records;
using Raven.Cluster.Replication;
using Raven.Cluster.Store;

namespace Raven.Cluster.Hosting;

/// <summary>All groups that one node has a part in, its sign of life, and its connections with other nodes. Any
/// thread.</summary>
public sealed class ReplicaNode : IAsyncDisposable
{
    private readonly ConcurrentDictionary<string, ReplicaHost> _hosts = new(StringComparer.OrdinalIgnoreCase);
    private readonly StoreMirror _mirror;
    private readonly IReplicaNetwork _network;
    private readonly NodeLife _life;
    private readonly CancellationTokenSource _stop = new();
    private ITimer? _timer;
    private int _isStopped;

    /// <summary>A node that does nothing yet.</summary>
    /// <param name="options">Who it is.</param>
    /// <param name="store">The store, whose answers are certain (<see cref="CertainStore"/>). It is not closed.</param>
    /// <param name="mirror">What of the store is in memory: all of it. It is started and closed by the caller.</param>
    /// <param name="network">How others are reached.</param>
    /// <param name="loggers">Makes its log.</param>
    public ReplicaNode(
        ReplicaNodeOptions options, IClusterStore store, StoreMirror mirror, IReplicaNetwork network,
        ILoggerFactory loggers)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(mirror);
        ArgumentNullException.ThrowIfNull(network);
        ArgumentNullException.ThrowIfNull(loggers);
        if (!NodeTag.IsValid(options.Tag))
        {
            throw new ArgumentException($"'{options.Tag}' is no tag of a node.", nameof(options));
        }

        Options = options;
        Store = store;
        Log = loggers.CreateLogger<ReplicaNode>();
        ClusterHash = XxHash3.HashToUInt64(Encoding.UTF8.GetBytes(options.ClusterId));
        _mirror = mirror;
        _network = network;
        _life = new NodeLife(this, mirror, () => Changed?.Invoke());
    }

    /// <summary>Raised when the observer, a sign of life or the hindrance has changed; it must not wait.</summary>
    public event Action? Changed;

    /// <summary>Its tag.</summary>
    public string Tag => Options.Tag;

    /// <summary>The databases that it has a part in.</summary>
    public IReadOnlyCollection<ReplicaHost> Hosts => [.. _hosts.Values];

    /// <summary>Which node looks after placement; null if none is known.</summary>
    public string? Observer => _life.Observer;

    /// <summary>True if that is this one.</summary>
    public bool IsObserver => Observer == Tag;

    /// <summary>Why it takes no part, in a sentence; null if it does.</summary>
    public string? Hindrance => _life.Hindrance;

    /// <summary>The nodes whose clocks differ from this one's by more than half a second, and by how much they are
    /// ahead (negative: behind).</summary>
    public IReadOnlyList<(string Tag, TimeSpan Ahead)> OtherClocks => _life.OtherClocks;

    internal ReplicaNodeOptions Options { get; }

    internal IClusterStore Store { get; }

    internal ILogger Log { get; }

    internal ulong ClusterHash { get; }

    internal TimeSpan Now => Options.Clock.GetElapsedTime(0);

    /// <summary>The record of a new group, for a transaction that writes it where there is none.</summary>
    /// <param name="lineage">Its history; not 0.</param>
    /// <param name="first">The node whose files it begins with.</param>
    /// <param name="others">Nodes that copy them.</param>
    public static DatabaseGroup NewGroup(ulong lineage, string first, IReadOnlyList<string> others)
    {
        ArgumentOutOfRangeException.ThrowIfZero(lineage);
        return new DatabaseGroup
        {
            Lineage = GroupNumbers.LineageText(lineage),
            Epoch = 0,
            Primary = first,
            InSync = [first],
            Members = [first],
            Promotables = [.. others],
            Order = [first, .. others],
            MinInSync = 0,
        };
    }

    /// <summary>True if a node has given a sign of life in time; for display and placement alone.</summary>
    /// <param name="tag">The node.</param>
    public bool IsAlive(string tag) => _mirror.Find(ClusterKeys.AliveOf(tag)) is not null;

    /// <summary>Says in the store that this node is there, and begins.</summary>
    /// <param name="stop">Ends the wait for the store; then it goes on by itself.</param>
    /// <returns>Why it is refused; null if it is not.</returns>
    public async Task<string?> StartAsync(CancellationToken stop)
    {
        string? problem = await _life.RegisterAsync(stop).ConfigureAwait(false);
        if (problem is not null)
        {
            return problem;
        }

        _mirror.Changed += TakeChanges;
        _life.Start();
        _timer = Options.Clock.CreateTimer(
            static state => ((ReplicaNode)state!).Tick(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _timer.Change(Options.TickEvery, Timeout.InfiniteTimeSpan);
        return null;
    }

    /// <summary>Begins the replication of a database, whose files are closed.</summary>
    /// <param name="database">Its name.</param>
    /// <param name="files">Its files, which the host disposes of.</param>
    /// <param name="served">What opens and serves them.</param>
    public ReplicaHost Add(string database, IReplicaFiles files, IReplicaDatabase served)
    {
        var host = new ReplicaHost(database, this, files, served);
        if (!_hosts.TryAdd(database, host))
        {
            throw new ArgumentException($"'{database}' is there already.", nameof(database));
        }

        host.Start();
        return host;
    }

    /// <summary>Ends the replication of a database on this node, and closes its files.</summary>
    /// <param name="database">Its name.</param>
    public Task RemoveAsync(string database) =>
        _hosts.TryRemove(database, out ReplicaHost? host) ? host.StopAsync() : Task.CompletedTask;

    /// <summary>A database of this node; null if it has no part in it.</summary>
    /// <param name="database">Its name, in any case.</param>
    public ReplicaHost? Find(string database) => _hosts.GetValueOrDefault(database);

    /// <summary>
    /// Takes a connection of another node, until it is over: then the caller closes it.
    /// </summary>
    /// <param name="database">The database that it was made for.</param>
    /// <param name="stream">The connection.</param>
    /// <param name="remoteTag">Who the other one is, as its certificate or key says.</param>
    /// <param name="stop">Ends it.</param>
    public async Task AcceptAsync(string database, Stream stream, string remoteTag, CancellationToken stop)
    {
        ArgumentNullException.ThrowIfNull(stream);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(stop, _stop.Token);
        try
        {
            ReplicaGreeting? greeting = await ReceiveAsync(stream, either.Token).ConfigureAwait(false);
            if (greeting is null)
            {
                return;
            }

            ReplicaHost? host = Find(database);
            string? problem = ProblemOf(greeting, database, remoteTag)
                ?? (host is null ? $"node {Tag} has no part in database '{database}'" : null);
            (ulong Lineage, long Epoch) grant = default;
            if (problem is null && greeting.Purpose == ReplicaPurpose.Pages)
            {
                problem = host!.TryGrant(remoteTag, greeting.Since, out grant.Lineage, out grant.Epoch);
            }

            ReplicaGreeting answer = Greeting(
                problem is null ? greeting.Purpose : ReplicaPurpose.Refused, database, greeting.From, problem);
            await answer.SendAsync(stream, either.Token).ConfigureAwait(false);
            if (problem is not null)
            {
                HostLog.Refused(Log, database, remoteTag, problem);
            }
            else if (greeting.Purpose == ReplicaPurpose.Log)
            {
                await host!.AcceptAsync(remoteTag, stream, either.Token).ConfigureAwait(false);
            }
            else
            {
                await host!.SendPagesAsync(
                    remoteTag, stream, greeting.Since, grant.Lineage, grant.Epoch, either.Token).ConfigureAwait(false);
            }
        }
        catch (Exception over) when (ReplicaLink.IsOver(over))
        {
            HostLog.Over(Log, database, remoteTag, over.Message);
        }
    }

    /// <summary>Ends all groups of this node.</summary>
    /// <param name="handsOver">Whether other nodes are made primary first, so that nobody waits for them.</param>
    /// <param name="stop">Ends the switches.</param>
    public async Task StopAsync(bool handsOver, CancellationToken stop)
    {
        if (Interlocked.Exchange(ref _isStopped, 1) != 0)
        {
            return;
        }

        if (handsOver)
        {
            await Task.WhenAll(Hosts.Select(host => HandOverAsync(host, stop))).ConfigureAwait(false);
        }

        await EndHostsAsync().ConfigureAwait(false);
        _mirror.Changed -= TakeChanges;
        if (_timer is not null)
        {
            await _timer.DisposeAsync().ConfigureAwait(false);
        }

        await _stop.CancelAsync().ConfigureAwait(false);
        await _life.DisposeAsync().ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await StopAsync(handsOver: false, CancellationToken.None).ConfigureAwait(false);
        _stop.Dispose();
    }

    /// <summary>Connects to another node and makes sure that it is who it should be.</summary>
    /// <returns>The connection, or why there is none.</returns>
    internal async Task<(Stream? Stream, string? Problem)> DialAsync(
        string tag, string database, ReplicaPurpose purpose, long since, CancellationToken stop)
    {
        Stream? stream = null;
        try
        {
            using var limit = new CancellationTokenSource(Options.DialMax, Options.Clock);
            using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, stop);
            stream = await _network.DialAsync(tag, database, either.Token).ConfigureAwait(false);
            if (stream is null)
            {
                return (null, $"node {tag} cannot be reached");
            }

            await (Greeting(purpose, database, tag, null) with { Since = since }).SendAsync(stream, either.Token)
                .ConfigureAwait(false);
            ReplicaGreeting? answer = await ReplicaGreeting.ReceiveAsync(stream, either.Token).ConfigureAwait(false);
            string? problem = answer is null
                ? $"what answers for node {tag} is no node of a cluster"
                : ProblemOf(answer, database, tag);
            if (problem is null)
            {
                return (stream, null);
            }

            await stream.DisposeAsync().ConfigureAwait(false);
            return (null, problem);
        }
        catch (Exception over) when (ReplicaLink.IsOver(over))
        {
            stream?.Dispose();
            return (null, $"the connection with node {tag} has failed: {over.Message}");
        }
    }

    /// <summary>Another start of this node is there: it takes no part any more.</summary>
    internal Task EndHostsAsync() => Task.WhenAll(_hosts.Keys.ToArray().Select(RemoveAsync));

    private static async Task HandOverAsync(ReplicaHost host, CancellationToken stop)
    {
        ReplicaView view = host.View;
        foreach (string tag in view.Group?.InSync ?? [])
        {
            if (view.TakesWrites && tag != view.Group!.Primary
                && await host.HandOverAtEndAsync(tag, stop).ConfigureAwait(false) == SwitchStatus.Done)
            {
                return;
            }
        }
    }

    private async Task<ReplicaGreeting?> ReceiveAsync(Stream stream, CancellationToken stop)
    {
        using var limit = new CancellationTokenSource(Options.DialMax, Options.Clock);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, stop);
        return await ReplicaGreeting.ReceiveAsync(stream, either.Token).ConfigureAwait(false);
    }

    private ReplicaGreeting Greeting(ReplicaPurpose purpose, string database, string to, string? problem) => new()
    {
        Purpose = purpose,
        Incarnation = Options.Incarnation,
        ClusterId = Options.ClusterId,
        ServerId = Options.ServerId,
        From = Tag,
        To = to,
        Database = database,
        Problem = problem ?? "",
    };

    /// <summary>Why this node has nothing to do with who greets it; null if it may.</summary>
    private string? ProblemOf(ReplicaGreeting other, string database, string tag)
    {
        if (other.ClusterId != Options.ClusterId)
        {
            return $"node {tag} is of cluster {other.ClusterId}, and node {Tag} of cluster {Options.ClusterId}";
        }

        if (other.Purpose == ReplicaPurpose.Refused)
        {
            return $"node {tag} refuses: {other.Problem}";
        }

        if (other.From != tag || other.To != Tag
            || !string.Equals(other.Database, database, StringComparison.OrdinalIgnoreCase))
        {
            return $"node {other.From} speaks to node {other.To} of '{other.Database}', where node {tag} and node "
                + $"{Tag} speak of '{database}'";
        }

        if (_mirror.Find(ClusterKeys.Node(tag)) is not { } entry
            || !ClusterNode.TryRead(entry.Value.Span, out ClusterNode? known, out _))
        {
            // The mirror may be late, or the store away.
            return null;
        }

        return known.ServerId != other.ServerId
            ? $"node {tag} of this cluster is server {known.ServerId}, and what says it is {tag} is server "
                + other.ServerId
            : known.Incarnation > other.Incarnation
                ? $"node {tag} was started again as {known.Incarnation}, and what says it is {tag} is start "
                    + $"{other.Incarnation}: its data folder was copied, or it should have ended"
                : null;
    }

    private void Tick()
    {
        foreach ((_, ReplicaHost host) in _hosts)
        {
            host.Post(new HostEvent(HostEventKind.Tick));
        }

        _timer?.Change(Options.TickEvery, Timeout.InfiniteTimeSpan);
    }

    private void TakeChanges(IReadOnlyList<StoreChangeEvent> changes)
    {
        foreach (StoreChangeEvent change in changes)
        {
            if (change.Entry is { } entry
                && ClusterKeys.TryReadDatabase(change.Key, out string database, out string part) && part == "group")
            {
                Find(database)?.Seen(entry);
            }
        }

        _life.TakeChanges(changes);
    }
}
