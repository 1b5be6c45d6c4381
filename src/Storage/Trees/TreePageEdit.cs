using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Raven.Storage.Trees;

/// <summary>Changes to one page of a variable-key tree. The page is the transaction's own copy.</summary>
internal static class TreePageEdit
{
    /// <summary>Makes a new page (zeroed behind its header) an empty one.</summary>
    internal static void Format(Span<byte> page) =>
        BitConverter.TryWriteBytes(page[34..], (ushort)TreePage.Size);

    /// <summary>
    /// Makes room for an entry and writes its key; the payload is the caller's to write. The page must have room
    /// (<see cref="TreePage.HasRoom"/>).
    /// </summary>
    /// <returns>The offset of the payload.</returns>
    internal static int Insert(
        TreePage page, int index, ReadOnlySpan<byte> key, int payloadSize, ref long bytesMoved)
    {
        int size = key.Length + payloadSize;
        if (page.Gap < size + TreePage.SlotSize)
        {
            Compact(page, ref bytesMoved);
            if (page.Gap < size + TreePage.SlotSize)
            {
                Damage.Throw(page.Number, "has less garbage than it says");
            }
        }

        int count = page.Count;
        ShortenPrefix(page, index, key);
        int offset = page.Upper - size;
        page.Upper = offset;
        Span<byte> bytes = page.Bytes;
        key.CopyTo(bytes[offset..]);
        int from = TreePage.HeaderSize + (TreePage.SlotSize * index);
        int behind = TreePage.SlotSize * (count - index);
        if (behind != 0)
        {
            bytes.Slice(from, behind).CopyTo(bytes[(from + TreePage.SlotSize)..]);
        }

        page.Count = count + 1;
        page.SetSlot(index, TreePage.MakeSlot(offset, key.Length, page.HeadOf(key)));
        bytesMoved += behind + key.Length;
        return offset + key.Length;
    }

    /// <summary>Removes entries <paramref name="from"/> to <paramref name="to"/> (exclusive).</summary>
    internal static void Remove(TreePage page, int from, int to, ref long bytesMoved)
    {
        Debug.Assert(from <= to && to <= page.Count);
        int freed = 0;
        int upper = page.Upper;
        for (int i = from; i < to; i++)
        {
            int size = page.EntrySize(i);
            if (TreePage.KeyOffset(page.Slot(i)) == upper)
            {
                upper += size;
            }
            else
            {
                freed += size;
            }
        }

        int count = page.Count;
        Span<byte> bytes = page.Bytes;
        int behind = TreePage.SlotSize * (count - to);
        bytes.Slice(TreePage.HeaderSize + (TreePage.SlotSize * to), behind)
            .CopyTo(bytes[(TreePage.HeaderSize + (TreePage.SlotSize * from))..]);
        page.Count = count - (to - from);
        if (page.Count == 0)
        {
            upper = TreePage.Size;
            page.Garbage = 0;
            freed = 0;
        }

        page.Upper = upper;
        page.Garbage += freed;
        bytesMoved += behind;
    }

    /// <summary>Copies entries of another page behind those of this one; there is room for them.</summary>
    internal static void Append(TreePage target, TreePage source, int from, int to, ref long bytesMoved)
    {
        if (from == to)
        {
            return;
        }

        int count = target.Count;
        ReadOnlySpan<byte> last = source.Key(to - 1);
        ReadOnlySpan<byte> first = count == 0 ? source.Key(from) : target.Key(0);
        int shared = first.CommonPrefixLength(last);
        if (count == 0 || shared < target.PrefixLength)
        {
            target.SetPrefix(first, shared);
        }

        int upper = target.Upper;
        int slotsEnd = TreePage.HeaderSize + (TreePage.SlotSize * (count + to - from));
        Span<byte> bytes = target.Bytes;
        for (int i = from; i < to; i++)
        {
            ulong slot = source.Slot(i);
            int size = source.EntrySize(i);
            upper -= size;
            if (upper < slotsEnd)
            {
                Damage.Throw(source.Number, "has entries that lie over each other");
            }

            source.Bytes.Slice(TreePage.KeyOffset(slot), size).CopyTo(bytes[upper..]);
            target.SetSlot(
                count + i - from,
                TreePage.MakeSlot(upper, TreePage.KeyLength(slot), target.HeadOf(source.Key(i))));
            bytesMoved += size;
        }

        target.Count = count + to - from;
        target.Upper = upper;
    }

    /// <summary>Compacts the heap, so that the garbage becomes part of the gap.</summary>
    [SkipLocalsInit]
    internal static void Compact(TreePage page, ref long bytesMoved)
    {
        Span<byte> copy = stackalloc byte[TreePage.Size];
        Span<byte> bytes = page.Bytes;
        int start = page.Upper;
        bytes[start..].CopyTo(copy[start..]);
        int upper = TreePage.Size;
        int slotsEnd = TreePage.HeaderSize + (TreePage.SlotSize * page.Count);

        // Entries of neighbouring slots are placed beside each other, so that a scan reads the page in order.
        for (int i = 0; i < page.Count; i++)
        {
            ulong slot = page.Slot(i);
            int keyOffset = TreePage.KeyOffset(slot);
            int size = EntrySizeInCopy(page, slot, copy);
            upper -= size;
            if (upper < slotsEnd || keyOffset < start)
            {
                Damage.Throw(page.Number, "has entries that lie over each other");
            }

            copy.Slice(keyOffset, size).CopyTo(bytes[upper..]);
            page.SetSlot(i, TreePage.MakeSlot(upper, TreePage.KeyLength(slot), (uint)(slot >> 32)));
        }

        bytesMoved += TreePage.Size - upper;
        page.Upper = upper;
        page.Garbage = 0;
    }

    /// <summary>How many of the bytes behind <paramref name="from"/> a page of this many entries needs.</summary>
    internal static int SizeOf(TreePage page, int from, int to)
    {
        int size = 0;
        for (int i = from; i < to; i++)
        {
            size += page.EntrySize(i) + TreePage.SlotSize;
        }

        return size;
    }

    private static int EntrySizeInCopy(TreePage page, ulong slot, ReadOnlySpan<byte> copy)
    {
        int behindKey = TreePage.KeyOffset(slot) + TreePage.KeyLength(slot);
        int size = TreePage.ChildSize;
        if (page.IsLeaf)
        {
            if (behindKey + TreePage.ValueHeaderSize > TreePage.Size)
            {
                Damage.Throw(page.Number, "has an entry that does not lie in it");
            }

            ushort header = BitConverter.ToUInt16(copy[behindKey..]);
            size = TreePage.ValueHeaderSize
                + ((header & TreePage.OverflowFlag) != 0 ? TreePage.OverflowReferenceSize : header);
        }

        if (behindKey + size > TreePage.Size)
        {
            Damage.Throw(page.Number, "has an entry that does not lie in it");
        }

        return TreePage.KeyLength(slot) + size;
    }

    private static void ShortenPrefix(TreePage page, int index, ReadOnlySpan<byte> key)
    {
        int count = page.Count;
        if (count == 0)
        {
            page.SetPrefix(key, key.Length);
            return;
        }

        // Keys between the first and the last share their prefix; only a new first or last key can shorten it.
        int prefixLength = page.PrefixLength;
        if (prefixLength == 0 || (index != 0 && index != count))
        {
            return;
        }

        int shared = page.Key(0).CommonPrefixLength(key);
        if (shared < prefixLength)
        {
            page.SetPrefix(key, shared);
        }
    }
}
