using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Raven.Storage.Trees;

/// <summary>The order of keys: byte by byte, unsigned; a key comes before the longer ones that start with it.</summary>
internal static class KeyOrder
{
    // Measured (docs/performance/blittable.md): below this many bytes a loop over words beats the runtime's
    // vectorized compare.
    private const int WordLoopBytesMax = 64;

    /// <summary>Compares two keys.</summary>
    /// <returns>Negative, zero or positive, as the left one is before, equal to or after the right one.</returns>
    internal static int Compare(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
    {
        int shared = Math.Min(left.Length, right.Length);
        if (shared > WordLoopBytesMax)
        {
            return left.SequenceCompareTo(right);
        }

        ref byte x = ref MemoryMarshal.GetReference(left);
        ref byte y = ref MemoryMarshal.GetReference(right);
        int at = 0;
        for (; at + sizeof(ulong) <= shared; at += sizeof(ulong))
        {
            ulong a = Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref x, at));
            ulong b = Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref y, at));
            if (a != b)
            {
                return BigEndian(a) < BigEndian(b) ? -1 : 1;
            }
        }

        for (; at < shared; at++)
        {
            int difference = Unsafe.Add(ref x, at) - Unsafe.Add(ref y, at);
            if (difference != 0)
            {
                return difference;
            }
        }

        return left.Length - right.Length;
    }

    /// <summary>
    /// The first 4 bytes as a number, in the same order. Missing bytes count as zero: unequal heads decide the order of
    /// two keys, equal heads do not.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static uint Head(ReadOnlySpan<byte> key)
    {
        if (key.Length >= sizeof(uint))
        {
            return BinaryPrimitives.ReadUInt32BigEndian(key);
        }

        uint head = 0;
        for (int i = 0; i < key.Length; i++)
        {
            head |= (uint)key[i] << (24 - (8 * i));
        }

        return head;
    }

    /// <summary>The first 8 bytes as a number, like <see cref="Head"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong LongHead(ReadOnlySpan<byte> key) =>
        key.Length >= sizeof(ulong)
            ? BinaryPrimitives.ReadUInt64BigEndian(key)
            : ((ulong)Head(key) << 32) | (key.Length > sizeof(uint) ? Head(key[sizeof(uint)..]) : 0);

    private static ulong BigEndian(ulong word) =>
        BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(word) : word;
}
