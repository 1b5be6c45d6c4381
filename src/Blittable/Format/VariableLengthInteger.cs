using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace Raven.Blittable.Format;

/// <summary>
/// Little-endian groups of 7 bits, the high bit set on all but the last (LEB128): 1 byte below 128, 10 bytes at most.
/// Signed numbers are folded first (zigzag), so that small negative ones are short too.
/// </summary>
internal static class VariableLengthInteger
{
    internal const int LengthMax = 10;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong ZigZag(long value) => (ulong)((value << 1) ^ (value >> 63));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static long UnZigZag(ulong value) => (long)(value >> 1) ^ -(long)(value & 1);

    /// <summary>The bytes that a value takes: its bits by 7, rounded up. 9/64 is near enough for 64 bits.</summary>
    internal static int LengthOf(ulong value) => ((BitOperations.Log2(value | 1) * 9) + 73) >> 6;

    /// <summary>Writes at <paramref name="target"/>, which has 16 bytes of room; returns the length.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Write(ref byte target, ulong value)
    {
        if (value < 0x80)
        {
            target = (byte)value;
            return 1;
        }

        return WriteLong(ref target, value);
    }

    /// <summary>Reads at <paramref name="source"/>; the bytes are known to be well-formed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Read(ref byte source, out ulong value)
    {
        ulong first = source;
        if (first < 0x80)
        {
            value = first;
            return 1;
        }

        return ReadLong(ref source, out value);
    }

    /// <summary>Reads a length or a count, which fits an int.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int ReadInt32(ref byte source, out int value)
    {
        int length = Read(ref source, out ulong wide);
        value = (int)wide;
        return length;
    }

    /// <summary>
    /// Reads from bytes that may be anything; false if they end early, run past 64 bits or are longer than needed.
    /// </summary>
    internal static bool TryRead(ReadOnlySpan<byte> source, out ulong value, out int length)
    {
        value = 0;
        for (length = 0; length < source.Length && length < LengthMax;)
        {
            byte next = source[length];
            if (length == LengthMax - 1 && next > 1)
            {
                return false;
            }

            value |= (ulong)(next & 0x7F) << (7 * length);
            length++;
            if (next < 0x80)
            {
                return next != 0 || length == 1;
            }
        }

        return false;
    }

    private static int WriteLong(ref byte target, ulong value)
    {
        if (Bmi2.X64.IsSupported && value < 1UL << 56)
        {
            int length = LengthOf(value);
            ulong spread = Bmi2.X64.ParallelBitDeposit(value, 0x7F7F7F7F7F7F7F7F);
            ulong more = Bmi2.X64.ZeroHighBits(0x8080808080808080, (ulong)(uint)((length - 1) * 8));
            Unsafe.WriteUnaligned(ref target, spread | more);
            return length;
        }

        if (Bmi2.X64.IsSupported)
        {
            // Eight groups are 56 bits; of the rest the highest bit is both the last bit and the flag of a tenth byte.
            ulong groups = Bmi2.X64.ParallelBitDeposit(value, 0x7F7F7F7F7F7F7F7F);
            Unsafe.WriteUnaligned(ref target, groups | 0x8080808080808080);
            Unsafe.Add(ref target, 8) = (byte)(value >> 56);
            Unsafe.Add(ref target, 9) = 1;
            return value >> 63 == 0 ? LengthMax - 1 : LengthMax;
        }

        int position = 0;
        while (value >= 0x80)
        {
            Unsafe.Add(ref target, position++) = (byte)(value | 0x80);
            value >>= 7;
        }

        Unsafe.Add(ref target, position++) = (byte)value;
        return position;
    }

    // A value of 3 bytes and more has 5 bytes of a trailer behind it at the least: 8 bytes can be read at once.
    private static int ReadLong(ref byte source, out ulong value)
    {
        uint second = Unsafe.Add(ref source, 1);
        if (second < 0x80)
        {
            value = (source & 0x7Fu) | (second << 7);
            return 2;
        }

        if (Bmi2.X64.IsSupported)
        {
            ulong bytes = Unsafe.ReadUnaligned<ulong>(ref source);
            ulong ends = ~bytes & 0x8080808080808080;
            if (ends != 0)
            {
                ulong mask = ends ^ (ends - 1);
                value = Bmi2.X64.ParallelBitExtract(bytes & mask, 0x7F7F7F7F7F7F7F7F);
                return (BitOperations.TrailingZeroCount(ends) >> 3) + 1;
            }
        }

        ulong result = (ulong)source & 0x7F;
        int shift = 7;
        int position = 1;
        ulong next;
        do
        {
            next = Unsafe.Add(ref source, position++);
            result |= (next & 0x7F) << shift;
            shift += 7;
        }
        while (next >= 0x80);

        value = result;
        return position;
    }
}
