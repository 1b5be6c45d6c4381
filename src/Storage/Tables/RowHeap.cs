using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Paging;
using Raven.Storage.Platform;
using Raven.Storage.Trees;

namespace Raven.Storage.Tables;

/// <summary>
/// Rows of bytes, each found by an 8-byte id: small ones packed in section pages, large ones in overflow runs. An id is
/// valid until its row is deleted, or updated to a size that its page has no room for. The heap belongs to one
/// transaction and one thread; nothing here allocates. The pages are in docs/formats/table.md.
/// </summary>
public sealed class RowHeap : Structure
{
    /// <summary>The longest row.</summary>
    public const int RowSizeBytesMax = TreeLimits.ValueSizeBytesMax;

    // An id is the page and, in the low bits, the slot; all ones there are an overflow run.
    private const int SlotBits = 12;
    private const int OverflowSlot = (1 << SlotBits) - 1;

    // Free space is kept in steps: the key in the tree of free space is the step, then the page.
    private const int FreeStepBytes = 1024;
    private const int PageBits = 52;

    // The header and the slots of twenty rows.
    private const int SectionLinesAhead = 2;

    private readonly FixedTree _pageList;
    private readonly FixedTree _freeSpace;

    internal RowHeap()
        : this(new FixedTree(), new FixedTree())
    {
    }

    private RowHeap(FixedTree pageList, FixedTree freeSpace)
        : base(pageList, freeSpace)
    {
        _pageList = pageList;
        _freeSpace = freeSpace;
    }

    /// <inheritdoc/>
    public override StructureKind Kind => StructureKind.RowHeap;

    /// <summary>How many rows there are; kept up to date, so that reading it is free.</summary>
    public long Count => Root.Count;

    /// <summary>Bytes of all rows.</summary>
    public long PayloadBytes => Root.PayloadBytes;

    /// <summary>Sizes: leaf pages are the sections.</summary>
    public TreeStatistics GetStatistics() => default(TreeCounters).ToStatistics(Root);

    /// <summary>Gives a row, in its page.</summary>
    /// <exception cref="StorageCorruptedException">There is no such row, or its page is damaged.</exception>
    public NativeSlice Read(long rowId)
    {
        long number = rowId >> SlotBits;
        int slot = (int)(rowId & OverflowSlot);
        NativeSlice memory = Pages.GetPage(number);
        if (slot == OverflowSlot)
        {
            return OverflowRun.Read(memory, number);
        }

        SectionPage page = SectionPage.Open(memory, number);
        if (!page.TryGetRow(slot, out int offset, out int length))
        {
            ThrowNoRow(rowId);
        }

        return memory.Slice(offset, length);
    }

    /// <summary>
    /// Asks the processor to load what locates a row in its page, for a row that is read soon, after others.
    /// </summary>
    public void Approach(long rowId)
    {
        NativeSlice memory = Pages.GetPage(rowId >> SlotBits);
        Prefetch.Lines(ref MemoryMarshal.GetReference(memory.Span), SectionLinesAhead);
    }

    /// <summary>Adds a row that the caller writes in place before it touches the heap again.</summary>
    /// <param name="length">Its bytes.</param>
    /// <param name="row">Its memory, with undefined content.</param>
    /// <returns>Its id, above 0.</returns>
    /// <exception cref="InvalidOperationException">The transaction only reads.</exception>
    public long Insert(int length, out NativeSlice row)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, RowSizeBytesMax);
        IPageWriter writer = Writer;
        long id = length > SectionPage.RowSizeMax
            ? InsertRun(writer, length, out row)
            : InsertIntoSection(writer, length, out row);
        Root.Count++;
        Root.PayloadBytes += length;
        return id;
    }

    /// <summary>Adds a row.</summary>
    /// <returns>Its id, above 0.</returns>
    public long Insert(ReadOnlySpan<byte> bytes)
    {
        long id = Insert(bytes.Length, out NativeSlice row);
        bytes.CopyTo(row.WritableSpan);
        return id;
    }

    /// <summary>
    /// Gives a row another length; the caller writes all of its bytes. Slices from <see cref="Read"/> are invalid
    /// after this.
    /// </summary>
    /// <returns>The id from now on: the same if the row's page has room.</returns>
    /// <exception cref="StorageCorruptedException">There is no such row.</exception>
    public long Update(long rowId, int length, out NativeSlice row)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, RowSizeBytesMax);
        int slot = (int)(rowId & OverflowSlot);
        int oldLength = Read(rowId).Length;
        if (slot != OverflowSlot && length <= SectionPage.RowSizeMax)
        {
            long number = rowId >> SlotBits;
            NativeSlice memory = Writer.ModifyPage(number);
            SectionPage page = SectionPage.Open(memory, number);
            int freeBefore = page.Free;
            if (page.TryResize(slot, length, out int offset))
            {
                NoteFreeSpace(number, freeBefore, page.Free);
                Root.PayloadBytes += length - oldLength;
                row = memory.Slice(offset, length);
                return rowId;
            }
        }

        Delete(rowId);
        return Insert(length, out row);
    }

    /// <summary>Removes a row.</summary>
    /// <exception cref="StorageCorruptedException">There is no such row.</exception>
    /// <exception cref="InvalidOperationException">The transaction only reads.</exception>
    public void Delete(long rowId)
    {
        IPageWriter writer = Writer;
        long number = rowId >> SlotBits;
        int slot = (int)(rowId & OverflowSlot);
        int length = Read(rowId).Length;
        if (slot == OverflowSlot)
        {
            writer.FreePage(number);
            Root.OverflowPages -= PageHeader.PagesForRun(length);
            _pageList.Delete(number);
        }
        else
        {
            DeleteFromSection(writer, number, slot);
        }

        Root.Count--;
        Root.PayloadBytes -= length;
    }

    /// <summary>A cursor over all rows, in the order of their pages.</summary>
    public RowHeapCursor GetCursor() => new(this);

    /// <summary>First pages of all sections and runs.</summary>
    internal FixedTree PageList => _pageList;

    /// <summary>Sections that have room, by how much.</summary>
    internal FixedTree FreeSpace => _freeSpace;

    internal override void Clear()
    {
        FixedTreeCursor cursor = _pageList.GetCursor();
        for (bool found = cursor.SeekFirst(); found; found = cursor.MoveNext())
        {
            Writer.FreePage(cursor.Key);
        }

        base.Clear();
    }

    /// <summary>The key in the tree of free space; 0 if a page has too little to be there.</summary>
    internal static long FreeSpaceKey(long pageNumber, int free) =>
        free < FreeStepBytes ? 0 : ((long)(free / FreeStepBytes) << PageBits) | pageNumber;

    internal static long RowId(long pageNumber, int slot) => (pageNumber << SlotBits) | (uint)slot;

    internal static long RunId(long pageNumber) => RowId(pageNumber, OverflowSlot);

    private long InsertRun(IPageWriter writer, int length, out NativeSlice row)
    {
        long number = writer.AllocatePage(PageKind.Overflow, length, out NativeSlice run);
        Root.OverflowPages += PageHeader.PagesForRun(length);
        _pageList.Add(number);
        row = run.Slice(PageHeader.SizeInBytes, length);
        return RunId(number);
    }

    private long InsertIntoSection(IPageWriter writer, int length, out NativeSlice row)
    {
        int need = length + SectionPage.SlotSize;
        long number = Root.ActivePage;
        if (number != 0)
        {
            NativeSlice active = writer.GetPage(number);
            if (SectionPage.Open(active, number).Free < need)
            {
                number = FindRoom(need);
            }
        }

        return number == 0
            ? InsertIntoNewSection(writer, length, out row)
            : InsertIntoSection(writer.ModifyPage(number), number, length, out row);
    }

    private long InsertIntoSection(NativeSlice memory, long number, int length, out NativeSlice row)
    {
        SectionPage page = SectionPage.Open(memory, number);
        int freeBefore = page.Free;
        int slot = page.Insert(length, out int offset);
        NoteFreeSpace(number, freeBefore, page.Free);
        row = memory.Slice(offset, length);
        return RowId(number, slot);
    }

    /// <summary>A section with room for a row; 0 if there is none.</summary>
    private long FindRoom(int need)
    {
        int step = (need + FreeStepBytes - 1) / FreeStepBytes;
        FixedTreeCursor cursor = _freeSpace.GetCursor();
        return cursor.Seek((long)step << PageBits) ? cursor.Key & ((1L << PageBits) - 1) : 0;
    }

    private long InsertIntoNewSection(IPageWriter writer, int length, out NativeSlice row)
    {
        long number = writer.AllocatePage(PageKind.TableSection, 0, out NativeSlice memory);
        SectionPage.Format(memory.WritableSpan);
        Root.LeafPages++;
        _pageList.Add(number);
        SectionPage page = SectionPage.Open(memory, number);
        int slot = page.Insert(length, out int offset);
        row = memory.Slice(offset, length);
        ChooseActive(number, page.Free);
        return RowId(number, slot);
    }

    /// <summary>
    /// Of the active section and a new one, the emptier becomes active; the other waits for rows that fit.
    /// </summary>
    private void ChooseActive(long number, int free)
    {
        long other = Root.ActivePage;
        if (other == 0)
        {
            Root.ActivePage = number;
            return;
        }

        int otherFree = SectionPage.Open(Pages.GetPage(other), other).Free;
        bool isNewEmptier = free >= otherFree;
        Root.ActivePage = isNewEmptier ? number : other;
        long key = isNewEmptier ? FreeSpaceKey(other, otherFree) : FreeSpaceKey(number, free);
        if (key != 0)
        {
            _freeSpace.Add(key);
        }
    }

    private void DeleteFromSection(IPageWriter writer, long number, int slot)
    {
        SectionPage page = SectionPage.Open(writer.ModifyPage(number), number);
        int freeBefore = page.Free;
        page.Delete(slot);
        if (page.Rows != 0)
        {
            NoteFreeSpace(number, freeBefore, page.Free);
            return;
        }

        NoteFreeSpace(number, freeBefore, 0);
        writer.FreePage(number);
        Root.LeafPages--;
        _pageList.Delete(number);
        if (Root.ActivePage == number)
        {
            Root.ActivePage = 0;
        }
    }

    /// <summary>Keeps the tree of free space up to date; the active section is not in it.</summary>
    private void NoteFreeSpace(long number, int before, int after)
    {
        if (number == Root.ActivePage)
        {
            return;
        }

        long keyBefore = FreeSpaceKey(number, before);
        long keyAfter = FreeSpaceKey(number, after);
        if (keyBefore != keyAfter)
        {
            if (keyBefore != 0)
            {
                _freeSpace.Delete(keyBefore);
            }

            if (keyAfter != 0)
            {
                _freeSpace.Add(keyAfter);
            }
        }
    }

    [DoesNotReturn]
    private static void ThrowNoRow(long rowId) =>
        Damage.Throw(rowId >> SlotBits, $"has no row {rowId & OverflowSlot}");
}
