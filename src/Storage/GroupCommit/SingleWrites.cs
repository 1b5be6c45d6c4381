using Raven.Storage.Errors;

namespace Raven.Storage.GroupCommit;

/// <summary>The writes of a group that failed together, which are executed one by one. For the leader.</summary>
internal struct SingleWrites
{
    private PendingWrite? _first;
    private StorageBusyException? _timedOut;

    internal readonly bool IsEmpty => _first is null;

    /// <summary>Takes the writes of a group that failed; there are no others left.</summary>
    internal void Begin(in WriteGroup group)
    {
        _first = group.First;
        _timedOut = null;
    }

    /// <summary>Takes the next one out, as a group of its own.</summary>
    internal bool TryTake(ref WriteGroup group)
    {
        if (_first is not { } write)
        {
            return false;
        }

        _first = write.Next;
        group.Add(write);
        return true;
    }

    /// <summary>
    /// If one command has timed out because too much waits for a flush, and that is still so, the others fail at once:
    /// they would each wait as long.
    /// </summary>
    internal readonly void ThrowIfTimedOut(bool isTooMuch)
    {
        if (isTooMuch && _timedOut is not null)
        {
            throw _timedOut;
        }
    }

    /// <summary>Notes how a command failed.</summary>
    internal void Note(Exception? failure) => _timedOut = failure as StorageBusyException ?? _timedOut;
}
