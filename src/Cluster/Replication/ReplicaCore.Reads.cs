namespace Raven.Cluster.Replication;

/// <content>REP-10: reads, pings, and the planned switch, after which what was heard before counts no more.</content>
public sealed partial class ReplicaCore
{
    private readonly List<long> _readWaits = [];
    private long _pingLast;
    private TimeSpan _pingAt;

    /// <summary>Only pings behind this one count.</summary>
    private long _leaseFloor;

    /// <summary>The node that is to be primary; -1 for none.</summary>
    private int _handover = -1;
    private TimeSpan _handoverAt;
    private bool _isHandoverSent;

    /// <summary>
    /// True if this node may answer a read from a snapshot that was taken before: nobody else has committed anything.
    /// </summary>
    public bool HoldsLease(TimeSpan now)
    {
        if (Role != ReplicaRole.Leading || _handover >= 0)
        {
            return false;
        }

        for (ulong left = Required.Bits; left != 0; left &= left - 1)
        {
            long ping = _peers[new NodeSet(left).First].Ponged;
            if (ping <= _leaseFloor || now.Ticks - ping >= _options.Lease.Ticks)
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>
    /// A read on the primary that trusts no clock: all in sync are asked. The answer is
    /// <see cref="ReplicaActionKind.ReadReady"/>.
    /// </summary>
    /// <returns>Its number; 0 if this node does not lead.</returns>
    public long Confirm(TimeSpan now)
    {
        _now = now;
        if (Role != ReplicaRole.Leading)
        {
            return 0;
        }

        long number = SendPings();
        _readWaits.Add(number);
        AnswerWaits();
        return number;
    }

    /// <summary>A planned switch: the gate is shut, the last commit awaited, then another node takes over.</summary>
    /// <returns>False if this node does not lead, or the other one is not in sync.</returns>
    public bool TryHandOver(TimeSpan now, int node)
    {
        _now = now;
        if (Role != ReplicaRole.Leading || node == _self || !Group!.InSync.Contains(node) || _handover >= 0)
        {
            return false;
        }

        _handover = node;
        _handoverAt = now;
        _isHandoverSent = false;
        TickHandover();
        return true;
    }

    private void TickHandover()
    {
        if (_handover < 0)
        {
            return;
        }

        ReplicaPeer peer = _peers[_handover];
        if (_now - _handoverAt > _options.HandoverMax)
        {
            _handover = -1;
        }
        else if (!_isHandoverSent && !_isInFlight && _wanted is null && peer.IsInSession
            && peer.Acknowledged == Last.TransactionId)
        {
            _isHandoverSent = true;

            // The other one takes over without waiting: what it has acknowledged before is no lease any more.
            _leaseFloor = NextPing();
            ReplicaMessage message = Message(ReplicaMessageKind.Handover);
            message.Point = Last;
            Send(peer.Link, message);
        }
    }

    private void TickPings()
    {
        if (_now >= _pingAt)
        {
            SendPings();
        }
    }

    /// <summary>A ping is named by the time at which it is sent, by this node's clock.</summary>
    private long NextPing() => _pingLast = Math.Max(_pingLast + 1, _now.Ticks);

    private long SendPings()
    {
        _pingAt = _now + _options.PingEvery;
        ReplicaMessage message = Message(ReplicaMessageKind.Ping);
        message.Number = NextPing();
        foreach (ReplicaPeer peer in _peers)
        {
            if (peer.Link != 0)
            {
                Send(peer.Link, message);
            }
        }

        return _pingLast;
    }

    /// <summary>Answers the reads for which all in sync have been heard.</summary>
    private void AnswerWaits()
    {
        if (Role != ReplicaRole.Leading)
        {
            return;
        }

        long heard = long.MaxValue;
        for (ulong left = Required.Bits; left != 0; left &= left - 1)
        {
            heard = Math.Min(heard, _peers[new NodeSet(left).First].Ponged);
        }

        for (int i = _readWaits.Count - 1; i >= 0; i--)
        {
            if (_readWaits[i] <= heard)
            {
                _actions.Add(new ReplicaAction(ReplicaActionKind.ReadReady)
                {
                    Number = _readWaits[i],
                    TransactionId = _floor.TransactionId,
                });
                _readWaits.RemoveAt(i);
            }
        }

        foreach (ReplicaPeer peer in _peers)
        {
            if (peer.Asked != 0 && peer.Link != 0 && peer.AskedPing <= heard)
            {
                ReplicaMessage answer = Message(ReplicaMessageKind.Answer);
                answer.Number = peer.Asked;
                answer.Point = _floor;
                peer.Asked = 0;
                Send(peer.Link, answer);
            }
        }
    }
}
