using System.Buffers;
using System.Runtime.CompilerServices;

namespace Raven.Blittable.Format;

//   behind a text that holds characters JSON must escape:
//     count       variable-length, 1 or more
//     run * count variable-length: bytes to copy as they are before the next character that is escaped

/// <summary>
/// Where a text holds a quote, a backslash or a control character, written behind the text, so that writing it as JSON
/// is copying runs of bytes and never looking at each of them.
/// </summary>
internal static class EscapePositions
{
    private static readonly SearchValues<byte> s_escaped = SearchValues.Create(
        [.. Enumerable.Range(0, 0x20).Select(value => (byte)value), (byte)'"', (byte)'\\']);

    /// <summary>The first character that JSON must escape, or -1.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int IndexOf(ReadOnlySpan<byte> text) => text.IndexOfAny(s_escaped);

    /// <summary>How many bytes the positions of a text can take at most.</summary>
    internal static long LengthMax(int textLength) => ((long)textLength * 2) + VariableLengthInteger.LengthMax;

    /// <summary>
    /// Writes count and runs at <paramref name="target"/>, which has room; gives the length, 0 for no escapes.
    /// </summary>
    internal static int Write(ref byte target, ReadOnlySpan<byte> text)
    {
        int count = Count(text);
        if (count == 0)
        {
            return 0;
        }

        int position = VariableLengthInteger.Write(ref target, (ulong)count);
        for (int i = 0; i < count; i++)
        {
            int run = IndexOf(text);
            position += VariableLengthInteger.Write(ref Unsafe.Add(ref target, position), (ulong)run);
            text = text[(run + 1)..];
        }

        return position;
    }

    private static int Count(ReadOnlySpan<byte> text)
    {
        int count = 0;
        int next;
        while ((next = IndexOf(text)) >= 0)
        {
            count++;
            text = text[(next + 1)..];
        }

        return count;
    }
}
