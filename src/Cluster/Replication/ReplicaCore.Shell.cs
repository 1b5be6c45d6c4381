namespace Raven.Cluster.Replication;

/// <content>What a shell asks, besides what it tells.</content>
public sealed partial class ReplicaCore
{
    /// <summary>A planned switch is under way.</summary>
    internal bool IsHandingOver => _handover >= 0;

    /// <summary>None of the nodes is connected that each transaction needs.</summary>
    internal bool IsAlone
    {
        get
        {
            NodeSet required = IsPrimary ? Required : default;
            for (ulong left = required.Bits; left != 0; left &= left - 1)
            {
                if (_peers[new NodeSet(left).First].IsInSession)
                {
                    return false;
                }
            }

            return required.Count > 0;
        }
    }

    /// <summary>Until when <see cref="HoldsLease"/> is true if nothing happens; the least time if it is not.</summary>
    internal TimeSpan LeaseEnd
    {
        get
        {
            if (Role != ReplicaRole.Leading || _handover >= 0)
            {
                return TimeSpan.MinValue;
            }

            long end = long.MaxValue;
            for (ulong left = Required.Bits; left != 0; left &= left - 1)
            {
                long ping = _peers[new NodeSet(left).First].Ponged;
                end = ping <= _leaseFloor ? long.MinValue : Math.Min(end, ping + _options.Lease.Ticks);
                if (end == long.MinValue)
                {
                    break;
                }
            }

            return new TimeSpan(end);
        }
    }

    /// <summary>
    /// False on a primary that waits for other nodes: one of those in sync has no connection, or too few are in sync.
    /// </summary>
    internal bool CanCommit
    {
        get
        {
            if (!IsPrimary || Group!.InSync.Count < Group.Minimum)
            {
                return false;
            }

            for (ulong left = Required.Bits; left != 0; left &= left - 1)
            {
                if (!_peers[new NodeSet(left).First].IsInSession)
                {
                    return false;
                }
            }

            return true;
        }
    }

    /// <summary>The node that is to take over is not connected. One that was asked to ends its session as it does so,
    /// and is given a second to succeed.</summary>
    internal bool IsHandOverLost(TimeSpan now) => _handover >= 0 && !_peers[_handover].IsInSession
        && (!_isHandoverSent || now - _handoverAt > _options.SilenceMax);

    /// <summary>Calls a planned switch off. If the other node has taken over all the same, that ends this epoch.
    /// </summary>
    internal void EndHandOver() => _handover = -1;

    /// <summary>What this node knows of another one as its primary.</summary>
    internal ReplicaPeer PeerOf(int node) => _peers[node];

    /// <summary>How many other nodes have acknowledged a transaction.</summary>
    internal int CountAcknowledged(long transaction)
    {
        int count = 0;
        for (ulong left = Group?.All.Without(_self).Bits ?? 0; left != 0; left &= left - 1)
        {
            ReplicaPeer peer = _peers[new NodeSet(left).First];
            count += peer.IsInSession && peer.Acknowledged >= transaction ? 1 : 0;
        }

        return count;
    }

    /// <summary>The bytes of the kept records behind a transaction.</summary>
    internal long BytesAfter(long transaction) => _log.BytesAfter(transaction);
}
