using System.Buffers;
using System.Numerics;

namespace Raven.Blittable.Memory;

/// <summary>
/// Arrays for short use. Small ones come from the shared pool. That keeps one of each size for each thread, and more
/// for each processor, for a minute and longer, so of larger ones only a few are kept here, until <see cref="Trim"/>;
/// the largest are allocated, and left to the collector when they are returned. Any thread.
/// </summary>
public static class ScratchArrays
{
    /// <summary>The longest array that is kept for reuse.</summary>
    public const int PooledLengthMax = 1 << 20;

    /// <summary>The longest array of the shared pool.</summary>
    internal const int SharedLengthMax = 1 << SharedLog2Max;

    private const int SharedLog2Max = 16;

    /// <summary>The bytes kept of all larger arrays together.</summary>
    private const int KeptBytesMax = 16 << 20;

    private static readonly Lock Gate = new();

    /// <summary>By length, from twice the longest shared one on; all room for them is allocated here.</summary>
    private static readonly Stack<byte[]>[] Kept =
    [
        .. Enumerable.Range(SharedLog2Max + 1, BitOperations.Log2(PooledLengthMax) - SharedLog2Max)
            .Select(log2 => new Stack<byte[]>(KeptBytesMax >> log2)),
    ];

    private static long s_keptBytes;

    /// <summary>An array with undefined content, of at least this length.</summary>
    public static byte[] Rent(int length) => length <= SharedLengthMax ? ArrayPool<byte>.Shared.Rent(length)
        : length <= PooledLengthMax ? RentLarger(BitOperations.Log2((uint)length - 1) + 1)
        : GC.AllocateUninitializedArray<byte>(length);

    /// <summary>Gives an array back that <see cref="Rent"/> gave.</summary>
    public static void Return(byte[] array)
    {
        ArgumentNullException.ThrowIfNull(array);
        if (array.Length <= SharedLengthMax)
        {
            ArrayPool<byte>.Shared.Return(array);
        }
        else if (array.Length <= PooledLengthMax)
        {
            lock (Gate)
            {
                if (s_keptBytes + array.Length <= KeptBytesMax)
                {
                    s_keptBytes += array.Length;
                    Kept[BitOperations.Log2((uint)array.Length) - SharedLog2Max - 1].Push(array);
                }
            }
        }
    }

    /// <summary>Leaves the kept larger arrays to the collector. Allocates nothing.</summary>
    public static void Trim()
    {
        lock (Gate)
        {
            foreach (Stack<byte[]> arrays in Kept)
            {
                arrays.Clear();
            }

            s_keptBytes = 0;
        }
    }

    private static byte[] RentLarger(int log2)
    {
        lock (Gate)
        {
            if (Kept[log2 - SharedLog2Max - 1].TryPop(out byte[]? kept))
            {
                s_keptBytes -= kept.Length;
                return kept;
            }
        }

        return GC.AllocateUninitializedArray<byte>(1 << log2);
    }
}
