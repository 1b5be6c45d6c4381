using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Paging;

namespace Raven.Storage.Trees;

/// <summary>
/// A B+tree from 8-byte keys, in the order of signed numbers, to values of one small size (or none): its pages hold
/// dense sorted arrays in place of slots and heaps. It belongs to one transaction and one thread; a value read is the
/// page's own memory and lives until the next write to the tree or the end of the transaction. Nothing here allocates.
/// </summary>
public sealed class FixedTree : Structure
{
    /// <summary>The size of the largest value.</summary>
    public const int ValueSizeBytesMax = 256;

    private readonly int _newValueSize;
    private FixedLeafRange _recent;
    private TreeCounters _counters;
    private int _version;
    private int _capacity;
    private bool _useRecentLeaves = true;

    internal FixedTree(int newValueSize = 0) => _newValueSize = newValueSize;

    /// <inheritdoc/>
    public override StructureKind Kind => StructureKind.FixedTree;

    /// <summary>How many entries there are; kept up to date, so that reading it is free.</summary>
    public long Count => Root.Count;

    /// <summary>The size of every value in bytes.</summary>
    public int ValueSizeBytes => Root.ValueSize;

    /// <summary>
    /// If true, a search first checks the leaf used last. The bench turns it off to measure its worth.
    /// </summary>
    public bool UseRecentLeaves
    {
        get => _useRecentLeaves;
        set
        {
            _useRecentLeaves = value;
            ForgetRecent();
        }
    }

    internal ref TreeCounters Counters => ref _counters;

    internal int Version => _version;

    internal int Capacity => _capacity;

    /// <summary>Sizes, and the work done in this transaction.</summary>
    public TreeStatistics GetStatistics() => _counters.ToStatistics(Root);

    /// <summary>Gives the value of a key, in the page.</summary>
    /// <exception cref="StorageCorruptedException">A page on the way is damaged.</exception>
    public bool TryGet(long key, out NativeSlice value)
    {
        if (Root.RootPage != 0)
        {
            NativeSlice memory = FindLeaf(key, out long number);
            FixedPage page = FixedPage.OpenLeaf(memory, number, Root.ValueSize, _capacity);
            int index = page.Find(key, ref _counters.Compares);
            if (index >= 0)
            {
                value = memory.Slice(FixedPage.ValueOffset(index, Root.ValueSize, _capacity), Root.ValueSize);
                return true;
            }
        }

        value = default;
        return false;
    }

    /// <summary>Gives the value of a key of a tree with 8-byte values.</summary>
    public bool TryGet(long key, out long value)
    {
        if (TryGet(key, out NativeSlice bytes))
        {
            value = MemoryMarshal.Read<long>(bytes.Span);
            return true;
        }

        value = 0;
        return false;
    }

    /// <summary>Whether there is such a key.</summary>
    public bool Contains(long key) => TryGet(key, out NativeSlice _);

    /// <summary>Gives the first key.</summary>
    /// <returns>False if the tree is empty.</returns>
    public bool TryGetFirst(out long key)
    {
        FixedTreeCursor cursor = GetCursor();
        bool found = cursor.SeekFirst();
        key = found ? cursor.Key : 0;
        return found;
    }

    /// <summary>Gives the last key.</summary>
    /// <returns>False if the tree is empty.</returns>
    public bool TryGetLast(out long key)
    {
        FixedTreeCursor cursor = GetCursor();
        bool found = cursor.SeekLast();
        key = found ? cursor.Key : 0;
        return found;
    }

    /// <summary>Sets the value of a key.</summary>
    /// <returns>Whether the key is new.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The value is not of the tree's size.</exception>
    /// <exception cref="InvalidOperationException">The transaction only reads.</exception>
    public bool Put(long key, ReadOnlySpan<byte> value)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(value.Length, Root.ValueSize, nameof(value));
        bool isNew = Place(key, out NativeSlice memory, out int offset);
        value.CopyTo(memory.WritableSpan[offset..]);
        return isNew;
    }

    /// <summary>Sets the value of a key of a tree with 8-byte values.</summary>
    /// <inheritdoc cref="Put(long, ReadOnlySpan{byte})"/>
    public bool Put(long key, long value)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(sizeof(long), Root.ValueSize, nameof(value));
        bool isNew = Place(key, out NativeSlice memory, out int offset);
        MemoryMarshal.Write(memory.WritableSpan[offset..], in value);
        return isNew;
    }

    /// <summary>Adds a key to a tree without values.</summary>
    /// <inheritdoc cref="Put(long, ReadOnlySpan{byte})"/>
    public bool Add(long key) => Put(key, default(ReadOnlySpan<byte>));

    /// <summary>Removes a key.</summary>
    /// <returns>False if it is not there.</returns>
    /// <exception cref="InvalidOperationException">The transaction only reads.</exception>
    [SkipLocalsInit]
    public bool Delete(long key)
    {
        IPageWriter writer = Writer;
        if (Root.RootPage == 0)
        {
            return false;
        }

        NativeSlice memory = FindLeaf(key, out long number);
        FixedPage page = FixedPage.OpenLeaf(memory, number, Root.ValueSize, _capacity);
        int index = page.Find(key, ref _counters.Compares);
        if (index < 0)
        {
            return false;
        }

        _version++;
        memory = writer.ModifyPage(number);
        KeepRecent(number, memory);
        page = FixedPage.OpenLeaf(memory, number, Root.ValueSize, _capacity);
        page.RemovePlaces(index, index + 1, Root.ValueSize, _capacity, ref _counters.BytesMoved);
        Root.Count--;
        if (page.Count < _capacity / 4)
        {
            Unsafe.SkipInit(out TreePath path);
            Descend(key, ref path, out _, out _);
            FixedTreeMerge.AfterShrink(this, ref path);
        }

        return true;
    }

    /// <summary>Removes every key from <paramref name="from"/> to <paramref name="to"/>, both included.</summary>
    /// <returns>How many there were.</returns>
    /// <exception cref="InvalidOperationException">The transaction only reads.</exception>
    [SkipLocalsInit]
    public long DeleteRange(long from, long to)
    {
        IPageWriter writer = Writer;
        _version++;
        ForgetRecent();
        long deleted = 0;
        while (Root.RootPage != 0 && from <= to)
        {
            Unsafe.SkipInit(out TreePath path);
            Descend(from, ref path, out _, out long high);
            FixedPage page = OpenLeaf(writer.GetPage(path.Leaf), path.Leaf);
            int start = page.Find(from, ref _counters.Compares);
            start = start >= 0 ? start : ~start;
            int end = page.Find(to, ref _counters.Compares);
            end = end >= 0 ? end + 1 : ~end;
            if (start < end)
            {
                page = OpenLeaf(writer.ModifyPage(path.Leaf), path.Leaf);
                page.RemovePlaces(start, end, Root.ValueSize, _capacity, ref _counters.BytesMoved);
                Root.Count -= end - start;
                deleted += end - start;
                FixedTreeMerge.AfterShrink(this, ref path);
            }

            if (high >= to)
            {
                break;
            }

            if (high < from)
            {
                // Separators in the wrong order would make an endless loop.
                Damage.Throw(path.Leaf, "ends before its first key");
            }

            from = high + 1;
        }

        return deleted;
    }

    /// <summary>A cursor, not yet on an entry.</summary>
    public FixedTreeCursor GetCursor() => new(this);

    internal override void Clear()
    {
        _version++;
        ForgetRecent();
        if (Root.RootPage != 0)
        {
            ClearPage(Root.RootPage, Root.Depth - 1);
        }

        Root = StructureRoot.Empty(StructureKind.FixedTree, Root.ValueSize);
    }

    private protected override StructureRoot NewRoot() => StructureRoot.Empty(Kind, _newValueSize);

    internal void ForgetRecent() => _recent.PageNumber = 0;

    internal FixedPage OpenLeaf(NativeSlice memory, long number) =>
        FixedPage.OpenLeaf(memory, number, Root.ValueSize, _capacity);

    /// <summary>Descends from the root to the leaf in whose range a key is, and returns that range.</summary>
    internal void Descend(long key, ref TreePath path, out long low, out long high)
    {
        IPageReader pages = Pages;
        path.Branches = 0;
        low = long.MinValue;
        high = long.MaxValue;
        long number = Root.RootPage;
        for (int level = Root.Depth - 1; level > 0; level--)
        {
            FixedPage page = FixedPage.OpenBranch(pages.GetPage(number), number);
            int index = page.FindChild(key, ref _counters.Compares);
            low = index > 0 ? page.Key(index - 1) : low;
            high = index < page.Count ? page.Key(index) - 1 : high;
            path.Push(number, index);
            number = page.Child(index);
        }

        path.Leaf = number;
        path.IsRightmost = high == long.MaxValue;
    }

    private protected override void OnAttached()
    {
        _counters = default;
        _version++;
        _capacity = FixedPage.LeafCapacity(Root.ValueSize);
        ForgetRecent();
    }

    [SkipLocalsInit]
    private NativeSlice FindLeaf(long key, out long number)
    {
        _counters.Searches++;
        if (_recent.Holds(key))
        {
            _counters.RecentHits++;
            number = _recent.PageNumber;
            return _recent.Memory;
        }

        Unsafe.SkipInit(out TreePath path);
        Descend(key, ref path, out long low, out long high);
        number = path.Leaf;
        NativeSlice memory = Pages.GetPage(number);
        Remember(path, memory, low, high, isWritable: false);
        return memory;
    }

    /// <summary>Finds the place of a key's value, or makes it if the key is new.</summary>
    [SkipLocalsInit]
    private bool Place(long key, out NativeSlice memory, out int offset)
    {
        IPageWriter writer = Writer;
        _version++;
        _counters.Searches++;
        if (Root.RootPage == 0)
        {
            CreateRoot(writer);
        }

        if (!_recent.Holds(key))
        {
            Unsafe.SkipInit(out TreePath path);
            Descend(key, ref path, out long low, out long high);
            memory = writer.ModifyPage(path.Leaf);
            Remember(path, memory, low, high, isWritable: true);
            return PlaceInLeaf(key, path.Leaf, path.IsRightmost, ref memory, out offset);
        }

        _counters.RecentHits++;
        if (!_recent.IsWritable)
        {
            _recent.Memory = writer.ModifyPage(_recent.PageNumber);
            _recent.IsWritable = true;
        }

        memory = _recent.Memory;
        return PlaceInLeaf(key, _recent.PageNumber, _recent.IsRightmost, ref memory, out offset);
    }

    private bool PlaceInLeaf(long key, long number, bool isRightmost, ref NativeSlice memory, out int offset)
    {
        int valueSize = Root.ValueSize;
        FixedPage page = FixedPage.OpenLeaf(memory, number, valueSize, _capacity);
        int index = page.Find(key, ref _counters.Compares);
        bool isNew = index < 0;
        if (isNew)
        {
            index = ~index;
            if (page.Count == _capacity)
            {
                number = Split(key, isRightmost, ref memory, ref index);
                page = OpenLeaf(memory, number);
            }

            page.InsertPlace(index, valueSize, _capacity, ref _counters.BytesMoved);
            page.SetKey(index, key);
            Root.Count++;
        }

        offset = FixedPage.ValueOffset(index, valueSize, _capacity);
        return isNew;
    }

    [SkipLocalsInit]
    private long Split(long key, bool isRightmost, ref NativeSlice memory, ref int index)
    {
        Unsafe.SkipInit(out TreePath path);
        Descend(key, ref path, out _, out _);
        ForgetRecent();
        return FixedTreeSplit.SplitLeaf(this, ref path, key, isRightmost, ref memory, ref index);
    }

    private void Remember(in TreePath path, NativeSlice memory, long low, long high, bool isWritable)
    {
        if (UseRecentLeaves)
        {
            _recent.PageNumber = path.Leaf;
            _recent.Memory = memory;
            _recent.Low = low;
            _recent.High = high;
            _recent.IsRightmost = path.IsRightmost;
            _recent.IsWritable = isWritable;
        }
    }

    private void KeepRecent(long number, NativeSlice memory)
    {
        if (_recent.PageNumber == number)
        {
            _recent.Memory = memory;
            _recent.IsWritable = true;
        }
    }

    private void CreateRoot(IPageWriter writer)
    {
        Root.RootPage = writer.AllocatePage(PageKind.FixedLeaf, 0, out NativeSlice memory);
        FixedPage.FormatLeaf(memory.WritableSpan, Root.ValueSize);
        Root.Depth = 1;
        Root.LeafPages = 1;
    }

    private void ClearPage(long number, int levelsBelow)
    {
        if (levelsBelow != 0)
        {
            FixedPage page = FixedPage.OpenBranch(Pages.GetPage(number), number);
            for (int i = 0; i <= page.Count; i++)
            {
                ClearPage(page.Child(i), levelsBelow - 1);
            }
        }

        Writer.FreePage(number);
    }
}
