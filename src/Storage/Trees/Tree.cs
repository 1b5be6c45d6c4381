using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Paging;
using Raven.Storage.Platform;

namespace Raven.Storage.Trees;

/// <summary>
/// A B+tree from keys of 0 to <see cref="TreeLimits.KeySizeBytesMax"/> bytes, in byte order, to values. It
/// belongs to one transaction and one thread; a value read is the page's own memory and lives until the next
/// write to the tree or the end of the transaction. Get, put, delete and cursor steps allocate nothing. The pages
/// are in docs/formats/tree.md.
/// </summary>
public sealed class Tree : Structure
{
    // The header and the slots of some 50 entries. Measured: 8% of a random get from memory that is not in a cache.
    private const int LeafLinesAhead = 8;

    // All slots of some 250 entries: the processor fetches lines in pairs.
    private const int LeafLinesApproached = 32;

    // Clearing less than a cache line saves nothing.
    private const int ClearedBytesMin = 64;

    private RecentLeaves _recent;
    private TreeCounters _counters;
    private int _version;

    internal Tree()
    {
    }

    /// <inheritdoc/>
    public override StructureKind Kind => StructureKind.Tree;

    /// <summary>How many entries there are; kept up to date, so that reading it is free.</summary>
    public long Count => Root.Count;

    /// <summary>
    /// If true, searches first check the leaves used last. The bench turns it off to measure their worth.
    /// </summary>
    public bool UseRecentLeaves { get; set; } = true;

    /// <summary>Sizes, and the work done in this transaction.</summary>
    public TreeStatistics GetStatistics() => _counters.ToStatistics(Root);

    internal ref TreeCounters Counters => ref _counters;

    /// <summary>Grows with every change: a cursor made before a change is invalid after it.</summary>
    internal int Version => _version;

    /// <summary>Gives the value of a key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value, in the page; overflow values as one piece too.</param>
    /// <exception cref="StorageCorruptedException">A page on the way is damaged.</exception>
    public bool TryGet(ReadOnlySpan<byte> key, out NativeSlice value)
    {
        value = default;
        if (Root.RootPage == 0)
        {
            return false;
        }

        NativeSlice memory = FindLeaf(key, out long number);
        return TryGet(new TreeLeaf(memory, number), key, out value);
    }

    /// <summary>
    /// Finds the leaf in which a key is if it is there, and asks the processor to load it: of several keys the cache
    /// misses overlap, and each is then searched in its leaf.
    /// </summary>
    /// <param name="key">The key.</param>
    /// <returns>The leaf, until the next write to the tree or the end of the transaction.</returns>
    public TreeLeaf Approach(ReadOnlySpan<byte> key)
    {
        if (Root.RootPage == 0)
        {
            return default;
        }

        NativeSlice memory = FindLeaf(key, out long number);
        Prefetch.EachSecondLine(ref MemoryMarshal.GetReference(memory.Span), LeafLinesApproached);
        return new TreeLeaf(memory, number);
    }

    /// <summary>Gives the value of a key that was approached.</summary>
    /// <param name="leaf">What <see cref="Approach"/> gave for this key.</param>
    /// <param name="key">The key.</param>
    /// <param name="value">The value, in the page; overflow values as one piece too.</param>
    /// <exception cref="StorageCorruptedException">A page on the way is damaged.</exception>
    public bool TryGet(in TreeLeaf leaf, ReadOnlySpan<byte> key, out NativeSlice value)
    {
        value = default;
        if (leaf.Number == 0)
        {
            return false;
        }

        TreePage page = TreePage.Open(leaf.Memory, leaf.Number, PageKind.TreeLeaf);
        int index = page.Find(key, ref _counters.Compares);
        if (index < 0)
        {
            return false;
        }

        value = ReadValue(page, leaf.Memory, index);
        return true;
    }

    /// <summary>Whether there is such a key.</summary>
    public bool Contains(ReadOnlySpan<byte> key) => TryGet(key, out _);

    /// <summary>Sets the value of a key. Neither may lie in a page of this tree.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The key or the value is too long.</exception>
    /// <exception cref="InvalidOperationException">The transaction only reads.</exception>
    public void Put(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value) =>
        value.CopyTo(Reserve(key, value.Length).WritableSpan);

    /// <summary>
    /// Sets the value of a key to <paramref name="length"/> bytes that the caller writes in place, before it touches
    /// the tree again.
    /// </summary>
    /// <returns>The value's memory, with undefined content.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The key or the value is too long.</exception>
    /// <exception cref="InvalidOperationException">The transaction only reads.</exception>
    [SkipLocalsInit]
    public NativeSlice Reserve(ReadOnlySpan<byte> key, int length)
    {
        IPageWriter writer = Writer;
        CheckSizes(key, length);
        bool isInline = key.Length + TreePage.ValueHeaderSize + length + TreePage.SlotSize <= TreePage.EntrySizeMax;
        int payload = TreePage.ValueHeaderSize + (isInline ? length : TreePage.OverflowReferenceSize);
        _version++;
        if (Root.RootPage == 0)
        {
            CreateRoot(writer);
        }

        Unsafe.SkipInit(out TreePath path);
        bool hasPath = FindLeafToChange(key, ref path, out NativeSlice memory, out long number, out int handle);
        TreePage page = TreePage.Open(memory, number, PageKind.TreeLeaf);
        int index = page.Find(key, ref _counters.Compares);
        if (index >= 0)
        {
            FreeOverflow(page, index);
            if (page.EntrySize(index) - page.Key(index).Length == payload)
            {
                page.ValueHeader(index, out int valueOffset);
                int start = valueOffset - TreePage.ValueHeaderSize;
                writer.NoteChange(handle, 0, start, start + payload);
                return WriteValueHeader(writer, memory, start, length, isInline);
            }

            writer.NoteChange(handle, page.SlotsEnd, 0, 0);
            TreePageEdit.Remove(page, index, index + 1, ref _counters.BytesMoved);
        }
        else
        {
            index = ~index;
            Root.Count++;
        }

        int size = key.Length + payload + TreePage.SlotSize;
        if (!page.HasRoom(size))
        {
            if (!hasPath)
            {
                Descend(key, ref path);
            }

            writer.NoteChange(handle, TreePage.Size, 0, 0);
            memory = TreeSplit.SplitLeaf(this, ref path, memory, ref index, key, size);
            page = TreePage.Open(memory, path.Leaf, PageKind.TreeLeaf);
            _recent.Forget();
            _recent.ComesBack(path.Leaf);
        }
        else
        {
            // If the heap must be compacted first, all of it moves.
            bool isInGap = page.Gap >= size;
            writer.NoteChange(
                handle,
                page.SlotsEnd + TreePage.SlotSize,
                isInGap ? page.Upper - (size - TreePage.SlotSize) : TreePage.HeaderSize,
                isInGap ? page.Upper : TreePage.Size);
        }

        int at = TreePageEdit.Insert(page, index, key, payload, ref _counters.BytesMoved);
        NoteInsert(page, index);
        return WriteValueHeader(writer, memory, at, length, isInline);
    }

    /// <summary>Removes a key.</summary>
    /// <returns>False if it is not there.</returns>
    /// <exception cref="InvalidOperationException">The transaction only reads.</exception>
    [SkipLocalsInit]
    public bool Delete(ReadOnlySpan<byte> key)
    {
        IPageWriter writer = Writer;
        if (Root.RootPage == 0)
        {
            return false;
        }

        NativeSlice memory = FindLeaf(key, out long number);
        TreePage page = TreePage.Open(memory, number, PageKind.TreeLeaf);
        int index = page.Find(key, ref _counters.Compares);
        if (index < 0)
        {
            return false;
        }

        _version++;
        memory = ModifyLeaf(writer, number, out int handle);
        page = TreePage.Open(memory, number, PageKind.TreeLeaf);
        FreeOverflow(page, index);
        Remove(writer, page, index, handle);
        Root.Count--;
        if (page.Used < TreeMerge.UsedBytesMin)
        {
            Unsafe.SkipInit(out TreePath path);
            Descend(key, ref path);
            Debug.Assert(path.Leaf == number);
            TreeMerge.AfterShrink(this, ref path);
        }

        return true;
    }

    /// <summary>Removes every key from <paramref name="from"/> on and before <paramref name="to"/>.</summary>
    /// <returns>How many there were.</returns>
    /// <exception cref="InvalidOperationException">The transaction only reads.</exception>
    public long DeleteRange(ReadOnlySpan<byte> from, ReadOnlySpan<byte> to) =>
        TreeRange.Delete(this, from, to, isOpen: false);

    /// <summary>Removes every key from <paramref name="from"/> on.</summary>
    /// <inheritdoc cref="DeleteRange(ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>
    public long DeleteFrom(ReadOnlySpan<byte> from) => TreeRange.Delete(this, from, default, isOpen: true);

    /// <summary>A cursor, not yet on an entry.</summary>
    public TreeCursor GetCursor() => new(this);

    internal override void Clear() => TreeRange.Clear(this);

    private protected override void OnAttached()
    {
        _counters = default;
        _version++;
        _recent.Forget();
    }

    /// <summary>Forgets the leaves used last, when leaves were split, merged or freed.</summary>
    internal void ForgetRecentLeaves() => _recent.Forget();

    internal void NoteChange() => _version++;

    /// <summary>Descends from the root to the leaf in whose range a key is.</summary>
    internal void Descend(ReadOnlySpan<byte> key, ref TreePath path)
    {
        IPageReader pages = Pages;
        path.Branches = 0;
        path.IsLeftmost = true;
        path.IsRightmost = true;
        long number = Root.RootPage;
        for (int level = Root.Depth - 1; level > 0; level--)
        {
            TreePage page = TreePage.Open(pages.GetPage(number), number, PageKind.TreeBranch);
            int index = page.Find(key, ref _counters.Compares);
            index = index >= 0 ? index + 1 : ~index;
            path.IsLeftmost &= index == 0;
            path.IsRightmost &= index == page.Count;
            path.Push(number, index);
            number = page.Child(index);
        }

        path.Leaf = number;
    }

    /// <summary>Gives a leaf to be changed, and replaces its memory among the leaves used last.</summary>
    private NativeSlice ModifyLeaf(IPageWriter writer, long number, out int handle)
    {
        NativeSlice memory = writer.ModifyPageInParts(number, out handle);
        _recent.Replace(number, memory, handle);
        return memory;
    }

    /// <summary>Removes an entry. Its bytes are cleared if that keeps them out of the journal.</summary>
    private void Remove(IPageWriter writer, TreePage page, int index, int handle)
    {
        int start = TreePage.KeyOffset(page.Slot(index));
        int size = page.EntrySize(index);
        bool isCleared = size >= ClearedBytesMin && writer.IsJournaledWhole(handle);
        writer.NoteChange(handle, page.SlotsEnd, isCleared ? start : 0, isCleared ? start + size : 0);
        TreePageEdit.Remove(page, index, index + 1, ref _counters.BytesMoved);
        if (isCleared)
        {
            page.Bytes.Slice(start, size).Clear();
        }
    }

    internal NativeSlice ReadValue(TreePage page, NativeSlice memory, int index)
    {
        ushort header = page.ValueHeader(index, out int offset);
        if ((header & TreePage.OverflowFlag) == 0)
        {
            return memory.Slice(offset, header);
        }

        long number = page.OverflowPage(offset, out int length);
        return OverflowRun.Read(Pages, number, length);
    }

    internal void FreeOverflow(TreePage page, int index)
    {
        ushort header = page.ValueHeader(index, out int offset);
        if ((header & TreePage.OverflowFlag) != 0)
        {
            long number = page.OverflowPage(offset, out int length);
            Writer.FreePage(number);
            Root.OverflowPages -= PageHeader.PagesForRun(length);
        }
    }

    [SkipLocalsInit]
    private NativeSlice FindLeaf(ReadOnlySpan<byte> key, out long number)
    {
        _counters.Searches++;
        if (UseRecentLeaves)
        {
            int place = _recent.Find(key);
            if (place >= 0)
            {
                _counters.RecentHits++;
                ref RecentLeaf leaf = ref _recent[place];
                number = leaf.PageNumber;
                return leaf.Memory;
            }
        }

        Unsafe.SkipInit(out TreePath path);
        Descend(key, ref path);
        number = path.Leaf;
        NativeSlice memory = Pages.GetPage(number);
        Prefetch.Lines(ref MemoryMarshal.GetReference(memory.Span), LeafLinesAhead);
        Remember(path, memory, isWritable: false, handle: -1);
        return memory;
    }

    /// <returns>Whether <paramref name="path"/> was filled.</returns>
    private bool FindLeafToChange(
        ReadOnlySpan<byte> key, ref TreePath path, out NativeSlice memory, out long number, out int handle)
    {
        _counters.Searches++;
        if (UseRecentLeaves)
        {
            int place = _recent.Find(key);
            if (place >= 0)
            {
                _counters.RecentHits++;
                ref RecentLeaf leaf = ref _recent[place];
                number = leaf.PageNumber;
                if (!leaf.IsWritable)
                {
                    leaf.Memory = Writer.ModifyPageInParts(number, out leaf.Handle);
                    leaf.IsWritable = true;
                }

                memory = leaf.Memory;
                handle = leaf.Handle;
                return false;
            }
        }

        Descend(key, ref path);
        number = path.Leaf;

        // Even if the leaf is not remembered again: an older entry must not keep the memory from before the copy.
        memory = ModifyLeaf(Writer, number, out handle);
        Remember(path, memory, isWritable: true, handle);
        return true;
    }

    private void Remember(in TreePath path, NativeSlice memory, bool isWritable, int handle)
    {
        if (!UseRecentLeaves || !_recent.ComesBack(path.Leaf))
        {
            return;
        }

        TreePage page = TreePage.Open(memory, path.Leaf, PageKind.TreeLeaf);
        int count = page.Count;
        if (count != 0)
        {
            _recent.Remember(new RecentLeaf
            {
                PageNumber = path.Leaf,
                Memory = memory,
                First = KeyOrder.LongHead(page.Key(0)),
                Last = KeyOrder.LongHead(page.Key(count - 1)),
                IsLeftmost = path.IsLeftmost,
                IsRightmost = path.IsRightmost,
                IsWritable = isWritable,
                Handle = handle,
            });
        }
    }

    private NativeSlice WriteValueHeader(IPageWriter writer, NativeSlice memory, int at, int length, bool isInline)
    {
        Span<byte> bytes = memory.WritableSpan;
        if (isInline)
        {
            MemoryMarshal.Write(bytes[at..], (ushort)length);
            return memory.Slice(at + TreePage.ValueHeaderSize, length);
        }

        long number = writer.AllocatePage(PageKind.Overflow, length, out NativeSlice run);
        Root.OverflowPages += PageHeader.PagesForRun(length);
        MemoryMarshal.Write(bytes[at..], TreePage.OverflowFlag);
        MemoryMarshal.Write(bytes[(at + TreePage.ValueHeaderSize)..], number);
        MemoryMarshal.Write(bytes[(at + TreePage.ValueHeaderSize + sizeof(long))..], length);
        return run.Slice(PageHeader.SizeInBytes, length);
    }

    private static void NoteInsert(TreePage page, int index)
    {
        bool isRun = index == (ushort)(page.LastInsert + 1);
        page.InsertRun = isRun ? Math.Min(page.InsertRun + 1, ushort.MaxValue) : 0;
        page.LastInsert = index;
    }

    private void CreateRoot(IPageWriter writer)
    {
        Root.RootPage = writer.AllocatePage(PageKind.TreeLeaf, 0, out NativeSlice memory);
        TreePageEdit.Format(memory.WritableSpan);
        Root.Depth = 1;
        Root.LeafPages = 1;
    }

    private static void CheckSizes(ReadOnlySpan<byte> key, int length)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(key.Length, TreeLimits.KeySizeBytesMax, nameof(key));
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, TreeLimits.ValueSizeBytesMax);
    }
}
