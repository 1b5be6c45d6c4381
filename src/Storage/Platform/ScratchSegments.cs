using System.Runtime.InteropServices;
using Raven.Storage.Paging;

namespace Raven.Storage.Platform;

// Measured: a load in random order takes and gives back 100 MB at each flush, and its page faults were a tenth of it.

/// <summary>
/// Segments of scratch memory that no environment holds, kept for the next that needs one. The system is told that it
/// may take their pages whenever it is short of memory (MADV_FREE); until it does, their next use faults none in. Any
/// thread.
/// </summary>
internal static unsafe class ScratchSegments
{
    /// <summary>The size of a segment, and what it is aligned to.</summary>
    internal const int SizeInBytes = 1 << 20;

    private const long KeptBytesMax = 256L << 20;

    private static readonly Stack<nint> Idle = new();

    private static readonly int KeptMax = OperatingSystem.IsLinux()
        ? (int)(Math.Min(KeptBytesMax, ScratchBudget.Shared.SizeBytesMax / 8) / SizeInBytes)
        : 0;

    /// <summary>A segment with undefined content.</summary>
    internal static byte* Take()
    {
        lock (Idle)
        {
            if (Idle.TryPop(out nint segment))
            {
                return (byte*)segment;
            }
        }

        return (byte*)NativeMemory.AlignedAlloc(SizeInBytes, SizeInBytes);
    }

    /// <summary>Takes a segment back.</summary>
    internal static void Give(byte* segment)
    {
        bool isKept = KeptMax > 0 && Libc.Advise(segment, SizeInBytes, Libc.AdviseFree) == 0;
        if (isKept)
        {
            lock (Idle)
            {
                isKept = Idle.Count < KeptMax;
                if (isKept)
                {
                    Idle.Push((nint)segment);
                }
            }
        }

        if (!isKept)
        {
            NativeMemory.AlignedFree(segment);
        }
    }
}
