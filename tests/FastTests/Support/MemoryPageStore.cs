using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Paging;

namespace FastTests.Support;

/// <summary>
/// Pages in memory with snapshots, for tests of what stands on <see cref="IPageReader"/> and <see cref="IPageWriter"/>:
/// a transaction sees the pages that were committed when it began; copies are made on write; what a transaction gave
/// back or never committed is overwritten, so that a use of it shows.
/// </summary>
internal sealed unsafe class MemoryPageStore : IDisposable
{
    private const byte Poison = 0xDD;

    private readonly List<nint> _allocated = [];
    private readonly Stack<nint> _freeBuffers = new();
    private Dictionary<long, NativeSlice> _committed = [];
    private SortedSet<long> _freePages = [];
    private long _nextPage = 1;
    private bool _disposed;

    ~MemoryPageStore() => Free();

    internal long NextPage => _nextPage;

    internal IReadOnlyDictionary<long, NativeSlice> Committed => _committed;

    internal IReadOnlyCollection<long> FreePages => _freePages;

    internal Snapshot BeginRead() => new(_committed);

    internal Writer BeginWrite() => new(this);

    public void Dispose()
    {
        Free();
        GC.SuppressFinalize(this);
    }

    private void Free()
    {
        if (!_disposed)
        {
            _disposed = true;
            foreach (nint buffer in _allocated)
            {
                NativeMemory.Free((void*)buffer);
            }
        }
    }

    private NativeSlice Allocate(int pages)
    {
        int size = pages * PageHeader.PageSizeInBytes;
        if (pages == 1 && _freeBuffers.TryPop(out nint free))
        {
            return new NativeSlice((byte*)free, size);
        }

        void* memory = NativeMemory.Alloc((nuint)size);
        _allocated.Add((nint)memory);
        return new NativeSlice((byte*)memory, size);
    }

    private void Discard(NativeSlice slice)
    {
        slice.WritableSpan.Fill(Poison);
        if (slice.Length == PageHeader.PageSizeInBytes)
        {
            _freeBuffers.Push((nint)slice.Pointer);
        }
    }

    /// <summary>A read transaction.</summary>
    internal sealed class Snapshot(Dictionary<long, NativeSlice> pages) : IPageReader
    {
        public NativeSlice GetPage(long pageNumber) =>
            pages.TryGetValue(pageNumber, out NativeSlice page)
                ? page
                : throw new StorageCorruptedException("memory", pageNumber, "there is no such page");
    }

    /// <summary>A write transaction.</summary>
    internal sealed class Writer : IPageWriter, IDisposable
    {
        private readonly MemoryPageStore _store;
        private readonly Dictionary<long, NativeSlice> _pages;
        private readonly Dictionary<long, NativeSlice> _own = [];
        private readonly SortedSet<long> _freePages;
        private long _nextPage;

        internal Writer(MemoryPageStore store)
        {
            _store = store;
            _pages = new Dictionary<long, NativeSlice>(store._committed);
            _freePages = [.. store._freePages];
            _nextPage = store._nextPage;
        }

        /// <summary>Pages that this transaction wrote.</summary>
        internal int Written => _own.Count;

        public NativeSlice GetPage(long pageNumber) =>
            _pages.TryGetValue(pageNumber, out NativeSlice page)
                ? page
                : throw new StorageCorruptedException("memory", pageNumber, "there is no such page");

        public NativeSlice ModifyPage(long pageNumber)
        {
            if (_own.TryGetValue(pageNumber, out NativeSlice own))
            {
                return own;
            }

            NativeSlice old = GetPage(pageNumber);
            NativeSlice copy = _store.Allocate(old.Length / PageHeader.PageSizeInBytes);
            old.Span.CopyTo(copy.WritableSpan);
            _own.Add(pageNumber, copy);
            _pages[pageNumber] = copy;
            return copy;
        }

        public long AllocatePage(PageKind kind, int runLengthBytes, out NativeSlice page)
        {
            int count = PageHeader.PagesForRun(runLengthBytes);
            long number = TakeRun(count);
            page = _store.Allocate(count);
            page.WritableSpan.Clear();
            ref PageHeader header = ref MemoryMarshal.AsRef<PageHeader>(page.WritableSpan);
            header.PageNumber = number;
            header.Kind = kind;
            header.RunLengthBytes = runLengthBytes;
            _own.Add(number, page);
            _pages.Add(number, page);
            return number;
        }

        public void FreePage(long pageNumber)
        {
            NativeSlice page = GetPage(pageNumber);
            _pages.Remove(pageNumber);
            for (int i = 0; i < page.Length / PageHeader.PageSizeInBytes; i++)
            {
                Assert.True(_freePages.Add(pageNumber + i), $"page {pageNumber + i} is freed twice");
            }

            if (_own.Remove(pageNumber))
            {
                _store.Discard(page);
            }
        }

        internal void Commit()
        {
            _store._committed = _pages;
            _store._freePages = _freePages;
            _store._nextPage = _nextPage;
            _own.Clear();
        }

        /// <summary>Without a commit before: the transaction never was.</summary>
        public void Dispose()
        {
            foreach (NativeSlice page in _own.Values)
            {
                _store.Discard(page);
            }

            _own.Clear();
        }

        private long TakeRun(int count)
        {
            if (count == 1 && _freePages.Count != 0)
            {
                long free = _freePages.Min;
                _freePages.Remove(free);
                return free;
            }

            long number = _nextPage;
            _nextPage += count;
            return number;
        }
    }
}
