using System.Buffers;
using System.Runtime.CompilerServices;

namespace Raven.Blittable.Format;

//   behind a text that holds characters JSON must escape:
//     count       variable-length, 1 or more
//     run * count variable-length: bytes to copy unchanged before the next character that is escaped

/// <summary>
/// The places of quotes, backslashes and control characters in a text, written behind it, so that writing it as JSON
/// copies runs of bytes without checking each of them.
/// </summary>
internal static class EscapePositions
{
    private static readonly SearchValues<byte> s_escaped = SearchValues.Create(
        [.. Enumerable.Range(0, 0x20).Select(value => (byte)value), (byte)'"', (byte)'\\']);

    /// <summary>The first character that JSON must escape, or -1.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int IndexOf(ReadOnlySpan<byte> text) => text.IndexOfAny(s_escaped);

    /// <summary>The most bytes that so many positions take, with room for whole words.</summary>
    internal static long LengthMax(int count) => (count * 5L) + 16;

    /// <summary>
    /// Finds what JSON escapes: before each such character, the bytes since the one before. Returns their count.
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

    /// <summary>Writes count and runs at <paramref name="target"/>, which has room; returns the length.</summary>
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
