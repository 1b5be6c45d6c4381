using Raven.Storage.Transactions;

namespace Raven.Storage.GroupCommit;

/// <summary>The group that waits for the gate (PARK-1), and the leadership that is parked with it.</summary>
internal sealed class ParkedGroup(TransactionMerger merger, CommitProtocol commits) : IParkedCommit
{
    private WriteGroup _group;
    private long _transactionId;

    /// <summary>Parks a group whose record is written. When this returns another thread may be the leader.</summary>
    internal void Park(in WriteGroup group, in PreparedCommit commit)
    {
        _group = group;
        _transactionId = commit.Point.TransactionId;
        commits.Park(commit, this);
    }

    void IParkedCommit.End(Exception? failure)
    {
        WriteGroup group = _group;
        _group = default;
        merger.EndParked(group, failure, _transactionId);
    }
}
