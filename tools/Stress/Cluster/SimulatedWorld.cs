using Raven.Cluster.Replication;

namespace Raven.Tools.Stress.Cluster;

/// <summary>
/// One run of a cluster in simulated time: nodes, network, store and clocks are functions of the seed, so that a run
/// can be repeated. What is broken is a <see cref="SimulationException"/>.
/// </summary>
internal sealed class SimulatedWorld
{
    internal const ulong EnvironmentId = 9;

    private const ulong Lineage = 11;
    private const long Second = 1_000_000;

    private readonly Random _random;
    private readonly PriorityQueue<Action, (long Time, long Order)> _events = new();
    private readonly Dictionary<long, SimulatedLink> _links = [];
    private readonly HashSet<(int From, int To)> _cuts = [];
    private readonly bool _trustsClocks;
    private readonly HarderTrouble? _harder;
    private long _order;
    private long _linkLast;
    private long _value;
    private bool _isHealed;
    private bool _isClientGone;

    internal SimulatedWorld(int seed, bool hasStorage)
    {
        HasStorage = hasStorage;
        _random = new Random(seed);
        Check = new SimulationCheck(this);
        Store = new SimulatedStore(this);

        // Rates of clocks that differ more than REP-10 allows are for runs in which no read trusts them.
        _trustsClocks = !Chance(25);
        IsCalm = Chance(12);
        int nodes = Chance(75) ? 3 : 4;
        _harder = seed >= HarderTrouble.FirstSeed ? new HarderTrouble(this) : null;
        for (int i = 0; i < nodes; i++)
        {
            double rate = _trustsClocks ? 0.82 + (_random.NextDouble() * 0.4) : 0.7 + (_random.NextDouble() * 0.7);
            Nodes.Add(new SimulatedNode(this, i, i < 3 ? Lineage : 0, rate));
        }

        Store.Set(new GroupState
        {
            Lineage = Lineage,
            Epoch = 0,
            Primary = 0,
            InSync = new NodeSet(7),
            Members = new NodeSet(7),
            MinInSync = Chance(40) ? 1 : 0,
        });
    }

    internal List<SimulatedNode> Nodes { get; } = [];

    internal SimulatedStore Store { get; }

    internal SimulationCheck Check { get; }

    /// <summary>Nothing fails but the store, which goes away for good.</summary>
    internal bool IsCalm { get; }

    /// <summary>All is healed, slow links, too: by one of them a node that is far behind would not be there in time.
    /// </summary>
    internal bool HasFastLinks => _isHealed && _harder is not null;

    /// <summary>Takes what happens, line by line; null: nobody looks.</summary>
    internal Action<string>? Trace { get; init; }

    /// <summary>The nodes have real storage on simulated disks, and not files in memory.</summary>
    internal bool HasStorage { get; }

    /// <summary>How many bytes of records a node keeps.</summary>
    internal long KeptBytes => HasStorage ? 60_000 : 3_000;

    /// <summary>Microseconds since the beginning.</summary>
    internal long Now { get; private set; }

    /// <summary>Runs a seed.</summary>
    internal static SimulationCheck Run(int seed, bool hasStorage, Action<string>? trace = null)
    {
        var world = new SimulatedWorld(seed, hasStorage) { Trace = trace };
        try
        {
            world.Run();
        }
        catch (Exception broken)
        {
            string what = broken is SimulationException ? broken.Message : $"{broken.GetType().Name}: {broken.Message}";
            throw new SimulationException($"seed {seed}, after {world.Now / 1000} ms: {what}", broken);
        }
        finally
        {
            world.Dispose();
        }

        return world.Check;
    }

    internal bool Chance(int percent) => _random.Next(100) < percent;

    internal int Between(int least, int most) => _random.Next(least, most);

    internal long NextValue() => ++_value;

    internal bool IsCut(SimulatedNode from, SimulatedNode to) => _cuts.Contains((from.Id, to.Id));

    internal void At(long delay, Action step) => _events.Enqueue(step, (Now + Math.Max(0, delay), ++_order));

    internal SimulatedLink? Link(long id) => _links.GetValueOrDefault(id);

    internal void Connect(SimulatedNode from, int node)
    {
        SimulatedNode to = Nodes[node];
        int start = from.Starts;
        At(Between(200, 5_000), () =>
        {
            if (to.Core is null || IsCut(from, to) || IsCut(to, from) || start != from.Starts)
            {
                return;
            }

            var link = new SimulatedLink(this, ++_linkLast, from, to);
            _links.Add(link.Id, link);
            from.DoIf(start, (core, now) => core.Connected(now, node, link.Id));
        });
    }

    internal void CloseLinks(SimulatedNode node)
    {
        foreach (SimulatedLink link in _links.Values.ToArray())
        {
            if (link.From == node || link.To == node)
            {
                link.Close(node);
                _links.Remove(link.Id);
            }
        }
    }

    internal void SendPages(SimulatedNode node, long link, SimulatedPages pages)
    {
        SimulatedNode? to = Link(link)?.From;
        int start = to?.Starts ?? 0;
        At(Between(10_000, 400_000), () =>
        {
            if (to is not null && start == to.Starts && !IsCut(node, to))
            {
                to.TakePages(link, pages);
            }
        });
    }

    internal void Kill(SimulatedNode node, int lasting)
    {
        if (node.Core is not null)
        {
            node.Crash();
            At(lasting, () =>
            {
                if (node.Core is null)
                {
                    node.Start();
                }
            });
        }
    }

    internal void Cut(SimulatedNode from, SimulatedNode to, int lasting)
    {
        if (from != to)
        {
            _cuts.Add((from.Id, to.Id));
            At(lasting, () => _cuts.Remove((from.Id, to.Id)));
        }
    }

    private void Run()
    {
        foreach (SimulatedNode node in Nodes)
        {
            At(Between(0, 300_000), node.Start);
        }

        At(Between(1_000, 20_000), Ask);
        At(IsCalm ? 8 * Second : 2 * Second, IsCalm ? LoseStore : Trouble);
        _harder?.Start();
        if (Nodes.Count > 3)
        {
            At(Between(3_000_000, 8_000_000), () => Store.Set(
                Store.Group with { Promotables = NodeSet.Of(3) }));
        }

        long trouble = Second * Between(12, 25);
        Until(trouble);
        Heal();
        Until(trouble + (4 * Second));
        int writes = Check.Writes;
        bool hasWritten = false;
        for (long end = Now + (26 * Second); ;)
        {
            Until(Now + Second);
            hasWritten |= Check.Writes > writes;
            _isClientGone = Now > end - (20 * Second) && hasWritten;
            if (_isClientGone && Check.IsWhole())
            {
                return;
            }

            if (Now > end)
            {
                throw new SimulationException("30 s after all is healed the group is not whole: " + string.Join(
                    "; ", Nodes.Select(node => $"{node.Id} {node.Core?.Role} {node.Core?.Last} {node.Core?.Hindrance}"))
                    + $"; {Store.Group}");
            }
        }
    }

    /// <summary>Closes the files; what is broken is told by the run, and not by their end.</summary>
    private void Dispose()
    {
        foreach (SimulatedNode node in Nodes)
        {
            try
            {
                node.Log.Dispose();
            }
            catch (Exception late) when (late is not OutOfMemoryException)
            {
                Trace?.Invoke($"the files of {node.Id} do not close: {late.Message}");
            }
        }
    }

    private void Until(long end)
    {
        while (_events.TryPeek(out Action? step, out (long Time, long) due) && due.Time <= end)
        {
            _events.Dequeue();
            Now = due.Time;
            step();
        }

        Now = end;
    }

    /// <summary>Clients: each asks any node for something.</summary>
    private void Ask()
    {
        if (!_isClientGone)
        {
            foreach (SimulatedNode node in Nodes)
            {
                if (Chance(60))
                {
                    node.Write(Between(0, 12), NextValue());
                }
                else
                {
                    node.Read(_trustsClocks);
                }
            }
        }

        At(Between(2_000, Chance(2) ? 800_000 : 40_000), Ask);
    }

    /// <summary>Nothing else is wrong: with the store away, a healthy group goes on.</summary>
    private void LoseStore()
    {
        Store.IsAway = true;
        int writes = Check.Writes;
        At(4 * Second, () =>
        {
            if (Check.Writes < writes + 20)
            {
                throw new SimulationException($"{Check.Writes - writes} writes in 4 s while the store is away");
            }
        });
    }

    private void Trouble()
    {
        if (_isHealed)
        {
            return;
        }

        SimulatedNode node = Nodes[Between(0, Nodes.Count)];
        SimulatedNode other = Nodes[Between(0, Nodes.Count)];
        int lasting = Chance(30) ? Between(10_000, 500_000) : Between(500_000, 8_000_000);
        int kind = Between(0, 10 + (_harder is null ? 0 : HarderTrouble.Kinds));
        switch (kind)
        {
            case 0 or 1 or 2:
                Kill(node, lasting);
                break;
            case 3:
                Kill(node, lasting);
                Kill(other, Between(10_000, lasting + 10_000));
                break;
            case 4 or 5:
                Cut(node, other, lasting);
                if (Chance(60))
                {
                    Cut(other, node, lasting);
                }

                break;
            case 6:
                node.StoppedUntil = Now + lasting;
                break;
            case 7:
                node.SlowUntil = Now + lasting;
                break;
            case 8:
                Store.IsAway = true;
                At(lasting, () => Store.IsAway = false);
                break;
            case 9:
                node.Do((core, now) => core.TryHandOver(now, other.Id));
                break;
            default:
                _harder!.Strike(kind - 10, node, lasting);
                break;
        }

        At(Chance(40) ? Between(1_000, 300_000) : Between(300_000, 5_000_000), Trouble);
    }

    private void Heal()
    {
        _isHealed = true;
        Store.IsAway = false;
        _cuts.Clear();
        foreach (SimulatedLink link in _links.Values.ToArray())
        {
            link.Close(link.From);
            link.Close(link.To);
        }

        foreach (SimulatedNode node in Nodes)
        {
            node.StoppedUntil = Math.Min(node.StoppedUntil, Now);
            node.SlowUntil = 0;
            node.SlowestUntil = 0;
            node.StoreAwayUntil = 0;
            if (node.Core is null)
            {
                node.Start();
            }
        }

        if (Nodes.Count > 3 && !Store.Group.All.Contains(3))
        {
            Store.Set(Store.Group with { Promotables = NodeSet.Of(3) });
        }
    }
}
