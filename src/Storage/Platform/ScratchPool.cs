using System.Numerics;
using Raven.Blittable.Memory;
using Raven.Storage.Paging;

namespace Raven.Storage.Platform;

// SCRATCH-1  A segment serves one class: runs of 1, 2, 4 or 8 pages. Longer runs have memory of their own.
// SCRATCH-2  A run is given back with the length that it was taken with, and so to its own class.

/// <summary>
/// Memory for changed pages: anonymous, aligned to pages, taken in segments and given back when a segment is empty.
/// Counts what it holds in a budget that all environments of the process share. Any thread.
/// </summary>
internal sealed unsafe class ScratchPool : IDisposable
{
    private const int SegmentSizeInBytes = ScratchSegments.SizeInBytes;
    private const int ClassCount = 4;
    private const int PooledPagesMax = 1 << (ClassCount - 1);

    private readonly Lock _lock = new();
    private readonly ScratchBudget _budget;
    private readonly ScratchSegments _source;
    private readonly Dictionary<nint, Segment> _segments = [];
    private readonly Segment?[] _withRoom = new Segment?[ClassCount];
    private long _usedBytes;
    private long _committedBytes;

    internal ScratchPool(ScratchBudget budget)
        : this(budget, ScratchSegments.Shared)
    {
    }

    internal ScratchPool(ScratchBudget budget, ScratchSegments segments)
    {
        _budget = budget;
        _source = segments;
    }

    /// <summary>Bytes in pages that are handed out.</summary>
    internal long UsedBytes => Volatile.Read(ref _usedBytes);

    /// <summary>Bytes taken from the system.</summary>
    internal long CommittedBytes => Volatile.Read(ref _committedBytes);

    /// <summary>Memory for a run of pages; its content is undefined.</summary>
    internal NativeSlice Allocate(int pages)
    {
        int bytes = checked(pages * PageHeader.PageSizeInBytes);
        lock (_lock)
        {
            // Counted when it is there: the system may refuse it.
            if (pages > PooledPagesMax)
            {
                byte* run = _source.TakeRun(bytes);
                Commit(bytes);
                _usedBytes += bytes;
                return new NativeSlice(run, bytes);
            }

            int sizeClass = ClassOf(pages);
            Segment segment = _withRoom[sizeClass] ?? AddSegment(sizeClass);
            byte* start = segment.Take();
            _usedBytes += BytesTaken(pages);
            if (segment.IsFull)
            {
                Unlink(segment);
            }

            return new NativeSlice(start, bytes);
        }
    }

    /// <summary>Gives a run back.</summary>
    internal void Free(NativeSlice run)
    {
        int pages = run.Length / PageHeader.PageSizeInBytes;
        lock (_lock)
        {
            _usedBytes -= BytesTaken(pages);
            if (pages > PooledPagesMax)
            {
                _source.GiveRun(run.Pointer, run.Length);
                Commit(-run.Length);
                return;
            }

            Segment segment = _segments[(nint)run.Pointer & -SegmentSizeInBytes];
            bool wasFull = segment.IsFull;
            segment.Give(run.Pointer);
            if (wasFull)
            {
                Link(segment);
            }
            else if (segment.IsEmpty && (segment.Next ?? segment.Previous) is not null)
            {
                Unlink(segment);
                Release(segment);
            }
        }
    }

    public void Dispose()
    {
        lock (_lock)
        {
            foreach (Segment segment in _segments.Values.ToArray())
            {
                Release(segment);
            }

            Array.Clear(_withRoom);
        }
    }

    private static int ClassOf(int pages) => BitOperations.Log2((uint)(2 * pages - 1));

    private static long BytesTaken(int pages) =>
        (long)(pages > PooledPagesMax ? pages : 1 << ClassOf(pages)) * PageHeader.PageSizeInBytes;

    private Segment AddSegment(int sizeClass)
    {
        byte* start = _source.Take();
        Commit(SegmentSizeInBytes);
        var segment = new Segment(start, sizeClass);
        _segments.Add((nint)start, segment);
        Link(segment);
        return segment;
    }

    private void Release(Segment segment)
    {
        _segments.Remove((nint)segment.Start);
        _source.Give(segment.Start);
        Commit(-SegmentSizeInBytes);
    }

    private void Commit(long bytes)
    {
        _committedBytes += bytes;
        _budget.Add(bytes);
    }

    private void Link(Segment segment)
    {
        segment.Previous = null;
        segment.Next = _withRoom[segment.SizeClass];
        if (segment.Next is not null)
        {
            segment.Next.Previous = segment;
        }

        _withRoom[segment.SizeClass] = segment;
    }

    private void Unlink(Segment segment)
    {
        if (segment.Previous is null)
        {
            _withRoom[segment.SizeClass] = segment.Next;
        }
        else
        {
            segment.Previous.Next = segment.Next;
        }

        if (segment.Next is not null)
        {
            segment.Next.Previous = segment.Previous;
        }

        segment.Next = segment.Previous = null;
    }

    private sealed class Segment
    {
        private readonly ushort[] _free;
        private readonly int _runSizeInBytes;
        private int _freeCount;

        internal Segment(byte* start, int sizeClass)
        {
            Start = start;
            SizeClass = sizeClass;
            _runSizeInBytes = PageHeader.PageSizeInBytes << sizeClass;
            _free = new ushort[SegmentSizeInBytes / _runSizeInBytes];
            _freeCount = _free.Length;
            for (int i = 0; i < _free.Length; i++)
            {
                _free[i] = (ushort)(_free.Length - 1 - i);
            }
        }

        internal byte* Start { get; }

        internal int SizeClass { get; }

        internal Segment? Next { get; set; }

        internal Segment? Previous { get; set; }

        internal bool IsFull => _freeCount == 0;

        internal bool IsEmpty => _freeCount == _free.Length;

        internal byte* Take() => Start + (long)_free[--_freeCount] * _runSizeInBytes;

        internal void Give(byte* run) => _free[_freeCount++] = (ushort)((run - Start) / _runSizeInBytes);
    }
}
