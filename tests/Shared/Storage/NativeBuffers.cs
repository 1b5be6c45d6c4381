using System.Numerics;
using Raven.Storage.Platform;

namespace Shared.Storage;

/// <summary>
/// Native memory for simulated files, used again: a crash test makes and drops a disk for every image, and to take
/// its pages from the system each time was most of what it cost. Any thread.
/// </summary>
internal static class NativeBuffers
{
    private const int SmallestLog2 = 16;
    private const int LargestLog2 = 24;
    private const int KeptMax = 8;

    private static readonly Stack<NativeBuffer>[] Idle =
        [.. Enumerable.Range(SmallestLog2, LargestLog2 - SmallestLog2 + 1).Select(_ => new Stack<NativeBuffer>())];

    /// <summary>Memory of so many bytes at least; its content is undefined.</summary>
    internal static NativeBuffer Rent(int capacity)
    {
        int log2 = Math.Max(SmallestLog2, BitOperations.Log2((uint)Math.Max(capacity, 1) - 1) + 1);
        if (log2 > LargestLog2)
        {
            return new NativeBuffer(Math.Max(capacity, (int)Math.Min(2L * capacity, 1 << 30)));
        }

        lock (Idle)
        {
            if (Idle[log2 - SmallestLog2].TryPop(out NativeBuffer? idle))
            {
                return idle;
            }
        }

        return new NativeBuffer(1 << log2);
    }

    /// <summary>Takes memory back that is no longer used.</summary>
    internal static void Return(NativeBuffer buffer)
    {
        int log2 = BitOperations.Log2((uint)buffer.Capacity);
        if (log2 <= LargestLog2)
        {
            lock (Idle)
            {
                Stack<NativeBuffer> idle = Idle[log2 - SmallestLog2];
                if (idle.Count < KeptMax)
                {
                    idle.Push(buffer);
                    return;
                }
            }
        }

        buffer.Dispose();
    }
}
