using System.Buffers;

namespace Raven.Blittable.Memory;

/// <summary>
/// Arrays for a moment's work. Small ones come from the shared pool; large ones are new, and the collector's as soon as
/// they are given back: the pool keeps one of each size for each thread, for a minute, whatever limit of memory a
/// server was told. Any thread.
/// </summary>
public static class ScratchArrays
{
    /// <summary>The longest array that is kept for reuse.</summary>
    public const int PooledLengthMax = 1 << 20;

    /// <summary>An array with undefined content, at least as long as asked for.</summary>
    public static byte[] Rent(int length) => length <= PooledLengthMax
        ? ArrayPool<byte>.Shared.Rent(length)
        : GC.AllocateUninitializedArray<byte>(length);

    /// <summary>Gives an array back that <see cref="Rent"/> gave.</summary>
    public static void Return(byte[] array)
    {
        ArgumentNullException.ThrowIfNull(array);
        if (array.Length <= PooledLengthMax)
        {
            ArrayPool<byte>.Shared.Return(array);
        }
    }
}
