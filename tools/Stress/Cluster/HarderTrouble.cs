using Raven.Cluster.Replication;

namespace Raven.Tools.Stress.Cluster;

/// <summary>
/// What else may go wrong in the runs of later seeds; the earlier ones stay what they were, so that a seed that is
/// written down somewhere repeats its run. Each kind puts several things into the one order that a mistake needs.
/// </summary>
internal sealed class HarderTrouble(SimulatedWorld world)
{
    /// <summary>The first seed whose run has it.</summary>
    internal const int FirstSeed = 100_000;

    internal const int Kinds = 6;

    private const int Millisecond = 1_000;
    private const int Second = 1_000_000;

    private ulong _lineage = 1_000;

    /// <summary>From now on somebody looks after a group whose nodes in sync have all lost their files.</summary>
    internal void Start() => world.At(Second, Operate);

    internal void Strike(int kind, SimulatedNode node, int lasting)
    {
        SimulatedNode primary = world.Nodes.Find(each => each.Core is { Role: ReplicaRole.Leading }) ?? node;
        SimulatedNode other = node == primary ? world.Nodes[(node.Id + 1) % world.Nodes.Count] : node;
        switch (kind)
        {
            case 0:
                KillDuringSlowWrite(primary, other);
                break;
            case 1:
                primary.Do((core, now) => core.TryHandOver(now, other.Id));
                world.At(world.Between(300, 25 * Millisecond), () => Isolate([primary], lasting));
                break;
            case 2:
                Isolate([primary, other], world.Between(4 * Second, 12 * Second));
                break;
            case 3:
                LoseFiles(node, lasting);
                break;
            case 4:
                PromoteSurvivor(node);
                break;
            default:
                // The answer of a write that was done is lost, and who it concerns hears nothing of its primary.
                primary.StoreAwayUntil = world.Now + lasting;
                world.Cut(primary, other, lasting);
                world.Cut(other, primary, lasting);
                break;
        }
    }

    /// <summary>A node in sync is not done with a record when the time has come to take over.</summary>
    private void KillDuringSlowWrite(SimulatedNode primary, SimulatedNode other)
    {
        other.SlowestUntil = world.Now + (2 * Second);
        bool isAlone = world.Chance(50);
        world.At(world.Between(20 * Millisecond, 900 * Millisecond), () =>
        {
            foreach (SimulatedNode node in world.Nodes)
            {
                if (node == primary || (isAlone && node != other))
                {
                    world.Kill(node, world.Between(4 * Second, 9 * Second));
                }
            }
        });
    }

    /// <summary>Nodes reach each other, and neither the others nor the store.</summary>
    private void Isolate(SimulatedNode[] nodes, int lasting)
    {
        foreach (SimulatedNode node in nodes)
        {
            node.StoreAwayUntil = world.Now + lasting;
            foreach (SimulatedNode other in world.Nodes.Where(each => !nodes.Contains(each)))
            {
                world.Cut(node, other, lasting);
                world.Cut(other, node, lasting);
            }
        }
    }

    /// <summary>A disk is replaced by an empty one, if another node in sync has everything.</summary>
    private void LoseFiles(SimulatedNode node, int lasting)
    {
        bool isElsewhere = world.Nodes.Exists(
            other => other != node && !other.HasLostFiles && world.Store.Group.InSync.Contains(other.Id));
        if (isElsewhere && node.Core is not null)
        {
            world.Kill(node, lasting);
            node.LoseFiles();
        }
    }

    /// <summary>The others are gone for long, and somebody decides to go on with what one node has.</summary>
    private void PromoteSurvivor(SimulatedNode node)
    {
        if (world.Chance(70))
        {
            foreach (SimulatedNode other in world.Nodes.Where(each => each != node))
            {
                world.Kill(other, world.Between(5 * Second, 12 * Second));
            }
        }

        world.At(world.Between(Second, 5 * Second), () => Promote(node));
    }

    /// <summary>
    /// As a shell does it: a primary that cannot commit gives its place up first, and it is tried for some time.
    /// </summary>
    private void Promote(SimulatedNode node, int triesLeft = 10)
    {
        // A person sees to it that the node has anything of the group.
        if (node.HasLostFiles || triesLeft == 0)
        {
            return;
        }

        ulong lineage = ++_lineage;
        bool isAsked = false;
        node.Do((core, now) =>
        {
            if (core is { IsPrimary: true, CanCommit: false })
            {
                core.GiveUp(now);
            }

            isAsked = core.TryPromote(now, lineage);
        });
        if (!isAsked)
        {
            world.At(Second / 2, () => Promote(node, triesLeft - 1));
        }
    }

    private void Operate()
    {
        bool isLost = world.Nodes.TrueForAll(
            node => node.HasLostFiles || !world.Store.Group.InSync.Contains(node.Id));
        if (isLost)
        {
            SimulatedNode? best = world.Nodes
                .Where(node => node.Core is { Group: not null } && !node.HasLostFiles)
                .MaxBy(node => node.Log.Durable.TransactionId);
            if (best is not null)
            {
                Promote(best, triesLeft: 1);
            }
        }

        foreach (SimulatedNode node in world.Nodes)
        {
            // It was promoted, and ended before it began its history: nothing but another promotion helps.
            if (node.Core is { Hindrance: { } hindrance, Role: ReplicaRole.Seeking }
                && hindrance.Contains("promote it again", StringComparison.Ordinal))
            {
                Promote(node, triesLeft: 1);
            }
        }

        world.At(Second, Operate);
    }
}
