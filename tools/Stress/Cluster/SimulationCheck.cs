using Raven.Cluster.Replication;
using Raven.Storage.Log;

namespace Raven.Tools.Stress.Cluster;

/// <summary>What a cluster promises, looked at after each step of a simulation.</summary>
internal sealed class SimulationCheck(SimulatedWorld world)
{
    private readonly Dictionary<long, (int Node, int Start)> _primaries = [];
    private readonly Dictionary<LogPosition, ulong> _pages = [];
    private readonly Dictionary<long, LogPosition> _committed = new() { [0] = default };
    private readonly Dictionary<int, long> _seen = [];

    /// <summary>All that ever was committed, in any history, with what was committed before it.</summary>
    private readonly Dictionary<LogPosition, LogPosition> _all = new() { [default] = default };
    private LogPosition _last;
    private ulong _lineage;

    /// <summary>The last transaction of which a writer has an answer, or a reader has seen.</summary>
    internal long Acknowledged { get; private set; }

    internal int Writes { get; private set; }

    internal int Reads { get; private set; }

    /// <summary>How many histories there were: one, and one more with each promotion that accepted a loss.</summary>
    internal int Histories { get; private set; }

    /// <summary>How often a node has lost its files.</summary>
    internal int Losses { get; private set; }

    internal int Takeovers => _primaries.Count - 1;

    /// <summary>After a step of a node: each epoch has one primary.</summary>
    internal void Look(SimulatedNode node)
    {
        if (node.Core is { IsPrimary: true } core && IsOfHistory(node))
        {
            (int, int) self = (node.Id, node.Starts);
            if (!_primaries.TryAdd(core.Epoch, self) && _primaries[core.Epoch] != self)
            {
                throw new SimulationException($"epoch {core.Epoch} has two primaries");
            }

            if (core.Committed.TransactionId > _last.TransactionId)
            {
                Commit(node, core.Committed);
            }
        }
    }

    /// <summary>A node lets readers see more: a follower what is committed; a primary makes it so.</summary>
    internal void Published(SimulatedNode node, LogPosition? proposed)
    {
        if (!IsOfHistory(node))
        {
            return;
        }

        Look(node);
        LogPosition point = node.Log.Visible;
        if (!_committed.TryGetValue(point.TransactionId, out LogPosition committed) || committed != point)
        {
            throw new SimulationException($"{node.Id} publishes {point}, and committed is {committed} of {_last}");
        }

        if (!_pages.TryAdd(point, node.Log.PagesHash) && _pages[point] != node.Log.PagesHash)
        {
            throw new SimulationException($"{node.Id} has other pages at {point}");
        }

        if (_seen.TryGetValue(node.Id, out long seen) && seen > point.TransactionId)
        {
            throw new SimulationException($"{node.Id} goes back from {seen} to {point}");
        }

        _seen[node.Id] = point.TransactionId;
        if (proposed == point && node.Core is { IsPrimary: true })
        {
            Writes++;
            Acknowledged = Math.Max(Acknowledged, point.TransactionId);
        }
    }

    /// <summary>A new primary has all that was acknowledged.</summary>
    internal void Opened(SimulatedNode node)
    {
        if (IsOfHistory(node) && _last.TransactionId > 0 && !node.Log.Has(_last))
        {
            throw new SimulationException($"{node.Id} opens epoch {node.Core!.Epoch} and lacks {_last}");
        }
    }

    internal void GroupChanged(GroupState group)
    {
        if (group.Lineage != _lineage)
        {
            _lineage = group.Lineage;
            Part(group);
        }

        CheckInSync(group);
    }

    /// <summary>A copy has ended early: the node is at the transaction that the copy goes on from, and what it has
    /// shown behind that comes back with the next copy.</summary>
    internal void CopyEnded(SimulatedNode node) => _seen.Remove(node.Id);

    /// <summary>A node has lost its files: what it has shown before is no measure of what it shows next.</summary>
    internal void Lost(SimulatedNode node)
    {
        Losses++;
        _seen.Remove(node.Id);
    }

    /// <summary>A node has all pages of another one: before it has left the set in sync that is a loss.</summary>
    internal void Copied(SimulatedNode node)
    {
        if (node.HasLostFiles && world.Store.Group.InSync.Contains(node.Id))
        {
            throw new SimulationException($"{node.Id} has lost its files, and is copied while it counts as in sync");
        }
    }

    /// <summary>A node answers a read.</summary>
    /// <param name="node">The node.</param>
    /// <param name="transaction">What it answers by.</param>
    /// <param name="known">What was known when the read began, and in which history.</param>
    internal void Answered(SimulatedNode node, long transaction, (long Least, int History) known)
    {
        if (!IsOfHistory(node) || known.History != Histories)
        {
            return;
        }

        Reads++;
        if (transaction < known.Least)
        {
            throw new SimulationException($"{node.Id} answers a read by {transaction}; {known.Least} was known before");
        }

        Acknowledged = Math.Max(Acknowledged, transaction);
    }

    /// <summary>True if one node leads, all others follow it in sync, and all have the same pages.</summary>
    internal bool IsWhole()
    {
        SimulatedNode? primary = world.Nodes.Find(node => node.Core is { Role: ReplicaRole.Leading });
        return primary is not null && world.Nodes.TrueForAll(node =>
            node.Core is { IsServing: true } core && primary.Core!.Group!.InSync.Contains(node.Id)
            && (node == primary || core.Role == ReplicaRole.Following) && node.Log.Visible == primary.Log.Visible
            && node.Log.PagesHash == primary.Log.PagesHash);
    }

    /// <summary>True unless somebody began another history, of which the node has not heard.</summary>
    private bool IsOfHistory(SimulatedNode node) => node.Core?.Group is { } group && group.Lineage == _lineage;

    /// <summary>Another history begins with what one node has; what is committed behind that is given up.</summary>
    private void Part(GroupState group)
    {
        if (++Histories == 1)
        {
            return;
        }

        SimulatedNode promoted = world.Nodes[group.Primary];
        _last = _all.Keys.Where(promoted.Log.Has).MaxBy(point => point.TransactionId);
        _committed.Clear();
        _committed[0] = default;
        for (LogPosition point = _last; point.TransactionId > 0; point = _all[point])
        {
            _committed[point.TransactionId] = point;
        }

        _seen.Clear();
        Acknowledged = Math.Min(Acknowledged, _last.TransactionId);
    }

    private void Commit(SimulatedNode node, LogPosition point)
    {
        if (_last.TransactionId > 0 && !node.Log.Has(_last))
        {
            throw new SimulationException($"{node.Id} commits {point} and lacks {_last}, which is committed");
        }

        GroupState group = node.Core!.Group!;
        if (group.InSync.Count < group.Minimum && point.Epoch == node.Core.Epoch)
        {
            throw new SimulationException($"{node.Id} commits {point} with {group.InSync.Count} in sync");
        }

        _all[point] = _last;
        _last = point;
        _committed[point.TransactionId] = point;
        CheckInSync(world.Store.Group);
    }

    private void CheckInSync(GroupState group)
    {
        foreach (SimulatedNode node in world.Nodes)
        {
            if (_last.TransactionId > 0 && group.InSync.Contains(node.Id) && !node.HasLostFiles
                && !node.Log.Has(_last))
            {
                throw new SimulationException($"{node.Id} is in sync and lacks {_last}; it has {node.Log.Durable}");
            }
        }
    }
}
