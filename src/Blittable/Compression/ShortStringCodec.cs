using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Raven.Blittable.Compression;

//   code 0 to 253   a piece of the dictionary
//   254 n b..b      n bytes unchanged, n from 1 to 255
//   255 b           one byte unchanged

/// <summary>
/// Compresses short strings with a fixed dictionary, one byte a piece: the idea of Smaz by Salvatore Sanfilippo, with
/// its own pieces. It gains on texts of 20 bytes, in which general codecs find no repetition: English shrinks to 0.6 of
/// its length, names and titles to 0.6 to 0.8. It has no state and allocates nothing; any bytes can be encoded.
/// </summary>
public static class ShortStringCodec
{
    /// <summary>The version of the dictionary that <see cref="Encode"/> writes and <see cref="TryDecode"/>
    /// reads.</summary>
    public const int DictionaryVersion = 1;

    private const byte RunEscape = 254;
    private const byte ByteEscape = 255;
    private const int RunLengthMax = 255;
    private const int ChunkLength = 256;

    /// <summary>The most bytes that a source can take when encoded.</summary>
    /// <param name="sourceLength">Bytes, not negative, at most 2^30.</param>
    public static int MaxEncodedLength(int sourceLength) => checked(2 * sourceLength);

    /// <summary>Encodes <paramref name="source"/>, with the longest piece at each position.</summary>
    /// <param name="source">Any bytes; the dictionary is made for text in UTF-8.</param>
    /// <param name="target">
    /// Receives the result. If it is shorter than the source, a longer result counts as a failure. It must not overlap
    /// the source, and may have been written to if the result does not fit.
    /// </param>
    /// <returns>The bytes written, or 0 if they do not fit (or the source is empty).</returns>
    [SkipLocalsInit]
    public static int Encode(ReadOnlySpan<byte> source, Span<byte> target)
    {
        Span<ushort> choices = stackalloc ushort[ChunkLength];
        int written = 0;
        int at = 0;
        while (at < source.Length)
        {
            // First the longest piece at each position, which the processor finds for several at once; then the walk
            // along the chosen ones, in which every step waits for the one before.
            int count = Math.Min(ChunkLength, source.Length - at);
            ChooseAll(source[at..], choices[..count]);
            int walked = Walk(source.Slice(at, count), choices, target, ref written);
            if (walked < 0)
            {
                return 0;
            }

            at += walked;
        }

        return written;
    }

    /// <summary>Decodes what <see cref="Encode"/> wrote. Never reads or writes outside of the two spans, whatever
    /// the bytes are.</summary>
    /// <param name="source">The encoded bytes and nothing behind them.</param>
    /// <param name="target">
    /// Receives the bytes: best exactly as long as the decoded bytes. Bytes behind <paramref name="written"/> may have
    /// been overwritten.
    /// </param>
    /// <param name="written">The number of bytes decoded; 0 if the result is false.</param>
    /// <returns>False if the bytes are malformed or the target too short.</returns>
    public static bool TryDecode(ReadOnlySpan<byte> source, Span<byte> target, out int written)
    {
        nint at = 0;
        return TryDecodeCodes(source, target, ref at, target.Length, out written);
    }

    /// <summary>Decodes as many bytes as there is room for.</summary>
    /// <param name="source">All of the encoded bytes and nothing behind them.</param>
    /// <param name="target">Receives the bytes: more than 255.</param>
    /// <param name="at">The place of the decoder in the source.</param>
    /// <param name="written">The number of bytes decoded; 0 only at the end.</param>
    /// <returns>False if the bytes are malformed.</returns>
    internal static bool TryDecodePiece(
        ReadOnlySpan<byte> source, Span<byte> target, ref nint at, out int written) =>
        TryDecodeCodes(source, target, ref at, target.Length - RunLengthMax, out written);

    /// <summary>Decodes codes while a bounded number of bytes is written.</summary>
    private static bool TryDecodeCodes(
        ReadOnlySpan<byte> source, Span<byte> target, ref nint at, nint most, out int written)
    {
        ref byte input = ref MemoryMarshal.GetReference(source);
        ref byte output = ref MemoryMarshal.GetReference(target);
        nint done = 0;
        written = 0;
        while (at < source.Length && done <= most)
        {
            byte code = Unsafe.Add(ref input, at++);
            ulong piece = ShortStringDictionary.Piece(code);
            nint length = (nint)(piece >> 56);
            if (length == 0)
            {
                if (!TryCopyLiterals(source, target, code, ref at, ref done))
                {
                    return false;
                }
            }
            else if (done + sizeof(ulong) <= target.Length)
            {
                Unsafe.WriteUnaligned(ref Unsafe.Add(ref output, done), piece); // The byte behind it comes next.
                done += length;
            }
            else
            {
                if (done + length > target.Length)
                {
                    return false;
                }

                for (nint i = 0; i < length; i++)
                {
                    Unsafe.Add(ref output, done++) = (byte)(piece >> (int)(8 * i));
                }
            }
        }

        written = (int)done;
        return true;
    }

    private static void ChooseAll(ReadOnlySpan<byte> source, Span<ushort> choices)
    {
        ref byte input = ref MemoryMarshal.GetReference(source);
        ref ushort choice = ref MemoryMarshal.GetReference(choices);
        int whole = Math.Min(source.Length - sizeof(ulong) + 1, choices.Length);
        int at = 0;
        for (; at < whole; at++)
        {
            ulong text = Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref input, at));
            Unsafe.Add(ref choice, at) = ShortStringDictionary.Longest(text);
        }

        if (at < choices.Length)
        {
            // The last bytes of the source, zeros behind them.
            ulong rest = LastWord(source) >> (8 * (sizeof(ulong) - (source.Length - at)));
            for (; at < choices.Length; at++, rest >>= 8)
            {
                Unsafe.Add(ref choice, at) = ShortStringDictionary.Longest(rest);
            }
        }
    }

    /// <summary>The last 8 bytes; if the source is shorter, with zeros before it.</summary>
    private static ulong LastWord(ReadOnlySpan<byte> source)
    {
        if (source.Length >= sizeof(ulong))
        {
            return MemoryMarshal.Read<ulong>(source[^sizeof(ulong)..]);
        }

        ulong word = 0;
        foreach (byte part in source)
        {
            word = (word >> 8) | ((ulong)part << 56);
        }

        return word;
    }

    /// <summary>
    /// Writes the codes of the chosen pieces. Returns how many bytes of the source they encode, which may be a few
    /// beyond the chunk's end, or -1 if the codes do not fit.
    /// </summary>
    private static int Walk(
        ReadOnlySpan<byte> source, ReadOnlySpan<ushort> choices, Span<byte> target, ref int written)
    {
        ref ushort choice = ref MemoryMarshal.GetReference(choices);
        ref byte output = ref MemoryMarshal.GetReference(target);
        int done = written;
        int at = 0;
        while (at < source.Length)
        {
            uint chosen = Unsafe.Add(ref choice, at);
            if (chosen == ShortStringDictionary.NoPiece)
            {
                int end = at + 1;
                while (end < source.Length && choices[end] == ShortStringDictionary.NoPiece)
                {
                    end++;
                }

                done = WriteLiterals(source[at..end], target, done);
                if (done == 0)
                {
                    return -1;
                }

                at = end;
                continue;
            }

            if (done >= target.Length)
            {
                return -1;
            }

            Unsafe.Add(ref output, done++) = (byte)chosen;
            at += (int)(chosen >> 8);
        }

        written = done;
        return at;
    }

    /// <summary>Writes bytes that no piece covers. Returns the total of bytes written, 0 if they do not fit.</summary>
    private static int WriteLiterals(ReadOnlySpan<byte> literals, Span<byte> target, int written)
    {
        while (!literals.IsEmpty)
        {
            int count = Math.Min(literals.Length, RunLengthMax);
            int needed = count <= 2 ? 2 * count : 2 + count;
            if (written + needed > target.Length)
            {
                return 0;
            }

            if (count <= 2)
            {
                for (int i = 0; i < count; i++)
                {
                    target[written++] = ByteEscape;
                    target[written++] = literals[i];
                }
            }
            else
            {
                target[written] = RunEscape;
                target[written + 1] = (byte)count;
                literals[..count].CopyTo(target[(written + 2)..]);
                written += needed;
            }

            literals = literals[count..];
        }

        return written;
    }

    private static bool TryCopyLiterals(
        ReadOnlySpan<byte> source, Span<byte> target, byte code, ref nint at, ref nint done)
    {
        int count = 1;
        if (code == RunEscape)
        {
            if (at >= source.Length)
            {
                return false;
            }

            count = source[(int)at++];
        }

        if (count == 0 || count > source.Length - at || count > target.Length - done)
        {
            return false;
        }

        source.Slice((int)at, count).CopyTo(target[(int)done..]);
        at += count;
        done += count;
        return true;
    }
}
