using Raven.Storage.Log;

namespace Raven.Storage.Transactions;

/// <summary>The commit that waits for what its gate says: one at a time, as it has the journal lock. Any thread.
/// </summary>
internal sealed class ParkedCommits
{
    private readonly Lock _lock = new();
    private PreparedCommit _commit;
    private IParkedCommit? _owner;
    private LogPosition _last;
    private bool _isParked;
    private bool _isClosed;

    /// <summary>The last commit that was parked; the default if none was.</summary>
    internal LogPosition Last
    {
        get
        {
            lock (_lock)
            {
                return _last;
            }
        }
    }

    /// <summary>True while one is parked; only a hint.</summary>
    internal bool IsParked
    {
        get
        {
            lock (_lock)
            {
                return _isParked;
            }
        }
    }

    /// <summary>Parks a commit whose record is durable.</summary>
    /// <param name="commit">The commit.</param>
    /// <param name="owner">Who is told of its end; null if nobody waits for it.</param>
    /// <returns>False if the environment is being closed: it is lost.</returns>
    internal bool TryPark(in PreparedCommit commit, IParkedCommit? owner)
    {
        lock (_lock)
        {
            _last = commit.Point.LogPosition();
            if (_isClosed)
            {
                return false;
            }

            _commit = commit;
            _owner = owner;
            _isParked = true;
            return true;
        }
    }

    /// <summary>Takes the parked commit out, if it is that of a transaction.</summary>
    internal bool TryTake(long transactionId, out PreparedCommit commit, out IParkedCommit? owner)
    {
        lock (_lock)
        {
            bool isIt = _isParked && _commit.Point.TransactionId == transactionId;
            commit = isIt ? _commit : default;
            owner = isIt ? _owner : null;
            if (isIt)
            {
                Clear();
            }

            return isIt;
        }
    }

    /// <summary>Takes the parked commit out; from now on none is parked if the environment is being closed.</summary>
    internal bool TryTakeAny(bool closes, out PreparedCommit commit, out IParkedCommit? owner)
    {
        lock (_lock)
        {
            _isClosed |= closes;
            bool isParked = _isParked;
            commit = isParked ? _commit : default;
            owner = isParked ? _owner : null;
            if (isParked)
            {
                Clear();
            }

            return isParked;
        }
    }

    private void Clear()
    {
        _commit = default;
        _owner = null;
        _isParked = false;
    }
}
