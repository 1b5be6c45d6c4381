using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;

namespace Raven.Storage.Platform;

// MAP-1  A slot is found by linear probing from the hash of its page number; slots are never emptied.
// MAP-2  A slot's versions are a chain from the newest to the oldest; transaction ids fall strictly along it.
// MAP-3  One thread appends (the holder of the write lock). A node is complete before its slot refers to it, and a slot
//        has a chain before it has its page number, so that any thread may read beside the writer without a lock.
// MAP-4  A version without memory means that a snapshot which sees it finds no bytes of the page in scratch memory: the
//        page was freed, or written straight to the data file.
// MAP-5  A version that no snapshot sees anymore is taken out of its chain, and its memory is freed; readers on their
//        way along the chain still find the versions behind it.

/// <summary>
/// Finds the versions of changed pages in scratch memory: a map from page and transaction to memory. Append-only;
/// versions that the data file has are dropped by making a new table (<see cref="CopyNewerThan"/>).
/// </summary>
internal sealed unsafe class PageTable : IDisposable
{
    private readonly int _slotMask;
    private readonly int _slotsMax;
    private readonly int _nodesMax;
    private Slot* _slots;
    private Node* _nodes;
    private int _slotCount;
    private int _nodeCount;

    internal PageTable(int slotsLog2, int nodesMax)
    {
        int slots = 1 << slotsLog2;
        _slotMask = slots - 1;
        _slotsMax = slots / 2;
        _nodesMax = nodesMax;
        _slots = (Slot*)NativeMemory.AllocZeroed((nuint)slots, (nuint)sizeof(Slot));
        _nodes = (Node*)NativeMemory.Alloc((nuint)nodesMax, (nuint)sizeof(Node));
        _nodeCount = 1;
    }

    /// <summary>The bytes of native memory behind this table.</summary>
    internal long SizeInBytes => ((long)_slotMask + 1) * sizeof(Slot) + (long)_nodesMax * sizeof(Node);

    /// <summary>True if the table has room for so many more versions.</summary>
    internal bool HasRoomFor(int versions) =>
        _slotCount + (long)versions <= _slotsMax && _nodeCount + (long)versions <= _nodesMax;

    /// <summary>The newest version of a page that a snapshot sees.</summary>
    /// <returns>False if its bytes are in the data file.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryGet(long page, long snapshot, out NativeSlice place)
    {
        Slot* slot = Find(page);
        if (slot->Page == page)
        {
            for (int index = Volatile.Read(ref slot->Head); index != 0;)
            {
                Node* node = _nodes + index;
                if (node->TransactionId <= snapshot)
                {
                    place = new NativeSlice(node->Place, node->Length);
                    return node->Length != 0;
                }

                index = node->Previous;
            }
        }

        place = default;
        return false;
    }

    /// <summary>The transaction of the newest version of a page; 0 if the table has none.</summary>
    internal long NewestTransaction(long page)
    {
        Slot* slot = Find(page);
        return slot->Page == page ? _nodes[slot->Head].TransactionId : 0;
    }

    /// <summary>
    /// Appends a version; see MAP-3 and, for an empty place, MAP-4. The caller made sure that there is room.
    /// </summary>
    /// <returns>The transaction of the version before it, if that one has memory; else 0.</returns>
    internal long Add(long page, long transactionId, NativeSlice place)
    {
        Slot* slot = Find(page);
        bool isNew = slot->Page == 0;
        int index = _nodeCount++;
        Node* node = _nodes + index;
        node->TransactionId = transactionId;
        node->Place = place.Pointer;
        node->Length = place.Length;
        node->Previous = isNew ? 0 : slot->Head;
        Volatile.Write(ref slot->Head, index);
        if (isNew)
        {
            Volatile.Write(ref slot->Page, page);
            _slotCount++;
        }

        Node* older = _nodes + node->Previous;
        return node->Previous != 0 && older->Length != 0 ? older->TransactionId : 0;
    }

    /// <summary>
    /// Removes a version that is not the newest of its page (MAP-5). Only for the thread that appends.
    /// </summary>
    /// <returns>The memory of the version; empty if this table does not have it.</returns>
    internal NativeSlice Take(long page, long transactionId)
    {
        Slot* slot = Find(page);
        int newer = slot->Page == page ? slot->Head : 0;
        while (newer != 0)
        {
            int index = _nodes[newer].Previous;
            Node* node = _nodes + index;
            if (index != 0 && node->TransactionId == transactionId)
            {
                var place = new NativeSlice(node->Place, node->Length);
                node->Length = 0;
                Volatile.Write(ref _nodes[newer].Previous, node->Previous);
                return place;
            }

            newer = index;
        }

        return default;
    }

    /// <summary>
    /// A table with the versions above <paramref name="boundary"/>, room for <paramref name="pages"/> more pages at
    /// least, and for as many versions again as are still in their chains. The others, whose memory cannot be reached
    /// anymore once this table is in use, are appended to <paramref name="dropped"/>.
    /// </summary>
    internal PageTable CopyNewerThan(long boundary, int pages, List<NativeSlice> dropped)
    {
        int kept = 0;
        int keptSlots = 0;
        for (int i = 0; i <= _slotMask; i++)
        {
            int before = kept;
            for (int index = _slots[i].Head; index != 0; index = _nodes[index].Previous)
            {
                kept += _nodes[index].TransactionId > boundary ? 1 : 0;
            }

            keptSlots += kept > before ? 1 : 0;
        }

        int slotsLog2 = 6;
        while (1L << slotsLog2 < 4L * (keptSlots + pages))
        {
            slotsLog2++;
        }

        int room = Math.Max(Math.Max(pages, kept), 1 << (slotsLog2 - 1));
        var copy = new PageTable(slotsLog2, checked(1 + kept + room));
        for (int i = 0; i <= _slotMask; i++)
        {
            CopyChain(copy, _slots[i].Page, _slots[i].Head, boundary, dropped);
        }

        return copy;
    }

    /// <summary>
    /// Appends for each page the newest version in (<paramref name="after"/>, <paramref name="upTo"/>] that has memory.
    /// </summary>
    internal void CollectVersions(long after, long upTo, List<(long Page, NativeSlice Place)> versions)
    {
        for (int i = 0; i <= _slotMask; i++)
        {
            long page = Volatile.Read(ref _slots[i].Page);
            if (page == 0)
            {
                continue;
            }

            int index = Volatile.Read(ref _slots[i].Head);
            while (index != 0 && _nodes[index].TransactionId > upTo)
            {
                index = _nodes[index].Previous;
            }

            if (index != 0 && _nodes[index].TransactionId > after && _nodes[index].Length != 0)
            {
                versions.Add((page, new NativeSlice(_nodes[index].Place, _nodes[index].Length)));
            }
        }
    }

    /// <summary>Appends the memory of every version: what the environment gives back when it closes.</summary>
    internal void CollectAll(List<NativeSlice> places)
    {
        for (int index = 1; index < _nodeCount; index++)
        {
            if (_nodes[index].Length != 0)
            {
                places.Add(new NativeSlice(_nodes[index].Place, _nodes[index].Length));
            }
        }
    }

    public void Dispose()
    {
        NativeMemory.Free(_slots);
        NativeMemory.Free(_nodes);
        _slots = null;
        _nodes = null;
    }

    private void CopyChain(PageTable copy, long page, int head, long boundary, List<NativeSlice> dropped)
    {
        if (head == 0)
        {
            return;
        }

        // Chains run from new to old and are rebuilt from old to new: the kept part is reversed on copies of its
        // own nodes.
        int last = 0;
        for (int index = head; index != 0; index = _nodes[index].Previous)
        {
            Node node = _nodes[index];
            if (node.TransactionId <= boundary)
            {
                if (node.Length != 0)
                {
                    dropped.Add(new NativeSlice(node.Place, node.Length));
                }

                continue;
            }

            int target = copy._nodeCount++;
            copy._nodes[target] = node;
            copy._nodes[target].Previous = 0;
            if (last == 0)
            {
                Slot* slot = copy.Find(page);
                slot->Head = target;
                slot->Page = page;
                copy._slotCount++;
            }
            else
            {
                copy._nodes[last].Previous = target;
            }

            last = target;
        }
    }

    /// <summary>The slot of a page, or the empty slot at which probing for it ends.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Slot* Find(long page)
    {
        int index = (int)((ulong)page * 0x9E3779B97F4A7C15 >> 32) & _slotMask;
        while (true)
        {
            Slot* slot = _slots + index;
            long present = Volatile.Read(ref slot->Page);
            if (present == page || present == 0)
            {
                return slot;
            }

            index = (index + 1) & _slotMask;
        }
    }

    private struct Slot
    {
        internal long Page;
        internal int Head;
    }

    private struct Node
    {
        internal long TransactionId;
        internal byte* Place;
        internal int Length;
        internal int Previous;
    }
}
