using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Raven.Blittable.Writing;

/// <summary>The digits behind a decimal point: their end and their value, without a branch on their count.</summary>
internal static class JsonFraction
{
    private const int VectorDigits = 16;

    internal static bool IsSupported => Avx2.IsSupported;

    // From entry n on: the shuffle that moves n digits to the end of a vector, with zeros in front.
    private static ReadOnlySpan<byte> Places =>
    [
        0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    ];

    private static ReadOnlySpan<ulong> Powers =>
    [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
    ];

    /// <summary>How many digits there are, 32 at most; the first 16 bytes less the character zero.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Count(ref byte input, int position, out Vector128<byte> values)
    {
        Vector256<byte> all = Vector256.LoadUnsafe(ref input, (nuint)position) - Vector256.Create((byte)'0');
        values = all.GetLower();
        uint digits = Vector256.Equals(Vector256.Min(all, Vector256.Create((byte)9)), all).ExtractMostSignificantBits();
        return BitOperations.TrailingZeroCount(~digits);
    }

    /// <summary>10 to a power of 0 to 18.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Power(int exponent) =>
        Unsafe.Add(ref MemoryMarshal.GetReference(Powers), exponent);

    /// <summary>The value of 1 to 18 digits, of which the first 16 are in <paramref name="values"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Read(ref byte input, int position, Vector128<byte> values, int count)
    {
        int inVector = Math.Min(count, VectorDigits);
        Vector128<byte> digits = Ssse3.Shuffle(
            values, Vector128.LoadUnsafe(ref MemoryMarshal.GetReference(Places), (nuint)inVector));
        Vector128<short> twos = Ssse3.MultiplyAddAdjacent(digits, Vector128.Create((short)0x010A).AsSByte());
        Vector128<int> fours = Sse2.MultiplyAddAdjacent(twos, Vector128.Create(0x0001_0064).AsInt16());
        Vector128<short> packed = Sse41.PackUnsignedSaturate(fours, fours).AsInt16();
        ulong eights = Sse2.MultiplyAddAdjacent(packed, Vector128.Create(0x0001_2710).AsInt16()).AsUInt64().ToScalar();
        ulong value = ((eights & uint.MaxValue) * 100_000_000) + (eights >> 32);
        for (int i = inVector; i < count; i++)
        {
            value = (value * 10) + (uint)(Unsafe.Add(ref input, position + i) - '0');
        }

        return value;
    }
}
