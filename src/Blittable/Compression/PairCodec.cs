using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Raven.Blittable.Compression;

/// <summary>
/// Compresses texts by a fixed dictionary of pairs: the bits of a character depend on the one before it, and likely
/// pairs take few. The result depends on no other text, nothing is allocated, and any bytes can be encoded. English
/// shrinks to 0.53 of its length, names and titles to 0.6 to 0.7. Rules: PAIR-1 to PAIR-3 in <see cref="PairCodes"/>.
/// </summary>
internal static class PairCodec
{
    /// <summary>Bytes of room that a target must have behind the longest allowed result.</summary>
    internal const int Slack = 4 * sizeof(ulong);

    /// <summary>So many bits of six pairs fit into a word, beside 7 that may be pending.</summary>
    private const int JoinedMax = 56;

    /// <summary>Beside so many bits another code fits into a word.</summary>
    private const int CountBeforeNextMax = 64 - PairCodes.CodeLengthMax - 8 - 1;

    private const int LookupMask = (1 << PairCodes.CodeLengthMax) - 1;
    private const int LengthMask = 15;
    private const int OnesMax = 7;

    /// <summary>Encodes <paramref name="source"/>.</summary>
    /// <param name="source">Any bytes; the codes are made for texts in UTF-8 that are mostly ASCII.</param>
    /// <param name="target">
    /// Receives the result: <paramref name="lengthMax"/> bytes and <see cref="Slack"/>. It must not overlap the source,
    /// and may have been written to if the result does not fit.
    /// </param>
    /// <param name="lengthMax">The longest allowed result.</param>
    /// <returns>The bytes written, or 0 if they are more (or the source is empty).</returns>
    internal static int Encode(ReadOnlySpan<byte> source, Span<byte> target, int lengthMax)
    {
        if (source.IsEmpty || target.Length < lengthMax + Slack)
        {
            Debug.Assert(source.IsEmpty, "A target has room behind what is wanted.");
            return 0;
        }

        ref byte input = ref MemoryMarshal.GetReference(source);
        ref byte output = ref MemoryMarshal.GetReference(target);
        return EncodeWords(ref input, source.Length, ref output, lengthMax);
    }

    /// <summary>Six pairs a step. Returns the length, or 0 if it exceeds the limit.</summary>
    private static int EncodeWords(ref byte input, int length, ref byte output, nint lengthMax)
    {
        ref uint codes = ref PairCodes.Codes;
        uint code = Unsafe.Add(ref PairCodes.FirstCodes, (nint)input);
        ulong bits = code >> 8;
        uint count = (byte)code;
        nint done = 0;
        nint last = length - 1;
        nint at = 0;
        Flush(ref output, ref done, ref bits, ref count);

        // The lookups are independent; only the places of their bits depend on those before.
        while (at + 6 <= last && done <= lengthMax)
        {
            uint joined = Join(ref codes, ref Unsafe.Add(ref input, at), out ulong six);
            if (joined > JoinedMax)
            {
                // Here and not in a method, which would keep the changed variables out of the registers.
                for (nint end = at + 6; at < end; at++)
                {
                    code = Code(ref codes, ref Unsafe.Add(ref input, at));
                    bits |= (ulong)(code >> 8) << (int)count;
                    count += (byte)code;
                    Flush(ref output, ref done, ref bits, ref count);
                }

                continue;
            }

            at += 6;
            bits |= six << (int)count;
            count += joined;
            Flush(ref output, ref done, ref bits, ref count);
        }

        if (done > lengthMax)
        {
            return 0;
        }

        Debug.Assert(last - at < 6, "Fewer than a step are left.");
        for (; at < last; at++)
        {
            code = Code(ref codes, ref Unsafe.Add(ref input, at));
            bits |= (ulong)(code >> 8) << (int)count;
            count += (byte)code;
            if (count > CountBeforeNextMax)
            {
                Flush(ref output, ref done, ref bits, ref count);
            }
        }

        return Finish(ref output, done, bits, count, lengthMax);
    }

    /// <summary>Writes the remaining bits, and ones that fill the last byte. Returns the whole length, or 0.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int Finish(ref byte output, nint done, ulong bits, uint count, nint lengthMax)
    {
        nint length = done + (nint)((count + 7) >> 3);
        if (length > lengthMax)
        {
            return 0;
        }

        Unsafe.WriteUnaligned(ref Unsafe.Add(ref output, done), bits | (ulong.MaxValue << (int)count));
        return (int)length;
    }

    /// <summary>Decodes what <see cref="Encode"/> wrote. Never reads or writes outside of the two spans, whatever the
    /// bytes are.</summary>
    /// <param name="source">The encoded bytes and nothing behind them.</param>
    /// <param name="target">
    /// Receives the bytes: best exactly as long as the decoded bytes. Bytes behind <paramref name="written"/> may have
    /// been overwritten.
    /// </param>
    /// <param name="written">The number of bytes decoded; 0 if the result is false.</param>
    /// <returns>False if the bytes are malformed or the target too short.</returns>
    internal static bool TryDecode(ReadOnlySpan<byte> source, Span<byte> target, out int written)
    {
        Reader reader = Begin();
        nint done = 0;
        written = 0;
        while (true)
        {
            DecodeWords(source, target, ref reader, ref done);
            DecodePairs(source, target, ref reader, ref done);
            if (reader.IsAtEnd(source))
            {
                written = (int)done;
                return true;
            }

            if (done == target.Length || !TryDecodeOne(ref reader, out target[(int)done]))
            {
                return false;
            }

            done++;
        }
    }

    /// <summary>The state of a decoder at the start.</summary>
    internal static Reader Begin() => new() { Class = (uint)PairCodes.StartClass << PairCodes.ClassShift };

    /// <summary>Decodes as many bytes as there is room for.</summary>
    /// <param name="source">All of the encoded bytes and nothing behind them.</param>
    /// <param name="target">Receives the bytes: 2 or more.</param>
    /// <param name="reader">The state of the decoder.</param>
    /// <param name="written">The number of bytes decoded; 0 only at the end.</param>
    /// <returns>False if the bytes are malformed.</returns>
    internal static bool TryDecodePiece(
        ReadOnlySpan<byte> source, Span<byte> target, ref Reader reader, out int written)
    {
        nint done = 0;
        while (true)
        {
            DecodeWords(source, target, ref reader, ref done);
            DecodePairs(source, target, ref reader, ref done);
            if (target.Length - done < 2 || reader.IsAtEnd(source))
            {
                written = (int)done;
                return true;
            }

            if (!TryDecodeOne(ref reader, out target[(int)done]))
            {
                written = 0;
                return false;
            }

            done++;
        }
    }

    /// <summary>Decodes characters while a whole word can be read and written and nothing is escaped.</summary>
    private static void DecodeWords(ReadOnlySpan<byte> source, Span<byte> target, ref Reader reader, ref nint done)
    {
        ref byte input = ref MemoryMarshal.GetReference(source);
        ref byte output = ref MemoryMarshal.GetReference(target);
        ref uint decoding = ref PairCodes.Decoding;
        ulong bits = reader.Bits;
        int count = reader.Count;
        nint at = reader.At;
        uint entry = reader.Class | (1 << PairCodes.CountShift);
        nint end = done;
        while (at + sizeof(ulong) <= source.Length && end + sizeof(ulong) <= target.Length
            && (entry & PairCodes.CountMask) != 0)
        {
            bits |= Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref input, at)) << count;
            at += (63 - count) >> 3;
            count |= 56;

            // Four lookups take at most 40 bits. An escape takes none, so that the bits behind it keep their places.
            Take(ref decoding, ref entry, ref bits, ref count, ref output, ref end);
            Take(ref decoding, ref entry, ref bits, ref count, ref output, ref end);
            Take(ref decoding, ref entry, ref bits, ref count, ref output, ref end);
            Take(ref decoding, ref entry, ref bits, ref count, ref output, ref end);
        }

        // Bits above the count are those of a byte that is read again.
        reader.Bits = bits & ((1UL << count) - 1);
        reader.Count = count;
        reader.At = (int)at;
        reader.Class = entry & PairCodes.ClassMask;
        done = end;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Take(
        ref uint decoding, ref uint entry, ref ulong bits, ref int count, ref byte output, ref nint end)
    {
        entry = Lookup(ref decoding, entry & PairCodes.ClassMask, bits);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref output, end), (ushort)(entry >> PairCodes.TextShift));
        end += (nint)((entry & PairCodes.CountMask) >> PairCodes.CountShift);
        bits >>= (int)entry;
        count -= (int)entry & LengthMask;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint Lookup(ref uint decoding, uint item, ulong bits) =>
        Unsafe.Add(ref Unsafe.AddByteOffset(ref decoding, (nuint)item), (nint)((uint)bits & LookupMask));

    /// <summary>The same near the end of either, as long as there is room for two characters.</summary>
    private static void DecodePairs(ReadOnlySpan<byte> source, Span<byte> target, ref Reader reader, ref nint done)
    {
        ref byte output = ref MemoryMarshal.GetReference(target);
        ref uint decoding = ref PairCodes.Decoding;
        reader.Fill(source);
        ulong bits = reader.Bits;
        int count = reader.Count;
        uint item = reader.Class;
        nint end = done;
        while (end + 1 < target.Length)
        {
            uint entry = Lookup(ref decoding, item, bits);
            if (((int)entry & LengthMask) > count || (entry & PairCodes.CountMask) == 0)
            {
                break;
            }

            Take(ref decoding, ref item, ref bits, ref count, ref output, ref end);
            item &= PairCodes.ClassMask;
            if (count < PairCodes.CodeLengthMax)
            {
                reader.Bits = bits;
                reader.Count = count;
                reader.Fill(source);
                bits = reader.Bits;
                count = reader.Count;
            }
        }

        reader.Bits = bits;
        reader.Count = count;
        reader.Class = item;
        done = end;
        reader.Fill(source);
    }

    private static bool TryDecodeOne(ref Reader reader, out byte value)
    {
        uint entry = Lookup(ref PairCodes.Decoding, reader.Class, reader.Bits);
        bool isEscaped = (entry & PairCodes.CountMask) == 0;
        value = isEscaped ? byte.MaxValue : (byte)(entry >> PairCodes.TextShift);
        int length = PairCodes.LengthOf((int)(reader.Class >> PairCodes.ClassShift), value);
        int needed = isEscaped ? length + 8 : length;
        if (needed > reader.Count)
        {
            return false;
        }

        if (isEscaped)
        {
            value = (byte)(reader.Bits >> length);
        }

        reader.Bits >>= needed;
        reader.Count -= needed;
        reader.Class = (uint)PairCodes.ClassOf(value) << PairCodes.ClassShift;
        return !isEscaped || !PairCodes.IsCharacter(value);
    }

    /// <summary>
    /// The bits of six pairs, and their number: if they are more than <see cref="JoinedMax"/>, not all of them.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint Join(ref uint codes, ref byte text, out ulong bits)
    {
        uint first = Code(ref codes, ref text);
        uint second = Code(ref codes, ref Unsafe.Add(ref text, 1));
        ulong joined = (first >> 8) | ((ulong)(second >> 8) << (int)first);
        uint sum = first + second;
        uint third = Code(ref codes, ref Unsafe.Add(ref text, 2));
        uint fourth = Code(ref codes, ref Unsafe.Add(ref text, 3));
        joined |= ((third >> 8) | ((ulong)(fourth >> 8) << (int)third)) << (int)sum;
        sum += third + fourth;
        uint fifth = Code(ref codes, ref Unsafe.Add(ref text, 4));
        uint sixth = Code(ref codes, ref Unsafe.Add(ref text, 5));
        joined |= ((fifth >> 8) | ((ulong)(sixth >> 8) << (int)fifth)) << (int)sum;
        bits = joined;
        return (byte)(sum + fifth + sixth);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint Code(ref uint codes, ref byte pair) =>
        Unsafe.Add(ref codes, (nint)Unsafe.ReadUnaligned<ushort>(ref pair));

    /// <summary>Writes the whole bytes; fewer than 8 bits remain.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Flush(ref byte output, ref nint done, ref ulong bits, ref uint count)
    {
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref output, done), bits);
        done += (nint)(count >> 3);
        bits >>= (int)count & 0x38;
        count &= 7;
    }

    /// <summary>The state of a decoder: bits that were read and not used, the lowest first.</summary>
    internal struct Reader
    {
        internal ulong Bits;
        internal int Count;
        internal int At;

        /// <summary>The class of the character before, in the form of a table entry.</summary>
        internal uint Class;

        internal void Fill(ReadOnlySpan<byte> source)
        {
            if (At + sizeof(ulong) <= source.Length)
            {
                // Bits that do not fit above the count are read again.
                Bits |= MemoryMarshal.Read<ulong>(source[At..]) << Count;
                At += (63 - Count) >> 3;
                Count |= 56;
                Bits &= (1UL << Count) - 1;
                return;
            }

            for (; Count <= 48 && At < source.Length; Count += 8)
            {
                Bits |= (ulong)source[At++] << Count;
            }
        }

        /// <summary>Only ones that fill the last byte are left.</summary>
        internal readonly bool IsAtEnd(ReadOnlySpan<byte> source) =>
            At == source.Length && Count <= OnesMax && Bits == (1UL << Count) - 1;
    }
}
