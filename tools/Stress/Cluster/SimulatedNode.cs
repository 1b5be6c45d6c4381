using Raven.Cluster.Replication;
using Raven.Storage.Log;

namespace Raven.Tools.Stress.Cluster;

/// <summary>A node of a simulation: the shell around a core, with files, a clock of its own rate, and
/// crashes.</summary>
internal sealed class SimulatedNode
{
    private readonly SimulatedWorld _world;
    private readonly double _rate;
    private readonly long _offset;
    private readonly Dictionary<ulong, SimulatedRecord> _incoming = [];
    private readonly Dictionary<long, SimulatedPages> _pages = [];
    private readonly Dictionary<long, (long Least, int History)> _waits = [];
    private ReplicaCore? _core;
    private SimulatedRecord? _proposed;
    private bool _isActing;
    private long _writeEnd;

    internal SimulatedNode(SimulatedWorld world, int id, ulong lineage, double rate)
    {
        _world = world;
        Id = id;
        _rate = rate;
        _offset = world.Between(0, 100_000_000);
        Log = world.HasStorage
            ? new StorageReplicaLog(lineage, new SimulatedClock(world), new Random(world.Between(0, int.MaxValue)))
            : new MemoryReplicaLog(lineage);
    }

    internal int Id { get; }

    internal IReplicaLog Log { get; }

    internal ReplicaCore? Core => _core;

    /// <summary>Counts the starts and the ends of its process; what belongs to an older one is dropped.</summary>
    internal int Starts { get; private set; }

    /// <summary>Until then its process is stopped, and what comes in waits.</summary>
    internal long StoppedUntil { get; set; }

    internal long SlowUntil { get; set; }

    /// <summary>Until then a write of its journal takes longer than others wait for a silent primary.</summary>
    internal long SlowestUntil { get; set; }

    /// <summary>Until then it does not reach the store.</summary>
    internal long StoreAwayUntil { get; set; }

    /// <summary>It has lost its files, and no whole copy of another node's yet.</summary>
    internal bool HasLostFiles { get; private set; }

    internal TimeSpan Clock => TimeSpan.FromMicroseconds(_offset + (long)(_world.Now * _rate));

    internal void Start()
    {
        _world.Trace?.Invoke($"{_world.Now / 1000} ms: {Id} starts: {Log.Scan()}");
        Starts++;
        _core = new ReplicaCore(
            Id, new ReplicaIdentity(7, 9, 1, 1), new ReplicaOptions { KeptBytesMax = _world.KeptBytes, Window = 4 });
        Do((core, now) =>
        {
            core.Start(now);
            core.Scanned(now, Log.Scan());
        });
        Tick(Starts);
    }

    internal void Crash()
    {
        _world.Trace?.Invoke($"{_world.Now / 1000} ms: {Id} crashes");
        Starts++;
        _core = null;
        _proposed = null;
        StoppedUntil = 0;
        _incoming.Clear();
        _pages.Clear();
        _waits.Clear();
        Log.Crash(_world.Chance(50));
        _world.CloseLinks(this);
    }

    /// <summary>Its disk is replaced by an empty one.</summary>
    internal void LoseFiles()
    {
        _world.Trace?.Invoke($"{_world.Now / 1000} ms: {Id} has lost its files");
        HasLostFiles = true;
        Log.Lose();
        _world.Check.Lost(this);
    }

    internal void DoIf(int start, Action<ReplicaCore, TimeSpan> step)
    {
        if (start != Starts || _core is null)
        {
            return;
        }

        if (StoppedUntil > _world.Now)
        {
            _world.At(StoppedUntil - _world.Now, () => DoIf(start, step));
            return;
        }

        step(_core, Clock);
        Act();
        Log.Trim(_core.FirstKept.TransactionId);
        _world.Check.Look(this);
    }

    internal void Do(Action<ReplicaCore, TimeSpan> step) => DoIf(Starts, step);

    internal void Take(object? body)
    {
        if (body is SimulatedRecord record)
        {
            _incoming[record.Point.LogHash] = record;
        }
    }

    internal void TakePages(long link, SimulatedPages pages) => _pages[link] = pages;

    /// <summary>A client writes; or nothing happens, if this node takes no writes.</summary>
    internal void Write(int page, long value)
    {
        if (_core is { CanPropose: true, Role: ReplicaRole.Leading } && StoppedUntil <= _world.Now)
        {
            Propose(page, value);
        }
    }

    /// <summary>A client reads, by lease, by confirmation, or by asking the primary.</summary>
    internal void Read(bool trustsClocks)
    {
        if (_core is not { IsServing: true } core || StoppedUntil > _world.Now)
        {
            return;
        }

        (long Least, int History) known = (_world.Check.Acknowledged, _world.Check.Histories);
        if (core.Role == ReplicaRole.Leading && trustsClocks)
        {
            LogPosition seen = Log.Visible;
            if (core.HoldsLease(Clock))
            {
                _world.Check.Answered(this, seen.TransactionId, known);
            }

            return;
        }

        long number = core.Role == ReplicaRole.Leading ? core.Confirm(Clock) : trustsClocks ? core.Ask(Clock) : 0;
        if (number != 0)
        {
            _waits[number] = known;
        }

        Act();
    }

    private void Tick(int start)
    {
        if (start == Starts)
        {
            Do((core, now) => core.Tick(now));
            _world.At(Math.Max(StoppedUntil - _world.Now, _world.Between(15_000, 40_000)), () => Tick(start));
        }
    }

    private void Propose(int page, long value)
    {
        ReplicaCore core = _core!;
        SimulatedRecord record = Log.Write(page, value, core.Epoch);
        _proposed = record;
        if (!core.Propose(Clock, record.Point, record.Length))
        {
            throw new SimulationException($"{Id} proposes what it may not");
        }

        Act();
        EndWriteLater(record.Point.TransactionId);
    }

    private void EndWriteLater(long transaction)
    {
        int start = Starts;
        long delay = SlowestUntil > _world.Now ? _world.Between(3_000_000, 6_500_000)
            : SlowUntil > _world.Now ? _world.Between(300_000, 2_500_000)
            : _world.Between(80, 4_000);
        _writeEnd = _world.Now + delay;
        _world.At(delay, () => DoIf(start, (core, now) =>
        {
            Log.EndWrite();
            core.Journaled(now, transaction);
        }));
    }

    private void Act()
    {
        if (_isActing)
        {
            return;
        }

        _isActing = true;
        ReplicaCore core = _core!;
        for (int i = 0; i < core.Actions.Count; i++)
        {
            Act(core, core.Actions[i]);
        }

        core.ClearActions();
        _isActing = false;
    }

    private void Act(ReplicaCore core, in ReplicaAction action)
    {
        ReplicaAction one = action;
        _world.Trace?.Invoke($"{_world.Now / 1000} ms: {Id} {core.Role}: {Text(one)}");
        switch (action.Kind)
        {
            case ReplicaActionKind.Connect:
                _world.Connect(this, action.Node);
                break;
            case ReplicaActionKind.Disconnect:
                _world.Link(action.Link)?.Close(this);
                break;
            case ReplicaActionKind.Send:
                _world.Link(action.Link)?.Send(this, action.Message, null);
                break;
            case ReplicaActionKind.SendRecord:
                _world.Link(action.Link)?.Send(
                    this, action.Message, Log.Find(action.Message.Point) ?? throw new SimulationException(
                        $"{Id} has not kept {action.Message.Point}"));
                break;
            case ReplicaActionKind.SendPages:
                _world.SendPages(this, action.Link, Log.CopyPages(action.TransactionId));
                break;
            case ReplicaActionKind.ReadGroup:
                _world.Store.Read(this);
                break;
            case ReplicaActionKind.WriteGroup:
                _world.Store.Write(this, action.Group!, action.Number);
                break;
            case ReplicaActionKind.Apply:
                Log.Apply(action.Message.Lineage, _incoming[action.Message.Point.LogHash]);
                _incoming.Remove(action.Message.Point.LogHash);
                EndWriteLater(action.TransactionId);
                break;
            case ReplicaActionKind.ReadReady:
                EndReads(one);
                break;
            default:
                ActOnFiles(one);
                break;
        }
    }

    private void ActOnFiles(ReplicaAction action)
    {
        int start = Starts;
        switch (action.Kind)
        {
            case ReplicaActionKind.Publish:
                Log.Publish(action.TransactionId);
                _world.Check.Published(this, _proposed?.Point);
                break;
            case ReplicaActionKind.Serve:
                _world.Check.Published(this, null);
                break;
            case ReplicaActionKind.Recover:
                _world.At(_world.Between(1_000, 50_000), () => DoIf(start, (core, now) =>
                {
                    Log.Recover(action.TransactionId);
                    core.Recovered(now, SimulatedWorld.EnvironmentId);
                }));
                break;
            case ReplicaActionKind.Copy:
                Copy(action.Link, start, 0);
                break;
            case ReplicaActionKind.StepDown:
                if (!action.Flag && _proposed?.Point.TransactionId > Log.Visible.TransactionId)
                {
                    throw new SimulationException($"{Id} steps down, and who wrote {_proposed.Point} is told nothing");
                }

                _proposed = null;
                Log.StepDown();
                if (action.Flag)
                {
                    // A write that was begun ends before the files can be looked at.
                    long delay = Math.Max(3_000_000, _writeEnd + 1 - _world.Now);
                    _world.At(delay, () => DoIf(start, (core, now) => core.Scanned(now, Log.Scan())));
                }

                break;
            case ReplicaActionKind.Open:
                _world.Check.Opened(this);
                _world.At(1, () => DoIf(start, (core, _) =>
                {
                    if (core is { Role: ReplicaRole.Opening, CanPropose: true })
                    {
                        Log.Lead(core.Epoch, core.Group!.Lineage);
                        Propose(0, _world.NextValue());
                    }
                }));
                break;
        }
    }

    private void Copy(long link, int start, int tries) => _world.At(100_000, () => DoIf(start, (core, now) =>
    {
        if (_pages.Remove(link, out SimulatedPages? pages))
        {
            bool isFinished = !_world.Chance(20);
            Log.TakePages(pages, isFinished);
            if (isFinished)
            {
                _world.Check.Copied(this);
                HasLostFiles = false;
            }
            else
            {
                _world.Check.CopyEnded(this);
            }

            core.Copied(now, Log.Scan());
        }
        else if (tries > 30)
        {
            core.Copied(now, Log.Scan());
        }
        else
        {
            Copy(link, start, tries + 1);
        }
    }));

    private static string Text(in ReplicaAction action) => action.Kind switch
    {
        ReplicaActionKind.Send or ReplicaActionKind.SendRecord =>
            $"{action.Message.Kind} {action.Message.Point.TransactionId} epoch {action.Message.Epoch} by {action.Link}"
            + $" {action.Message.Welcome} {action.Message.Reason} {action.Message.Number}",
        ReplicaActionKind.WriteGroup => $"{action.Group} {action.Number}",
        _ => $"{action.Kind} {action.TransactionId} {action.Link} {action.Flag}",
    };

    private void EndReads(ReplicaAction action)
    {
        foreach ((long number, (long, int) known) in _waits.Where(wait => wait.Key <= action.Number).ToArray())
        {
            _waits.Remove(number);
            AnswerWhenVisible(Starts, action.TransactionId, known, 0);
        }
    }

    private void AnswerWhenVisible(int start, long transaction, (long Least, int History) known, int tries)
    {
        if (start == Starts && _core is { IsServing: true } && Log.Visible.TransactionId >= transaction)
        {
            _world.Check.Answered(this, Log.Visible.TransactionId, known);
        }
        else if (start == Starts && tries < 20)
        {
            _world.At(5_000, () => AnswerWhenVisible(start, transaction, known, tries + 1));
        }
    }
}
