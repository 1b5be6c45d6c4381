using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Journal;
using Raven.Storage.Log;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Platform;
using Raven.Storage.Streams;
using Raven.Storage.Tables;
using Raven.Storage.Trees;

namespace Raven.Storage.Transactions;

// WRITE-1  A page keeps its number; a change only adds a version that later snapshots find.
// WRITE-2  The first change of a page copies it to scratch; the copy keeps its place as long as a snapshot sees it
//          (SUPERSEDED-1), and until the page is freed here.
// WRITE-3  If a page is freed here and the page table has versions of it, it gets a version without memory (MAP-4): so
//          no flush writes an older version over the next content of that page number.
// WRITE-4  A transaction that was refused a page because of TransactionBytesMax, or because scratch memory is short,
//          may have stopped halfway: it cannot commit anymore.

/// <summary>
/// The one open write transaction. Changes pages in copies of its own; <see cref="Commit"/> makes them durable as one.
/// Must be disposed after a commit too: the object then serves another writer (WRITER-1).
/// </summary>
public sealed class WriteTransaction : Transaction, IPageWriter
{
    private readonly ScratchPool _scratch;
    private readonly DataFile _data;
    private readonly FreeSpace _freeSpace;
    private readonly FaultLatch _faults;
    private readonly StorageHooks _hooks;
    private readonly CommitState _state;
    private readonly WriteLock _writeLock;
    private readonly DirtyPages _dirty = new();
    private readonly bool _isDurable;
    private readonly JournalSpool _spool;
    private readonly long _bytesMax;
    private readonly ScratchBudget _budget;
    private CommitPoint _point;
    private PageTable _table = null!;
    private long _bytes;
    private Exception? _refusal;
    private LogStamp _stamp;
    private bool _isApplied;
    private bool _isRented;
    private bool _isOpen;

    internal WriteTransaction(
        StorageEnvironment environment, StorageParts parts, CommitState state, WriteLock writeLock)
        : base(environment)
    {
        _scratch = parts.Scratch;
        _data = parts.Data;
        _freeSpace = parts.FreeSpace;
        _faults = parts.Faults;
        _hooks = parts.Options.Hooks;
        _state = state;
        _writeLock = writeLock;
        _bytesMax = parts.Options.TransactionBytesMax;
        _budget = parts.Options.ScratchBudget;
        _isDurable = parts.Options.Durability == StorageDurability.Durable;
        _spool = parts.Journal.Files.Spool;
    }

    /// <inheritdoc/>
    public override long Id => _point.TransactionId;

    internal override long NextPageNumber => _point.NextPageNumber;

    internal override ReadOnlySpan<byte> CatalogRecord => _point.CatalogRecord;

    internal DirtyPages Dirty => _dirty;

    internal ref CommitPoint Point => ref _point;

    /// <summary>True if another node has made the transaction; <see cref="Stamp"/> says where it belongs.</summary>
    internal bool IsApplied => _isApplied;

    internal ref readonly LogStamp Stamp => ref _stamp;

    internal bool HasChanges => _dirty.Count > 0;

    /// <summary>True if memory has a version of a page, and not the data file alone.</summary>
    internal bool HasVersion(long page) => _table.NewestTransaction(page) != 0;

    /// <summary>
    /// Makes all changes durable and visible, or none, and ends the transaction. Returns when they are on the medium.
    /// </summary>
    /// <exception cref="StoragePoisonedException">An earlier write failed.</exception>
    /// <exception cref="StorageIOException">This write failed; nothing of the transaction is acknowledged.</exception>
    /// <exception cref="TransactionTooLargeException">It is more than memory or a record of the journal may hold.
    /// </exception>
    public void Commit()
    {
        ObjectDisposedException.ThrowIf(!_isOpen, this);
        Environment.Commits.Commit(this);
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        Abandon();
        if (_isRented)
        {
            _isRented = false;
            Environment.ReturnWriter(this);
        }
    }

    /// <summary>Opens the tree of a name, and makes it if there is none.</summary>
    public Tree OpenOrCreateTree(string name) => Catalog.OpenOrCreateTree(name);

    /// <summary>Opens the tree of a name, in UTF-8, and makes it if there is none.</summary>
    public Tree OpenOrCreateTree(ReadOnlySpan<byte> name) => Catalog.OpenOrCreateTree(name);

    /// <summary>Opens the tree with 8-byte keys of a name, in UTF-8, and makes it if there is none.</summary>
    public FixedTree OpenOrCreateFixedTree(ReadOnlySpan<byte> name, int valueSizeBytes) =>
        Catalog.OpenOrCreateFixedTree(name, valueSizeBytes);

    /// <summary>Opens the heap of a name, in UTF-8, and makes it if there is none.</summary>
    public RowHeap OpenOrCreateRowHeap(ReadOnlySpan<byte> name) => Catalog.OpenOrCreateRowHeap(name);

    /// <summary>Opens the multi-value tree of a name, in UTF-8, and makes it if there is none.</summary>
    public MultiTree OpenOrCreateMultiTree(ReadOnlySpan<byte> name) => Catalog.OpenOrCreateMultiTree(name);

    /// <summary>Opens the streams of a name, in UTF-8, and makes them if there are none.</summary>
    public StreamStore OpenOrCreateStreams(ReadOnlySpan<byte> name) => Catalog.OpenOrCreateStreams(name);

    /// <summary>Opens the table of a name, in UTF-8, and makes it if there is none.</summary>
    public Table OpenOrCreateTable(ReadOnlySpan<byte> name, TableSchema schema) =>
        Catalog.OpenOrCreateTable(name, schema);

    /// <summary>Removes a structure of any kind and frees its pages.</summary>
    /// <returns>False if there is none of this name.</returns>
    public bool DeleteStructure(ReadOnlySpan<byte> name) => Catalog.Delete(name);

    NativeSlice IPageWriter.ModifyPage(long pageNumber) => ModifyPage(pageNumber);

    NativeSlice IPageWriter.ModifyPageInParts(long pageNumber, out int handle)
    {
        ref DirtyPage dirty = ref _dirty.Find(pageNumber);
        if (Unsafe.IsNullRef(ref dirty))
        {
            dirty = ref Copy(pageNumber);
            dirty.Note(PageHeader.SizeInBytes, 0, 0);
        }

        handle = _dirty.PositionOf(ref dirty);
        return dirty.Place.IsEmpty ? ThrowFreed(pageNumber) : dirty.Place;
    }

    void IPageWriter.NoteChange(int handle, int lowEnd, int highStart, int highEnd) =>
        _dirty[handle].Note(lowEnd, highStart, highEnd);

    bool IPageWriter.IsJournaledWhole(int handle) =>
        _dirty[handle].Base.IsEmpty || _table.NewestTransaction(_dirty[handle].Page) <= _state.Boundary;

    long IPageWriter.AllocatePage(PageKind kind, int runLengthBytes, out NativeSlice page) =>
        AllocatePage(kind, runLengthBytes, out page);

    void IPageWriter.FreePage(long pageNumber) => FreePage(pageNumber);

    internal void Begin(in CommitPoint committed, PageTable table)
    {
        _point = committed;
        _point.TransactionId++;
        _table = table;
        _bytes = 0;
        _isApplied = false;
        _refusal = null;
        _isRented = true;
        _isOpen = true;
        Catalog.Begin(this, _point.CatalogRecord);
    }

    /// <summary>Writes the roots of the structures; the last change before the commit.</summary>
    /// <exception cref="TransactionTooLargeException">The transaction was refused a page (WRITE-4).</exception>
    /// <exception cref="StorageBusyException">
    /// The transaction was refused a page because others have the memory.
    /// </exception>
    internal void SaveCatalog()
    {
        Charge(0);
        if (!_isApplied)
        {
            Catalog.Save(_point.CatalogRecord);
        }
    }

    /// <summary>Makes this the transaction of another node, whose pages the caller puts in.</summary>
    internal void BeginApplied(in LogStamp stamp, long nextPageNumber, in CatalogRecord catalog)
    {
        _stamp = stamp;
        _isApplied = true;
        _point.NextPageNumber = nextPageNumber;
        _point.CatalogRecord = catalog;
    }

    /// <summary>True if a run of another node's transaction may go to the data file before the commit (DIRECT-1).
    /// </summary>
    internal bool MayBeDirect(long number, int pages) =>
        _isDurable && !_spool.IsOn && _freeSpace.AreClean(number, pages);

    /// <summary>Adds a page (or run) as another node has it: the caller writes its bytes.</summary>
    /// <param name="number">The page, which this transaction has not touched.</param>
    /// <param name="lengthBytes">Its length.</param>
    /// <param name="current">What it is copied from; empty if all of it is written.</param>
    internal ref DirtyPage AddApplied(long number, int lengthBytes, NativeSlice current)
    {
        int pages = lengthBytes / PageHeader.PageSizeInBytes;
        Charge(pages);
        _dirty.EnsureRoom();
        NativeSlice place = _scratch.Allocate(pages);
        ref DirtyPage dirty = ref _dirty.Add(number);
        dirty.Place = place;
        dirty.Base = current;
        dirty.NoteAll();
        return ref dirty;
    }

    /// <summary>Undoes the changes and releases the write lock, if that is not done yet.</summary>
    internal void Abandon()
    {
        if (_isOpen)
        {
            try
            {
                Rollback();
            }
            catch (Exception failure)
            {
                // What is free and what is not is no longer known here; the files are as they were.
                _faults.Trip(failure);
                throw;
            }
            finally
            {
                _writeLock.Exit();
            }
        }
    }

    /// <summary>Forgets the changes that the environment has taken over.</summary>
    internal void End()
    {
        Catalog.End();
        _dirty.Clear();
        _isOpen = false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal override NativeSlice GetPage(long pageNumber)
    {
        ref DirtyPage dirty = ref _dirty.Find(pageNumber);
        if (!Unsafe.IsNullRef(ref dirty))
        {
            return dirty.Place.IsEmpty ? ThrowFreed(pageNumber) : dirty.Place;
        }

        return CommittedPage(pageNumber);
    }

    /// <summary>The page as the state before this transaction has it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal NativeSlice CommittedPage(long pageNumber)
    {
        if ((ulong)pageNumber >= (ulong)_point.NextPageNumber)
        {
            ThrowNoSuchPage(pageNumber);
        }

        return _table.TryGet(pageNumber, long.MaxValue, out NativeSlice place) ? place : _data.GetPage(pageNumber);
    }

    internal NativeSlice ModifyPage(long pageNumber)
    {
        ref DirtyPage dirty = ref _dirty.Find(pageNumber);
        if (Unsafe.IsNullRef(ref dirty))
        {
            dirty = ref Copy(pageNumber);
        }

        dirty.NoteAll();
        return dirty.Place.IsEmpty ? ThrowFreed(pageNumber) : dirty.Place;
    }

    internal long AllocatePage(PageKind kind, int runLengthBytes, out NativeSlice page)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(runLengthBytes);
        int pages = kind == PageKind.Overflow ? PageHeader.PagesForRun(runLengthBytes) : 1;
        ArgumentOutOfRangeException.ThrowIfGreaterThan(pages, FreeSpace.RunPagesMax);
        Charge(pages);
        if (pages > 1)
        {
            _hooks.Mark(CoverageMark.RunAllocated);
        }

        bool isDirect = runLengthBytes > DirectRuns.LengthBytesMin && _isDurable && !_spool.IsOn;
        long number = isDirect ? _freeSpace.TryTakeClean(this, pages) : _freeSpace.TryTake(this, pages);
        number = number != 0 ? number : Extend(pages);
        page = AddNew(number, pages, kind, runLengthBytes);
        _dirty.Find(number).IsDirect = isDirect;
        return number;
    }

    internal void FreePage(long pageNumber)
    {
        int pages = GetPage(pageNumber).Length / PageHeader.PageSizeInBytes;
        ref DirtyPage dirty = ref _dirty.Find(pageNumber);
        if (Unsafe.IsNullRef(ref dirty))
        {
            dirty = ref _dirty.Add(pageNumber);
        }
        else
        {
            _scratch.Free(dirty.Place);
            _bytes -= dirty.Place.Length;
        }

        dirty.Place = default;
        dirty.Base = default;
        dirty.IsDirect = false;
        _freeSpace.Give(this, pageNumber, pages);
    }

    /// <summary>Frees the object's own memory; it cannot be used again.</summary>
    internal void Release() => _dirty.Dispose();

    private static NativeSlice ThrowFreed(long pageNumber) =>
        throw new InvalidOperationException($"Page {pageNumber} was freed by this transaction.");

    private void Rollback()
    {
        CommitPoint committed = _state.Last;
        _isOpen = false;
        Catalog.End();
        for (int i = 0; i < _dirty.Count; i++)
        {
            if (!_dirty[i].Place.IsEmpty)
            {
                _scratch.Free(_dirty[i].Place);
            }
        }

        if (_dirty.Count > 0)
        {
            var touched = new HashSet<long>();
            for (int i = 0; i < _dirty.Count; i++)
            {
                touched.Add(_dirty[i].Page);
            }

            _dirty.Clear();
            _point = committed;
            _hooks.Mark(CoverageMark.RolledBack);
            _freeSpace.Restore(this, committed.NextPageNumber, touched.Contains);
        }
    }

    /// <summary>This transaction's own copy of a page that it has not touched.</summary>
    private ref DirtyPage Copy(long pageNumber)
    {
        NativeSlice current = GetPage(pageNumber);
        int pages = current.Length / PageHeader.PageSizeInBytes;
        Charge(pages);
        _dirty.EnsureRoom();
        NativeSlice copy = _scratch.Allocate(pages);
        current.Span.CopyTo(copy.WritableSpan);
        MemoryMarshal.AsRef<PageHeader>(copy.WritableSpan).TransactionId = Id;
        ref DirtyPage dirty = ref _dirty.Add(pageNumber);
        dirty.Place = copy;
        dirty.Base = current;
        return ref dirty;
    }

    /// <summary>Takes pages that have never been used; a part of the free-space map lies at fixed numbers.</summary>
    private long Extend(int pages)
    {
        while (true)
        {
            long next = _point.NextPageNumber;
            if (FreeSpace.IsMapPage(next))
            {
                Charge(1);
                AddNew(next, 1, PageKind.FreeSpace, 0);
                _point.NextPageNumber = next + 1;
                _freeSpace.AddPart();
                continue;
            }

            long endOfPart = (next / FreeSpace.PagesPerPart + 1) * FreeSpace.PagesPerPart;
            if (next + pages <= endOfPart)
            {
                _point.NextPageNumber = next + pages;
                return next;
            }

            _point.NextPageNumber = endOfPart;
            _freeSpace.Give(this, next, (int)(endOfPart - next));
        }
    }

    private NativeSlice AddNew(long number, int pages, PageKind kind, int runLengthBytes)
    {
        _dirty.EnsureRoom();
        NativeSlice place = _scratch.Allocate(pages);

        // The caller writes the bytes of a run; those before and behind them are zero.
        int payload = kind == PageKind.Overflow ? runLengthBytes : 0;
        place.WritableSpan[..PageHeader.SizeInBytes].Clear();
        place.WritableSpan[(PageHeader.SizeInBytes + payload)..].Clear();
        MemoryMarshal.AsRef<PageHeader>(place.WritableSpan) = new PageHeader
        {
            PageNumber = number,
            TransactionId = Id,
            Kind = kind,
            RunLengthBytes = kind == PageKind.Overflow ? runLengthBytes : 0,
        };
        ref DirtyPage dirty = ref _dirty.Find(number);
        if (Unsafe.IsNullRef(ref dirty))
        {
            dirty = ref _dirty.Add(number);
        }

        Check(dirty.Place.IsEmpty, number);
        dirty.Place = place;
        dirty.Base = default;
        return place;
    }

    /// <summary>Adds pages to the size of the transaction, before memory is taken for them; throws if a bound does not
    /// allow them.</summary>
    private void Charge(int pages)
    {
        long more = (long)pages * PageHeader.PageSizeInBytes;
        if (_refusal is not null || _bytes + more > _bytesMax || !HasMemoryFor(more))
        {
            throw _refusal ??= Refusal(more);
        }

        _bytes += more;
    }

    /// <summary>
    /// Whether the bound on scratch memory allows so many bytes more. Memory that this environment has taken from the
    /// system already is always used, and a small environment may always continue: many idle environments hold a
    /// megabyte each that no flush could free.
    /// </summary>
    private bool HasMemoryFor(long more) =>
        _budget.HasRoomFor(more)
        || _scratch.UsedBytes + more <= Math.Max(WritePressure.ScratchBytesMin, _scratch.CommittedBytes);

    private Exception Refusal(long more) => _bytes + more > _bytesMax
        ? new TransactionTooLargeException(
            "changed pages (StorageOptions.TransactionBytesMax)", _bytes + more, _bytesMax)
        : new StorageBusyException(
            $"The transactions of this process hold {_budget.UsedBytes} bytes of scratch memory of at most "
            + $"{_budget.CeilingBytes}; this one has {_bytes} of them, and nothing of it is written.");

    private static void Check(bool isFree, long number)
    {
        if (!isFree)
        {
            throw new InvalidOperationException($"Page {number} is handed out twice.");
        }
    }
}
