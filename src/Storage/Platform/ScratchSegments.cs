using System.Numerics;
using System.Runtime.InteropServices;

namespace Raven.Storage.Platform;

// Measured: a load in random order takes and frees 100 MB at each flush, and page faults took a tenth of its time. A
// value of 16 MB takes half the processor time if it gets the memory of the value before, as glibc takes an aligned
// block of that size from the system each time. MADV_FREE on a segment makes each core drop its addresses: if
// environments are opened and closed one after the other and it is not called for their few segments, they take a
// quarter less processor time.
//
// LONG-1  A long run begins a few cache lines behind the start of a page. Writing it to a file copies it to pages
//         of the system; some processors copy from page start to page start at a sixth of their speed, depending on
//         the addresses (AMD EPYC, `rep movsb`: 16 MB in 31 to 37 ms or in 5 to 8; with 64, 144 or 512 bytes
//         between, never).

/// <summary>
/// Scratch memory that no environment holds, segments and long runs, kept for the next one that needs some. The
/// system may take its pages when it is short of memory (MADV_FREE); until it does, their next use causes no page
/// faults. Any thread.
/// </summary>
/// <param name="keptMax">How many segments are kept, or as many bytes.</param>
internal sealed unsafe class ScratchSegments(int keptMax)
{
    /// <summary>The size of a segment, and what it is aligned to.</summary>
    internal const int SizeInBytes = 1 << 20;

    private const long KeptBytesMax = 256L << 20;
    private const int RunAlignment = 4096;
    private const int RunOffset = 256;
    private const int LargestRunLog2 = 26;
    private const int LastRunLengthMax = 20 << 20;
    private const int WarmMax = 12;

    private readonly Lock _lock = new();
    private readonly Stack<nint> _idle = new();

    /// <summary>A few segments on which MADV_FREE is not called.</summary>
    private readonly Stack<nint> _warm = new();

    /// <summary>Runs, by the logarithm of the length that they have room for.</summary>
    private readonly Stack<nint>[] _runs =
        [.. Enumerable.Range(0, LargestRunLog2 + 1).Select(_ => new Stack<nint>())];

    private readonly long _idleBytesMax = (long)keptMax * SizeInBytes;
    private long _idleBytes;

    /// <summary>
    /// The run that was freed last, on which MADV_FREE is not called: a writer that stores large values one after the
    /// other gets the same memory each time.
    /// </summary>
    private byte* _lastRun;
    private int _lastRunLength;

    /// <summary>The one of this process.</summary>
    internal static ScratchSegments Shared { get; } = new(
        OperatingSystem.IsLinux()
            ? (int)(Math.Min(KeptBytesMax, ScratchBudget.Shared.SizeBytesMax / 8) / SizeInBytes)
            : 0);

    /// <summary>Runs before memory is allocated; a test makes the allocation fail by an exception.</summary>
    internal Action? BeforeAllocation { get; init; }

    /// <summary>Bytes that no environment holds, though the system may have taken them.</summary>
    internal long IdleBytes
    {
        get
        {
            lock (_lock)
            {
                return _idleBytes + (_lastRun == null ? 0 : 1L << Log2Of(_lastRunLength));
            }
        }
    }

    /// <summary>A segment with undefined content.</summary>
    internal byte* Take()
    {
        lock (_lock)
        {
            if (_warm.TryPop(out nint warm))
            {
                _idleBytes -= SizeInBytes;
                return (byte*)warm;
            }
        }

        return Take(_idle, SizeInBytes, SizeInBytes);
    }

    /// <summary>Takes a segment back.</summary>
    internal void Give(byte* segment)
    {
        lock (_lock)
        {
            if (_warm.Count < WarmMax && _idleBytes + SizeInBytes <= _idleBytesMax)
            {
                _idleBytes += SizeInBytes;
                _warm.Push((nint)segment);
                return;
            }
        }

        Give(_idle, segment, SizeInBytes, SizeInBytes);
    }

    /// <summary>Memory for one long run, with undefined content. Pages that are never touched take no memory.</summary>
    internal byte* TakeRun(int length) => TakeBlock(length + RunOffset) + RunOffset;

    /// <summary>Takes a run back, with the length that it was taken with.</summary>
    internal void GiveRun(byte* run, int length) => GiveBlock(run - RunOffset, length + RunOffset);

    private byte* TakeBlock(int length)
    {
        int log2 = Log2Of(length);
        if (log2 > LargestRunLog2)
        {
            BeforeAllocation?.Invoke();
            return (byte*)NativeMemory.AlignedAlloc((nuint)length, RunAlignment);
        }

        lock (_lock)
        {
            byte* last = _lastRun;
            if (last != null && Log2Of(_lastRunLength) == log2)
            {
                _lastRun = null;
                return last;
            }
        }

        return Take(_runs[log2], 1 << log2, RunAlignment);
    }

    private void GiveBlock(byte* run, int length)
    {
        if (Log2Of(length) > LargestRunLog2)
        {
            NativeMemory.AlignedFree(run);
            return;
        }

        if (length <= Math.Min(LastRunLengthMax, _idleBytesMax))
        {
            lock (_lock)
            {
                byte* last = _lastRun;
                int lastLength = _lastRunLength;
                _lastRun = run;
                _lastRunLength = length;
                run = last;
                length = lastLength;
            }
        }

        if (run != null)
        {
            int log2 = Log2Of(length);
            Give(_runs[log2], run, 1 << log2, length);
        }
    }

    /// <summary>Gives what is idle back to the system.</summary>
    internal void Trim()
    {
        lock (_lock)
        {
            Free(_warm);
            Free(_idle);
            Array.ForEach(_runs, Free);
            NativeMemory.AlignedFree(_lastRun);
            _lastRun = null;
            _idleBytes = 0;
        }
    }

    private static void Free(Stack<nint> idle)
    {
        while (idle.TryPop(out nint memory))
        {
            NativeMemory.AlignedFree((void*)memory);
        }
    }

    private static int Log2Of(int length) => BitOperations.Log2((uint)length - 1) + 1;

    private byte* Take(Stack<nint> idle, int size, int alignment)
    {
        lock (_lock)
        {
            if (idle.TryPop(out nint memory))
            {
                _idleBytes -= size;
                return (byte*)memory;
            }
        }

        BeforeAllocation?.Invoke();
        return (byte*)NativeMemory.AlignedAlloc((nuint)size, (nuint)alignment);
    }

    private void Give(Stack<nint> idle, byte* memory, int size, int touched)
    {
        if (_idleBytesMax > 0 && Libc.Advise(memory, touched, Libc.AdviseFree) == 0)
        {
            lock (_lock)
            {
                if (_idleBytes + size <= _idleBytesMax)
                {
                    _idleBytes += size;
                    idle.Push((nint)memory);
                    return;
                }
            }
        }

        NativeMemory.AlignedFree(memory);
    }
}
