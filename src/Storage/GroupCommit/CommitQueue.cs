using System.Diagnostics;

namespace Raven.Storage.GroupCommit;

// ROOM-1  One atomic step checks that there is room for the bytes of a write and reserves them. They are given back
//         when the write is complete. So the reserved bytes never exceed the bound, but for a single write that is
//         larger than the bound: it is admitted when no bytes are reserved.
// ROOM-2  A flag in the counter of reserved bytes says that writes wait for room. A new write reserves only if the flag
//         is not set, which the same atomic step checks; otherwise it waits behind the others.
// ROOM-3  A thread that gives bytes back and finds the flag set admits waiting writes, in their order. The flag is set
//         and cleared under the lock, and cleared when no write waits any more. As long as a write waits, bytes are
//         reserved and will be given back, so that no write waits forever.

/// <summary>
/// The writes that the leader will take, bounded by their bytes, and those that wait for room among them. Any thread.
/// </summary>
/// <param name="bytesMax">The most bytes of writes that are queued and not complete.</param>
internal sealed class CommitQueue(long bytesMax)
{
    /// <summary>The flag of ROOM-2: the sign bit of the counter.</summary>
    private const long WaitersFlag = long.MinValue;

    private readonly Lock _lock = new();
    private PendingWrite? _newest;
    private PendingWrite? _firstWaiting;
    private PendingWrite? _lastWaiting;
    private long _bytes;
    private bool _isClosed;

    /// <summary>True if there is nothing for a leader to take.</summary>
    internal bool IsEmpty => Volatile.Read(ref _newest) is null;

    /// <summary>The bytes of the writes that are queued and not complete.</summary>
    internal long Bytes => Volatile.Read(ref _bytes) & ~WaitersFlag;

    /// <summary>The writes that wait for room.</summary>
    internal int WaitingCount
    {
        get
        {
            int count = 0;
            lock (_lock)
            {
                for (PendingWrite? write = _firstWaiting; write is not null; write = write.Next)
                {
                    count++;
                }
            }

            return count;
        }
    }

    /// <summary>Queues a write, or makes it wait behind those that wait for room.</summary>
    /// <returns>True if writes were queued, for which the caller has to find a leader.</returns>
    internal bool Add(PendingWrite write)
    {
        Debug.Assert(write.SizeInBytes >= 0, "A command of less than no bytes.");
        if (TryReserve(write.SizeInBytes, flag: 0))
        {
            Push(write);
            return true;
        }

        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_isClosed, typeof(TransactionMerger));
            write.Next = null;
            if (_lastWaiting is null)
            {
                _firstWaiting = write;
            }
            else
            {
                _lastWaiting.Next = write;
            }

            // Bytes that were given back before the flag was set have admitted no write: so room is checked again.
            _lastWaiting = write;
            Interlocked.Or(ref _bytes, WaitersFlag);
            return TryAdmit();
        }
    }

    /// <summary>Gives the bytes of complete writes back, and queues those that have room now.</summary>
    /// <returns>True if writes were queued, for which the caller has to find a leader.</returns>
    internal bool Free(long bytes)
    {
        if (Interlocked.Add(ref _bytes, -bytes) >= 0)
        {
            return false;
        }

        lock (_lock)
        {
            return TryAdmit();
        }
    }

    /// <summary>Takes all queued writes, as a list in the order of arrival. For the leader.</summary>
    internal PendingWrite? TakeAll()
    {
        PendingWrite? newest = Interlocked.Exchange(ref _newest, null);
        PendingWrite? first = null;
        while (newest is not null)
        {
            PendingWrite? older = newest.Next;
            newest.Next = first;
            first = newest;
            newest = older;
        }

        return first;
    }

    /// <summary>
    /// Refuses waiting writes from now on and returns those that waited as a list: they have reserved nothing.
    /// </summary>
    internal PendingWrite? Close()
    {
        lock (_lock)
        {
            PendingWrite? first = _firstWaiting;
            _isClosed = true;
            _firstWaiting = null;
            _lastWaiting = null;
            Interlocked.And(ref _bytes, ~WaitersFlag);
            return first;
        }
    }

    /// <summary>Queues the waiting writes, in their order, as far as there is room. Under the lock.</summary>
    private bool TryAdmit()
    {
        bool admits = false;
        while (_firstWaiting is { } write && TryReserve(write.SizeInBytes, WaitersFlag))
        {
            // The link is read before the write is queued: from then on the queue uses it.
            _firstWaiting = write.Next;
            Push(write);
            admits = true;
        }

        if (_firstWaiting is null)
        {
            _lastWaiting = null;
            Interlocked.And(ref _bytes, ~WaitersFlag);
        }

        return admits;
    }

    /// <summary>Reserves bytes if there is room for them.</summary>
    /// <param name="bytes">How many.</param>
    /// <param name="flag">The expected flag: <see cref="WaitersFlag"/> for a waiting write, 0 for a new one.</param>
    private bool TryReserve(long bytes, long flag)
    {
        long found = Volatile.Read(ref _bytes);
        while ((found & WaitersFlag) == flag && HasRoom(found & ~WaitersFlag, bytes))
        {
            long seen = Interlocked.CompareExchange(ref _bytes, found + bytes, found);
            if (seen == found)
            {
                return true;
            }

            found = seen;
        }

        return false;
    }

    private bool HasRoom(long reserved, long bytes) => reserved == 0 || bytes <= bytesMax - reserved;

    private void Push(PendingWrite write)
    {
        PendingWrite? head;
        do
        {
            head = Volatile.Read(ref _newest);
            write.Next = head;
        }
        while (Interlocked.CompareExchange(ref _newest, write, head) != head);
    }
}
