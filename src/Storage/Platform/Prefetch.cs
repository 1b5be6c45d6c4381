using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace Raven.Storage.Platform;

/// <summary>Asks the processor to load memory ahead of its use, so that cache misses overlap.</summary>
internal static unsafe class Prefetch
{
    private const int CacheLineBytes = 64;

    /// <summary>Cache lines from a place on; does nothing if the processor has no such instruction.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Lines(ref byte start, int count)
    {
        if (Sse.IsSupported)
        {
            byte* line = (byte*)Unsafe.AsPointer(ref start);
            for (int i = 0; i < count; i++)
            {
                Sse.Prefetch0(line + (CacheLineBytes * i));
            }
        }
    }

    /// <summary>Every second line from a place on.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void EachSecondLine(ref byte start, int count)
    {
        if (Sse.IsSupported)
        {
            byte* line = (byte*)Unsafe.AsPointer(ref start);
            for (int i = 0; i < count; i += 2)
            {
                Sse.Prefetch0(line + (CacheLineBytes * i));
            }
        }
    }
}
