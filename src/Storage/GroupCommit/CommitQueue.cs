using System.Diagnostics;

namespace Raven.Storage.GroupCommit;

// ROOM-1  Bytes are reserved in the step that finds room for them, and given back when the write is complete: those
//         reserved are never more than the bound. One write that is larger comes in where none are reserved.
// ROOM-2  That somebody waits for room is a mark in the word that counts the bytes. A newcomer who finds room, and
//         nobody before it, knows both by the one step that reserves; any other goes behind those who wait.
// ROOM-3  Whoever gives bytes back and finds the mark queues those who wait, in their order. The mark comes and goes
//         under the lock, and goes with the last of them. While the first has no room there are bytes to be given
//         back: nobody is forgotten.

/// <summary>
/// The writes that a leader is to take, bounded by their bytes, and those that wait for room among them. Any thread.
/// </summary>
/// <param name="bytesMax">The most bytes of writes that are queued and not complete.</param>
internal sealed class CommitQueue(long bytesMax)
{
    /// <summary>The mark is the sign.</summary>
    private const long SomebodyWaits = long.MinValue;

    private readonly Lock _lock = new();
    private PendingWrite? _newest;
    private PendingWrite? _firstWaiting;
    private PendingWrite? _lastWaiting;
    private long _bytes;
    private bool _isClosed;

    /// <summary>True where there is nothing for a leader to take.</summary>
    internal bool IsEmpty => Volatile.Read(ref _newest) is null;

    /// <summary>The bytes of the writes that are queued and not complete.</summary>
    internal long Bytes => Volatile.Read(ref _bytes) & ~SomebodyWaits;

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

    /// <summary>Queues a write, or has it wait behind those who wait for room.</summary>
    /// <returns>True where writes were queued, for which the caller has to find a leader.</returns>
    internal bool Add(PendingWrite write)
    {
        Debug.Assert(write.SizeInBytes >= 0, "A command of less than no bytes.");
        if (TryReserve(write.SizeInBytes, mark: 0))
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

            // Room that was made before the mark was set was told to nobody: so it is looked for again.
            _lastWaiting = write;
            Interlocked.Or(ref _bytes, SomebodyWaits);
            return TryAdmit();
        }
    }

    /// <summary>Gives the bytes of complete writes back, and queues those who have room now.</summary>
    /// <returns>True where writes were queued, for which the caller has to find a leader.</returns>
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

    /// <summary>Takes all that is queued, as a list in the order of arrival. For the leader.</summary>
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

    /// <summary>Lets nobody wait any more, and gives those who did as a list: they have reserved nothing.</summary>
    internal PendingWrite? Close()
    {
        lock (_lock)
        {
            PendingWrite? first = _firstWaiting;
            _isClosed = true;
            _firstWaiting = null;
            _lastWaiting = null;
            Interlocked.And(ref _bytes, ~SomebodyWaits);
            return first;
        }
    }

    /// <summary>Queues those who wait, in their order, as far as there is room. Under the lock.</summary>
    private bool TryAdmit()
    {
        bool admits = false;
        while (_firstWaiting is { } write && TryReserve(write.SizeInBytes, SomebodyWaits))
        {
            // Before it is queued: then the link is the queue's.
            _firstWaiting = write.Next;
            Push(write);
            admits = true;
        }

        if (_firstWaiting is null)
        {
            _lastWaiting = null;
            Interlocked.And(ref _bytes, ~SomebodyWaits);
        }

        return admits;
    }

    /// <summary>Reserves bytes where there is room for them.</summary>
    /// <param name="bytes">How many.</param>
    /// <param name="mark">What must be found of the mark: none by a newcomer.</param>
    private bool TryReserve(long bytes, long mark)
    {
        long found = Volatile.Read(ref _bytes);
        while ((found & SomebodyWaits) == mark && HasRoom(found & ~SomebodyWaits, bytes))
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
