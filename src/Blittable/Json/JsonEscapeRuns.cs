using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Raven.Blittable.Json;

/// <summary>Runs of escapes, as in texts of programs that escape all characters beyond ASCII.</summary>
internal static class JsonEscapeRuns
{
    /// <summary>The bytes of four escapes, and of the four characters.</summary>
    internal const int SourceBytes = 24;
    internal const int TextBytes = 12;

    internal static bool IsSupported => Avx2.IsSupported;

    private static Vector128<byte> Frame =>
        Vector128.Create((byte)'\\', (byte)'u', 0, 0, 0, 0, (byte)'\\', (byte)'u', 0, 0, 0, 0, 0, 0, 0, 0);

    private static Vector128<byte> FrameMask =>
        Vector128.Create(0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0);

    private static Vector128<byte> DigitPlaces =>
        Vector128.Create(2, 3, 4, 5, 8, 9, 10, 11, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80);

    private static Vector128<byte> TextPlaces =>
        Vector128.Create(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 0x80, 0x80, 0x80, 0x80);

    /// <summary>
    /// Resolves four escapes <c>\uXXXX</c> of which each is a character of three bytes in UTF-8. False, with nothing
    /// done, if they are not.
    /// </summary>
    /// <param name="source">The first backslash; 28 bytes are readable.</param>
    /// <param name="target">Receives 12 bytes; 16 are written.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryDecode(ref byte source, ref byte target)
    {
        const uint whole = 0x0FFF_0FFF;
        Vector256<byte> text = Vector256.Create(
            Vector128.LoadUnsafe(ref source), Vector128.LoadUnsafe(ref source, SourceBytes / 2));
        Vector256<byte> digits = text - Vector256.Create((byte)'0');
        Vector256<byte> letters = (text | Vector256.Create((byte)0x20)) - Vector256.Create((byte)'a');
        Vector256<byte> isDigit = Vector256.Equals(Vector256.Min(digits, Vector256.Create((byte)9)), digits);
        Vector256<byte> isLetter = Vector256.Equals(Vector256.Min(letters, Vector256.Create((byte)5)), letters);
        Vector256<byte> right = Vector256.ConditionalSelect(
            Vector256.Create(FrameMask, FrameMask),
            Vector256.Equals(text, Vector256.Create(Frame, Frame)),
            isDigit | isLetter);
        if ((right.ExtractMostSignificantBits() & whole) != whole)
        {
            return false;
        }

        Vector256<byte> values = Vector256.ConditionalSelect(isDigit, digits, letters + Vector256.Create((byte)10));
        values = Avx2.Shuffle(values, Vector256.Create(DigitPlaces, DigitPlaces));
        Vector256<short> bytes = Avx2.MultiplyAddAdjacent(values, Vector256.Create((short)0x0110).AsSByte());
        Vector256<int> units = Avx2.MultiplyAddAdjacent(bytes, Vector256.Create(0x0001_0100).AsInt16());
        Vector128<int> codes = Avx2.Permute4x64(units.AsInt64(), 0b1000).GetLower().AsInt32();
        Vector128<int> others = Vector128.LessThan(codes, Vector128.Create(0x800))
            | Vector128.Equals(codes & Vector128.Create(0xF800), Vector128.Create(0xD800));
        if (others != Vector128<int>.Zero)
        {
            return false;
        }

        Vector128<int> three = Vector128.Create(0x8080E0)
            | (codes >>> 12)
            | ((codes & Vector128.Create(0xFC0)) << 2)
            | ((codes & Vector128.Create(0x3F)) << 16);
        Ssse3.Shuffle(three.AsByte(), TextPlaces).StoreUnsafe(ref target);
        return true;
    }
}
