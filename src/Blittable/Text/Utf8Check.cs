using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Raven.Blittable.Text;

/// <summary>
/// Whether bytes are UTF-8, 32 at a time: an error in two neighbours shows in three half-bytes, each looked up in a
/// table of 16, and a third or fourth byte must follow where a lead byte announced it. The algorithm is that of Keiser
/// and Lemire, "Validating UTF-8 in less than one instruction per byte" (2021).
/// </summary>
internal static class Utf8Check
{
    private const byte TooShort = 1;
    private const byte TooLong = 1 << 1;
    private const byte Overlong3 = 1 << 2;
    private const byte TooLarge = 1 << 3;
    private const byte Surrogate = 1 << 4;
    private const byte Overlong2 = 1 << 5;
    private const byte Overlong4 = 1 << 6;
    private const byte TwoContinuations = 1 << 7;
    private const byte Carry = TooShort | TooLong | TwoContinuations;
    private const byte Lead = Carry | TooLarge | Overlong4;

    /// <summary>Whether the processor supports this; otherwise the framework must be used.</summary>
    internal static bool IsSupported => Avx2.IsSupported;

    private static Vector128<byte> FirstHigh => Vector128.Create(
        TooLong, TooLong, TooLong, TooLong, TooLong, TooLong, TooLong, TooLong,
        TwoContinuations, TwoContinuations, TwoContinuations, TwoContinuations,
        TooShort | Overlong2, TooShort, TooShort | Overlong3 | Surrogate, TooShort | TooLarge | Overlong4);

    private static Vector128<byte> FirstLow => Vector128.Create(
        Carry | Overlong3 | Overlong2 | Overlong4, Carry | Overlong2, Carry, Carry,
        Carry | TooLarge, Lead, Lead, Lead, Lead, Lead, Lead, Lead, Lead, Lead | Surrogate, Lead, Lead);

    private static Vector128<byte> SecondHigh => Vector128.Create(
        TooShort, TooShort, TooShort, TooShort, TooShort, TooShort, TooShort, TooShort,
        TooLong | Overlong2 | TwoContinuations | Overlong3 | Overlong4,
        TooLong | Overlong2 | TwoContinuations | Overlong3 | TooLarge,
        TooLong | Overlong2 | TwoContinuations | Surrogate | TooLarge,
        TooLong | Overlong2 | TwoContinuations | Surrogate | TooLarge,
        TooShort, TooShort, TooShort, TooShort);

    /// <summary>
    /// Whether a text of at most 31 bytes is UTF-8. What follows it must be ASCII; 32 bytes are read.
    /// </summary>
    /// <param name="text">Its first byte.</param>
    /// <param name="inside">One bit for each byte of it and for the one behind it.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static bool IsValidShort(ref byte text, uint inside) =>
        (FindErrors(Vector256.LoadUnsafe(ref text), Vector256<byte>.Zero) & inside) == 0;

    /// <summary>
    /// Whether a text is UTF-8. What follows it must be ASCII, by which an unfinished last character shows; 31 bytes
    /// behind that are read.
    /// </summary>
    internal static bool IsValid(ref byte text, int length)
    {
        Vector256<byte> before = Vector256<byte>.Zero;
        for (int position = 0; ; position += Vector256<byte>.Count)
        {
            Vector256<byte> bytes = Vector256.LoadUnsafe(ref text, (nuint)position);
            int rest = length - position;
            if ((bytes | before).ExtractMostSignificantBits() != 0)
            {
                uint errors = FindErrors(bytes, before);
                errors &= rest < Vector256<byte>.Count ? (2u << rest) - 1 : uint.MaxValue;
                if (errors != 0)
                {
                    return false;
                }
            }

            if (rest < Vector256<byte>.Count)
            {
                return true;
            }

            before = bytes;
        }
    }

    /// <summary>One bit for each byte that cannot follow those in front of it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint FindErrors(Vector256<byte> bytes, Vector256<byte> before)
    {
        Vector256<byte> shifted = Avx2.Permute2x128(before, bytes, 0x21);
        Vector256<byte> first = Avx2.AlignRight(bytes, shifted, 15);
        Vector256<byte> second = Avx2.AlignRight(bytes, shifted, 14);
        Vector256<byte> third = Avx2.AlignRight(bytes, shifted, 13);
        Vector256<byte> low = Vector256.Create((byte)0x0F);
        Vector256<byte> pairs =
            Avx2.Shuffle(Vector256.Create(FirstHigh, FirstHigh), (first.AsUInt16() >>> 4).AsByte() & low)
            & Avx2.Shuffle(Vector256.Create(FirstLow, FirstLow), first & low)
            & Avx2.Shuffle(Vector256.Create(SecondHigh, SecondHigh), (bytes.AsUInt16() >>> 4).AsByte() & low);
        Vector256<byte> announced = Avx2.SubtractSaturate(second, Vector256.Create((byte)(0xE0 - 0x80)))
            | Avx2.SubtractSaturate(third, Vector256.Create((byte)(0xF0 - 0x80)));
        Vector256<byte> wrong = (announced & Vector256.Create((byte)0x80)) ^ pairs;
        return ~Vector256.Equals(wrong, Vector256<byte>.Zero).ExtractMostSignificantBits();
    }
}
