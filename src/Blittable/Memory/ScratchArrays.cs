using System.Buffers;

namespace Raven.Blittable.Memory;

/// <summary>
/// Arrays for a moment's work. Small ones come from the shared pool. That keeps one of each size for each thread, and
/// more for each processor, for a minute and longer, so that larger ones come from a pool that can be emptied
/// (<see cref="Trim"/>), and the largest are new, and the collector's as soon as they are given back. Any thread.
/// </summary>
public static class ScratchArrays
{
    /// <summary>The longest array that is kept for reuse.</summary>
    public const int PooledLengthMax = 1 << 20;

    /// <summary>The longest array of the shared pool.</summary>
    internal const int SharedLengthMax = 64 * 1024;

    private const int KeptOfEachLength = 16;

    private static volatile ArrayPool<byte> s_larger = CreateLarger();

    /// <summary>An array with undefined content, at least as long as asked for.</summary>
    public static byte[] Rent(int length) => length <= SharedLengthMax ? ArrayPool<byte>.Shared.Rent(length)
        : length <= PooledLengthMax ? s_larger.Rent(length)
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
            s_larger.Return(array);
        }
    }

    /// <summary>Leaves the larger arrays that are kept to the collector.</summary>
    public static void Trim() => s_larger = CreateLarger();

    private static ArrayPool<byte> CreateLarger() => ArrayPool<byte>.Create(PooledLengthMax, KeptOfEachLength);
}
