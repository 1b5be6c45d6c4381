using Raven.Storage.Log;

namespace Raven.Cluster.Replication;

/// <content>The node that commits.</content>
public sealed partial class ReplicaCore
{
    private readonly ReplicaPeer[] _peers = new ReplicaPeer[NodeSet.NodesMax];

    /// <summary>The last transaction of the log is not committed under this epoch.</summary>
    private bool _isInFlight;

    /// <summary>Since when it is in flight.</summary>
    private TimeSpan _flightAt;

    /// <summary>The own journal has it.</summary>
    private bool _isJournaled;

    /// <summary>Nodes that the store was asked to add, and perhaps has added: they are waited for.</summary>
    private NodeSet _adding;

    /// <summary>A transaction may be proposed: this node leads, none is in flight, and the gate is not shut.</summary>
    public bool CanPropose => Role is ReplicaRole.Opening or ReplicaRole.Leading && !_isInFlight && _handover < 0;

    /// <summary>The nodes whose journals must have a transaction: those in sync, and those that perhaps are.</summary>
    private NodeSet Required => Group!.InSync.Or(_adding).Without(_self);

    /// <summary>
    /// A transaction is made, and being written to the own journal; its record is shipped now. In a new epoch the first
    /// one opens it.
    /// </summary>
    /// <returns>False if the node is not the one to commit it any more: it is in doubt.</returns>
    public bool Propose(TimeSpan now, LogPosition point, int bytes)
    {
        _now = now;
        if (!CanPropose || point.Epoch != _epoch || point.TransactionId != Last.TransactionId + 1)
        {
            return false;
        }

        _log.Add(point, bytes);
        _isInFlight = true;
        _flightAt = now;
        _isJournaled = false;
        foreach (ReplicaPeer peer in _peers)
        {
            Ship(peer);
        }

        return true;
    }

    /// <summary>REP-6: the store has made this node the primary.</summary>
    private void BecomePrimary()
    {
        Role = ReplicaRole.Reconciling;
        TakeLineage(Group!.Lineage, Last.TransactionId);
        _isInFlight = true;
        _flightAt = _now;
        _isJournaled = true;
        _handover = -1;
        _leaseFloor = 0;
        for (int i = 0; i < _peers.Length; i++)
        {
            ReplicaPeer peer = _peers[i];
            peer.EndSession();
            peer.Acknowledged = 0;
            peer.Ponged = 0;
            peer.IsLost = false;
            peer.HeardAt = _now;
            peer.OutAt = Group.Promotables.Contains(i) ? _now - _options.OutMin : _now;
        }

        TryCommit();
    }

    /// <summary>REP-7, REP-9: another epoch has begun.</summary>
    private void StepDown()
    {
        bool isInDoubt = _isInFlight;
        foreach (ReplicaPeer peer in _peers)
        {
            if (peer.Link != 0)
            {
                Disconnect(peer.Link);
                peer.EndSession();
            }
        }

        if (isInDoubt)
        {
            StopServing();
            _isOpen = false;
            _isScanned = false;
        }

        // The record that made this node primary does not make it primary again.
        _claimedEpoch = -1;
        Role = ReplicaRole.Waiting;
        _isInFlight = false;
        _adding = default;
        _handover = -1;
        _readWaits.Clear();
        _heardAt = _now;
        _actions.Add(new ReplicaAction(ReplicaActionKind.StepDown)
        {
            TransactionId = Last.TransactionId,
            Flag = isInDoubt,
        });
        ReadGroup();
        Consider();
    }

    private void TickPrimary()
    {
        TickPings();
        for (int i = 0; i < _peers.Length; i++)
        {
            ReplicaPeer peer = _peers[i];
            if (peer.Link != 0 && _now - peer.HeardAt > _options.LinkSilenceMax)
            {
                Disconnect(peer.Link);
                peer.EndSession();
            }
        }

        TickHandover();
        if (_wanted is null && _handover < 0 && !TryShrink())
        {
            TryGrow();
        }
    }

    /// <summary>REP-4.</summary>
    private bool TryShrink()
    {
        GroupState group = Group!;
        NodeSet inSync = group.InSync;
        for (int i = 0; i < _peers.Length; i++)
        {
            if (i != _self && inSync.Contains(i) && (_peers[i].IsLost || (IsLate(i) && inSync.Count > group.Minimum)))
            {
                inSync = inSync.Without(i);
            }
        }

        if (inSync == group.InSync)
        {
            return false;
        }

        Want(group with { InSync = inSync });
        return true;
    }

    private bool IsLate(int node)
    {
        ReplicaPeer peer = _peers[node];
        return _now - peer.HeardAt > _options.SilenceMax
            || (_isInFlight && (!peer.IsInSession || peer.Acknowledged < Last.TransactionId)
                && _now - _flightAt > _options.SilenceMax);
    }

    /// <summary>REP-5.</summary>
    private void TryGrow()
    {
        GroupState group = Group!;

        // The last transaction of a log that was taken over may be committed under the epoch before.
        long committed = Last.TransactionId - (_isInFlight && Role != ReplicaRole.Reconciling ? 1 : 0);
        for (int i = 0; i < _peers.Length; i++)
        {
            ReplicaPeer peer = _peers[i];
            if (group.All.Contains(i) && !group.InSync.Contains(i) && peer.IsInSession
                && peer.Acknowledged >= committed && _now - peer.OutAt >= _options.OutMin
                && _now - peer.HeardAt < _options.SilenceMax / 2)
            {
                _adding = _adding.With(i);
                peer.IsLost = false;
                Want(group with
                {
                    InSync = group.InSync.With(i),
                    Members = group.Members.With(i),
                    Promotables = group.Promotables.Without(i),
                });
                return;
            }
        }
    }

    private void NoteInSync(GroupState old)
    {
        for (int i = 0; i < _peers.Length; i++)
        {
            if (old.InSync.Contains(i) && !Group!.InSync.Contains(i))
            {
                _peers[i].OutAt = _now;
                _peers[i].IsLost = false;
            }
            else if (Group!.Promotables.Contains(i) && !old.All.Contains(i))
            {
                _peers[i].OutAt = _now - _options.OutMin;
            }
        }
    }

    /// <summary>REP-2.</summary>
    private void TryCommit()
    {
        if (!_isInFlight || !_isJournaled)
        {
            return;
        }

        // The minimum is for what writers are told. Of a log that was taken over nobody is told by this, and until it
        // is committed the files are closed, and show no pages to a node that could make the number full.
        if (Role != ReplicaRole.Reconciling && Group!.InSync.Count < Group.Minimum)
        {
            return;
        }

        for (ulong left = Required.Bits; left != 0; left &= left - 1)
        {
            ReplicaPeer peer = _peers[new NodeSet(left).First];
            if (!peer.IsInSession || peer.Acknowledged < Last.TransactionId)
            {
                return;
            }
        }

        _isInFlight = false;
        Commit(Last);
        ReplicaMessage message = Message(ReplicaMessageKind.Commit);
        message.Point = Last;
        foreach (ReplicaPeer peer in _peers)
        {
            if (peer.IsInSession)
            {
                Send(peer.Link, message);
            }
        }

        if (Role == ReplicaRole.Opening)
        {
            Role = ReplicaRole.Leading;
        }
        else if (Role == ReplicaRole.Reconciling && _isOpen)
        {
            OpenEpoch();
        }
        else if (Role == ReplicaRole.Reconciling)
        {
            Recover(Last.TransactionId);
        }
    }

    private void OpenEpoch()
    {
        Role = ReplicaRole.Opening;
        Do(ReplicaActionKind.Open, Last.TransactionId);
    }

    private void AnswerHello(int node, long link, in ReplicaMessage hello)
    {
        if (!IsPrimary)
        {
            Refuse(link, RefusalReason.NotPrimary);
            return;
        }

        ReplicaPeer peer = _peers[node];
        peer.EndSession();
        RefusalReason? refusal = RefusalOf(node, hello, out ReplicaMessage welcome);
        if (refusal is { } reason)
        {
            Refuse(link, reason);
            return;
        }

        if (welcome.Welcome != WelcomeKind.Resume && !_isOpen)
        {
            // Closed files show no pages; it asks again when this log is committed, and they are open.
            Refuse(link, RefusalReason.NotPrimary);
            return;
        }

        peer.Link = link;
        peer.HeardAt = _now;
        Send(link, welcome);
        if (welcome.Welcome != WelcomeKind.Resume)
        {
            Do(ReplicaActionKind.SendPages, welcome.Point.TransactionId);
            _actions[^1] = _actions[^1] with { Link = link };
        }
    }

    private RefusalReason? RefusalOf(int node, in ReplicaMessage hello, out ReplicaMessage welcome)
    {
        welcome = Message(ReplicaMessageKind.Welcome);
        ReplicaIdentity other = hello.Identity;
        if (other.ClusterId != _identity.ClusterId)
        {
            return RefusalReason.OtherCluster;
        }

        if (other.EnvironmentId != _identity.EnvironmentId && other.EnvironmentId != 0)
        {
            return RefusalReason.OtherEnvironment;
        }

        if (other.FormatMax < _identity.FormatMin || other.FormatMin > _identity.FormatMax)
        {
            return RefusalReason.NoCommonFormat;
        }

        if (!Group!.All.Contains(node))
        {
            return RefusalReason.NotAMember;
        }

        if (!TryFindStart(hello, ref welcome))
        {
            return RefusalReason.OtherHistory;
        }

        if (welcome.Welcome != WelcomeKind.Resume && (Group.InSync.Contains(node) || _adding.Contains(node)))
        {
            // It would take over with what it lacks.
            _peers[node].IsLost = true;
            return RefusalReason.LeavesFirst;
        }

        return null;
    }

    /// <summary>Where the logs part; false if they do where they cannot.</summary>
    private bool TryFindStart(in ReplicaMessage hello, ref ReplicaMessage welcome)
    {
        bool isSame = hello.DataLineage == _lineage;
        bool isBefore = hello.DataLineage == _previousLineage && hello.DataLineage != 0
            && hello.Floor.TransactionId <= _forkedAt;
        if (!isSame && !isBefore)
        {
            welcome.Welcome = WelcomeKind.Replace;
            return true;
        }

        welcome.Point = hello.Floor;
        if (hello.NeedsPages)
        {
            // Half of what another history had is mended by a copy of all alone.
            welcome.Welcome = hello.Floor.TransactionId == 0 || !isSame ? WelcomeKind.Replace : WelcomeKind.Delta;
        }
        else if (_log.Has(hello.Point))
        {
            welcome.Point = hello.Point;
        }
        else if (!_log.Has(hello.Floor))
        {
            welcome.Welcome = WelcomeKind.Delta;
            return hello.Floor.TransactionId < _log.First.TransactionId;
        }

        return true;
    }

    private void ReceiveAsPrimary(int node, long link, in ReplicaMessage message)
    {
        ReplicaPeer peer = _peers[node];
        if (!IsPrimary || link != peer.Link)
        {
            return;
        }

        peer.HeardAt = _now;
        if (message.Kind == ReplicaMessageKind.Ack)
        {
            ReceiveAck(peer, message.Point);
        }
        else if (message.Kind == ReplicaMessageKind.Pong)
        {
            peer.Ponged = Math.Max(peer.Ponged, message.Number);
            AnswerWaits();
        }
        else
        {
            peer.Asked = message.Number;
            peer.AskedPing = HoldsLease(_now) ? 0 : SendPings();
            AnswerWaits();
        }
    }

    private void ReceiveAck(ReplicaPeer peer, LogPosition point)
    {
        if (!_log.TryGet(point.TransactionId, out _))
        {
            // What it needs next is not kept any more.
            Disconnect(peer.Link);
            peer.EndSession();
            return;
        }

        peer.Acknowledged = point.TransactionId;
        if (!peer.IsInSession)
        {
            peer.IsInSession = true;
            peer.Next = point.TransactionId + 1;
            ReplicaMessage message = Message(ReplicaMessageKind.Commit);
            message.Point = _floor;
            Send(peer.Link, message);
        }

        Ship(peer);
        TryCommit();
    }

    /// <summary>Sends what a follower lacks; only the last transaction of the log may be in flight.</summary>
    private void Ship(ReplicaPeer peer)
    {
        while (peer.IsInSession && peer.Next <= Last.TransactionId
            && peer.Next - peer.Acknowledged <= _options.Window)
        {
            if (!_log.TryGet(peer.Next - 1, out LogPosition before) || !_log.TryGet(peer.Next, out LogPosition point))
            {
                Disconnect(peer.Link);
                peer.EndSession();
                return;
            }

            ReplicaMessage record = Message(ReplicaMessageKind.Record);
            record.Point = point;
            record.PreviousHash = before.LogHash;
            _actions.Add(new ReplicaAction(ReplicaActionKind.SendRecord)
            {
                Link = peer.Link,
                TransactionId = point.TransactionId,
                Message = record,
            });
            peer.Next++;
        }
    }
}
