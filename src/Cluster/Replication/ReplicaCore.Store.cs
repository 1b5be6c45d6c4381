namespace Raven.Cluster.Replication;

/// <content>The record of the group: what is read, and what is written by comparison.</content>
public sealed partial class ReplicaCore
{
    private bool _hasRead;
    private bool _isReading;
    private TimeSpan _readAt;

    /// <summary>The newest revision that was known when the group was asked for.</summary>
    private long _readRevision;
    private GroupState? _wanted;
    private long _wantedNumber;
    private bool _isWriting;
    private TimeSpan _writeAt;

    /// <summary>The epoch that this start of the node has asked for: a record of it makes it primary.</summary>
    private long _claimedEpoch = -1;

    /// <summary>A read of the group is answered; null: it could not be read.</summary>
    public void GroupRead(TimeSpan now, GroupState? group)
    {
        _now = now;
        _isReading = false;
        if (group is null)
        {
            return;
        }

        if (group.Revision < _readRevision)
        {
            Hindrance = "The store has an older record of the group than before: it was restored from an old copy.";
            return;
        }

        _hasRead = true;
        Apply(group);
    }

    /// <summary>A watch of the store has seen the group, perhaps late.</summary>
    public void GroupSeen(TimeSpan now, GroupState group)
    {
        _now = now;
        if (_hasRead)
        {
            Apply(group);
        }
    }

    /// <summary>A write of the group is answered.</summary>
    /// <param name="now">The time.</param>
    /// <param name="number">That of the action.</param>
    /// <param name="isKnown">Whether it is known if it won; if not, it is asked again.</param>
    /// <param name="group">What the store has now, if that is known.</param>
    public void GroupWritten(TimeSpan now, long number, bool isKnown, GroupState? group)
    {
        _now = now;
        if (number == _wantedNumber)
        {
            _isWriting = false;
            _writeAt = now + _options.RetryAfter;
        }

        if (isKnown && group is not null)
        {
            Apply(group);
        }
    }

    /// <summary>
    /// Makes this node the primary of a new history, with what it has: acknowledged writes may be lost. Only a person
    /// asks for it.
    /// </summary>
    /// <returns>False if the node knows too little, or something is being written.</returns>
    public bool TryPromote(TimeSpan now, ulong lineage)
    {
        _now = now;
        if (!_hasRead || !_isScanned || _wanted is not null || IsBusy || IsPrimary || _needsPages || _lineage == 0)
        {
            return false;
        }

        Claim(Group! with { Lineage = lineage, InSync = NodeSet.Of(_self), MinInSync = 1 });
        return true;
    }

    private void TickStore()
    {
        if (_wanted is not null && !_isWriting && _now >= _writeAt)
        {
            Write();
        }

        // A watch may miss something; what the group is comes in then, too.
        bool isPolled = _now - _readAt >= _options.PollEvery || !_hasRead || _handover >= 0
            || Role is ReplicaRole.Waiting or ReplicaRole.Seeking;
        if (isPolled && !_isReading && _now - _readAt >= _options.RetryAfter)
        {
            ReadGroup();
        }
    }

    private void ReadGroup()
    {
        if (!_isReading)
        {
            _isReading = true;
            _readAt = _now;
            _readRevision = Group?.Revision ?? 0;
            _actions.Add(new ReplicaAction(ReplicaActionKind.ReadGroup));
        }
    }

    /// <summary>Asks the store for a change. Until another revision is seen the change may come, even if it seems
    /// lost.</summary>
    private void Want(GroupState group)
    {
        _wanted = group;
        Write();
    }

    private void Write()
    {
        _isWriting = true;
        _wantedNumber++;
        _actions.Add(new ReplicaAction(ReplicaActionKind.WriteGroup) { Group = _wanted, Number = _wantedNumber });
    }

    private void Apply(GroupState group)
    {
        GroupState? old = Group;
        if (old is not null && group.Revision <= old.Revision)
        {
            return;
        }

        Group = group;
        if (group.Lineage != _lineage)
        {
            // What readers see here is perhaps given up.
            StopServing();
        }

        // What was asked for was compared with an older revision: it has won, or never will.
        _wanted = null;
        _isWriting = false;
        _adding = default;
        if (IsPrimary && group.Epoch == _epoch && group.Primary == _self)
        {
            NoteInSync(old!);
            TryCommit();
            return;
        }

        if (Role == ReplicaRole.Claiming)
        {
            Role = ReplicaRole.Waiting;
        }

        if (group.Epoch < _epoch)
        {
            Consider();
            return;
        }

        if (IsPrimary)
        {
            StepDown();
        }
        else if (group.Epoch > _epoch)
        {
            EndSession(isClosed: false);
            _heardAt = _now;
        }

        _epoch = group.Epoch;
        Consider();
    }

    /// <summary>Files and group are known, or have changed: what is this node now?</summary>
    private void Consider()
    {
        if (!_isScanned || !_hasRead || IsPrimary || Role is ReplicaRole.Claiming or ReplicaRole.Copying)
        {
            return;
        }

        if (Group!.Lineage == _lineage && Group.Epoch < Last.Epoch && _epoch < Last.Epoch)
        {
            Hindrance = "The store has an older epoch of the group than this node: it was restored from an old copy.";
            Role = ReplicaRole.Waiting;
            return;
        }

        if (!Group.All.Contains(_self))
        {
            Hindrance = "The node is no member of the group.";
            Role = ReplicaRole.Waiting;
            return;
        }

        Hindrance = HindranceOfPrimary();
        if (_lineage == 0 && Group.Epoch == 0 && Group.Primary == _self && Group.InSync == NodeSet.Of(_self))
        {
            // Nobody has had this group before: its history begins with what this node has.
            Role = ReplicaRole.Waiting;
            if (!_isFounding)
            {
                _isFounding = true;
                _actions.Add(new ReplicaAction(ReplicaActionKind.Found) { Group = Group });
            }

            return;
        }

        if (Group.Primary == _self && Group.Epoch == _claimedEpoch)
        {
            BecomePrimary();
        }
        else if (Role == ReplicaRole.Waiting)
        {
            Role = ReplicaRole.Seeking;
        }
    }

    /// <summary>Why the node that the record names as primary, and as the only one in sync, cannot be it.</summary>
    private string? HindranceOfPrimary()
    {
        bool isAlone = Group!.Primary == _self && Group.InSync == NodeSet.Of(_self) && Group.Epoch != _claimedEpoch;
        return !isAlone || _lineage == Group.Lineage ? null
            : _lineage != 0
                ? "The node was made primary of another history, and ended before that began: promote it again."
                : Group.Epoch > 0
                    ? "The node has lost its files, and no other one is in sync: promote the one that has the most."
                    : null;
    }

    /// <summary>REP-6: asks for the next epoch. Until it is known who has it this node listens to nobody.</summary>
    private void Claim(GroupState group)
    {
        EndSession(isClosed: false);
        Role = ReplicaRole.Claiming;
        _claimedEpoch = Group!.Epoch + 1;
        Want(group with
        {
            Epoch = _claimedEpoch,
            Primary = _self,
            Members = group.Members.With(_self),
            Promotables = group.Promotables.Without(_self),
        });
    }
}
