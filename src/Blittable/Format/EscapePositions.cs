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

    /// <summary>How many bytes so many positions can take at most, with room for whole words.</summary>
    internal static long LengthMax(int count) => (count * 5L) + 16;

    /// <summary>
    /// Finds what JSON escapes: before each such character, the bytes since the one before. Gives their count.
    /// </summary>
    internal static int Find(ReadOnlySpan<byte> text, ref int[] runs)
    {
        int count = 0;
        int run;
        while ((run = IndexOf(text)) >= 0)
        {
            if (count == runs.Length)
            {
                Array.Resize(ref runs, count * 2);
            }

            runs[count++] = run;
            text = text[(run + 1)..];
        }

        return count;
    }

    /// <summary>Writes count and runs at <paramref name="target"/>, which has room; gives the length.</summary>
    internal static int Write(ref byte target, ReadOnlySpan<int> runs)
    {
        int position = VariableLengthInteger.Write(ref target, (ulong)(uint)runs.Length);
        foreach (int run in runs)
        {
            position += VariableLengthInteger.Write(ref Unsafe.Add(ref target, position), (ulong)(uint)run);
        }

        return position;
    }
}
