using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Unicode;

namespace Raven.Blittable.Json;

/// <summary>Turns the inside of a JSON string into its text: escapes resolved, surrogate pairs joined.</summary>
internal static class JsonStringDecoder
{
    internal const string BadEscape = "This is not an escape that JSON knows.";
    internal const string BadHexDigit = "\\u needs four hexadecimal digits.";
    internal const string LoneSurrogate = "A \\u escape is half of a surrogate pair without its other half.";
    internal const string BadUtf8 = "The bytes are not valid UTF-8.";

    /// <summary>Decodes; the text is never longer than its source.</summary>
    /// <param name="source">What stands between the quotes; no control characters.</param>
    /// <param name="target">At least as long as the source.</param>
    /// <param name="written">The length of the text.</param>
    /// <param name="errorAt">Where decoding failed, in <paramref name="source"/>.</param>
    /// <param name="reason">Null when it did not.</param>
    internal static void Decode(
        ReadOnlySpan<byte> source, Span<byte> target, out int written, out int errorAt, out string? reason)
    {
        int position = 0;
        written = 0;
        errorAt = 0;
        reason = null;
        while (position < source.Length)
        {
            byte next = source[position];
            if (next != '\\')
            {
                int run = source[position..].IndexOf((byte)'\\');
                run = run < 0 ? source.Length - position : run;
                source.Slice(position, run).CopyTo(target[written..]);
                position += run;
                written += run;
                continue;
            }

            byte kind = source[position + 1];
            byte plain = PlainEscape(kind);
            if (plain != 0)
            {
                target[written++] = plain;
                position += 2;
                continue;
            }

            reason = kind == 'u'
                ? DecodeUnicode(source, ref position, target, ref written, out errorAt)
                : BadEscape;
            if (reason is not null)
            {
                errorAt = kind == 'u' ? errorAt : position + 1;
                return;
            }
        }
    }

    /// <summary>Where the first byte stands that is not UTF-8, or -1.</summary>
    internal static int FindInvalidUtf8(ReadOnlySpan<byte> text)
    {
        if (Utf8.IsValid(text))
        {
            return -1;
        }

        int position = 0;
        while (Rune.DecodeFromUtf8(text[position..], out _, out int length) == System.Buffers.OperationStatus.Done)
        {
            position += length;
        }

        return position;
    }

    private static byte PlainEscape(byte kind) => kind switch
    {
        (byte)'"' => (byte)'"',
        (byte)'\\' => (byte)'\\',
        (byte)'/' => (byte)'/',
        (byte)'b' => 8,
        (byte)'f' => 12,
        (byte)'n' => 10,
        (byte)'r' => 13,
        (byte)'t' => 9,
        _ => 0,
    };

    private static string? DecodeUnicode(
        ReadOnlySpan<byte> source, ref int position, Span<byte> target, ref int written, out int errorAt)
    {
        int start = position;
        int value = ReadHex(source, position + 2, out errorAt);
        if (value < 0)
        {
            return BadHexDigit;
        }

        position += 6;
        if ((value & 0xF800) != 0xD800)
        {
            written += Encode((uint)value, target[written..]);
            return null;
        }

        errorAt = start;
        if (value >= 0xDC00 || position + 1 >= source.Length || source[position] != '\\' || source[position + 1] != 'u')
        {
            return LoneSurrogate;
        }

        int low = ReadHex(source, position + 2, out int lowErrorAt);
        if (low < 0)
        {
            errorAt = lowErrorAt;
            return BadHexDigit;
        }

        if ((low & 0xFC00) != 0xDC00)
        {
            return LoneSurrogate;
        }

        position += 6;
        written += Encode((uint)(0x10000 + ((value & 0x3FF) << 10) + (low & 0x3FF)), target[written..]);
        return null;
    }

    private static int Encode(uint value, Span<byte> target)
    {
        if (value < 0x80)
        {
            target[0] = (byte)value;
            return 1;
        }

        if (value < 0x800)
        {
            target[0] = (byte)(0xC0 | (value >> 6));
            target[1] = (byte)(0x80 | (value & 0x3F));
            return 2;
        }

        if (value < 0x10000)
        {
            target[0] = (byte)(0xE0 | (value >> 12));
            target[1] = (byte)(0x80 | ((value >> 6) & 0x3F));
            target[2] = (byte)(0x80 | (value & 0x3F));
            return 3;
        }

        target[0] = (byte)(0xF0 | (value >> 18));
        target[1] = (byte)(0x80 | ((value >> 12) & 0x3F));
        target[2] = (byte)(0x80 | ((value >> 6) & 0x3F));
        target[3] = (byte)(0x80 | (value & 0x3F));
        return 4;
    }

    private static int ReadHex(ReadOnlySpan<byte> source, int position, out int errorAt)
    {
        int value = 0;
        for (int i = position; i < position + 4; i++)
        {
            int digit = i < source.Length ? HexValue(source[i]) : -1;
            if (digit < 0)
            {
                errorAt = i;
                return -1;
            }

            value = (value << 4) | digit;
        }

        errorAt = 0;
        return value;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int HexValue(byte c)
    {
        int digit = c - '0';
        if ((uint)digit <= 9)
        {
            return digit;
        }

        int letter = (c | 0x20) - 'a';
        return (uint)letter <= 5 ? letter + 10 : -1;
    }
}
