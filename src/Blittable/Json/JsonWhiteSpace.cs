using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace Raven.Blittable.Json;

/// <summary>Skips white space: none or one space by one comparison, indentation 32 bytes at a time.</summary>
internal static class JsonWhiteSpace
{
    /// <summary>The first byte that is not white space; mostly the given one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Skip(ref byte input, int position, int end) =>
        Unsafe.Add(ref input, position) > ' ' ? position : SkipMore(ref input, position, end);

    /// <summary>The same if one space is likely, as around a colon: that case is handled here.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int SkipOne(ref byte input, int position, int end)
    {
        byte next = Unsafe.Add(ref input, position);
        if (next == ' ')
        {
            position++;
            next = Unsafe.Add(ref input, position);
        }

        return next > ' ' ? Math.Min(position, end) : SkipMore(ref input, position, end);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int SkipMore(ref byte input, int position, int end)
    {
        if (Unsafe.Add(ref input, position) == ' ' && Unsafe.Add(ref input, position + 1) > ' ')
        {
            return Math.Min(position + 1, end);
        }

        return SkipMany(ref input, position, end);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int SkipMany(ref byte input, int position, int end)
    {
        while (position < end)
        {
            Vector256<byte> bytes = Vector256.LoadUnsafe(ref input, (nuint)position);
            Vector256<byte> white = Vector256.Equals(bytes, Vector256.Create((byte)' '))
                | Vector256.Equals(bytes, Vector256.Create((byte)'\n'))
                | Vector256.Equals(bytes, Vector256.Create((byte)'\r'))
                | Vector256.Equals(bytes, Vector256.Create((byte)'\t'));
            uint other = ~white.ExtractMostSignificantBits();
            if (other != 0)
            {
                return Math.Min(position + BitOperations.TrailingZeroCount(other), end);
            }

            position += Vector256<byte>.Count;
        }

        return end;
    }
}
