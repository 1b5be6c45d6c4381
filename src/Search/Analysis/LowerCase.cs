using System.Buffers;
using System.Text;

namespace Raven.Search.Analysis;

/// <summary>Lower case of UTF-8 by the simple mappings of Unicode, the same for every culture.</summary>
internal static class LowerCase
{
    /// <summary>A mapping may be longer: U+023A (2 bytes) becomes U+2C65 (3 bytes).</summary>
    internal static int LengthMax(int length) => checked(length + (length / 2) + 4);

    /// <summary>Writes the lower case of a text; bytes that are no UTF-8 stay as they are.</summary>
    /// <returns>How many bytes were written.</returns>
    internal static int Write(ReadOnlySpan<byte> text, Span<byte> target)
    {
        Ascii.ToLower(text, target, out int ascii);
        return ascii == text.Length ? ascii : ascii + WriteRunes(text[ascii..], target[ascii..]);
    }

    private static int WriteRunes(ReadOnlySpan<byte> text, Span<byte> target)
    {
        int written = 0;
        while (!text.IsEmpty)
        {
            OperationStatus status = Rune.DecodeFromUtf8(text, out Rune rune, out int length);
            if (status == OperationStatus.Done)
            {
                written += Rune.ToLowerInvariant(rune).EncodeToUtf8(target[written..]);
            }
            else
            {
                text[..length].CopyTo(target[written..]);
                written += length;
            }

            text = text[length..];
        }

        return written;
    }
}
