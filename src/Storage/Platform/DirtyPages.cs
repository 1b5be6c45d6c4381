using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Raven.Storage.Platform;

/// <summary>
/// The pages that one write transaction changed, made or freed, in the order of the first touch. One thread; memory is
/// kept from one transaction to the next.
/// </summary>
internal sealed unsafe class DirtyPages : IDisposable
{
    private const int InitialEntries = 64;
    private const int EntriesKeptMax = 1 << 16;
    private int _capacity;
    private DirtyPage* _entries;
    private int* _index;
    private int _indexMask;

    internal DirtyPages() => Allocate(InitialEntries);

    /// <summary>Runs before memory is allocated; a test makes the allocation fail by an exception.</summary>
    internal Action? BeforeAllocation { get; set; }

    /// <summary>The pages touched.</summary>
    internal int Count { get; private set; }

    /// <summary>The page at a position in the order of first touch.</summary>
    internal ref DirtyPage this[int position]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref _entries[position];
    }

    /// <summary>The page's entry, or a null reference.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref DirtyPage Find(long page)
    {
        int slot = SlotOf(page);
        int position = _index[slot];
        return ref position == 0 ? ref Unsafe.NullRef<DirtyPage>() : ref _entries[position - 1];
    }

    /// <summary>Whether the page has an entry.</summary>
    internal bool Contains(long page) => _index[SlotOf(page)] != 0;

    /// <summary>The position of an entry, which stays valid when references to it do not.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int PositionOf(ref DirtyPage entry) =>
        (int)(Unsafe.ByteOffset(ref *_entries, ref entry) / sizeof(DirtyPage));

    /// <summary>
    /// Makes room for one more entry, so that <see cref="Add"/> allocates nothing. References to entries are invalid
    /// after this.
    /// </summary>
    internal void EnsureRoom()
    {
        if (Count == _capacity)
        {
            Grow();
        }
    }

    /// <summary>Adds an entry for a page that has none. References to entries are invalid after this.</summary>
    internal ref DirtyPage Add(long page)
    {
        EnsureRoom();
        _index[SlotOf(page)] = ++Count;
        ref DirtyPage entry = ref _entries[Count - 1];
        entry = default;
        entry.Page = page;
        return ref entry;
    }

    /// <summary>Clears it; frees memory that only a giant transaction needs, if there is enough for the next.</summary>
    internal void Clear()
    {
        if (_capacity > EntriesKeptMax && TryShrink())
        {
            Count = 0;
            return;
        }

        if (Count > _indexMask / 16)
        {
            new Span<int>(_index, _indexMask + 1).Clear();
        }
        else
        {
            // If few of many are used, only these are emptied. From the newest back, so that no probe ends early.
            for (int i = Count - 1; i >= 0; i--)
            {
                _index[SlotOf(_entries[i].Page)] = 0;
            }
        }

        Count = 0;
    }

    public void Dispose()
    {
        NativeMemory.Free(_entries);
        NativeMemory.Free(_index);
        _entries = null;
        _index = null;
    }

    private void Grow()
    {
        DirtyPage* oldEntries = _entries;
        int* oldIndex = _index;
        Allocate(_capacity * 2);
        new ReadOnlySpan<DirtyPage>(oldEntries, Count).CopyTo(new Span<DirtyPage>(_entries, _capacity));
        NativeMemory.Free(oldEntries);
        NativeMemory.Free(oldIndex);
        for (int i = 0; i < Count; i++)
        {
            _index[SlotOf(_entries[i].Page)] = i + 1;
        }
    }

    private bool TryShrink()
    {
        DirtyPage* oldEntries = _entries;
        int* oldIndex = _index;
        try
        {
            Allocate(InitialEntries);
        }
        catch (OutOfMemoryException)
        {
            // The memory at hand serves as well: a transaction that is over must not fail because memory is short.
            return false;
        }

        NativeMemory.Free(oldEntries);
        NativeMemory.Free(oldIndex);
        return true;
    }

    /// <summary>
    /// Replaces the memory by one for so many entries; the caller frees the old one. If the system refuses, nothing
    /// has changed.
    /// </summary>
    private void Allocate(int capacity)
    {
        int indexMask = capacity * 4 - 1;
        BeforeAllocation?.Invoke();
        var entries = (DirtyPage*)NativeMemory.Alloc((nuint)capacity, (nuint)sizeof(DirtyPage));
        try
        {
            BeforeAllocation?.Invoke();
            _index = (int*)NativeMemory.AllocZeroed((nuint)(indexMask + 1), sizeof(int));
        }
        catch
        {
            NativeMemory.Free(entries);
            throw;
        }

        _entries = entries;
        _capacity = capacity;
        _indexMask = indexMask;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int SlotOf(long page)
    {
        int slot = (int)((ulong)page * 0x9E3779B97F4A7C15 >> 32) & _indexMask;
        while (_index[slot] != 0 && _entries[_index[slot] - 1].Page != page)
        {
            slot = (slot + 1) & _indexMask;
        }

        return slot;
    }
}
