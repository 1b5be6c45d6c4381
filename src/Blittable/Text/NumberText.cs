using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace Raven.Blittable.Text;

/// <summary>
/// Writes the digits of numbers, eight at a time: a number below 10^8 is split by multiplications into its digits, all
/// in one 64-bit register, most significant first.
/// </summary>
internal static class NumberText
{
    /// <summary>Room that a number may need: 20 digits, sign and point, and the excess of wide stores.</summary>
    internal const int RoomBytes = 48;

    private const int PointedScaleMax = 15;
    private const ulong Zeros = 0x3030303030303030;
    private const ulong Chunk = 100_000_000;

    /// <summary>Writes a whole number; returns the length.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Write(ref byte target, long value)
    {
        if (value < 0)
        {
            target = (byte)'-';
            return 1 + WriteDigits(ref Unsafe.Add(ref target, 1), (ulong)-value);
        }

        return WriteDigits(ref target, (ulong)value);
    }

    /// <summary>
    /// Writes digits of which <paramref name="scale"/>, 1 to 18, are behind the point; returns the length.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int WriteDecimal(ref byte target, long digits, int scale)
    {
        int sign = 0;
        if (digits < 0)
        {
            target = (byte)'-';
            target = ref Unsafe.Add(ref target, 1);
            digits = -digits;
            sign = 1;
        }

        if (scale <= PointedScaleMax && Vector128.IsHardwareAccelerated)
        {
            return sign + WritePointed(ref target, (ulong)digits, scale);
        }

        int count = WriteDigits(ref target, (ulong)digits);
        int whole = count - scale;
        if (whole <= 0)
        {
            // 0.00ddd: zeros first, then the digits again behind them.
            Unsafe.WriteUnaligned(ref target, Zeros);
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, 8), Zeros);
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, 16), Zeros);
            WriteDigits(ref Unsafe.Add(ref target, 2 - whole), (ulong)digits);
            Unsafe.Add(ref target, 1) = (byte)'.';
            return sign + 2 + scale;
        }

        ref byte point = ref Unsafe.Add(ref target, whole);
        MoveUp(ref point, 1);
        point = (byte)'.';
        return sign + count + 1;
    }

    // Sixteen digits in one register; one shuffle drops the leading zeros but one before the point, and opens the gap
    // for the point. Digits before those sixteen are written first.
    private static int WritePointed(ref byte target, ulong digits, int scale)
    {
        const ulong block = Chunk * Chunk;
        int before = 0;
        if (digits >= block)
        {
            ulong top = digits / block;
            before = WriteDigits(ref target, top);
            target = ref Unsafe.Add(ref target, before);
            digits -= top * block;
        }

        ulong high = digits < Chunk ? 0 : digits / Chunk;
        ulong upper = high == 0 ? 0 : Split(high);
        Vector128<byte> all = Vector128.Create(upper, Split(digits - (high * Chunk))).AsByte();
        uint zeros = Vector128.Equals(all, Vector128<byte>.Zero).ExtractMostSignificantBits();
        int leading = before != 0 ? 0 : Math.Min(BitOperations.TrailingZeroCount(~zeros), PointedScaleMax - scale);
        Vector128<byte> place = Vector128.Create((byte)0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        Vector128<byte> point = Vector128.Create((byte)(16 - leading - scale));
        Vector128<byte> from = place + Vector128.Create((byte)leading)
            + Vector128.GreaterThan(place.AsSByte(), point.AsSByte()).AsByte();
        Vector128<byte> text = Vector128.ShuffleNative(all, from) | Vector128.Create((byte)'0');
        Vector128<byte> isPoint = Vector128.Equals(place, point);
        text = Vector128.ConditionalSelect(isPoint, Vector128.Create((byte)'.'), text);
        text.StoreUnsafe(ref target);
        Unsafe.Add(ref target, 16) = (byte)('0' + all.GetElement(15));
        return before + 17 - leading;
    }

    /// <summary>Writes a number without leading zeros; returns how many digits it has.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int WriteDigits(ref byte target, ulong value)
    {
        if (value < 10)
        {
            target = (byte)('0' + value);
            return 1;
        }

        return value < Chunk ? WriteFirst(ref target, value) : WriteLong(ref target, value);
    }

    private static int WriteLong(ref byte target, ulong value)
    {
        int length;
        if (value < Chunk * Chunk)
        {
            length = WriteFirst(ref target, value / Chunk);
        }
        else
        {
            length = WriteFirst(ref target, value / (Chunk * Chunk));
            ulong middle = value / Chunk % Chunk;
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, length), Split(middle) | Zeros);
            length += 8;
        }

        Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, length), Split(value % Chunk) | Zeros);
        return length + 8;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int WriteFirst(ref byte target, ulong value)
    {
        ulong digits = Split(value);
        int leading = BitOperations.TrailingZeroCount(digits) & ~7;
        Unsafe.WriteUnaligned(ref target, (digits | Zeros) >> leading);
        return 8 - (leading >> 3);
    }

    // Halves of 4 digits, then pairs, then digits, each step in all lanes at once.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Split(ulong value)
    {
        ulong high = value / 10_000;
        ulong fours = high | ((value - (high * 10_000)) << 32);
        ulong hundreds = ((fours * 10_486) >> 20) & 0x0000007F0000007F;
        ulong pairs = hundreds | ((fours - (hundreds * 100)) << 16);
        ulong tens = ((pairs * 103) >> 10) & 0x000F000F000F000F;
        return tens | ((pairs - (tens * 10)) << 8);
    }

    // Sixteen bytes and then the three that may follow them: no number has more digits behind its point.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void MoveUp(ref byte start, int by)
    {
        Vector128<byte> first = Vector128.LoadUnsafe(ref start);
        uint last = Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref start, 16));
        Vector128.StoreUnsafe(first, ref start, (nuint)by);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref start, 16 + by), last);
    }
}
