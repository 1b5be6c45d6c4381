using System.Numerics;
using System.Text;

namespace Shared.Cluster;

/// <summary>
/// The rules of replication (docs/cluster-protocol.md) as an explicit-state model of three nodes: <see cref="Run"/>
/// visits every state that can be reached within its bounds. What is not bounded is the network (each log that a
/// primary has sent may arrive at any time, or never) and the order in which nodes act.
/// </summary>
internal sealed class ReplicationModel(int epochs, int transactions, int crashes, int minInSync)
{
    private const int NodeCount = ModelState.NodeCount;

    private readonly PackedStates _states = new();
    private int _current;
    private string? _violation;
    private int _violationAt;

    internal ModelMistake Mistake { get; init; }

    /// <summary>Whether a primary may give its place to a node in sync and stay in sync itself: a planned
    /// switch.</summary>
    internal bool HandsOver { get; init; }

    /// <summary>
    /// Whether a handshake may copy a part of the log, the rest of which follows in the session, as real ones do. It
    /// has many more states.
    /// </summary>
    internal bool CopiesPrefixes { get; init; }

    /// <summary>
    /// Whether the log of the primary before, too, is committed only when enough nodes are in sync. The code asks that
    /// only for what writers are told: a node that took over alone could not open its files, and nobody could copy
    /// them.
    /// </summary>
    internal bool AsksMinimumOfOldLogs { get; init; }

    /// <summary>Visits all states, breadth first: a violation is found by the shortest way.</summary>
    internal ModelResult Run()
    {
        Add(ModelState.First(), ModelStep.Init, 0);
        for (; _current < _states.Count && _violation is null; _current++)
        {
            ModelState state = ModelState.Unpack(_states[_current]);
            for (int i = 0; i < NodeCount && _violation is null; i++)
            {
                Visit(state, i);
            }
        }

        return new ModelResult(_states.Count, _violation, _violation is null ? "" : Trace(_violationAt));
    }

    private void Visit(in ModelState state, int i)
    {
        ref readonly ModelNode node = ref state.Node[i];
        if (!node.IsUp)
        {
            ModelState next = state;
            next.Node[i] = ModelNode.Follower(state.Epoch, node.Log);
            Add(next, ModelStep.Restart, i);
            return;
        }

        Crash(state, i);
        TakeOver(state, i);
        if (node.IsPrimary)
        {
            Append(state, i);
            Commit(state, i);
            Shrink(state, i);
            Grow(state, i);
            Learn(state, i);
        }
        else
        {
            Greet(state, i);
            Receive(state, i);
        }
    }

    private void Crash(in ModelState state, int i)
    {
        if (state.Crashes == crashes)
        {
            return;
        }

        ModelState next = state;
        ModelLog log = state.Node[i].Log;
        next.Node[i] = new ModelNode { Added = -1, Log = log };
        next.Crashes++;
        Add(next, ModelStep.Crash, i);
        if (Mistake == ModelMistake.AckBeforeDurable && log.Count > 0)
        {
            next.Node[i].Log = log.First(log.Count - 1);
            Add(next, ModelStep.LoseLast, i);
        }
    }

    /// <summary>REP-6.</summary>
    private void TakeOver(in ModelState state, int i)
    {
        ref readonly ModelNode node = ref state.Node[i];
        bool isInSync = (state.InSync >> i & 1) != 0;
        if (state.Epoch == epochs || (node.IsPrimary && node.Epoch == state.Epoch)
            || (!isInSync && Mistake != ModelMistake.TakeoverByAnyone))
        {
            return;
        }

        int inSync = state.Primary == i ? state.InSync : (state.InSync & ~(1 << state.Primary)) | 1 << i;
        BecomePrimary(state, i, inSync, ModelStep.Takeover);
        if (HandsOver && state.Primary != i && state.Node[state.Primary] is { IsPrimary: true, IsInFlight: false }
            && state.Node[state.Primary].Epoch == state.Epoch)
        {
            BecomePrimary(state, i, state.InSync, ModelStep.HandOver);
        }
    }

    private void BecomePrimary(in ModelState state, int i, int inSync, ModelStep step)
    {
        ModelState next = state;
        Stale(ref next, except: i);
        next.Epoch += Mistake == ModelMistake.TakeoverInSameEpoch ? 0 : 1;
        next.Primary = i;
        next.InSync = inSync;
        ModelLog log = state.Node[i].Log;
        next.Node[i] = new ModelNode
        {
            IsUp = true,
            IsPrimary = true,
            Epoch = next.Epoch,
            InSync = inSync,
            IsFresh = true,
            IsInFlight = Mistake != ModelMistake.NoReconcile,
            Added = -1,
            Log = log,
        };
        next.HasSent |= 1 << next.Epoch;
        next.Sent[next.Epoch] = log;
        next.Acknowledge(next.Epoch, i, log.Count + 1);
        Add(next, step, i);
    }

    /// <summary>REP-3.</summary>
    private void Append(in ModelState state, int i)
    {
        ref readonly ModelNode node = ref state.Node[i];
        if ((!node.IsInFlight || Mistake == ModelMistake.TwoInFlight) && node.Log.Count < transactions)
        {
            ModelState next = state;
            ModelLog log = node.Log.With(node.Epoch);
            next.Node[i].Log = log;
            next.Node[i].IsInFlight = true;
            next.Sent[node.Epoch] = log;
            next.HasSent |= 1 << node.Epoch;
            next.Acknowledge(node.Epoch, i, log.Count + 1);
            Add(next, ModelStep.Append, i);
        }

        if (Mistake == ModelMistake.NoReconcile && !node.IsInFlight && node.Log.Count > state.Committed.Count)
        {
            CheckPublished(node.Log, node.Log.Count, state);
        }
    }

    /// <summary>REP-2.</summary>
    private void Commit(in ModelState state, int i)
    {
        ref readonly ModelNode node = ref state.Node[i];
        int required = node.InSync;
        if (node.Added >= 0 && Mistake != ModelMistake.AddNotAwaited)
        {
            required |= 1 << node.Added;
        }

        int having = 0;
        for (int m = 0; m < NodeCount; m++)
        {
            having |= state.AcknowledgedBy(node.Epoch, m) >= node.Log.Count + 1 ? 1 << m : 0;
        }

        bool isEnough = Mistake == ModelMistake.MajorityNotAll
            ? BitOperations.PopCount((uint)having) >= 2
            : (required & ~having) == 0;

        // The minimum is for what writers are told: nobody is told of the log of the primary before.
        bool isOld = !AsksMinimumOfOldLogs && IsOld(node);
        bool areEnough = isOld || BitOperations.PopCount((uint)node.InSync) >= minInSync;
        if (!node.IsInFlight || !isEnough || !(areEnough || Mistake == ModelMistake.FewerThanMinimum))
        {
            return;
        }

        ModelState next = state;
        bool isNew = node.Log.Count > state.Committed.Count;
        if (!state.Committed.Agrees(node.Log, isNew ? state.Committed.Count : node.Log.Count))
        {
            Fail("a commit contradicts an earlier one", _current);
        }
        else if (!isOld && BitOperations.PopCount((uint)having) < minInSync)
        {
            Fail("committed with fewer nodes than the least", _current);
        }

        next.Committed = isNew ? node.Log : state.Committed;
        next.Node[i].IsInFlight = false;
        Add(next, ModelStep.Commit, i);
    }

    /// <summary>The last transaction of the log is of a primary before.</summary>
    private static bool IsOld(in ModelNode node) =>
        node.Log.Count == 0 || node.Log.EpochAt(node.Log.Count - 1) != node.Epoch;

    /// <summary>REP-4.</summary>
    private void Shrink(in ModelState state, int i)
    {
        ref readonly ModelNode node = ref state.Node[i];
        bool isOwn = state.Epoch == node.Epoch;
        for (int m = 0; m < NodeCount; m++)
        {
            if (m == i || (node.InSync >> m & 1) == 0)
            {
                continue;
            }

            ModelState next = state;
            if (isOwn && node.IsFresh && node.Added < 0)
            {
                next.InSync &= ~(1 << m);
                Stale(ref next, except: -1);
                Add(next, ModelStep.Shrink, i);
            }
            else if (Mistake == ModelMistake.ShrinkByOldEpoch)
            {
                next.InSync = node.InSync & ~(1 << m);
                Stale(ref next, except: -1);
                Add(next, ModelStep.Shrink, i);
            }

            if (Mistake == ModelMistake.ShrinkBeforeStore)
            {
                next = state;
                next.Node[i].InSync &= ~(1 << m);
                Add(next, ModelStep.ShrinkInMemory, i);
            }
        }
    }

    /// <summary>REP-5.</summary>
    private void Grow(in ModelState state, int i)
    {
        ref readonly ModelNode node = ref state.Node[i];
        if (node.Added >= 0)
        {
            if (state.Epoch == node.Epoch && node.IsFresh)
            {
                ModelState next = state;
                next.InSync |= 1 << node.Added;
                Stale(ref next, except: -1);
                Add(next, ModelStep.Add, i);
            }

            return;
        }

        // The last transaction of a log that was taken over may be committed under the epoch before. If handshakes copy
        // whole logs, nobody has acknowledged less.
        bool isReconciling = CopiesPrefixes && Mistake != ModelMistake.AddBehindInTakeover && IsOld(node);
        int committed = node.Log.Count - (node.IsInFlight && !isReconciling ? 1 : 0);
        for (int m = 0; m < NodeCount; m++)
        {
            if ((node.InSync >> m & 1) == 0
                && (state.AcknowledgedBy(node.Epoch, m) >= committed + 1 || Mistake == ModelMistake.AddBehind))
            {
                ModelState next = state;
                next.Node[i].Added = m;
                Add(next, ModelStep.AskToAdd, i);
            }
        }
    }

    /// <summary>A primary sees the record of its group: REP-7 and REP-9 if the epoch is another's.</summary>
    private void Learn(in ModelState state, int i)
    {
        ref readonly ModelNode node = ref state.Node[i];
        bool isOwn = state.Epoch == node.Epoch && state.Primary == i;
        if (node.IsFresh && isOwn)
        {
            return;
        }

        ModelState next = state;
        if (isOwn)
        {
            next.Node[i].InSync = state.InSync;
            next.Node[i].IsFresh = true;
            next.Node[i].Added = -1;
            Add(next, ModelStep.Learn, i);
            return;
        }

        if (Mistake == ModelMistake.DoubtPublished)
        {
            CheckPublished(node.Log, node.Log.Count, state);
        }

        next.Node[i] = ModelNode.Follower(state.Epoch, node.Log);
        Add(next, ModelStep.StepDown, i);
    }

    /// <summary>REP-7 and REP-8: a follower takes the log of a primary in a handshake.</summary>
    private void Greet(in ModelState state, int i)
    {
        ref readonly ModelNode node = ref state.Node[i];
        for (int j = 0; j < NodeCount; j++)
        {
            ref readonly ModelNode other = ref state.Node[j];
            if (j == i || !other.IsUp || !other.IsPrimary
                || !(other.Epoch > node.Epoch || (other.Epoch == node.Epoch && !node.IsFresh)
                    || Mistake == ModelMistake.OldEpochAccepted))
            {
                continue;
            }

            // What both have is never cut: it may be the copy that made it acknowledged.
            int least = CopiesPrefixes ? CommonOf(node.Log, other.Log) : other.Log.Count;
            for (int count = other.Log.Count; count >= least; count--)
            {
                ModelLog log = other.Log.First(count);
                CheckPublished(log, PublishedOf(log), state);
                ModelState next = state;
                next.Node[i] = ModelNode.Follower(other.Epoch, log);
                next.Node[i].IsFresh = true;
                next.RaiseAcknowledged(other.Epoch, i, count + 1);
                Add(next, ModelStep.Hello, i);
            }
        }
    }

    private static int CommonOf(ModelLog one, ModelLog other)
    {
        int count = Math.Min(one.Count, other.Count);
        while (!one.Agrees(other, count))
        {
            count--;
        }

        return count;
    }

    /// <summary>REP-8: in a session records only extend.</summary>
    private void Receive(in ModelState state, int i)
    {
        ref readonly ModelNode node = ref state.Node[i];
        int epoch = node.Epoch;
        ModelLog sent = state.Sent[epoch];
        if ((state.HasSent >> epoch & 1) == 0 || !(node.IsFresh || Mistake == ModelMistake.NoSession))
        {
            return;
        }

        if (sent.Count > node.Log.Count && node.Log.Agrees(sent, node.Log.Count))
        {
            ModelState next = state;
            ModelLog log = sent.First(node.Log.Count + 1);
            next.Node[i].Log = log;
            CheckPublished(log, PublishedOf(log), state);
            next.RaiseAcknowledged(epoch, i, log.Count + 1);
            Add(next, ModelStep.Receive, i);
        }

        if (Mistake == ModelMistake.NoSession && !node.IsFresh)
        {
            // A late record of this epoch cuts the log.
            for (int count = 0; count < sent.Count; count++)
            {
                ModelState next = state;
                next.Node[i].Log = sent.First(count);
                next.Node[i].IsFresh = true;
                Add(next, ModelStep.Receive, i);
            }
        }
    }

    /// <summary>How much of its log a follower publishes when it has the last of it: that tells of the one
    /// before.</summary>
    private int PublishedOf(ModelLog log) =>
        Mistake == ModelMistake.PublishOnReceive ? log.Count : Math.Max(0, log.Count - 1);

    private void CheckPublished(ModelLog log, int count, in ModelState state)
    {
        if (!log.Agrees(state.Committed, count))
        {
            Fail("published what is not committed", _current);
        }
    }

    /// <summary>The record of the group has changed: no primary knows it but the one that wrote it.</summary>
    private static void Stale(ref ModelState state, int except)
    {
        for (int j = 0; j < NodeCount; j++)
        {
            if (j != except && state.Node[j].IsPrimary)
            {
                state.Node[j].IsFresh = false;
            }
        }
    }

    private void Add(ModelState state, ModelStep step, int node)
    {
        state.Normalize();
        if (_violation is not null || !_states.TryAdd(state.Pack(), _current, (byte)((int)step | node << 4)))
        {
            return;
        }

        for (int i = 0; i < NodeCount; i++)
        {
            if ((state.InSync >> i & 1) != 0 && !state.Committed.Agrees(state.Node[i].Log, state.Committed.Count))
            {
                Fail("a node in sync lacks a committed transaction", _states.Count - 1);
            }
        }
    }

    private void Fail(string violation, int at)
    {
        if (_violation is null)
        {
            _violation = violation;
            _violationAt = at;
        }
    }

    private string Trace(int index)
    {
        List<byte> steps = [];
        for (; index != 0; index = _states.ParentOf(index))
        {
            steps.Add(_states.StepOf(index));
        }

        StringBuilder text = new();
        for (int i = steps.Count - 1; i >= 0; i--)
        {
            text.Append((ModelStep)(steps[i] & 15)).Append('(').Append((char)('A' + (steps[i] >> 4))).Append(") ");
        }

        return text.ToString().TrimEnd();
    }
}
