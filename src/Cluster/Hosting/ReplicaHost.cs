using Microsoft.Extensions.Logging;
using Raven.Cluster.Replication;
using Raven.Storage.Log;

namespace Raven.Cluster.Hosting;

// HOST-1  What happens to a group is told to its core one thing after the other, in a loop that runs on the thread of
//         whoever finds it idle: a commit, an acknowledgement and a publish need no other thread, and nothing in the
//         loop waits, neither for a disk nor for a network.
// HOST-2  The files are worked on by a lane, one piece after the other. If anything of it fails the node gives its
//         place up, closes the files, and looks at them again: what it then knows is what the disk has.
// HOST-3  A transaction that the core has not taken, or whose epoch is lost, is lost for its writers once it is in the
//         own journal; nothing is said to them before.
// HOST-4  That a transaction is committed is not told by a message of its own at once: the next record says so, or what
//         else is sent to that node, or else the next tick. So a follower's processor is asked once for each commit.

/// <summary>
/// The replication of one database on this node: the shell around a <see cref="ReplicaCore"/>, with connections, store,
/// files and readers. Any thread.
/// </summary>
public sealed partial class ReplicaHost : IReplicaFilesWatcher, IAsyncDisposable
{
    /// <summary>Events after which what is to be sent goes out, though more has come in.</summary>
    private const int EventsUnflushedMax = 8;

    private readonly ReplicaNode _node;
    private readonly int _self;
    private readonly ReplicaCore _core;
    private readonly IReplicaFiles _files;
    private readonly IReplicaDatabase _served;
    private readonly ReplicaLane _lane;
    private readonly GroupNumbers _numbers = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _lock = new();
    private readonly Queue<HostEvent> _events = new();
    private bool _isDraining;

    /// <summary>The lane has a record to apply, and nobody works on it; for the loop alone.</summary>
    private bool _hasLaneWork;

    /// <summary>The last record was applied in little time.</summary>
    private volatile bool _isApplyQuick;

    /// <summary>Nothing is told to the core any more.</summary>
    private volatile bool _isEnded;

    /// <summary>No commit can end, as none of the nodes is connected that it needs.</summary>
    private volatile bool _isAlone;
    private volatile string? _problem;
    private ReplicaView _view = new()
    {
        Role = ReplicaRole.Waiting, Epoch = 0, Group = null, Revision = 0, IsServing = false, TakesWrites = false,
        Takeovers = 0,
    };
    private IReadOnlyList<ReplicaPeerView> _peers = [];
    private TimeSpan _peersAt;
    private long _takeovers;
    private long _leaseEnd = long.MinValue;
    private long _committed;
    private long _published;
    private long _forgotten;

    internal ReplicaHost(string database, ReplicaNode node, IReplicaFiles files, IReplicaDatabase served)
    {
        Database = database;
        _node = node;
        _files = files;
        _served = served;
        _lane = new ReplicaLane(Do);
        _key = Store.ClusterKeys.GroupOf(database);
        ReplicaNodeOptions options = node.Options;
        var identity = new ReplicaIdentity(node.ClusterHash, 0, options.FormatMin, options.FormatMax);
        _self = _numbers.Of(options.Tag);
        _core = new ReplicaCore(_self, identity, options.Replication);
        files.Watcher = this;
    }

    /// <summary>Raised when <see cref="View"/> is another object; it must not wait.</summary>
    public event Action? Changed;

    /// <summary>The database.</summary>
    public string Database { get; }

    /// <summary>What this node is in the group now.</summary>
    public ReplicaView View => Volatile.Read(ref _view);

    /// <summary>The last transaction that this node knows to be committed.</summary>
    public long Committed => Volatile.Read(ref _committed);

    /// <summary>The last transaction that readers see; 0 while the files are closed.</summary>
    public long Published => Volatile.Read(ref _published);

    /// <summary>On the primary: how far the others are; else none.</summary>
    public IReadOnlyList<ReplicaPeerView> Peers => Volatile.Read(ref _peers);

    internal ReplicaNodeOptions Options => _node.Options;

    internal ILogger Log => _node.Log;

    internal TimeSpan Now => _node.Now;

    internal string TagOf(int node) => _numbers.TagOf(node);

    internal void Start()
    {
        _lane.Add(new HostJob(HostJobKind.Rescan));
        Post(new HostEvent(HostEventKind.Call) { Object = (Action<TimeSpan>)_core.Start });
    }

    /// <summary>Tells the loop that something has happened, and runs it if nobody does.</summary>
    internal void Post(in HostEvent happened)
    {
        if (TryLoop(happened) && Drain())
        {
            ReplicaWorkers.Run(_lane.Work);
        }
    }

    /// <summary>The same for the thread that reads a connection. It applies a record itself if the last one was quick
    /// and few threads do so; else the lane does, as a slow disk is to hold up neither pings nor the pool.</summary>
    internal void Receive(in HostEvent happened)
    {
        if (!TryLoop(happened) || !Drain())
        {
            return;
        }

        if (_isApplyQuick && ReplicaWorkers.TryBorrow())
        {
            _lane.WorkOnce();
            ReplicaWorkers.GiveBack();
        }
        else
        {
            ReplicaWorkers.Run(_lane.Work);
        }
    }

    internal void Call(Action<TimeSpan> call) => Post(new HostEvent(HostEventKind.Call) { Object = call });

    /// <summary>Ends the replication of this database, and closes its files. Once.</summary>
    internal async Task StopAsync()
    {
        if (View.TakesWrites)
        {
            // What was let in is committed first, if the others are there.
            using var limit = new CancellationTokenSource(Options.Replication.HandoverMax, Options.Clock);
            Task drained = DrainFilesAsync(limit.Token);
            while (!_isAlone && !drained.IsCompleted)
            {
                await Task.WhenAny(drained, Task.Delay(Options.TickEvery, Options.Clock, limit.Token))
                    .ConfigureAwait(false);
            }

            await limit.CancelAsync().ConfigureAwait(false);
            await drained.ConfigureAwait(false);
        }

        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Call(_ => End(ended));
        await ended.Task.ConfigureAwait(false);
        _stop.Dispose();
        _sending.Dispose();
        _written.Dispose();
    }

    /// <summary>Ends the replication of this database on this node, as <see cref="ReplicaNode.RemoveAsync"/> does.
    /// </summary>
    async ValueTask IAsyncDisposable.DisposeAsync() => await _node.RemoveAsync(Database).ConfigureAwait(false);

    void IReplicaFilesWatcher.Taken(LogPosition position, int bytes)
    {
        _written.Reset();
        Post(new HostEvent(HostEventKind.Taken) { Position = position, Bytes = bytes });
    }

    void IReplicaFilesWatcher.Written(long transactionId)
    {
        _written.Set();
        Post(new HostEvent(HostEventKind.Written) { Number = transactionId });
    }

    void IReplicaFilesWatcher.Failed(long transactionId, Exception failure)
    {
        _written.Set();
        Post(new HostEvent(HostEventKind.FilesFailed) { Object = failure });
    }

    /// <returns>True if this thread runs the loop from now on.</returns>
    private bool TryLoop(in HostEvent happened)
    {
        lock (_lock)
        {
            _events.Enqueue(happened);
            bool isFirst = !_isDraining;
            _isDraining = true;
            return isFirst;
        }
    }

    /// <returns>True if the lane has work that nobody does yet: this thread gives it to somebody, or does it.</returns>
    private bool Drain()
    {
        int unflushed = 0;
        while (true)
        {
            HostEvent next;
            lock (_lock)
            {
                if (!_events.TryDequeue(out next) && unflushed == 0)
                {
                    _isDraining = false;
                    bool hasWork = _hasLaneWork;
                    _hasLaneWork = false;
                    return hasWork;
                }
            }

            if (next.Kind != HostEventKind.None)
            {
                Step(next);
                unflushed++;
            }

            if (next.Kind == HostEventKind.None || unflushed >= EventsUnflushedMax)
            {
                FlushLinks();
                if (_hasLaneWork && unflushed >= EventsUnflushedMax)
                {
                    // More comes in: that does not wait for the end of it.
                    _hasLaneWork = false;
                    ReplicaWorkers.Run(_lane.Work);
                }

                unflushed = 0;
            }
        }
    }

    private void Step(in HostEvent happened)
    {
        TimeSpan now = Now;
        try
        {
            if (_isEnded)
            {
                Drop(happened, now);
                return;
            }

            Handle(happened, now);
            if (!_isEnded)
            {
                // Before anything is sent: who gets a planned switch may commit at once, and what is sent goes out on
                // another thread while this one waits for the processor. No reader may go by the old lease then.
                Volatile.Write(ref _leaseEnd, _core.LeaseEnd.Ticks);
                Act(now);
                LookAround(now);
            }
        }
        catch (Exception fault)
        {
            HostLog.Broken(Log, fault, Database);
            _problem = $"A fault in the replication of this node, which is in its log: {fault.Message}";
            End(null);
        }
    }

    private void Handle(in HostEvent happened, TimeSpan now)
    {
        switch (happened.Kind)
        {
            case HostEventKind.Tick:
                SendHeldCommits();
                _core.Tick(now);
                LookAtPeers(now);
                break;
            case HostEventKind.Connected or HostEventKind.Accepted or HostEventKind.Disconnected
                or HostEventKind.Received:
                HandleLink(happened, now);
                break;
            case HostEventKind.GroupRead or HostEventKind.GroupSeen or HostEventKind.GroupWritten:
                HandleStore(happened, now);
                break;
            case HostEventKind.Call:
                ((Action<TimeSpan>)happened.Object!)(now);
                break;
            default:
                HandleFiles(happened, now);
                break;
        }
    }

    /// <summary>What comes in after the end.</summary>
    private static void Drop(in HostEvent happened, TimeSpan now)
    {
        if (happened.Object is ReplicaLink link)
        {
            link.Dispose();
        }
        else if (happened.Kind == HostEventKind.Call)
        {
            ((Action<TimeSpan>)happened.Object!)(now);
        }
    }

    private void End(TaskCompletionSource? ended)
    {
        if (!_isEnded)
        {
            _isEnded = true;
            Volatile.Write(ref _leaseEnd, long.MinValue);
            _files.Shut();
            _stop.Cancel();
            foreach (ReplicaLink link in _links.Values)
            {
                link.Dispose();
            }

            _links.Clear();
            EndReads();
            EndSwitch(SwitchStatus.NotPrimary);
            _losing = true;
            LoseIfWritten();
            Show(View with
            {
                Role = ReplicaRole.Waiting,
                IsServing = false,
                TakesWrites = false,
                Hindrance = _problem,
            });
        }
        else if (ended is null)
        {
            return;
        }

        _lane.Add(new HostJob(HostJobKind.End) { Done = ended ?? new TaskCompletionSource() });
    }

    /// <summary>What is kept beside the core is brought to what it is now.</summary>
    private void LookAround(TimeSpan now)
    {
        Volatile.Write(ref _leaseEnd, _core.LeaseEnd.Ticks);
        Volatile.Write(ref _committed, _core.Committed.TransactionId);
        _isAlone = _core.IsAlone;
        long kept = _core.FirstKept.TransactionId;
        if (kept != _forgotten)
        {
            _forgotten = kept;
            _files.Forget(kept);
        }

        LookAtReads(now);
        LookAtSwitch(now);
        LookAtView();
    }

    private void LookAtView()
    {
        ReplicaView seen = _view;
        bool takesWrites = _core.Role == ReplicaRole.Leading && _switch is null && !_isClosing;
        string? hindrance = _problem ?? _core.Hindrance;
        if (hindrance is null && _core.Role == ReplicaRole.Seeking && _refusal is not null)
        {
            hindrance = $"There is no connection with the primary: {_refusal}.";
        }

        if (seen.Role == _core.Role && seen.Epoch == _core.Epoch && seen.Revision == (_core.Group?.Revision ?? 0)
            && seen.IsServing == _core.IsServing && seen.TakesWrites == takesWrites && seen.Hindrance == hindrance)
        {
            return;
        }

        if (_core.Role == ReplicaRole.Leading && seen.Role != ReplicaRole.Leading)
        {
            _takeovers++;
        }

        if (seen.Role != _core.Role || seen.Hindrance != hindrance)
        {
            HostLog.Changed(
                Log, Database, _core.Role, _core.Epoch, _record?.Primary ?? "nobody",
                hindrance is null ? "" : " " + hindrance);
        }

        Show(new ReplicaView
        {
            Role = _core.Role,
            Epoch = _core.Epoch,
            Group = _record,
            Revision = _core.Group?.Revision ?? 0,
            IsServing = _core.IsServing,
            TakesWrites = takesWrites,
            Takeovers = _takeovers,
            Hindrance = hindrance,
        });
    }

    private void Show(ReplicaView view)
    {
        Volatile.Write(ref _view, view);
        Changed?.Invoke();
    }

    private void LookAtPeers(TimeSpan now)
    {
        if (!_core.IsPrimary)
        {
            if (_peers.Count > 0)
            {
                Volatile.Write(ref _peers, []);
            }

            return;
        }

        if (now - _peersAt < Options.Replication.PingEvery)
        {
            return;
        }

        _peersAt = now;
        List<ReplicaPeerView> peers = [];
        long last = _core.Last.TransactionId;
        for (ulong left = _core.Group!.All.Bits; left != 0; left &= left - 1)
        {
            int node = new NodeSet(left).First;
            if (node != _self)
            {
                ReplicaPeer peer = _core.PeerOf(node);
                peers.Add(new ReplicaPeerView(
                    TagOf(node), peer.IsInSession, peer.Acknowledged, last - peer.Acknowledged,
                    _core.BytesAfter(peer.Acknowledged), now - peer.HeardAt));
            }
        }

        Volatile.Write(ref _peers, peers);
    }
}
