using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Raven.Blittable.Json;

/// <summary>
/// Finds and reads the digits of numbers in vectors. Where a number ends is known from its digits' mask alone, so that
/// the processor starts the next one while the value of this one is still being put together.
/// </summary>
internal static class JsonDigits
{
    /// <summary>Digits that <see cref="Read"/> takes at most.</summary>
    internal const int CountMax = 18;

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

    internal static bool IsSupported => Avx2.IsSupported;

    /// <summary>One bit for each of 32 bytes that is a digit.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static uint Find(ref byte input, int position)
    {
        Vector256<byte> values = Vector256.LoadUnsafe(ref input, (nuint)position) - Vector256.Create((byte)'0');
        return Vector256.Equals(Vector256.Min(values, Vector256.Create((byte)9)), values).ExtractMostSignificantBits();
    }

    /// <summary>10 to a power of 0 to <see cref="CountMax"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Power(int exponent) =>
        Unsafe.Add(ref MemoryMarshal.GetReference(Powers), exponent);

    /// <summary>The value of 1 to 18 digits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Read(ref byte input, int position, int count)
    {
        ref byte text = ref Unsafe.Add(ref input, position);
        if (count <= 8)
        {
            ulong few = (Unsafe.ReadUnaligned<ulong>(ref text) << (64 - (8 * count))) & 0x0F0F0F0F0F0F0F0F;
            few = (few * 2561) >> 8;
            few = ((few & 0x00FF00FF00FF00FF) * 6553601) >> 16;
            return ((few & 0x0000FFFF0000FFFF) * 42949672960001) >> 32;
        }

        int many = Math.Min(count, 16);
        Vector128<byte> places = Vector128.LoadUnsafe(ref MemoryMarshal.GetReference(Places), (nuint)many);
        Vector128<byte> digits = Ssse3.Shuffle(
            Vector128.LoadUnsafe(ref text) - Vector128.Create((byte)'0'), places);
        Vector128<short> twos = Ssse3.MultiplyAddAdjacent(digits, Vector128.Create((short)0x010A).AsSByte());
        Vector128<int> fours = Sse2.MultiplyAddAdjacent(twos, Vector128.Create(0x0001_0064).AsInt16());
        Vector128<short> packed = Sse41.PackUnsignedSaturate(fours, fours).AsInt16();
        ulong eights = Sse2.MultiplyAddAdjacent(packed, Vector128.Create(0x0001_2710).AsInt16()).AsUInt64().ToScalar();
        ulong value = ((eights & uint.MaxValue) * 100_000_000) + (eights >> 32);
        for (int i = many; i < count; i++)
        {
            value = (value * 10) + (uint)(Unsafe.Add(ref text, i) - '0');
        }

        return value;
    }
}
