using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Paging;

namespace Raven.Storage.Trees;

//   OFFSET  SIZE  FIELD
//        0    32  PageHeader, kind TreeLeaf or TreeBranch
//       32     2  Count             entries
//       34     2  Upper             where the heap of entries starts; it grows down from 8192
//       36     2  Garbage           bytes of the heap that no entry uses
//       38     2  PrefixLength      bytes that every key of the page starts with (a lower bound of them)
//       40     8  branch: LeftChild, the page of the keys before entry 0
//                 leaf:   LastInsert (2), InsertRun (2), zero (4): how many inserts in a row went behind the one before
//       48    16  the first 16 bytes of the prefix, zero behind it
//       64     8  slot 0, slot 1, ... in key order: KeyOffset (2), KeyLength (2), Head (4)
//    Upper        the heap. Branch entry: key, child page (8). Leaf entry: key, ValueHeader (2), then the value's
//                 bytes or, when bit 15 of ValueHeader is set, the first page (8) and the length (4) of its run
//
// PAGE-1  64 + 8 * Count <= Upper <= 8192
// PAGE-2  an entry lies whole in [Upper, 8192)
// PAGE-3  Head is the 4 bytes of the key behind the prefix as a big-endian number, zeros if it is shorter
// PAGE-4  keys ascend strictly

/// <summary>
/// A page of a variable-key tree, for search. Bytes from disk are checked only here: the header when the page is
/// opened, an entry when it is touched; no damaged byte leads to an access outside of the page.
/// </summary>
internal readonly ref struct TreePage : ITreePage<TreePage>
{
    internal const int HeaderSize = 64;
    internal const int SlotSize = 8;
    internal const int Size = PageHeader.PageSizeInBytes;
    internal const int Capacity = Size - HeaderSize;

    /// <summary>The largest entry with its slot: two always fit, so that every page can be split.</summary>
    internal const int EntrySizeMax = Capacity / 2;

    internal const int ChildSize = sizeof(long);
    internal const int ValueHeaderSize = sizeof(ushort);
    internal const int OverflowReferenceSize = sizeof(long) + sizeof(int);
    internal const ushort OverflowFlag = 0x8000;
    internal const int InlinePrefixSize = 16;

    private const int CountOffset = 32;
    private const int UpperOffset = 34;
    private const int GarbageOffset = 36;
    private const int PrefixLengthOffset = 38;
    private const int LeftChildOffset = 40;
    private const int LastInsertOffset = 40;
    private const int InsertRunOffset = 42;
    private const int PrefixOffset = 48;

    // Up to so many equal heads are compared one by one, more by bisection.
    private const int LinearTiesMax = 4;

    private readonly ref byte _page;

    private TreePage(ref byte page) => _page = ref page;

    /// <summary>Wraps a page after checking PAGE-1 and its kind.</summary>
    /// <exception cref="StorageCorruptedException">It is no such page.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static TreePage Open(NativeSlice slice, long pageNumber, PageKind kind)
    {
        ReadOnlySpan<byte> bytes = slice.Span;
        if (bytes.Length < Size)
        {
            Damage.Throw(pageNumber, "is shorter than a page");
        }

        var page = new TreePage(ref MemoryMarshal.GetReference(bytes));
        int upper = page.Upper;
        if (page.Kind != kind || HeaderSize + (SlotSize * page.Count) > upper || upper > Size)
        {
            ThrowDamagedHeader(pageNumber, kind);
        }

        return page;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static TreePage OpenBranch(NativeSlice slice, long pageNumber) =>
        Open(slice, pageNumber, PageKind.TreeBranch);

    internal PageKind Kind => (PageKind)Unsafe.Add(ref _page, 24);

    internal long Number => Unsafe.ReadUnaligned<long>(ref Unsafe.Add(ref _page, 8));

    internal bool IsLeaf => Kind == PageKind.TreeLeaf;

    public int Count
    {
        get => Read(CountOffset);
        set => Write(CountOffset, value);
    }

    internal int Upper
    {
        get => Read(UpperOffset);
        set => Write(UpperOffset, value);
    }

    internal int Garbage
    {
        get => Read(GarbageOffset);
        set => Write(GarbageOffset, value);
    }

    internal int PrefixLength => Read(PrefixLengthOffset);

    internal long LeftChild
    {
        get => Unsafe.ReadUnaligned<long>(ref Unsafe.Add(ref _page, LeftChildOffset));
        set => Unsafe.WriteUnaligned(ref Unsafe.Add(ref _page, LeftChildOffset), value);
    }

    /// <summary>The position of the last insert into a leaf.</summary>
    internal int LastInsert
    {
        get => Read(LastInsertOffset);
        set => Write(LastInsertOffset, value);
    }

    /// <summary>How many inserts into a leaf in a row went right behind the one before.</summary>
    internal int InsertRun
    {
        get => Read(InsertRunOffset);
        set => Write(InsertRunOffset, value);
    }

    internal int SlotsEnd => HeaderSize + (SlotSize * Count);

    /// <summary>Free bytes in one piece between the slots and the heap.</summary>
    internal int Gap => Upper - HeaderSize - (SlotSize * Count);

    /// <summary>Bytes taken by entries and their slots.</summary>
    internal int Used => Capacity - Gap - Garbage;

    internal bool HasRoom(int entrySizeWithSlot) => entrySizeWithSlot <= Gap + Garbage;

    /// <summary>All bytes of the page.</summary>
    internal Span<byte> Bytes => MemoryMarshal.CreateSpan(ref _page, Size);

    /// <summary>A slot as one number: its head in the upper half, so that slots compare as their heads do.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ulong Slot(int index)
    {
        Debug.Assert((uint)index < (uint)Count);
        return Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref _page, HeaderSize + (SlotSize * index)));
    }

    internal static int KeyOffset(ulong slot) => (ushort)slot;

    internal static int KeyLength(ulong slot) => (ushort)(slot >> 16);

    internal static ulong MakeSlot(int keyOffset, int keyLength, uint head) =>
        ((ulong)head << 32) | ((uint)keyLength << 16) | (uint)keyOffset;

    /// <summary>A key, in place.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ReadOnlySpan<byte> Key(int index)
    {
        ulong slot = Slot(index);
        CheckEntry(slot, ValueHeaderSize);
        return MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref _page, KeyOffset(slot)), KeyLength(slot));
    }

    /// <summary>The child at <paramref name="childIndex"/>, 0 to <see cref="Count"/>; 0 the left one.</summary>
    public long Child(int childIndex)
    {
        if (childIndex == 0)
        {
            return LeftChild;
        }

        ulong slot = Slot(childIndex - 1);
        CheckEntry(slot, ChildSize);
        return Unsafe.ReadUnaligned<long>(ref Unsafe.Add(ref _page, KeyOffset(slot) + KeyLength(slot)));
    }

    /// <summary>The header of a leaf entry's value, and where its bytes begin.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ushort ValueHeader(int index, out int valueOffset)
    {
        ulong slot = Slot(index);
        CheckEntry(slot, ValueHeaderSize);
        int at = KeyOffset(slot) + KeyLength(slot);
        ushort header = Unsafe.ReadUnaligned<ushort>(ref Unsafe.Add(ref _page, at));
        valueOffset = at + ValueHeaderSize;
        int length = (header & OverflowFlag) != 0 ? OverflowReferenceSize : header;
        if (valueOffset + length > Size)
        {
            ThrowDamagedEntry();
        }

        return header;
    }

    /// <summary>The overflow run that the reference at <paramref name="valueOffset"/> names.</summary>
    internal long OverflowPage(int valueOffset, out int length)
    {
        length = Unsafe.ReadUnaligned<int>(ref Unsafe.Add(ref _page, valueOffset + sizeof(long)));
        return Unsafe.ReadUnaligned<long>(ref Unsafe.Add(ref _page, valueOffset));
    }

    /// <summary>The size of an entry without its slot.</summary>
    internal int EntrySize(int index)
    {
        ulong slot = Slot(index);
        if (!IsLeaf)
        {
            CheckEntry(slot, ChildSize);
            return KeyLength(slot) + ChildSize;
        }

        ushort header = ValueHeader(index, out _);
        return KeyLength(slot) + ValueHeaderSize + ((header & OverflowFlag) != 0 ? OverflowReferenceSize : header);
    }

    /// <summary>The position of <paramref name="key"/>, or the complement of its insertion point.</summary>
    /// <param name="key">The key.</param>
    /// <param name="compares">Grows by the number of heads and keys that were compared.</param>
    internal int Find(ReadOnlySpan<byte> key, ref long compares)
    {
        int count = Count;
        int prefixLength = PrefixLength;
        if (prefixLength != 0 && count != 0)
        {
            compares++;
            int order = CompareWithPrefix(key, prefixLength);
            if (order != 0)
            {
                return order < 0 ? ~0 : ~count;
            }

            key = key[prefixLength..];
        }
        else
        {
            prefixLength = 0;
        }

        uint head = KeyOrder.Head(key);
        ulong bound = (ulong)head << 32;
        compares += BitOperations.Log2((uint)count) + 1;
        int low = LowerBound(0, count, bound);
        if (low == count || (uint)(Slot(low) >> 32) != head)
        {
            return ~low;
        }

        return FindAmongTies(low, count, head, key, prefixLength, ref compares);
    }

    /// <summary>Rewrites the prefix, and the heads that depend on it.</summary>
    internal void SetPrefix(ReadOnlySpan<byte> key, int length)
    {
        Write(PrefixLengthOffset, length);
        Span<byte> shown = Bytes.Slice(PrefixOffset, InlinePrefixSize);
        shown.Clear();
        key[..Math.Min(length, InlinePrefixSize)].CopyTo(shown);
        for (int i = 0; i < Count; i++)
        {
            ulong slot = Slot(i);
            SetSlot(i, MakeSlot(KeyOffset(slot), KeyLength(slot), HeadOf(Key(i))));
        }
    }

    /// <summary>The head of a key that belongs in this page.</summary>
    internal uint HeadOf(ReadOnlySpan<byte> key)
    {
        int prefixLength = PrefixLength;
        return key.Length > prefixLength ? KeyOrder.Head(key[prefixLength..]) : 0;
    }

    internal void SetSlot(int index, ulong slot) =>
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref _page, HeaderSize + (SlotSize * index)), slot);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int LowerBound(int low, int count, ulong bound)
    {
        // Without a branch on the outcome: half of the branches would be mispredicted.
        ref byte slots = ref Unsafe.Add(ref _page, HeaderSize);
        while (count > 1)
        {
            int half = count >> 1;
            ulong probe = Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref slots, SlotSize * (low + half - 1)));
            low += probe < bound ? half : 0;
            count -= half;
        }

        if (count == 1 && Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref slots, SlotSize * low)) < bound)
        {
            low++;
        }

        return low;
    }

    private int FindAmongTies(
        int low, int count, uint head, ReadOnlySpan<byte> rest, int prefixLength, ref long compares)
    {
        int linearEnd = Math.Min(count, low + LinearTiesMax);
        for (; low < linearEnd; low++)
        {
            if ((uint)(Slot(low) >> 32) != head)
            {
                return ~low;
            }

            compares++;
            int order = KeyOrder.Compare(rest, Suffix(low, prefixLength));
            if (order <= 0)
            {
                return order == 0 ? low : ~low;
            }
        }

        int high = head == uint.MaxValue ? count : LowerBound(low, count - low, (ulong)(head + 1) << 32);
        while (low < high)
        {
            int middle = (low + high) >>> 1;
            compares++;
            int order = KeyOrder.Compare(rest, Suffix(middle, prefixLength));
            if (order == 0)
            {
                return middle;
            }

            if (order < 0)
            {
                high = middle;
            }
            else
            {
                low = middle + 1;
            }
        }

        return ~low;
    }

    private ReadOnlySpan<byte> Suffix(int index, int prefixLength)
    {
        ReadOnlySpan<byte> key = Key(index);
        if (key.Length < prefixLength)
        {
            ThrowDamagedEntry();
        }

        return key[prefixLength..];
    }

    /// <summary>0 if the key starts with the prefix, otherwise the order of the key to every key of the page.</summary>
    private int CompareWithPrefix(ReadOnlySpan<byte> key, int prefixLength)
    {
        ReadOnlySpan<byte> prefix = prefixLength <= InlinePrefixSize
            ? MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref _page, PrefixOffset), prefixLength)
            : PrefixOfFirstKey(prefixLength);
        return key.Length >= prefixLength
            ? KeyOrder.Compare(key[..prefixLength], prefix)
            : KeyOrder.Compare(key, prefix);
    }

    private ReadOnlySpan<byte> PrefixOfFirstKey(int prefixLength)
    {
        ReadOnlySpan<byte> first = Key(0);
        if (first.Length < prefixLength)
        {
            ThrowDamagedEntry();
        }

        return first[..prefixLength];
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CheckEntry(ulong slot, int behindKey)
    {
        int offset = KeyOffset(slot);
        if (offset < HeaderSize || offset + KeyLength(slot) + behindKey > Size)
        {
            ThrowDamagedEntry();
        }
    }

    private int Read(int offset) => Unsafe.ReadUnaligned<ushort>(ref Unsafe.Add(ref _page, offset));

    private void Write(int offset, int value) =>
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref _page, offset), (ushort)value);

    private static void ThrowDamagedHeader(long pageNumber, PageKind kind) =>
        Damage.Throw(pageNumber, $"is not a whole {kind}");

    private void ThrowDamagedEntry() => Damage.Throw(Number, "has an entry that does not lie in it");
}
