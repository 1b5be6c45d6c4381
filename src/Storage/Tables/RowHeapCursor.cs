using Raven.Blittable.Memory;
using Raven.Storage.Paging;
using Raven.Storage.Trees;

namespace Raven.Storage.Tables;

/// <summary>
/// Walks all rows of a heap, page by page. It lives on the stack, allocates nothing, and is invalid after its heap
/// has changed.
/// </summary>
public ref struct RowHeapCursor
{
    private readonly RowHeap _heap;
    private FixedTreeCursor _pages;
    private bool _isStarted;
    private NativeSlice _page;
    private int _slot;

    internal RowHeapCursor(RowHeap heap)
    {
        _heap = heap;
        _pages = heap.PageList.GetCursor();
    }

    /// <summary>The id of the row that the cursor is on.</summary>
    public long RowId { get; private set; }

    /// <summary>The row that the cursor is on, in its page.</summary>
    public NativeSlice Row { get; private set; }

    /// <summary>Goes to the next row; the first time to the first one.</summary>
    /// <returns>False behind the last one.</returns>
    public bool MoveNext()
    {
        while (true)
        {
            if (_isStarted && NextOfSection())
            {
                return true;
            }

            if (!(_isStarted ? _pages.MoveNext() : _pages.SeekFirst()))
            {
                return false;
            }

            _isStarted = true;
            long number = _pages.Key;
            _page = _heap.Pages.GetPage(number);
            _slot = -1;
            if (_page.Length > 24 && (PageKind)_page.Span[24] == PageKind.Overflow)
            {
                _slot = int.MaxValue;
                Row = OverflowRun.Read(_page, number);
                RowId = RowHeap.RunId(number);
                return true;
            }
        }
    }

    private bool NextOfSection()
    {
        if (_slot == int.MaxValue)
        {
            return false;
        }

        long number = _pages.Key;
        SectionPage page = SectionPage.Open(_page, number);
        while (++_slot < page.Slots)
        {
            if (page.TryGetRow(_slot, out int offset, out int length))
            {
                Row = _page.Slice(offset, length);
                RowId = RowHeap.RowId(number, _slot);
                return true;
            }
        }

        return false;
    }
}
