using System.Runtime.InteropServices;
using Raven.Storage.Paging;

namespace Raven.Storage.Platform;

// Measured: a load in random order takes and gives back 100 MB at each flush, and its page faults were a tenth of it.

/// <summary>
/// Segments of scratch memory that no environment holds, kept for the next that needs one. The system is told that it
/// may take their pages whenever it is short of memory (MADV_FREE); until it does, their next use faults none in. Any
/// thread.
/// </summary>
internal sealed unsafe class ScratchSegments(int keptMax)
{
    /// <summary>The size of a segment, and what it is aligned to.</summary>
    internal const int SizeInBytes = 1 << 20;

    private const long KeptBytesMax = 256L << 20;

    private readonly Stack<nint> _idle = new();

    /// <summary>Those of the process.</summary>
    internal static ScratchSegments Shared { get; } = new(
        OperatingSystem.IsLinux()
            ? (int)(Math.Min(KeptBytesMax, ScratchBudget.Shared.SizeBytesMax / 8) / SizeInBytes)
            : 0);

    /// <summary>A segment with undefined content.</summary>
    internal byte* Take()
    {
        lock (_idle)
        {
            if (_idle.TryPop(out nint segment))
            {
                return (byte*)segment;
            }
        }

        return (byte*)NativeMemory.AlignedAlloc(SizeInBytes, SizeInBytes);
    }

    /// <summary>Bytes that no environment holds, though the system may have taken them.</summary>
    internal long IdleBytes
    {
        get
        {
            lock (_idle)
            {
                return (long)_idle.Count * SizeInBytes;
            }
        }
    }

    /// <summary>Gives the idle segments back to the system.</summary>
    internal void Trim()
    {
        lock (_idle)
        {
            while (_idle.TryPop(out nint segment))
            {
                NativeMemory.AlignedFree((void*)segment);
            }
        }
    }

    /// <summary>Takes a segment back.</summary>
    internal void Give(byte* segment)
    {
        bool isKept = keptMax > 0 && Libc.Advise(segment, SizeInBytes, Libc.AdviseFree) == 0;
        if (isKept)
        {
            lock (_idle)
            {
                isKept = _idle.Count < keptMax;
                if (isKept)
                {
                    _idle.Push((nint)segment);
                }
            }
        }

        if (!isKept)
        {
            NativeMemory.AlignedFree(segment);
        }
    }
}
