using System.Buffers.Binary;
using System.Text;

namespace Raven.Documents.Ids;

//   FOLD-1  The mapping is Unicode 15.0's simple folding (entries C and S), frozen in CaseFoldingTable. Keys on disk
//           were made by it, so it follows neither a newer Unicode nor the runtime, which is inconsistent for
//           U+212A and U+023A.
//   FOLD-2  A code point becomes one code point; its UTF-8 may grow (U+023A: 2 to 3 bytes) or shrink (U+212A: 3 to 1).
//   FOLD-3  Folding twice changes nothing more.
//   FOLD-4  There is no normalization: U+00E9 and e + U+0301 stay two different texts.

/// <summary>Makes texts that differ only in case equal, by a table that is part of the file format.</summary>
internal static class CaseFolding
{
    /// <summary>The first of the bytes that separate texts in keys, and so may be in none of them.</summary>
    private const byte SeparatorFirst = 0x1E;
    private const byte SeparatorLast = 0x1F;

    private const ulong HighBits = 0x8080_8080_8080_8080;

    /// <summary>The code point that stands for all case forms of this one.</summary>
    /// <param name="codePoint">Any Unicode scalar value.</param>
    internal static int Fold(int codePoint)
    {
        if (codePoint >= CaseFoldingTable.CodePointLimit)
        {
            return codePoint;
        }

        int block = CaseFoldingTable.Blocks[codePoint >> CaseFoldingTable.BlockShift];
        int index = (block << CaseFoldingTable.BlockShift) | (codePoint & CaseFoldingTable.BlockMask);
        return codePoint + CaseFoldingTable.Deltas[CaseFoldingTable.Slots[index]];
    }

    /// <summary>Writes the folded form of a UTF-8 text. Allocates nothing.</summary>
    /// <param name="source">The text.</param>
    /// <param name="target">The memory of the folded text; it must not overlap <paramref name="source"/>.</param>
    /// <param name="written">The length of the folded text, or, after a failure, of the part that was folded.</param>
    /// <param name="position">After a failure, the byte in <paramref name="source"/> that could not be folded.</param>
    internal static CaseFoldingStatus Fold(
        ReadOnlySpan<byte> source, Span<byte> target, out int written, out int position)
    {
        position = 0;
        written = 0;
        while (position < source.Length)
        {
            if (FoldAsciiWord(source[position..], target[written..]))
            {
                position += sizeof(ulong);
                written += sizeof(ulong);
                continue;
            }

            byte first = source[position];
            if (first >= 0x80)
            {
                CaseFoldingStatus status = FoldRune(source[position..], target[written..], out int read, out int put);
                if (status != CaseFoldingStatus.Done)
                {
                    return status;
                }

                position += read;
                written += put;
                continue;
            }

            if (first < ' ' && first is 0 or SeparatorFirst or SeparatorLast)
            {
                return CaseFoldingStatus.ControlCharacter;
            }

            if (written == target.Length)
            {
                return CaseFoldingStatus.TargetTooShort;
            }

            target[written++] = first is >= (byte)'A' and <= (byte)'Z' ? (byte)(first | 0x20) : first;
            position++;
        }

        return CaseFoldingStatus.Done;
    }

    /// <summary>Eight bytes at once, if all are ASCII, none is a control character, and there is room.</summary>
    private static bool FoldAsciiWord(ReadOnlySpan<byte> source, Span<byte> target)
    {
        if (source.Length < sizeof(ulong) || target.Length < sizeof(ulong))
        {
            return false;
        }

        ulong word = BinaryPrimitives.ReadUInt64LittleEndian(source);
        // As no byte has its high bit set, no addition below carries into the next byte.
        if ((word & HighBits) != 0 || ((word + 0x6060_6060_6060_6060) & HighBits) != HighBits)
        {
            return false;
        }

        ulong fromA = word + 0x3F3F_3F3F_3F3F_3F3F;
        ulong pastZ = word + 0x2525_2525_2525_2525;
        ulong upper = (fromA ^ pastZ) & HighBits;
        BinaryPrimitives.WriteUInt64LittleEndian(target, word | (upper >> 2));
        return true;
    }

    private static CaseFoldingStatus FoldRune(ReadOnlySpan<byte> source, Span<byte> target, out int read, out int put)
    {
        put = 0;
        if (Rune.DecodeFromUtf8(source, out Rune rune, out read) != System.Buffers.OperationStatus.Done)
        {
            return CaseFoldingStatus.NotUtf8;
        }

        return new Rune(Fold(rune.Value)).TryEncodeToUtf8(target, out put)
            ? CaseFoldingStatus.Done
            : CaseFoldingStatus.TargetTooShort;
    }
}
