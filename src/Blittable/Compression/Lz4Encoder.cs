using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Raven.Blittable.Compression;

/// <summary>
/// The greedy encoder: a table from the hash of 5 bytes to the last position with that hash, one probe a position,
/// and steps that grow while nothing is found. Rules and layout: <see cref="Lz4Format"/>.
/// </summary>
internal static class Lz4Encoder
{
    /// <summary>After so many failed probes (as a power of two) the step grows by one.</summary>
    private const int SkipBits = 6;

    /// <summary>
    /// The most that a sequence takes, besides its literals and their length bytes: token, offset and the last
    /// sequence's token with its five literals.
    /// </summary>
    private const int SequenceOverhead = 1 + 2 + 1 + Lz4Format.LastLiterals;

    /// <summary>Encodes one block; see <see cref="Lz4.Encode"/>.</summary>
    /// <param name="source">What to encode.</param>
    /// <param name="target">Receives the block.</param>
    /// <param name="table">The hash table, <see cref="Lz4Workspace.TableBits"/> bits wide.</param>
    /// <param name="origin">
    /// The number of the first byte's position in the table: all older entries are farther below it than a match
    /// can reach.
    /// </param>
    internal static int Encode(ReadOnlySpan<byte> source, Span<byte> target, ref uint table, uint origin)
    {
        ref byte input = ref MemoryMarshal.GetReference(source);
        ref byte output = ref MemoryMarshal.GetReference(target);
        nint anchor = 0;
        nint written = 0;
        if (source.Length > Lz4Format.MatchStartBeforeEnd)
        {
            written = EncodeMatches(ref input, source.Length, ref output, target.Length, ref table, origin, ref anchor);
            if (written < 0)
            {
                return 0;
            }
        }

        return EncodeLastLiterals(source[(int)anchor..], target[(int)written..]) is var last and > 0
            ? (int)written + last
            : 0;
    }

    /// <summary>All sequences but the last. Returns the bytes written, or -1 if the target is too short.</summary>
    private static nint EncodeMatches(
        ref byte input, nint length, ref byte output, nint capacity, ref uint table, uint origin, ref nint anchorOut)
    {
        nint lastStart = length - Lz4Format.MatchStartBeforeEnd;
        nint matchEnd = length - Lz4Format.LastLiterals;
        nint anchor = 0;
        nint written = 0;
        Unsafe.Add(ref table, Hash(ref input, 0)) = origin;
        nint position = 1;
        while (true)
        {
            ulong found = FindMatch(ref input, position, lastStart, ref table, origin);
            if (found == 0)
            {
                return written;
            }

            position = (nint)(found >> 16);
            nint candidate = position - (nint)(found & Lz4Format.OffsetMax);
            nint behind = CommonLengthBehind(ref input, position, anchor, candidate);
            position -= behind;
            candidate -= behind;
            nint literals = position - anchor;
            nint tokenAt = written;
            written = WriteLiterals(ref input, anchor, literals, length, ref output, written, capacity);
            if (written < 0)
            {
                return -1;
            }

            while (true)
            {
                Unsafe.WriteUnaligned(ref Unsafe.Add(ref output, written), (ushort)(position - candidate));
                written += 2;
                nint more = CommonLength(
                    ref input, position + Lz4Format.MatchLengthMin, candidate + Lz4Format.MatchLengthMin, matchEnd);
                position += more + Lz4Format.MatchLengthMin;
                written = WriteMatchLength(ref output, tokenAt, written, more, capacity);
                if (written < 0)
                {
                    return -1;
                }

                anchorOut = anchor = position;
                if (position >= lastStart)
                {
                    return written;
                }

                // The two positions before the end of a match are likely starts of the next.
                Unsafe.Add(ref table, Hash(ref input, position - 2)) = origin + (uint)position - 2;
                ref uint slot = ref Unsafe.Add(ref table, Hash(ref input, position));
                candidate = Candidate(slot, origin);
                slot = origin + (uint)position;
                if (Word(ref input, candidate) != Word(ref input, position)
                    || position - candidate > Lz4Format.OffsetMax)
                {
                    position++;
                    break;
                }

                tokenAt = written;
                Unsafe.Add(ref output, written++) = 0;
            }
        }
    }

    /// <summary>
    /// The next position at or behind <paramref name="position"/> that repeats four bytes, and in the lower 16 bits the
    /// distance back to them; 0 if there is none.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong FindMatch(ref byte input, nint position, nint lastStart, ref uint table, uint origin)
    {
        nuint attempts = 1 << SkipBits;
        while (position <= lastStart)
        {
            ref uint slot = ref Unsafe.Add(ref table, Hash(ref input, position));
            nint candidate = Candidate(slot, origin);
            slot = origin + (uint)position;
            if (Word(ref input, candidate) == Word(ref input, position) && position - candidate <= Lz4Format.OffsetMax)
            {
                return ((ulong)position << 16) | (ulong)(position - candidate);
            }

            position += (nint)(attempts++ >> SkipBits);
        }

        return 0;
    }

    /// <summary>
    /// The token, the bytes of the length and the literals. Returns the bytes written, -1 if they do not fit.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nint WriteLiterals(
        ref byte input, nint anchor, nint literals, nint length, ref byte output, nint written, nint capacity)
    {
        if (literals < Lz4Format.NibbleMax)
        {
            if (written + literals + SequenceOverhead > capacity)
            {
                return -1;
            }

            Unsafe.Add(ref output, written++) = (byte)(literals << 4);
            if (anchor + 16 <= length && written + 16 <= capacity)
            {
                Vector128.LoadUnsafe(ref input, (nuint)anchor).StoreUnsafe(ref output, (nuint)written);
                return written + literals;
            }
        }
        else
        {
            if (written + literals + (literals / 255) + SequenceOverhead > capacity)
            {
                return -1;
            }

            Unsafe.Add(ref output, written++) = Lz4Format.NibbleMax << 4;
            written = WriteLength(ref output, written, literals - Lz4Format.NibbleMax);
        }

        MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref input, anchor), (int)literals)
            .CopyTo(MemoryMarshal.CreateSpan(ref Unsafe.Add(ref output, written), (int)literals));
        return written + literals;
    }

    /// <summary>The rest of a match's length. Returns the bytes written, -1 if they do not fit.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nint WriteMatchLength(ref byte output, nint tokenAt, nint written, nint more, nint capacity)
    {
        if (more < Lz4Format.NibbleMax)
        {
            if (written + SequenceOverhead > capacity)
            {
                return -1;
            }

            Unsafe.Add(ref output, tokenAt) += (byte)more;
            return written;
        }

        if (written + (more / 255) + SequenceOverhead > capacity)
        {
            return -1;
        }

        Unsafe.Add(ref output, tokenAt) += Lz4Format.NibbleMax;
        return WriteLength(ref output, written, more - Lz4Format.NibbleMax);
    }

    private static nint WriteLength(ref byte output, nint written, nint rest)
    {
        for (; rest >= 255; rest -= 255)
        {
            Unsafe.Add(ref output, written++) = 255;
        }

        Unsafe.Add(ref output, written++) = (byte)rest;
        return written;
    }

    /// <summary>The last sequence: literals alone. Returns the bytes written, 0 if they do not fit.</summary>
    private static int EncodeLastLiterals(ReadOnlySpan<byte> literals, Span<byte> target)
    {
        int extra = literals.Length < Lz4Format.NibbleMax ? 0 : ((literals.Length - Lz4Format.NibbleMax) / 255) + 1;
        long needed = 1L + extra + literals.Length;
        if (needed > target.Length)
        {
            return 0;
        }

        target[0] = (byte)(Math.Min(literals.Length, Lz4Format.NibbleMax) << 4);
        if (extra > 0)
        {
            _ = WriteLength(ref MemoryMarshal.GetReference(target), 1, literals.Length - Lz4Format.NibbleMax);
        }

        literals.CopyTo(target[(1 + extra)..]);
        return (int)needed;
    }

    /// <summary>
    /// The position of an entry; 0 for one of an earlier block. Any position is a candidate that is confirmed by
    /// comparing its bytes, so this needs no branch, which makes the search fast.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nint Candidate(uint slot, uint origin)
    {
        // Both are under 2^31: an entry of an earlier block gives a negative number.
        int candidate = (int)(slot - origin);
        return (nint)(uint)(candidate & ~(candidate >> 31));
    }

    /// <summary>The number of equal bytes from the two positions on, before <paramref name="limit"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nint CommonLength(ref byte input, nint position, nint candidate, nint limit)
    {
        nint start = position;
        while (position + 8 <= limit)
        {
            ulong difference = LongWord(ref input, position) ^ LongWord(ref input, candidate);
            if (difference != 0)
            {
                return position - start + (BitOperations.TrailingZeroCount(difference) >> 3);
            }

            position += 8;
            candidate += 8;
        }

        while (position < limit && Unsafe.Add(ref input, position) == Unsafe.Add(ref input, candidate))
        {
            position++;
            candidate++;
        }

        return position - start;
    }

    /// <summary>The number of equal bytes before the two positions, as far as the literals and the input go.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nint CommonLengthBehind(ref byte input, nint position, nint anchor, nint candidate)
    {
        nint limit = Math.Min(position - anchor, candidate);
        nint behind = 0;
        while (behind < limit
            && Unsafe.Add(ref input, position - behind - 1) == Unsafe.Add(ref input, candidate - behind - 1))
        {
            behind++;
        }

        return behind;
    }

    /// <summary>Five bytes hashed to <see cref="Lz4Workspace.TableBits"/> bits: a match of four is found a little
    /// later, which costs less than the false candidates of a hash of four.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nuint Hash(ref byte input, nint at) =>
        (nuint)(((LongWord(ref input, at) << 24) * 889523592379UL) >> (64 - Lz4Workspace.TableBits));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint Word(ref byte input, nint at) => Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref input, at));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong LongWord(ref byte input, nint at) =>
        Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref input, at));
}
