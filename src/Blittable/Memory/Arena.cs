using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Raven.Blittable.Memory;

//   reserved      |<---------------------- 128 MB of addresses ---------------------->|
//   committed     |<------- memory ------->|
//   used          |<--- blocks --->|
//               start            next   committed                                    end
//
//   ARENA-1  start <= next <= committed <= end, and next is a multiple of 8.
//   ARENA-2  Everything below next in the current segment, and all of the earlier segments, may be in use.
//   ARENA-3  The generation changes with every reset, so that a debug build detects blocks from before it.

/// <summary>
/// Memory for one operation: allocating moves a pointer, and all of it is freed by setting the pointer to the start.
/// Not thread-safe: one operation uses it at a time, on whatever thread it runs. Blocks are aligned to 8 bytes and not
/// cleared. A block is valid until the next <see cref="Reset"/> or <see cref="Dispose"/>.
/// </summary>
public sealed unsafe class Arena : IDisposable
{
    /// <summary>The addresses that one segment reserves.</summary>
    public const int SegmentSizeBytes = 128 << 20;

    /// <summary>The most bytes that are committed beyond what a block needs.</summary>
    public const int GrowthStepBytes = 16 << 20;

    private byte* _next;
    private byte* _committed;
    private ArenaSegment _segment;
    private ArenaSegment[] _earlier = [];
    private int _earlierCount;
    private long _earlierUsedBytes;
    private long _highWaterBytes;
    private int _generation;
    private bool _disposed;

    /// <summary>The bytes that blocks take, alignment included.</summary>
    public long UsedBytes => _earlierUsedBytes + (_next - _segment.Start);

    /// <summary>The bytes of memory that the system gave, used or not.</summary>
    public long CommittedBytes
    {
        get
        {
            long bytes = _segment.CommittedBytes;
            for (int i = 0; i < _earlierCount; i++)
            {
                bytes += _earlier[i].CommittedBytes;
            }

            return bytes;
        }
    }

    /// <summary>The most that was ever in use.</summary>
    public long HighWaterBytes => Math.Max(_highWaterBytes, UsedBytes);

    /// <summary>
    /// How many bytes blocks may take. Checked only when the system is asked for memory, so that up to
    /// <see cref="GrowthStepBytes"/> more are given.
    /// </summary>
    public long LimitBytes { get; set; } = long.MaxValue;

    /// <summary>How often the arena was reset; a block belongs to one generation.</summary>
    internal int Generation => _generation;

    /// <summary>Takes a block of <paramref name="bytes"/> bytes; its content is undefined.</summary>
    /// <param name="bytes">The size, 0 or more.</param>
    /// <exception cref="ArenaLimitException">Blocks would take more than <see cref="LimitBytes"/>.</exception>
    /// <exception cref="InsufficientMemoryException">The system has no more memory.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public NativeSlice Allocate(int bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        byte* block = _next;
        long aligned = ((long)bytes + 7) & ~7L;
        if (aligned > _committed - block)
        {
            return AllocateSlow(bytes);
        }

        _next = block + aligned;
        return new NativeSlice(block, bytes, this);
    }

    /// <summary>
    /// Grows or shrinks the block that was allocated last, in place. False, with nothing changed, if
    /// <paramref name="last"/> is not the last block or its segment has no room.
    /// </summary>
    /// <param name="last">The last block; gets its new length.</param>
    /// <param name="bytes">Its new size, 0 or more.</param>
    public bool TryExtend(ref NativeSlice last, int bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        byte* block = last.Pointer;
        if (!IsLast(last) || block == null)
        {
            return false;
        }

        byte* end = block + (((long)bytes + 7) & ~7L);
        if (end > _committed && (end - block > LimitBytes - (UsedBytes - (_next - block)) || !TryCommit(end)))
        {
            return false;
        }

        NoteHighWater();
        _next = end;
        last = new NativeSlice(block, bytes, this);
        return true;
    }

    /// <summary>Frees a block if it is the one allocated last; any other waits for <see cref="Reset"/>.</summary>
    public void Free(NativeSlice last)
    {
        if (IsLast(last))
        {
            NoteHighWater();
            _next = last.Pointer;
        }
    }

    /// <summary>
    /// Frees all blocks at once. The memory stays with the arena, except for segments beyond the first.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Reset()
    {
        NoteHighWater();
        if (_earlierCount != 0)
        {
            ReleaseLaterSegments();
        }

        Poison();
        _next = _segment.Start;
        _generation++;
    }

    /// <summary>Returns memory that no block uses to the system, down to <paramref name="keepBytes"/>.</summary>
    public void Trim(long keepBytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(keepBytes);
        if (_segment.Start != null)
        {
            _segment.Trim(Math.Max(keepBytes, _next - _segment.Start));
            _committed = _segment.Committed;
        }
    }

    /// <summary>Frees everything. The arena must not be used anymore.</summary>
    public void Dispose()
    {
        if (_disposed)
        {
            return;
        }

        _disposed = true;
        NoteHighWater();
        ReleaseLaterSegments();
        if (_segment.Start != null)
        {
            _segment.Release();
        }

        _next = null;
        _committed = null;
        _generation++;
    }

    private bool IsLast(NativeSlice block) =>
        block.Pointer + (((long)block.Length + 7) & ~7L) == _next && block.Pointer >= _segment.Start;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private NativeSlice AllocateSlow(int bytes)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        long aligned = ((long)bytes + 7) & ~7L;
        if (aligned > LimitBytes - UsedBytes)
        {
            throw new ArenaLimitException(LimitBytes);
        }

        if (_segment.Start == null || !TryCommit(_next + aligned))
        {
            StartSegment(aligned);
        }

        byte* block = _next;
        _next = block + aligned;
        Debug.Assert(_next <= _committed, "ARENA-1");
        return new NativeSlice(block, bytes, this);
    }

    private bool TryCommit(byte* end)
    {
        bool done = _segment.TryCommitTo(end);
        _committed = _segment.Committed;
        return done;
    }

    private void StartSegment(long neededBytes)
    {
        long reserve = Math.Max(SegmentSizeBytes, neededBytes + AddressSpace.CommitStepBytes);
        ArenaSegment created = ArenaSegment.Create(reserve, neededBytes);
        if (created.CommittedBytes < neededBytes && !created.TryCommitTo(created.Start + neededBytes))
        {
            created.Release();
            throw new InsufficientMemoryException($"The system gives no {neededBytes} bytes for an operation.");
        }

        if (_segment.Start != null)
        {
            if (_earlierCount == _earlier.Length)
            {
                Array.Resize(ref _earlier, Math.Max(4, _earlierCount * 2));
            }

            _earlier[_earlierCount++] = _segment;
            _earlierUsedBytes += _next - _segment.Start;
        }

        _segment = created;
        _next = created.Start;
        _committed = created.Committed;
    }

    private void ReleaseLaterSegments()
    {
        if (_earlierCount == 0)
        {
            return;
        }

        _segment.Release();
        for (int i = 1; i < _earlierCount; i++)
        {
            _earlier[i].Release();
        }

        _segment = _earlier[0];
        _committed = _segment.Committed;
        _next = _segment.Start;
        _earlierCount = 0;
        _earlierUsedBytes = 0;
    }

    private void NoteHighWater()
    {
        long used = UsedBytes;
        if (used > _highWaterBytes)
        {
            _highWaterBytes = used;
        }
    }

    // Data read through a stale span (which no generation protects) is at least recognizable.
    [Conditional("DEBUG")]
    private void Poison() => new Span<byte>(_segment.Start, (int)Math.Min(_next - _segment.Start, 4096)).Fill(0xDD);
}
