using Raven.Cluster.Replication;

namespace Raven.Tools.Stress.Cluster;

/// <summary>
/// The store of a simulation: its writes are one after the other and compare the revision. Answers get lost, whether
/// the write was done, never was or comes later; watches are late.
/// </summary>
internal sealed class SimulatedStore(SimulatedWorld world)
{
    internal GroupState Group { get; private set; } = null!;

    internal bool IsAway { get; set; }

    internal void Set(GroupState group)
    {
        Group = group with { Revision = (Group?.Revision ?? 0) + 1 };
        world.Trace?.Invoke($"{world.Now / 1000} ms: store {Group}");
        world.Check.GroupChanged(Group);
        foreach (SimulatedNode node in world.Nodes)
        {
            GroupState seen = Group;
            world.At(world.Chance(20) ? world.Between(10_000, 3_000_000) : world.Between(500, 20_000), () =>
            {
                if (!IsAwayFor(node))
                {
                    node.Do((core, now) => core.GroupSeen(now, seen));
                }
            });
        }
    }

    internal void Read(SimulatedNode node)
    {
        int start = node.Starts;
        world.At(world.Between(300, 10_000), () =>
        {
            GroupState? read = IsAwayFor(node) || world.Chance(3) ? null : Group;
            world.At(world.Between(300, 10_000), () => node.DoIf(
                start, (core, now) => core.GroupRead(now, node.StoreAwayUntil > world.Now ? null : read)));
        });
    }

    internal void Write(SimulatedNode node, GroupState wanted, long number)
    {
        int start = node.Starts;
        bool isLate = world.Chance(3);
        bool isLost = world.Chance(10);
        world.At(isLate ? world.Between(200_000, 6_000_000) : world.Between(300, 15_000), () =>
        {
            bool isKnown = !IsAwayFor(node) && !isLost && !isLate;
            if (!IsAwayFor(node) && !world.Chance(3) && wanted.Revision == Group.Revision)
            {
                Set(wanted);
            }

            GroupState now = Group;
            world.At(world.Between(300, 15_000), () => node.DoIf(start, (core, time) =>
            {
                bool hasCome = isKnown && node.StoreAwayUntil <= world.Now;
                core.GroupWritten(time, number, hasCome, hasCome ? now : null);
            }));
        });
        if (isLate)
        {
            world.At(500_000, () => node.DoIf(
                start, (core, time) => core.GroupWritten(time, number, isKnown: false, null)));
        }
    }

    private bool IsAwayFor(SimulatedNode node) => IsAway || node.StoreAwayUntil > world.Now;
}
