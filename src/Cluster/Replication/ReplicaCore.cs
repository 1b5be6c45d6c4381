using Raven.Storage.Log;

// The rules of replication; docs/cluster-protocol.md has them at length, with what proves each.
//
// REP-1  Log. Two nodes whose logs have the same transaction with the same hash have the same pages.
// REP-2  Commit. A transaction is committed when the journals of the primary and of all nodes in sync have it, under
//        the primary's epoch, and as many as the group asks for are in sync. Only then is it published and told.
// REP-3  One in flight. A transaction is shipped when the one before it is committed, and so says that it is.
// REP-4  Shrink. A silent or slow node leaves the set in sync by a write to the store; the primary goes on without it
//        when it knows that this write won.
// REP-5  Grow. A node that has every commit may be added; its acknowledgements count from when that is asked.
// REP-6  Takeover. A node in sync, and no other, makes itself primary by one write that raises the epoch. First its
//        whole log is acknowledged by all in sync, then a transaction opens the epoch, then it takes writes.
// REP-7  Fence. Each message has lineage and epoch. One of a lower epoch is refused; who hears of a higher one steps
//        down.
// REP-8  Session. A follower's past changes only in a handshake; in a session records only extend its log.
// REP-9  Doubt. Who loses its epoch with a transaction in flight says that it neither failed nor is acknowledged, and
//        keeps or drops it in the handshake.
// REP-10  Lease. The primary answers a read if all in sync have acknowledged a ping of less than L ago; a follower
//        takes over G after it heard its primary. Writes never depend on time.
namespace Raven.Cluster.Replication;

/// <summary>
/// The replication of one database on one node, as a pure state machine: it has no thread, no clock and no I/O. What
/// has happened comes in by a method, with the time of a clock that only goes on; what is to be done is in
/// <see cref="Actions"/>, in order, until the shell clears it. One caller at a time.
/// </summary>
public sealed partial class ReplicaCore
{
    private readonly int _self;
    private ReplicaIdentity _identity;
    private readonly ReplicaOptions _options;
    private readonly LogWindow _log;
    private readonly List<ReplicaAction> _actions = [];
    private TimeSpan _now;
    private bool _isScanned;

    /// <summary>The files are open.</summary>
    private bool _isOpen;

    /// <summary>Readers may see what is visible.</summary>
    private bool _isServing;

    /// <summary>The last transaction that readers would see.</summary>
    private long _visible;

    /// <summary>The last transaction that is known to be committed.</summary>
    private LogPosition _floor;
    private long _epoch;
    private ulong _lineage;
    private ulong _previousLineage;
    private long _forkedAt;
    private bool _needsPages;

    /// <summary>The shell is noting the lineage of a new group.</summary>
    private bool _isFounding;

    /// <summary>A core that knows nothing yet.</summary>
    /// <param name="self">The number of its node.</param>
    /// <param name="identity">Who the node is; the id of its storage comes with its files.</param>
    /// <param name="options">Times and sizes.</param>
    public ReplicaCore(int self, ReplicaIdentity identity, ReplicaOptions options)
    {
        _self = self;
        _identity = identity;
        _options = options;
        _log = new LogWindow(options.KeptBytesMax);
        for (int i = 0; i < _peers.Length; i++)
        {
            _peers[i] = new ReplicaPeer();
        }
    }

    /// <summary>What is to be done, in order.</summary>
    public IReadOnlyList<ReplicaAction> Actions => _actions;

    /// <summary>What the node is at the moment.</summary>
    public ReplicaRole Role { get; private set; }

    /// <summary>The newest record of the group that it has seen.</summary>
    public GroupState? Group { get; private set; }

    /// <summary>The last transaction of its log.</summary>
    public LogPosition Last => _log.Count == 0 ? default : _log.Last;

    /// <summary>The first point of the log that is kept; the records behind it are.</summary>
    public LogPosition FirstKept => _log.Count == 0 ? default : _log.First;

    /// <summary>The last transaction that it knows to be committed.</summary>
    public LogPosition Committed => _floor;

    /// <summary>The epoch that it believes in.</summary>
    public long Epoch => _epoch;

    /// <summary>True while readers may see what is published.</summary>
    public bool IsServing => _isServing;

    /// <summary>True if it commits.</summary>
    public bool IsPrimary => Role is ReplicaRole.Reconciling or ReplicaRole.Opening or ReplicaRole.Leading;

    /// <summary>Why it takes no part; null if it does, or will.</summary>
    public string? Hindrance { get; private set; }

    /// <summary>Forgets the actions: the shell has done them, or will.</summary>
    public void ClearActions() => _actions.Clear();

    /// <summary>The node begins.</summary>
    public void Start(TimeSpan now)
    {
        _now = now;
        _heardAt = now;
        ReadGroup();
    }

    /// <summary>
    /// The files were looked at, and are closed: at the start, after a step down with doubt, after
    /// <see cref="ReplicaActionKind.Found"/>, and whenever the shell had to close them.
    /// </summary>
    public void Scanned(TimeSpan now, ReplicaStart start)
    {
        _now = now;
        GiveUp(now);
        EndSession(isClosed: false);
        StopServing();
        _isApplying = false;
        _isRecovering = false;
        _isFounding = false;
        TakeFiles(start);
        _isScanned = true;
        Role = Role == ReplicaRole.Claiming ? Role : ReplicaRole.Waiting;
        Consider();
    }

    /// <summary>
    /// The own files can take no writes: if this node is primary it is so no longer, and somebody else may be. It may
    /// come back when they were scanned.
    /// </summary>
    public void GiveUp(TimeSpan now)
    {
        _now = now;
        if (IsPrimary)
        {
            StepDown();
        }
    }

    /// <summary>Time goes on; to be called at least every 50 ms.</summary>
    public void Tick(TimeSpan now)
    {
        _now = now;
        TickStore();
        if (IsPrimary)
        {
            TickPrimary();
        }
        else
        {
            TickFollower();
        }
    }

    /// <summary>A connection to a node that was asked for is there.</summary>
    public void Connected(TimeSpan now, int node, long link)
    {
        _now = now;
        if (Role != ReplicaRole.Seeking || _link != 0 || node != Group!.Primary)
        {
            Disconnect(link);
            return;
        }

        _link = link;
        _linkHeardAt = now;
        Greet();
    }

    /// <summary>A connection is over, or could not be made.</summary>
    public void Disconnected(TimeSpan now, long link)
    {
        _now = now;
        if (_link == link)
        {
            EndSession(isClosed: true);
        }

        foreach (ReplicaPeer peer in _peers)
        {
            if (peer.Link == link)
            {
                peer.EndSession();
            }
        }
    }

    /// <summary>A message has come in.</summary>
    /// <param name="now">The time.</param>
    /// <param name="node">The node that it comes from.</param>
    /// <param name="link">The connection that it came by.</param>
    /// <param name="message">The message.</param>
    public void Receive(TimeSpan now, int node, long link, in ReplicaMessage message)
    {
        _now = now;
        if (!IsKnown(node, link, message))
        {
            return;
        }

        switch (message.Kind)
        {
            case ReplicaMessageKind.Hello:
                AnswerHello(node, link, message);
                break;
            case ReplicaMessageKind.Ack or ReplicaMessageKind.Pong or ReplicaMessageKind.Ask:
                ReceiveAsPrimary(node, link, message);
                break;
            default:
                ReceiveAsFollower(link, message);
                break;
        }
    }

    /// <summary>The own journal has a transaction.</summary>
    public void Journaled(TimeSpan now, long transactionId)
    {
        _now = now;
        if (IsPrimary && _isInFlight && transactionId == Last.TransactionId)
        {
            _isJournaled = true;
            TryCommit();
        }
        else if (_isApplying && transactionId == _applied.TransactionId)
        {
            EndApply();
        }
    }

    /// <summary>REP-7: true if a message may be looked at; else it is refused, or tells that this node is
    /// late.</summary>
    private bool IsKnown(int node, long link, in ReplicaMessage message)
    {
        if (Group is null || !_isScanned)
        {
            return false;
        }

        if (message.Epoch > _epoch)
        {
            ReadGroup();
            if (IsPrimary)
            {
                StepDown();
            }

            // A primary of a higher epoch that this node has greeted is believed, though the store was not seen.
            bool isWelcome = message.Kind == ReplicaMessageKind.Welcome && link == _link
                && Role == ReplicaRole.Seeking && message.Lineage == Group.Lineage;
            if (message.Kind == ReplicaMessageKind.Hello)
            {
                Refuse(link, RefusalReason.NotPrimary);
            }

            return isWelcome;
        }

        if (message.Epoch < _epoch || message.Lineage != Group.Lineage)
        {
            if (message.Kind != ReplicaMessageKind.Refuse)
            {
                Refuse(link, RefusalReason.OldEpoch);
            }

            return false;
        }

        return node != _self;
    }

    /// <summary>What the files are now, while they are closed.</summary>
    private void TakeFiles(ReplicaStart start)
    {
        _log.Reset(start.Points[0]);
        for (int i = 1; i < start.Points.Count; i++)
        {
            _log.Add(start.Points[i], start.Bytes.Count > i ? start.Bytes[i] : 0);
        }

        _identity = _identity with { EnvironmentId = start.EnvironmentId };
        _floor = start.Floor;
        _lineage = start.Lineage;
        _previousLineage = start.PreviousLineage;
        _forkedAt = start.ForkedAt;
        _needsPages = start.NeedsPages;
        _isOpen = false;
        _visible = 0;
    }

    private ReplicaMessage Message(ReplicaMessageKind kind) =>
        new() { Kind = kind, Lineage = Group!.Lineage, Epoch = _epoch };

    private void Send(long link, in ReplicaMessage message) =>
        _actions.Add(new ReplicaAction(ReplicaActionKind.Send) { Link = link, Message = message });

    private void Refuse(long link, RefusalReason reason)
    {
        ReplicaMessage message = Message(ReplicaMessageKind.Refuse);
        message.Reason = reason;
        Send(link, message);
    }

    private void Disconnect(long link) =>
        _actions.Add(new ReplicaAction(ReplicaActionKind.Disconnect) { Link = link });

    private void Do(ReplicaActionKind kind, long transactionId) =>
        _actions.Add(new ReplicaAction(kind) { TransactionId = transactionId });

    /// <summary>Everything up to a point of the log is committed: it becomes visible.</summary>
    private void Commit(LogPosition point)
    {
        if (point.TransactionId > _floor.TransactionId)
        {
            _floor = point;
        }

        if (!_isOpen)
        {
            return;
        }

        if (_visible < _floor.TransactionId)
        {
            _visible = _floor.TransactionId;
            Do(ReplicaActionKind.Publish, _visible);
        }

        Serve();
    }

    /// <summary>Lets readers come if all that they would see is committed, in the history that the group has.</summary>
    private void Serve()
    {
        if (!_isServing && _isOpen && _visible <= _floor.TransactionId && _lineage == Group!.Lineage)
        {
            _isServing = true;
            Do(ReplicaActionKind.Serve, _visible);
        }
    }

    private void StopServing()
    {
        if (_isServing)
        {
            _isServing = false;
            Do(ReplicaActionKind.Close, _visible);
        }
    }
}
