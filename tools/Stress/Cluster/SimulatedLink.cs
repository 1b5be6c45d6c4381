using Raven.Cluster.Replication;

namespace Raven.Tools.Stress.Cluster;

/// <summary>
/// A connection of a simulation: it delivers in order, each way with its own delay. What is sent while a way is cut is
/// lost, and all that follows it.
/// </summary>
internal sealed class SimulatedLink(SimulatedWorld world, long id, SimulatedNode from, SimulatedNode to)
{
    private readonly int _fromStart = from.Starts;
    private readonly int _toStart = to.Starts;
    private readonly int _delay = !world.IsCalm && world.Chance(10) && !world.HasFastLinks
        ? world.Between(50_000, 800_000)
        : world.Between(50, 3_000);
    private readonly long[] _free = new long[2];
    private readonly bool[] _isBroken = new bool[2];
    private bool _isOver;

    internal long Id => id;

    internal SimulatedNode From => from;

    internal SimulatedNode To => to;

    internal void Send(SimulatedNode sender, ReplicaMessage message, object? body)
    {
        int way = sender == from ? 0 : 1;
        SimulatedNode receiver = way == 0 ? to : from;
        _isBroken[way] |= world.IsCut(sender, receiver) || _isOver;
        if (_isBroken[way])
        {
            return;
        }

        long arrival = Math.Max(_free[way], world.Now + _delay + world.Between(0, 500));
        _free[way] = arrival;
        world.At(arrival - world.Now, () =>
        {
            if (!world.IsCut(sender, receiver))
            {
                receiver.DoIf(way == 0 ? _toStart : _fromStart, (core, now) =>
                {
                    receiver.Take(body);
                    core.Receive(now, sender.Id, id, message);
                });
            }
        });
    }

    /// <summary>One end has closed it, or its process is gone: the other one hears of it if nothing is cut.</summary>
    internal void Close(SimulatedNode closer)
    {
        _isOver = true;
        SimulatedNode other = closer == from ? to : from;
        world.At(Math.Max(_delay, _free[closer == from ? 0 : 1] - world.Now), () =>
        {
            if (!world.IsCut(closer, other))
            {
                other.DoIf(other == from ? _fromStart : _toStart, (core, now) => core.Disconnected(now, id));
            }
        });
    }
}
