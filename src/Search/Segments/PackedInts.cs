using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
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

    /// <summary>Numbers of more bits may lie in five bytes.</summary>
    private const int WideBitsMax = 25;

    private static readonly (Vector256<byte> Bytes, Vector256<uint> Shifts)[] Layouts =
        [.. Enumerable.Range(0, WideBitsMax + 1).Select(LayoutOf)];

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
        int first = Avx2.IsSupported && bits <= WideBitsMax ? UnpackWide(packed, bits, values) : 0;
        ulong mask = (1UL << bits) - 1;
        int bit = first * bits;
        for (int i = first; i < values.Length; i++)
        {
            ulong word = Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref start, bit >> 3));
            values[i] = (int)((word >> (bit & 7)) & mask);
            bit += bits;
        }
    }

    /// <summary>
    /// Eight numbers at once, which take a whole number of bytes: each is brought to a lane of its own by bytes, then
    /// moved by the bits that are left (after Lemire and Boytsov, Decoding billions of integers per second through
    /// vectorization, 2015).
    /// </summary>
    /// <returns>How many were unpacked: those that may be read in 16 bytes at a time.</returns>
    private static int UnpackWide(ReadOnlySpan<byte> packed, int bits, Span<int> values)
    {
        ref byte source = ref MemoryMarshal.GetReference(packed);
        ref int target = ref MemoryMarshal.GetReference(values);
        (Vector256<byte> bytes, Vector256<uint> shifts) = Layouts[bits];
        Vector256<uint> mask = Vector256.Create((1u << bits) - 1);
        nuint upper = (nuint)(bits / 2);
        int room = packed.Length - Vector128<byte>.Count - (bits / 2);
        int count = room < 0 ? 0 : Math.Min(BlockSize / 8, (room / bits) + 1);
        for (int i = 0; i < count; i++)
        {
            nuint at = (nuint)(i * bits);
            Vector256<byte> group = Vector256.Create(
                Vector128.LoadUnsafe(ref source, at), Vector128.LoadUnsafe(ref source, at + upper));
            Vector256<uint> lanes = Avx2.Shuffle(group, bytes).AsUInt32();
            (Avx2.ShiftRightLogicalVariable(lanes, shifts) & mask).AsInt32().StoreUnsafe(ref target, (nuint)(i * 8));
        }

        return count * 8;
    }

    /// <summary>
    /// Where eight numbers lie: the first four in the lower half of a register, the others in the upper one, which is
    /// loaded from the byte in which they begin.
    /// </summary>
    private static (Vector256<byte> Bytes, Vector256<uint> Shifts) LayoutOf(int bits)
    {
        Span<byte> bytes = stackalloc byte[Vector256<byte>.Count];
        Span<uint> shifts = stackalloc uint[Vector256<uint>.Count];
        for (int i = 0; i < 8; i++)
        {
            int bit = i < 4 ? i * bits : (i * bits) - (bits / 2 * 8);
            shifts[i] = (uint)(bit & 7);
            for (int j = 0; j < 4; j++)
            {
                bytes[(i * 4) + j] = (byte)((bit >> 3) + j);
            }
        }

        return (Vector256.Create<byte>(bytes), Vector256.Create<uint>(shifts));
    }
}
