using Raven.Storage.Log;

namespace Raven.Cluster.Replication;

/// <content>A node that copies its primary's log, and takes over if it hears nothing of it.</content>
public sealed partial class ReplicaCore
{
    private readonly Queue<ReplicaMessage> _received = new();

    /// <summary>The connection to the primary; 0 for none. What comes by another one is of an older session.</summary>
    private long _link;
    private TimeSpan _linkHeardAt;
    private TimeSpan _connectAt;

    /// <summary>When a primary was heard last, or the epoch was seen first, or the node was started.</summary>
    private TimeSpan _heardAt;

    /// <summary>In this start of the node a primary was told that it was heard.</summary>
    private bool _hasPromised;
    private bool _isGreeted;

    /// <summary>A record is being applied and written; then this is the last point.</summary>
    private bool _isApplying;
    private LogPosition _applied;
    private int _appliedBytes;

    /// <summary>The files are being opened as of this transaction.</summary>
    private bool _isRecovering;
    private long _recoversTo;

    /// <summary>What the primary says is committed; perhaps more than this node has.</summary>
    private long _committedKnown;
    private long _askedLast;

    /// <summary>A record or the files are being worked on: what the log is is known when that is done.</summary>
    private bool IsBusy => _isApplying || _isRecovering;

    /// <summary>The files are open as of the transaction that was asked for.</summary>
    /// <param name="now">The time.</param>
    /// <param name="environmentId">The id of the storage, which may be new.</param>
    public void Recovered(TimeSpan now, ulong environmentId)
    {
        _now = now;
        if (!_isRecovering)
        {
            return;
        }

        _identity = _identity with { EnvironmentId = environmentId };
        _isRecovering = false;
        _isOpen = true;
        _visible = _recoversTo;
        Serve();
        if (Role == ReplicaRole.Reconciling)
        {
            OpenEpoch();
        }
        else if (Role == ReplicaRole.Recovering && _link != 0)
        {
            Follow();
        }
        else if (Role == ReplicaRole.Recovering)
        {
            Role = ReplicaRole.Waiting;
            Consider();
        }
    }

    /// <summary>
    /// Pages were copied, or could not be copied to their end. The files are closed; what there is of them was looked
    /// at.
    /// </summary>
    public void Copied(TimeSpan now, ReplicaStart start)
    {
        _now = now;
        if (Role == ReplicaRole.Copying)
        {
            TakeFiles(start);
            Resume();
        }
    }

    /// <summary>
    /// A read asks what is committed. The answer is <see cref="ReplicaActionKind.ReadReady"/> with its number or a
    /// higher one; if the session ends before, the read asks again.
    /// </summary>
    /// <returns>The number; 0 if the node is in no session.</returns>
    public long Ask(TimeSpan now)
    {
        _now = now;
        if (Role != ReplicaRole.Following || !_isServing)
        {
            return 0;
        }

        ReplicaMessage message = Message(ReplicaMessageKind.Ask);
        message.Number = ++_askedLast;
        Send(_link, message);
        return _askedLast;
    }

    private void TickFollower()
    {
        if (_link != 0 && Role != ReplicaRole.Copying && _now - _linkHeardAt > _options.LinkSilenceMax)
        {
            EndSession(isClosed: false);
        }

        if (TryTakeOver())
        {
            return;
        }

        if (Role != ReplicaRole.Seeking)
        {
            return;
        }

        if (_link != 0)
        {
            Greet();
        }
        else if (Group!.Primary != _self && _now >= _connectAt)
        {
            _connectAt = _now + _options.RetryAfter;
            _actions.Add(new ReplicaAction(ReplicaActionKind.Connect) { Node = Group.Primary });
        }
    }

    /// <summary>REP-6: takes over if its primary is not heard, and REP-10 says that it does not answer reads
    /// then.</summary>
    private bool TryTakeOver()
    {
        if (Role is not (ReplicaRole.Seeking or ReplicaRole.Following) || IsBusy || _needsPages
            || _lineage != Group!.Lineage || !Group.InSync.Contains(_self) || Group.Epoch != _epoch)
        {
            return false;
        }

        bool wasPrimary = Group.Primary == _self && !_hasPromised;
        if (!wasPrimary && _now - _heardAt < _options.Grace + _options.GraceStep * Rank())
        {
            return false;
        }

        TakeOver(keepsPrimary: false);
        return true;
    }

    private void TakeOver(bool keepsPrimary)
    {
        NodeSet inSync = Group!.Primary == _self || keepsPrimary ? Group.InSync : Group.InSync.Without(Group.Primary);
        Claim(Group with { InSync = inSync });
    }

    private int Rank()
    {
        ulong before = Group!.InSync.Without(Group.Primary).Bits & ((1ul << _self) - 1);
        return new NodeSet(before).Count;
    }

    /// <summary>Says how far its log goes, when that is known.</summary>
    private void Greet()
    {
        if (_isGreeted || IsBusy)
        {
            return;
        }

        _isGreeted = true;
        ReplicaMessage hello = Message(ReplicaMessageKind.Hello);
        hello.Point = Last;
        hello.Floor = _floor;
        hello.DataLineage = _lineage;
        hello.NeedsPages = _needsPages;
        hello.Identity = _identity;
        Send(_link, hello);
    }

    private void ReceiveAsFollower(long link, in ReplicaMessage message)
    {
        if (link != _link)
        {
            // REP-8: what an older session still brings would cut what this one has acknowledged.
            return;
        }

        _linkHeardAt = _now;
        if (message.Kind == ReplicaMessageKind.Refuse)
        {
            Hindrance = $"The primary refuses this node: {message.Reason}.";
            EndSession(isClosed: false);
            ReadGroup();
            return;
        }

        _heardAt = _now;
        switch (message.Kind)
        {
            case ReplicaMessageKind.Welcome:
                ReceiveWelcome(message);
                break;
            case ReplicaMessageKind.Record:
                ReceiveRecord(message);
                break;
            case ReplicaMessageKind.Commit:
                ReceiveCommit(message.Point.TransactionId);
                break;
            case ReplicaMessageKind.Ping:
                _hasPromised = true;
                ReplicaMessage pong = Message(ReplicaMessageKind.Pong);
                pong.Number = message.Number;
                Send(_link, pong);
                break;
            case ReplicaMessageKind.Answer:
                _actions.Add(new ReplicaAction(ReplicaActionKind.ReadReady)
                {
                    TransactionId = message.Point.TransactionId,
                    Number = message.Number,
                });
                break;
            case ReplicaMessageKind.Handover:
                ReceiveHandover(message);
                break;
        }
    }

    private void ReceiveWelcome(in ReplicaMessage message)
    {
        if (Role != ReplicaRole.Seeking)
        {
            return;
        }

        _epoch = message.Epoch;
        Hindrance = null;
        if (message.Welcome != WelcomeKind.Resume)
        {
            bool isReplaced = message.Welcome == WelcomeKind.Replace;
            StopServing();
            _isOpen = false;
            Role = ReplicaRole.Copying;
            _needsPages = true;
            _actions.Add(new ReplicaAction(ReplicaActionKind.Copy)
            {
                Link = _link,
                TransactionId = isReplaced ? 0 : message.Point.TransactionId,
                Flag = isReplaced && _lineage != 0,
            });
            return;
        }

        long transaction = message.Point.TransactionId;
        bool isCut = transaction < Last.TransactionId;
        _log.CutAfter(transaction);
        TakeLineage(message.Lineage, transaction);
        if (isCut)
        {
            StopServing();
            _isOpen = false;
        }

        if (!_isOpen && transaction <= _floor.TransactionId)
        {
            Role = ReplicaRole.Recovering;
            Recover(transaction);
            return;
        }

        // What is perhaps not committed stays in the journal, which is enough to acknowledge it: files that were opened
        // as of a transaction cannot go back behind it.
        Follow();
    }

    /// <summary>The log goes on in another history from a transaction on, if it does.</summary>
    private void TakeLineage(ulong lineage, long transaction)
    {
        if (_lineage != lineage)
        {
            _previousLineage = _lineage;
            _forkedAt = transaction;
            _lineage = lineage;
        }
    }

    /// <summary>Opens the files as of a transaction, which is committed.</summary>
    private void Recover(long transaction)
    {
        _isRecovering = true;
        _recoversTo = transaction;
        Do(ReplicaActionKind.Recover, transaction);
    }

    /// <summary>The last transaction is committed, and the files are closed: it is time to open them.</summary>
    private void RecoverIfCommitted()
    {
        if (Role == ReplicaRole.Following && !_isOpen && !_isRecovering
            && _floor.TransactionId >= Last.TransactionId)
        {
            Role = ReplicaRole.Recovering;
            Recover(Last.TransactionId);
        }
    }

    /// <summary>The session begins.</summary>
    private void Follow()
    {
        Role = ReplicaRole.Following;
        Acknowledge();
        ReceiveCommit(_committedKnown);
        ApplyNext();
    }

    private void Acknowledge()
    {
        ReplicaMessage ack = Message(ReplicaMessageKind.Ack);
        ack.Point = Last;
        Send(_link, ack);
    }

    private void ReceiveRecord(in ReplicaMessage message)
    {
        if (Role is not (ReplicaRole.Following or ReplicaRole.Recovering) || _received.Count > 2 * _options.Window)
        {
            return;
        }

        _received.Enqueue(message);
        ApplyNext();
    }

    private void ApplyNext()
    {
        if (Role != ReplicaRole.Following || _isApplying || !_received.TryPeek(out ReplicaMessage message))
        {
            return;
        }

        if (message.Point.TransactionId != Last.TransactionId + 1 || message.PreviousHash != Last.LogHash)
        {
            // It does not extend the log: only a handshake says where the logs part.
            EndSession(isClosed: false);
            return;
        }

        // REP-3: that it was shipped says that the one before is committed.
        Commit(Last);
        if (!_isOpen)
        {
            RecoverIfCommitted();
            return;
        }

        _received.Dequeue();
        _isApplying = true;
        _applied = message.Point;
        _appliedBytes = message.Bytes;
        _actions.Add(new ReplicaAction(ReplicaActionKind.Apply)
        {
            TransactionId = message.Point.TransactionId,
            Message = message,
        });
    }

    private void EndApply()
    {
        _isApplying = false;
        _log.Add(_applied, _appliedBytes);
        if (Role == ReplicaRole.Following)
        {
            Acknowledge();
            ReceiveCommit(_committedKnown);
            ApplyNext();
        }
        else if (Role == ReplicaRole.Seeking && _link != 0)
        {
            Greet();
        }
    }

    private void ReceiveCommit(long transaction)
    {
        _committedKnown = Math.Max(_committedKnown, transaction);
        if (Role == ReplicaRole.Following && !_isApplying
            && _log.TryGet(Math.Min(_committedKnown, Last.TransactionId), out LogPosition point))
        {
            Commit(point);
            RecoverIfCommitted();
        }
    }

    /// <summary>A planned switch: the primary has shut its gate, and answers no reads by what it heard
    /// before.</summary>
    private void ReceiveHandover(in ReplicaMessage message)
    {
        if (Role == ReplicaRole.Following && !_isApplying && message.Point.TransactionId == Last.TransactionId
            && Group!.Epoch == _epoch && Group.InSync.Contains(_self))
        {
            TakeOver(keepsPrimary: true);
        }
    }

    /// <summary>Another handshake is needed.</summary>
    private void Resume()
    {
        Role = ReplicaRole.Waiting;
        _isGreeted = false;
        Consider();
        if (Role == ReplicaRole.Seeking && _link != 0)
        {
            Greet();
        }
    }

    private void EndSession(bool isClosed)
    {
        if (_link != 0 && !isClosed)
        {
            Disconnect(_link);
        }

        _link = 0;
        _isGreeted = false;
        _received.Clear();
        _committedKnown = 0;
        _connectAt = _now + _options.RetryAfter / 4;
        if (Role == ReplicaRole.Following)
        {
            Role = ReplicaRole.Seeking;
        }
    }
}
