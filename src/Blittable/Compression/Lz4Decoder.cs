using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Raven.Blittable.Compression;

/// <summary>
/// The decoder. Far from both ends it copies in whole vectors, beyond what is needed; near an end byte by byte.
/// Every length and offset is checked before anything is copied. Rules and layout: <see cref="Lz4Format"/>.
/// </summary>
internal static class Lz4Decoder
{
    private const nint Malformed = -1;

    /// <summary>
    /// The least that follows the literals of every sequence but the last: the offset, and the last token with
    /// its literals.
    /// </summary>
    private const int InputBehindLiterals = 2 + 1 + Lz4Format.LastLiterals;

    /// <summary>Input that a short sequence needs: 14 literals (16 are read) and what must follow.</summary>
    private const int ShortInput = 14 + InputBehindLiterals;

    /// <summary>Output that a short sequence may write: 14 literals and a vector pair for a match of at most
    /// 18.</summary>
    private const int ShortOutput = 14 + 32;

    internal static nint Decode(ref byte input, nint inputLength, ref byte output, nint outputLength)
    {
        nint read = 0;
        nint written = 0;
        while (read < inputLength)
        {
            nint token = Unsafe.Add(ref input, read++);
            nint literals = token >> 4;
            if (literals < Lz4Format.NibbleMax && read <= inputLength - ShortInput
                && written <= outputLength - ShortOutput)
            {
                Vector128.LoadUnsafe(ref input, (nuint)read).StoreUnsafe(ref output, (nuint)written);
                read += literals;
                written += literals;
            }
            else
            {
                if (literals == Lz4Format.NibbleMax && !TryReadLength(ref input, inputLength, ref read, ref literals))
                {
                    return Malformed;
                }

                // Rules LZ4-1 to LZ4-3: either there is room for a match and the last literals, or these are the last.
                if (literals > inputLength - read - InputBehindLiterals
                    || literals > outputLength - written - Lz4Format.MatchStartBeforeEnd)
                {
                    return CopyLastLiterals(ref input, inputLength, read, ref output, outputLength, written, literals);
                }

                CopyLiterals(ref input, inputLength, read, ref output, outputLength, written, literals);
                read += literals;
                written += literals;
            }

            nint offset = Unsafe.ReadUnaligned<ushort>(ref Unsafe.Add(ref input, read));
            read += 2;
            nint match = token & Lz4Format.NibbleMax;
            if ((nuint)(offset - 1) >= (nuint)written)
            {
                return Malformed; // No offset, or one before the first byte.
            }

            if (match < Lz4Format.NibbleMax && offset >= 16 && written <= outputLength - 32)
            {
                ref byte from = ref Unsafe.Add(ref output, written - offset);
                ref byte to = ref Unsafe.Add(ref output, written);
                Vector128.LoadUnsafe(ref from).StoreUnsafe(ref to);
                Unsafe.WriteUnaligned(
                    ref Unsafe.Add(ref to, 16), Unsafe.ReadUnaligned<ushort>(ref Unsafe.Add(ref from, 16)));
                written += match + Lz4Format.MatchLengthMin;
                continue;
            }

            if (match == Lz4Format.NibbleMax && !TryReadLength(ref input, inputLength, ref read, ref match))
            {
                return Malformed;
            }

            match += Lz4Format.MatchLengthMin;
            if (match > outputLength - written - Lz4Format.LastLiterals)
            {
                return Malformed;
            }

            CopyMatch(ref output, outputLength, written, offset, match);
            written += match;
        }

        return Malformed; // A block ends with literals, even if there are none of them.
    }

    /// <summary>Adds the continuation bytes of a length.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryReadLength(ref byte input, nint inputLength, ref nint read, ref nint length)
    {
        nint at = read;
        nint sum = length;
        nint part;
        do
        {
            if (at >= inputLength)
            {
                return false;
            }

            part = Unsafe.Add(ref input, at++);
            sum += part; // At most 255 an input byte: no overflow of a native integer.
        }
        while (part == 255);

        read = at;
        length = sum;
        return true;
    }

    private static nint CopyLastLiterals(
        ref byte input, nint inputLength, nint read, ref byte output, nint outputLength, nint written, nint literals)
    {
        if (literals != inputLength - read || literals > outputLength - written)
        {
            return Malformed;
        }

        CopyExactly(ref Unsafe.Add(ref input, read), ref Unsafe.Add(ref output, written), literals);
        return written + literals;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void CopyLiterals(
        ref byte input, nint inputLength, nint read, ref byte output, nint outputLength, nint written, nint literals)
    {
        ref byte from = ref Unsafe.Add(ref input, read);
        ref byte to = ref Unsafe.Add(ref output, written);
        if (literals <= inputLength - read - 32 && literals <= outputLength - written - 32)
        {
            nint done = 0;
            do
            {
                Vector256.LoadUnsafe(ref from, (nuint)done).StoreUnsafe(ref to, (nuint)done);
                done += 32;
            }
            while (done < literals);
            return;
        }

        CopyExactly(ref from, ref to, literals);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void CopyMatch(ref byte output, nint outputLength, nint written, nint offset, nint match)
    {
        ref byte from = ref Unsafe.Add(ref output, written - offset);
        ref byte to = ref Unsafe.Add(ref output, written);
        nint vectors = outputLength - written - 32;
        if (match > vectors)
        {
            // A short text ends with its only match: all but its last bytes are copied as if there were room.
            if (vectors > 0)
            {
                CopyVectors(ref from, ref to, offset, vectors);
                from = ref Unsafe.Add(ref from, vectors);
                to = ref Unsafe.Add(ref to, vectors);
                match -= vectors;
            }

            CopyBytes(ref from, ref to, match);
            return;
        }

        CopyVectors(ref from, ref to, offset, match);
    }

    /// <summary>Copies in whole vectors: up to 31 bytes more than needed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void CopyVectors(ref byte from, ref byte to, nint offset, nint match)
    {
        if (offset >= 32)
        {
            nint done = 0;
            do
            {
                Vector256.LoadUnsafe(ref from, (nuint)done).StoreUnsafe(ref to, (nuint)done);
                done += 32;
            }
            while (done < match);
        }
        else if (offset >= 16)
        {
            nint done = 0;
            do
            {
                Vector128.LoadUnsafe(ref from, (nuint)done).StoreUnsafe(ref to, (nuint)done);
                done += 16;
            }
            while (done < match);
        }
        else
        {
            RepeatPattern(ref from, ref to, offset, match);
        }
    }

    /// <summary>An offset under 16: one vector holds the pattern, repeated, and is stored at each multiple of the
    /// offset.</summary>
    private static void RepeatPattern(ref byte from, ref byte to, nint offset, nint match)
    {
        // Rule LZ4-4. Bytes behind the pattern in the load are not yet written; the shuffle uses none of them.
        Vector128<byte> pattern = Vector128.Shuffle(
            Vector128.LoadUnsafe(ref from),
            Vector128.LoadUnsafe(ref MemoryMarshal.GetReference(PatternIndexes), (nuint)(offset * 16)));
        nint step = 16 - (16 % offset);
        for (nint done = 0; done < match; done += step)
        {
            pattern.StoreUnsafe(ref to, (nuint)done);
        }
    }

    private static void CopyBytes(ref byte from, ref byte to, nint count)
    {
        for (nint i = 0; i < count; i++)
        {
            Unsafe.Add(ref to, i) = Unsafe.Add(ref from, i);
        }
    }

    private static void CopyExactly(ref byte from, ref byte to, nint count) =>
        MemoryMarshal.CreateReadOnlySpan(ref from, (int)count).CopyTo(MemoryMarshal.CreateSpan(ref to, (int)count));

    /// <summary>Row n: the indexes 0 to 15 modulo n.</summary>
    private static ReadOnlySpan<byte> PatternIndexes =>
    [
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1,
        0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0,
        0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3,
        0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0,
        0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3,
        0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1,
        0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7,
        0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6,
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5,
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 1, 2, 3, 4,
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3,
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 1, 2,
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1,
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0,
    ];
}
