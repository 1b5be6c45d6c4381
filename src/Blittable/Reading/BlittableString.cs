using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Format;

namespace Raven.Blittable.Reading;

/// <summary>Reads the stored forms of a string.</summary>
internal static class BlittableString
{
    /// <summary>The place of the text, from the value's start, if it is stored uncompressed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryGetPlainRange(ref byte value, byte token, out int start, out int length)
    {
        switch (token & BlittableToken.KindMask)
        {
            case BlittableToken.String:
                start = VariableLengthInteger.ReadInt32(ref value, out length);
                return true;
            case BlittableToken.EmptyString:
                start = 0;
                length = 0;
                return true;
            default:
                start = 0;
                length = 0;
                return false;
        }
    }

    /// <summary>The text in place, if it is stored uncompressed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryGetPlain(ref byte value, byte token, out ReadOnlySpan<byte> text)
    {
        bool plain = TryGetPlainRange(ref value, token, out int start, out int length);
        text = length == 0
            ? default
            : MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref value, start), length);
        return plain;
    }

    /// <summary>The most bytes that the text has.</summary>
    internal static int LengthMax(ref byte value, byte token)
    {
        if (TryGetPlainRange(ref value, token, out _, out int length))
        {
            return length;
        }

        if ((token & BlittableToken.KindMask) == BlittableToken.ShortString)
        {
            return BlittableFormat.ShortStringLengthMax;
        }

        VariableLengthInteger.ReadInt32(ref value, out length);
        return length;
    }

    /// <summary>Decompresses a string that <see cref="TryGetPlain"/> did not return.</summary>
    /// <param name="value">The stored value.</param>
    /// <param name="token">Its token.</param>
    /// <param name="target">At least <see cref="LengthMax"/> bytes.</param>
    /// <returns>Bytes written.</returns>
    /// <exception cref="InvalidBlittableException">The bytes are damaged.</exception>
    internal static int Decompress(ref byte value, byte token, Span<byte> target)
    {
        int position = 0;
        int written;
        bool valid;
        if ((token & BlittableToken.KindMask) == BlittableToken.ShortString)
        {
            position = VariableLengthInteger.ReadInt32(ref value, out int encoded);
            valid = CompressedText.TryDecode(token, SpanAt(ref value, position, encoded), target, out written);
        }
        else
        {
            position = VariableLengthInteger.ReadInt32(ref value, out int length);
            position += VariableLengthInteger.ReadInt32(ref Unsafe.Add(ref value, position), out int encoded);
            ReadOnlySpan<byte> block = SpanAt(ref value, position, encoded);
            valid = CompressedText.TryDecode(token, block, target[..length], out written) && written == length;
        }

        return valid ? written : throw new InvalidBlittableException(new(0, "A compressed string is damaged."));
    }

    private static ReadOnlySpan<byte> SpanAt(ref byte value, int position, int length) =>
        MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref value, position), length);
}
