using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Paging;

namespace Raven.Storage.Trees;

//   OFFSET  SIZE  FIELD
//        0    32  PageHeader, kind FixedLeaf or FixedBranch
//       32     2  Count           leaf: entries; branch: separators
//       34     2  ValueSize       leaf: bytes of a value; branch: zero
//       36    12  (zero)
//       48   8*C  leaf: keys, ascending, dense; C = 8144 / (8 + ValueSize) places
//  48+8*C   v*C  leaf: values, in the places of their keys
//       48  4064  branch: separators, ascending; number i is behind all keys of child i, and not behind those of i + 1
//     4112  4072  branch: children, one more than separators
//
// FIXED-1  Count is at most the number of places
// FIXED-2  keys and separators ascend strictly, as signed numbers

/// <summary>
/// A page of a <see cref="FixedTree"/>. The header is checked when the page is opened; after that no place of an entry
/// is outside of the page.
/// </summary>
internal readonly ref struct FixedPage : ITreePage<FixedPage>
{
    internal const int HeaderSize = 48;
    internal const int KeySize = sizeof(long);
    internal const int BranchCapacity = (PageHeader.PageSizeInBytes - HeaderSize - KeySize) / (2 * KeySize);

    private const int CountOffset = 32;
    private const int ValueSizeOffset = 34;
    private const int ChildrenOffset = HeaderSize + (KeySize * BranchCapacity);

    private readonly ref byte _page;

    private FixedPage(ref byte page) => _page = ref page;

    public int Count
    {
        get => Unsafe.ReadUnaligned<ushort>(ref Unsafe.Add(ref _page, CountOffset));
        set => Unsafe.WriteUnaligned(ref Unsafe.Add(ref _page, CountOffset), (ushort)value);
    }

    internal long Number => Unsafe.ReadUnaligned<long>(ref Unsafe.Add(ref _page, 8));

    /// <summary>How many entries a leaf has place for.</summary>
    internal static int LeafCapacity(int valueSize) =>
        (PageHeader.PageSizeInBytes - HeaderSize) / (KeySize + valueSize);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static FixedPage OpenLeaf(NativeSlice slice, long pageNumber, int valueSize, int capacity)
    {
        FixedPage page = Wrap(slice, pageNumber);
        if (page.Kind != PageKind.FixedLeaf || page.ValueSize != valueSize || page.Count > capacity)
        {
            ThrowDamagedHeader(pageNumber, PageKind.FixedLeaf);
        }

        return page;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static FixedPage OpenBranch(NativeSlice slice, long pageNumber)
    {
        FixedPage page = Wrap(slice, pageNumber);
        if (page.Kind != PageKind.FixedBranch || page.Count > BranchCapacity)
        {
            ThrowDamagedHeader(pageNumber, PageKind.FixedBranch);
        }

        return page;
    }

    /// <summary>Makes a new page an empty leaf.</summary>
    internal static void FormatLeaf(Span<byte> page, int valueSize) =>
        BitConverter.TryWriteBytes(page[ValueSizeOffset..], (ushort)valueSize);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal long Key(int index)
    {
        Debug.Assert((uint)index < (uint)Count);
        return Unsafe.ReadUnaligned<long>(ref Unsafe.Add(ref _page, HeaderSize + (KeySize * index)));
    }

    internal void SetKey(int index, long key) =>
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref _page, HeaderSize + (KeySize * index)), key);

    public long Child(int childIndex)
    {
        Debug.Assert((uint)childIndex <= (uint)Count);
        return Unsafe.ReadUnaligned<long>(ref Unsafe.Add(ref _page, ChildrenOffset + (KeySize * childIndex)));
    }

    internal void SetChild(int index, long child) =>
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref _page, ChildrenOffset + (KeySize * index)), child);

    /// <summary>The offset of the value of a place.</summary>
    internal static int ValueOffset(int index, int valueSize, int capacity) =>
        HeaderSize + (KeySize * capacity) + (valueSize * index);

    /// <summary>The position of a key, or the complement of its insertion point.</summary>
    /// <param name="key">The key.</param>
    /// <param name="compares">Grows by the number of keys that were looked at.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int Find(long key, ref long compares)
    {
        int count = Count;
        compares++;
        if (count == 0)
        {
            return ~0;
        }

        if (key > Key(count - 1))
        {
            return ~count;
        }

        long first = Key(0);
        if (key <= first)
        {
            return key == first ? 0 : ~0;
        }

        // Keys ascend strictly: the one at index i is at least first + i. So a key is at index key - first or before
        // it, and exactly there if no number is missing.
        ulong distance = (ulong)(key - first);
        if (distance < (ulong)count)
        {
            if (Key((int)distance) == key)
            {
                return (int)distance;
            }

            count = (int)distance;
        }

        return Bisect(key, count, ref compares);
    }

    /// <summary>The child in whose range a key lies.</summary>
    internal int FindChild(long key, ref long compares)
    {
        int index = Find(key, ref compares);
        return index >= 0 ? index + 1 : ~index;
    }

    /// <summary>Makes a place for an entry in a leaf; those behind it move.</summary>
    internal void InsertPlace(int index, int valueSize, int capacity, ref long bytesMoved)
    {
        int count = Count;
        Debug.Assert(count < capacity);
        if (index != count)
        {
            Shift(HeaderSize, KeySize, index, count, index + 1);
            Shift(HeaderSize + (KeySize * capacity), valueSize, index, count, index + 1);
            bytesMoved += (count - index) * (KeySize + valueSize);
        }

        Count = count + 1;
    }

    /// <summary>Removes entries <paramref name="from"/> to <paramref name="to"/> (exclusive) of a leaf.</summary>
    internal void RemovePlaces(int from, int to, int valueSize, int capacity, ref long bytesMoved)
    {
        int count = Count;
        Shift(HeaderSize, KeySize, to, count, from);
        Shift(HeaderSize + (KeySize * capacity), valueSize, to, count, from);
        bytesMoved += (count - to) * (KeySize + valueSize);
        Count = count - (to - from);
    }

    /// <summary>Copies entries of another leaf behind those of this one.</summary>
    internal void AppendPlaces(FixedPage source, int from, int to, int valueSize, int capacity, ref long bytesMoved)
    {
        int count = Count;
        int values = HeaderSize + (KeySize * capacity);
        int length = to - from;
        source.Bytes.Slice(HeaderSize + (KeySize * from), KeySize * length)
            .CopyTo(Bytes[(HeaderSize + (KeySize * count))..]);
        source.Bytes.Slice(values + (valueSize * from), valueSize * length)
            .CopyTo(Bytes[(values + (valueSize * count))..]);
        bytesMoved += length * (KeySize + valueSize);
        Count = count + length;
    }

    /// <summary>Adds a separator and the child behind it.</summary>
    internal void InsertChild(int index, long key, long child)
    {
        int count = Count;
        Debug.Assert(count < BranchCapacity);
        Shift(HeaderSize, KeySize, index, count, index + 1);
        Shift(ChildrenOffset, KeySize, index + 1, count + 1, index + 2);
        Count = count + 1;
        SetKey(index, key);
        SetChild(index + 1, child);
    }

    /// <summary>Removes a child and the separator beside it.</summary>
    internal void RemoveChild(int childIndex)
    {
        int count = Count;
        int separator = Math.Max(childIndex - 1, 0);
        Shift(HeaderSize, KeySize, separator + 1, count, separator);
        Shift(ChildrenOffset, KeySize, childIndex + 1, count + 1, childIndex);
        Count = count - 1;
    }

    /// <summary>Copies separators from <paramref name="from"/> on, with the children behind each.</summary>
    internal void AppendChildren(FixedPage source, int from)
    {
        int count = Count;
        int length = source.Count - from;
        source.Bytes.Slice(HeaderSize + (KeySize * from), KeySize * length)
            .CopyTo(Bytes[(HeaderSize + (KeySize * count))..]);
        source.Bytes.Slice(ChildrenOffset + (KeySize * (from + 1)), KeySize * length)
            .CopyTo(Bytes[(ChildrenOffset + (KeySize * (count + 1)))..]);
        Count = count + length;
    }

    private PageKind Kind => (PageKind)Unsafe.Add(ref _page, 24);

    private int ValueSize => Unsafe.ReadUnaligned<ushort>(ref Unsafe.Add(ref _page, ValueSizeOffset));

    private Span<byte> Bytes => MemoryMarshal.CreateSpan(ref _page, PageHeader.PageSizeInBytes);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static FixedPage Wrap(NativeSlice slice, long pageNumber)
    {
        ReadOnlySpan<byte> bytes = slice.Span;
        if (bytes.Length < PageHeader.PageSizeInBytes)
        {
            Damage.Throw(pageNumber, "is shorter than a page");
        }

        return new FixedPage(ref MemoryMarshal.GetReference(bytes));
    }

    private static void ThrowDamagedHeader(long pageNumber, PageKind kind) =>
        Damage.Throw(pageNumber, $"is not a whole {kind} of its tree");

    private int Bisect(long key, int count, ref long compares)
    {
        int low = 0;
        int length = count;
        while (length > 1)
        {
            int half = length >> 1;
            low += Key(low + half - 1) < key ? half : 0;
            length -= half;
            compares++;
        }

        if (length == 1 && Key(low) < key)
        {
            low++;
        }

        return low < Count && Key(low) == key ? low : ~low;
    }

    private void Shift(int start, int size, int from, int to, int target)
    {
        if (from < to)
        {
            Bytes.Slice(start + (size * from), size * (to - from)).CopyTo(Bytes[(start + (size * target))..]);
        }
    }
}
