using Raven.Cluster.Records;
using Raven.Cluster.Store;

namespace Raven.Cluster.Hosting;

/// <summary>
/// What a node says of itself in the store: where it is, that it lives, and that it looks after placement, if nobody
/// does. No write of a database rests on any of it.
/// </summary>
internal sealed class NodeLife(ReplicaNode node, StoreMirror mirror, Action changed) : IAsyncDisposable
{
    /// <summary>How often a node says again that it lives, with its time: others compare their clocks with it.
    /// </summary>
    private static readonly TimeSpan SayEvery = TimeSpan.FromSeconds(10);

    private readonly CancellationTokenSource _stop = new();
    private readonly SemaphoreSlim _nudge = new(0, 1);
    private readonly PeerClocks _clocks = new(node.Options.Clock);
    private Task _living = Task.CompletedTask;
    private volatile string? _hindrance;

    /// <summary>The store has this start of the node.</summary>
    private bool _isRegistered;

    /// <summary>The store was asked to take it, and the answer is lost.</summary>
    private bool _isPerhapsDone;

    internal string? Hindrance => _hindrance;

    internal IReadOnlyList<(string Tag, TimeSpan Ahead)> OtherClocks => _clocks.FindDiffering();

    internal string? Observer =>
        mirror.Find(ClusterKeys.Observer) is { } entry && NodeNote.TryRead(entry.Value.Span, out NodeNote? note, out _)
            ? note.Node
            : null;

    /// <summary>Writes where this node is, and which start of it this is.</summary>
    /// <returns>Why the node is refused; null if it is not, or the store is away.</returns>
    internal async Task<string?> RegisterAsync(CancellationToken stop)
    {
        ReplicaNodeOptions options = node.Options;
        string key = ClusterKeys.Node(options.Tag);
        while (true)
        {
            StoreGetResult found = await node.Store.GetAsync(key, stop).ConfigureAwait(false);
            if (found.Status != StoreStatus.Ok)
            {
                // It is tried again. Till then this node knows no group either, and takes no part in one.
                return null;
            }

            StoreGetResult removed = await node.Store.GetAsync(ClusterKeys.RemovedOf(options.ServerId), stop)
                .ConfigureAwait(false);
            if (removed.Status != StoreStatus.Ok)
            {
                return null;
            }

            if (removed.Entry is not null)
            {
                return $"server {options.ServerId} was taken out of the cluster: add it again (PUT "
                    + $"/admin/cluster/node?url={options.Url}&tag={options.Tag}) and start it, or give it an empty "
                    + "data folder";
            }

            ClusterNode? before = null;
            if (found.Entry is { } entry && !ClusterNode.TryRead(entry.Value.Span, out before, out string? problem))
            {
                return $"the record of node {options.Tag} is of no use: {problem}";
            }

            if (before is not null && IsMine(before))
            {
                // The answer was lost, and it is done.
                _isRegistered = true;
                return null;
            }

            if (before is not null && ProblemOf(before) is { } refusal)
            {
                return refusal;
            }

            ClusterNode now = (before ?? NewNode()) with
            {
                Url = options.Url,
                Incarnation = options.Incarnation,
                FormatMin = options.FormatMin,
                FormatMax = options.FormatMax,
                Version = options.Version,
            };
            StoreTxnResult done = await node.Store.TxnAsync(
                StoreTxn.Put(key, found.Entry?.ModRevision ?? 0, now.Write()), stop).ConfigureAwait(false);
            if (done.Status != StoreStatus.Ok || done.Succeeded)
            {
                _isRegistered = done.Succeeded;
                _isPerhapsDone |= done.Status == StoreStatus.Unknown;
                return null;
            }
        }
    }

    internal void Start() => _living = LiveAsync();

    /// <summary>Looks at what the mirror has of nodes.</summary>
    internal void TakeChanges(IReadOnlyList<StoreChangeEvent> changes)
    {
        bool isOurs = false;
        foreach (StoreChangeEvent change in changes)
        {
            TakeTime(change);
            isOurs |= change.Key == ClusterKeys.Observer
                || change.Key.StartsWith(ClusterKeys.Alive, StringComparison.Ordinal)
                || change.Key.StartsWith(ClusterKeys.Nodes, StringComparison.Ordinal);
            if (change.Key == ClusterKeys.Node(node.Tag) && change.Entry is { } entry
                && ClusterNode.TryRead(entry.Value.Span, out ClusterNode? record, out _)
                && (record.ServerId != node.Options.ServerId || record.Incarnation > node.Options.Incarnation))
            {
                GiveWay(record);
            }

            if (change.Key == ClusterKeys.Node(node.Tag) && change.Entry is null && _isRegistered)
            {
                TakeNoPart($"Node {node.Tag} was taken out of the cluster. Stop it.");
            }

            if (change.Key == ClusterKeys.Observer && change.Entry is null)
            {
                Nudge();
            }
        }

        if (isOurs)
        {
            changed();
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await _living.ConfigureAwait(false);
        _stop.Dispose();
        _nudge.Dispose();
    }

    private void TakeTime(StoreChangeEvent change)
    {
        if (!change.Key.StartsWith(ClusterKeys.Alive, StringComparison.Ordinal)
            || change.Key == ClusterKeys.AliveOf(node.Tag))
        {
            return;
        }

        string tag = change.Key[ClusterKeys.Alive.Length..];
        if (change.Entry is null)
        {
            _clocks.Forget(tag);
        }
        else if (NodeNote.TryRead(change.Entry.Value.Span, out NodeNote? note, out _) && note.Time > 0)
        {
            _clocks.Take(tag, DateTimeOffset.FromUnixTimeMilliseconds(note.Time));
        }
    }

    private ClusterNode NewNode() => new()
    {
        Url = node.Options.Url,
        ServerId = node.Options.ServerId,
        Incarnation = node.Options.Incarnation,
        FormatMin = node.Options.FormatMin,
        FormatMax = node.Options.FormatMax,
    };

    private string? ProblemOf(ClusterNode before)
    {
        ReplicaNodeOptions options = node.Options;
        return before.ServerId != options.ServerId
            ? $"node {options.Tag} of this cluster is server {before.ServerId} at {before.Url}, and this is server "
                + $"{options.ServerId}: give this one another tag, or remove that node first"
            : before.Incarnation >= options.Incarnation
                ? $"node {options.Tag} was started as {before.Incarnation} before, and this start is "
                    + $"{options.Incarnation}: the data folder was copied, or restored from an older copy"
                : null;
    }

    /// <summary>True if an attempt of this start has written it.</summary>
    private bool IsMine(ClusterNode record) => _isPerhapsDone
        && record.ServerId == node.Options.ServerId && record.Incarnation == node.Options.Incarnation;

    private void GiveWay(ClusterNode record) => TakeNoPart(
        record.ServerId == node.Options.ServerId
            ? $"Node {node.Tag} was started again as {record.Incarnation} at {record.Url}, and this is start "
                + $"{node.Options.Incarnation}: a copy of its data folder runs. This one takes no part any more."
            : $"Server {record.ServerId} at {record.Url} is node {node.Tag} now: this one takes no part any more.");

    private void TakeNoPart(string why)
    {
        if (Interlocked.CompareExchange(ref _hindrance, why, null) is null)
        {
            HostLog.NodeProblem(node.Log, node.Tag, why);
            _ = node.EndHostsAsync();
            changed();
        }
    }

    private async Task RegisterAgainAsync()
    {
        while (!_isRegistered && !_stop.IsCancellationRequested && _hindrance is null)
        {
            await PauseAsync(_stop.Token).ConfigureAwait(false);
            if (await RegisterAsync(_stop.Token).ConfigureAwait(false) is { } refusal)
            {
                TakeNoPart(refusal);
            }
        }
    }

    private void Nudge()
    {
        if (_nudge.CurrentCount == 0)
        {
            try
            {
                _nudge.Release();
            }
            catch (Exception late) when (late is SemaphoreFullException or ObjectDisposedException)
            {
                // Somebody else has, or the node has ended: the mirror may be in the middle of telling its changes.
            }
        }
    }

    private async Task LiveAsync()
    {
        while (!_stop.IsCancellationRequested && _hindrance is null)
        {
            try
            {
                await RegisterAgainAsync().ConfigureAwait(false);
                await LiveWithLeasesAsync().ConfigureAwait(false);
            }
            catch (Exception fault)
            {
                // Whatever it is: a node that stopped saying that it lives would count as gone for good.
                if (!_stop.IsCancellationRequested)
                {
                    HostLog.NodeFault(node.Log, fault, node.Tag);
                    await PauseAsync(_stop.Token).ConfigureAwait(false);
                }
            }
        }
    }

    private async Task LiveWithLeasesAsync()
    {
        while (!_stop.IsCancellationRequested && _hindrance is null)
        {
            (StoreLease? lease, _) = await StoreLease.GrantAsync(
                node.Store, node.Options.LeaseTime, node.Options.Clock, _stop.Token).ConfigureAwait(false);
            if (lease is null)
            {
                await PauseAsync(_stop.Token).ConfigureAwait(false);
                continue;
            }

            await using (lease.ConfigureAwait(false))
            {
                await LiveAsync(lease).ConfigureAwait(false);
            }
        }
    }

    private async Task LiveAsync(StoreLease lease)
    {
        using var either = CancellationTokenSource.CreateLinkedTokenSource(lease.Lost, _stop.Token);
        while (!either.IsCancellationRequested && _hindrance is null)
        {
            await SayAsync(ClusterKeys.AliveOf(node.Tag), lease, isMine: true, either.Token).ConfigureAwait(false);
            await SayAsync(ClusterKeys.Observer, lease, isMine: false, either.Token).ConfigureAwait(false);
            await PauseAsync(either.Token).ConfigureAwait(false);
        }
    }

    /// <summary>Writes this node's note if the key is not bound to this lease; if it may be another's, only where there
    /// is none.</summary>
    private async Task SayAsync(string key, StoreLease lease, bool isMine, CancellationToken stop)
    {
        StoreGetResult found = await node.Store.GetAsync(key, stop).ConfigureAwait(false);
        if (found.Status != StoreStatus.Ok || (!isMine && found.Entry is not null)
            || (found.Entry is { } entry && entry.Lease == lease.Id && (!isMine || IsYoung(entry))))
        {
            return;
        }

        var note = new NodeNote
        {
            Node = node.Tag, Incarnation = node.Options.Incarnation,
            Time = isMine ? node.Options.Clock.GetUtcNow().ToUnixTimeMilliseconds() : 0,
        };
        await node.Store.TxnAsync(
            StoreTxn.Put(key, found.Entry?.ModRevision ?? 0, note.Write(), lease.Id), stop).ConfigureAwait(false);
    }

    private bool IsYoung(StoreEntry said) => NodeNote.TryRead(said.Value.Span, out NodeNote? note, out _)
        && (node.Options.Clock.GetUtcNow() - DateTimeOffset.FromUnixTimeMilliseconds(note.Time)).Duration() < SayEvery;

    private async Task PauseAsync(CancellationToken stop)
    {
        using var limit = new CancellationTokenSource(node.Options.LeaseTime / 4, node.Options.Clock);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, stop);
        await _nudge.WaitAsync(either.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }
}
