using System.Numerics;
using System.Runtime.InteropServices;

namespace Raven.Storage.Platform;

// Measured: a load in random order takes and gives back 100 MB at each flush, and its page faults were a tenth of it. A
// value of 16 MB takes half the processor time where its memory is that of the value before: glibc takes an aligned
// block of such a size from the system each time. Telling the system of a segment makes each core forget its addresses:
// where environments are opened and closed one after the other, and of their few segments nothing is told, they take a
// quarter less of the processor.
//
// LONG-1  A long run begins a few lines of the cache behind the start of a page, not at it. To write it to a file is to
//         copy it to pages of the system's; from the start of a page to the start of a page some processors copy at a
//         sixth of their speed, by the addresses of the moment (AMD EPYC, `rep movsb`: 16 MB in 31 to 37 ms or in 5 to
//         8; with 64, 144 or 512 bytes between, never).

/// <summary>
/// Scratch memory that no environment holds, segments and long runs, kept for the next that needs some. The system is
/// told that it may take its pages whenever it is short of memory (MADV_FREE); until it does, their next use faults
/// none in. Any thread.
/// </summary>
/// <param name="keptMax">The segments that are kept, or as many bytes.</param>
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

    /// <summary>A few segments of which the system is told nothing.</summary>
    private readonly Stack<nint> _warm = new();

    /// <summary>Runs, by the logarithm of the length that they have room for.</summary>
    private readonly Stack<nint>[] _runs =
        [.. Enumerable.Range(0, LargestRunLog2 + 1).Select(_ => new Stack<nint>())];

    private readonly long _idleBytesMax = (long)keptMax * SizeInBytes;
    private long _idleBytes;

    /// <summary>The run that was given back last, of which the system is told nothing: who stores one large value after
    /// the other has the same memory each time.</summary>
    private byte* _lastRun;
    private int _lastRunLength;

    /// <summary>Those of the process.</summary>
    internal static ScratchSegments Shared { get; } = new(
        OperatingSystem.IsLinux()
            ? (int)(Math.Min(KeptBytesMax, ScratchBudget.Shared.SizeBytesMax / 8) / SizeInBytes)
            : 0);

    /// <summary>Runs before the system is asked for memory; a test refuses it there by an exception.</summary>
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

    /// <summary>Memory for one long run, with undefined content. What is never touched takes no memory.</summary>
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
