using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Paging;
using Raven.Storage.Trees;

namespace Raven.Storage.Tables;

//   OFFSET  SIZE  FIELD
//        0    32  PageHeader, kind TableSection
//       32     2  Slots           slots, the free ones among them; the last one is not free
//       34     2  Upper           where the heap of rows starts; it grows down from 8192
//       36     2  Garbage         bytes of the heap that no row uses
//       38     2  FreeSlots       slots without a row
//       40     8  (zero)
//       48     4  slot 0, slot 1, ...: Offset (2), Length (2); Offset 0 is a free slot
//    Upper        the heap
//
// SECTION-1  48 + 4 * Slots <= Upper <= 8192
// SECTION-2  a row of at least one byte lies whole in [Upper, 8192)
// SECTION-3  a row keeps its slot for as long as it is in the page

/// <summary>A page of packed rows. The header is checked when the page is opened, a row when it is touched.</summary>
internal readonly ref struct SectionPage
{
    internal const int HeaderSize = 48;
    internal const int SlotSize = 4;
    internal const int Size = PageHeader.PageSizeInBytes;
    internal const int Capacity = Size - HeaderSize;

    /// <summary>The longest row that fits into an empty page.</summary>
    internal const int RowSizeMax = Capacity - SlotSize;

    private const int SlotsOffset = 32;
    private const int UpperOffset = 34;
    private const int GarbageOffset = 36;
    private const int FreeSlotsOffset = 38;

    private readonly ref byte _page;

    private SectionPage(ref byte page) => _page = ref page;

    internal int Slots
    {
        get => Read(SlotsOffset);
        private set => Write(SlotsOffset, value);
    }

    internal int Upper
    {
        get => Read(UpperOffset);
        private set => Write(UpperOffset, value);
    }

    internal int Garbage
    {
        get => Read(GarbageOffset);
        private set => Write(GarbageOffset, value);
    }

    internal int FreeSlots
    {
        get => Read(FreeSlotsOffset);
        private set => Write(FreeSlotsOffset, value);
    }

    internal long Number => Unsafe.ReadUnaligned<long>(ref Unsafe.Add(ref _page, 8));

    internal int Rows => Slots - FreeSlots;

    /// <summary>Bytes that rows and their slots can still take, after compaction.</summary>
    internal int Free => Gap + Garbage;

    private int Gap => Upper - HeaderSize - (SlotSize * Slots);

    private Span<byte> Bytes => MemoryMarshal.CreateSpan(ref _page, Size);

    internal static SectionPage Open(NativeSlice slice, long pageNumber)
    {
        ReadOnlySpan<byte> bytes = slice.Span;
        if (bytes.Length < Size)
        {
            Damage.Throw(pageNumber, "is shorter than a page");
        }

        var page = new SectionPage(ref MemoryMarshal.GetReference(bytes));
        if ((PageKind)bytes[24] != PageKind.TableSection || page.Upper > Size
            || HeaderSize + (SlotSize * page.Slots) > page.Upper || page.FreeSlots > page.Slots)
        {
            Damage.Throw(pageNumber, "is not a whole section of rows");
        }

        return page;
    }

    /// <summary>Makes a new page an empty section.</summary>
    internal static void Format(Span<byte> page) =>
        BitConverter.TryWriteBytes(page[UpperOffset..], (ushort)Size);

    /// <summary>The place of a row.</summary>
    /// <returns>False for a free slot.</returns>
    internal bool TryGetRow(int slot, out int offset, out int length)
    {
        offset = 0;
        length = 0;
        if (slot < Slots)
        {
            offset = Read(HeaderSize + (SlotSize * slot));
            length = Read(HeaderSize + (SlotSize * slot) + sizeof(ushort));
        }

        if (offset == 0)
        {
            return false;
        }

        // A row of no bytes keeps its offset when the heap shrinks behind it.
        if ((offset < Upper && length != 0) || offset + length > Size)
        {
            Damage.Throw(Number, $"has row {slot} outside of itself");
        }

        return true;
    }

    /// <summary>Takes room for a row; the caller checked that there is enough.</summary>
    /// <returns>Its slot.</returns>
    internal int Insert(int length, out int offset)
    {
        int slot = Slots;
        if (FreeSlots != 0)
        {
            slot = FindFreeSlot();
            FreeSlots--;
        }
        else
        {
            MakeGap(SlotSize);

            Slots = slot + 1;
            SetSlot(slot, 0, 0);
        }

        offset = Place(slot, length);
        return slot;
    }

    /// <summary>Gives a row another length, in its place or elsewhere in the page, if there is room for it.</summary>
    internal bool TryResize(int slot, int length, out int offset)
    {
        if (!TryGetRow(slot, out offset, out int oldLength))
        {
            Damage.Throw(Number, $"has no row {slot}");
        }

        if (length > oldLength)
        {
            if (length > Free + oldLength)
            {
                return false;
            }

            Release(offset, oldLength);
            SetSlot(slot, 0, 0);
            offset = Place(slot, length);
        }
        else
        {
            Garbage += oldLength - length;
            SetSlot(slot, offset, length);
        }

        return true;
    }

    internal void Delete(int slot)
    {
        if (!TryGetRow(slot, out int offset, out int length))
        {
            Damage.Throw(Number, $"has no row {slot}");
        }

        Release(offset, length);
        SetSlot(slot, 0, 0);
        int slots = Slots;
        int free = FreeSlots + 1;
        while (slots != 0 && Read(HeaderSize + (SlotSize * (slots - 1))) == 0)
        {
            slots--;
            free--;
        }

        Slots = slots;
        FreeSlots = free;
    }

    private int Place(int slot, int length)
    {
        MakeGap(length);
        int offset = Upper - length;
        Upper = offset;
        SetSlot(slot, offset, length);
        return offset;
    }

    private void MakeGap(int length)
    {
        if (Gap < length)
        {
            Compact();
            if (Gap < length)
            {
                Damage.Throw(Number, "has less garbage than it says");
            }
        }
    }

    private void Release(int offset, int length)
    {
        if (offset == Upper)
        {
            Upper = offset + length;
        }
        else
        {
            Garbage += length;
        }
    }

    private int FindFreeSlot()
    {
        for (int i = 0; i < Slots; i++)
        {
            if (Read(HeaderSize + (SlotSize * i)) == 0)
            {
                return i;
            }
        }

        Damage.Throw(Number, "has fewer free slots than it says");
        return -1;
    }

    [SkipLocalsInit]
    private void Compact()
    {
        Span<byte> copy = stackalloc byte[Size];
        Bytes.CopyTo(copy);
        int upper = Size;
        int end = HeaderSize + (SlotSize * Slots);
        for (int i = 0; i < Slots; i++)
        {
            if (TryGetRow(i, out int offset, out int length))
            {
                upper -= length;
                if (upper < end)
                {
                    Damage.Throw(Number, "has rows that lie over each other");
                }

                copy.Slice(offset, length).CopyTo(Bytes[upper..]);
                SetSlot(i, upper, length);
            }
        }

        Upper = upper;
        Garbage = 0;
    }

    private void SetSlot(int slot, int offset, int length)
    {
        Write(HeaderSize + (SlotSize * slot), offset);
        Write(HeaderSize + (SlotSize * slot) + sizeof(ushort), length);
    }

    private int Read(int offset) => Unsafe.ReadUnaligned<ushort>(ref Unsafe.Add(ref _page, offset));

    private void Write(int offset, int value) =>
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref _page, offset), (ushort)value);
}
