using System.Text.Unicode;

namespace Raven.Server.Http;

/// <summary>Percent-encoding of query values (RFC 3986; <c>+</c> is a space, as forms write it), into UTF-8.</summary>
public static class PercentEncoding
{
    /// <summary>The most bytes that a value can decode to.</summary>
    public static int MaxDecodedLength(ReadOnlySpan<char> encoded) => 3 * encoded.Length;

    /// <summary>Decodes a value.</summary>
    /// <param name="encoded">The value as it is in the url.</param>
    /// <param name="target">At least <see cref="MaxDecodedLength"/> bytes.</param>
    /// <param name="length">The number of bytes written.</param>
    /// <returns>False for a <c>%</c> without two hex digits, or for bytes that are not UTF-8.</returns>
    public static bool TryDecode(ReadOnlySpan<char> encoded, Span<byte> target, out int length)
    {
        int written = 0;
        length = 0;
        while (!encoded.IsEmpty)
        {
            int plain = encoded.IndexOfAny('%', '+');
            ReadOnlySpan<char> run = plain < 0 ? encoded : encoded[..plain];
            if (Utf8.FromUtf16(run, target[written..], out _, out int copied, replaceInvalidSequences: false)
                != System.Buffers.OperationStatus.Done)
            {
                return false;
            }

            written += copied;
            if (plain < 0)
            {
                break;
            }

            if (encoded[plain] == '+')
            {
                target[written++] = (byte)' ';
                encoded = encoded[(plain + 1)..];
                continue;
            }

            if (encoded.Length < plain + 3 || !char.IsAsciiHexDigit(encoded[plain + 1])
                || !char.IsAsciiHexDigit(encoded[plain + 2]))
            {
                return false;
            }

            target[written++] = (byte)((HexOf(encoded[plain + 1]) << 4) | HexOf(encoded[plain + 2]));
            encoded = encoded[(plain + 3)..];
        }

        length = written;
        return Utf8.IsValid(target[..written]);
    }

    /// <summary>
    /// The text of a part of a decoded path. Kestrel decodes all but <c>%2F</c>, so that a slash inside a segment
    /// differs from one between segments; it is decoded here.
    /// </summary>
    public static string TextOfCapture(ReadOnlySpan<char> captured) =>
        captured.Contains("%2F", StringComparison.OrdinalIgnoreCase)
            ? captured.ToString().Replace("%2F", "/", StringComparison.OrdinalIgnoreCase)
            : captured.ToString();

    private static int HexOf(char digit) => digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;
}
