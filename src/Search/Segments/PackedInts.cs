using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Search.Buffers;

namespace Raven.Search.Segments;

/// <summary>
/// A block of 128 small numbers, each in the same number of bits, the lowest bits first. Reading may touch up to 8
/// bytes behind the block, which every blob has.
/// </summary>
internal static class PackedInts
{
    internal const int BlockSize = 128;

    /// <summary>Bytes that a reader may touch behind the last block.</summary>
    internal const int Padding = 8;

    internal static int SizeOf(int bits) => bits * (BlockSize / 8);

    internal static int BitsFor(ReadOnlySpan<int> values)
    {
        uint all = 0;
        foreach (int value in values)
        {
            all |= (uint)value;
        }

        return 32 - BitOperations.LeadingZeroCount(all);
    }

    internal static void Pack(ReadOnlySpan<int> values, int bits, ByteBuffer target)
    {
        Span<byte> bytes = target.Extend(SizeOf(bits));
        ulong pending = 0;
        int count = 0;
        int at = 0;
        foreach (int value in values)
        {
            pending |= (ulong)(uint)value << count;
            count += bits;
            while (count >= 8)
            {
                bytes[at++] = (byte)pending;
                pending >>= 8;
                count -= 8;
            }
        }
    }

    internal static void Unpack(ReadOnlySpan<byte> packed, int bits, Span<int> values)
    {
        values = values[..BlockSize];
        if (bits == 0)
        {
            values.Clear();
            return;
        }

        _ = packed[SizeOf(bits) + Padding - 1];
        ref byte start = ref MemoryMarshal.GetReference(packed);
        ulong mask = (1UL << bits) - 1;
        int bit = 0;
        for (int i = 0; i < values.Length; i++)
        {
            ulong word = Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref start, bit >> 3));
            values[i] = (int)((word >> (bit & 7)) & mask);
            bit += bits;
        }
    }
}
