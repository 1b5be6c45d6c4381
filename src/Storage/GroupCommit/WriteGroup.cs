using System.Diagnostics;

namespace Raven.Storage.GroupCommit;

/// <summary>The writes that share a transaction, as a list in their order.</summary>
internal struct WriteGroup
{
    internal PendingWrite? First;
    internal PendingWrite? Last;
    internal int Count;
    internal long SizeInBytes;

    /// <summary>True while commands are executed: an exception is then of a command, not of the commit.</summary>
    internal bool FailedInCommand;

    private int _yields;
    private long _yieldedAt;

    internal readonly bool HasRoom(int countMax, long bytesMax) => Count < countMax && SizeInBytes < bytesMax;

    /// <summary>Yields to other threads, whose writes may join the group; false if the bounds are reached.</summary>
    internal bool TryWait(int yieldsMax, long ticksMax)
    {
        if (_yields == yieldsMax)
        {
            return false;
        }

        long now = Stopwatch.GetTimestamp();
        _yieldedAt = _yields++ == 0 ? now : _yieldedAt;
        if (now - _yieldedAt > ticksMax)
        {
            return false;
        }

        Thread.Yield();
        return true;
    }

    internal void Add(PendingWrite write)
    {
        write.Next = null;
        if (Last is null)
        {
            First = write;
        }
        else
        {
            Last.Next = write;
        }

        Last = write;
        Count++;
        SizeInBytes += write.SizeInBytes;
    }
}
