using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Raven.Blittable.Compression;

// SSD-1  Pieces have 1 to 6 bytes of ASCII and no zero byte.
// SSD-2  At most one piece of three bytes or more starts with a given three bytes, so that one probe finds it.
// SSD-3  The hash of those three bytes has no collisions (HashMultiplier was searched for that).

/// <summary>
/// The dictionary of <see cref="ShortStringCodec"/>, version 1: 254 pieces of text. It was chosen by counting in
/// property names, in values of CC0 document sets (Tate's collection, MDN's compatibility data) and in ordinary
/// English, keeping only pieces that at least three of seven kinds of text use; <c>docs/formats/short-strings.md</c>
/// describes how. It is frozen: documents on disk were written with it, so another dictionary needs another version and
/// another token.
/// </summary>
internal static class ShortStringDictionary
{
    /// <summary>Pieces; the code of a piece is its index.</summary>
    internal const int Count = 254;

    /// <summary>The longest piece in bytes (SSD-1).</summary>
    internal const int PieceLengthMax = 6;

    /// <summary>
    /// The result of <see cref="Longest"/> for a byte that no piece starts with: an escape code, one byte.
    /// </summary>
    internal const ushort NoPiece = 0x01FF;

    private const byte Separator = (byte)'|';
    private const int LongLengthMin = 3;
    private const int HashBits = 8;
    private const uint HashMultiplier = 0x4227DE21;

    private static readonly ulong[] _pieces = new ulong[256];
    private static readonly LongPiece[] _longPieces = new LongPiece[1 << HashBits];
    private static readonly ushort[] _shortPieces = new ushort[1 << 16];

    static ShortStringDictionary()
    {
        ReadPieces();
        IndexLongPieces();
        IndexShortPieces();
    }

    /// <summary>The pieces in the order of their codes, which is their byte order.</summary>
    private static ReadOnlySpan<byte> Text =>
        " | A| B| C| S| W| a| and | f| in| m| o| of | re| s| the| to| w|, |-|-A|.|. |.j|.org|/|//|0|"u8
        + "000|04|1|10|12|13|14|15|16|17|18|19|2|20|3|4|5|6|7|8|9|:|://www|@|A|B|C|Co|Count|D|E|F|G|H|I|"u8
        + "I |J|K|L|M|N|Name|O|P|R|Re|Ro|S|T|T0|The |U|V|W|X|Year|Z|_|a|a |able|ad|al|am|an|ance|and|ap|"u8
        + "ar|artist|as|at|ation|b|be|bject|bu|c|ca|ce|ch|ci|ck|co|compa|cont|count|cre|crip|ct|d|d |d_|"u8
        + "date|de|der|develo|di|do|duc|e|e |ed|el|en|ent|er|es|et|ew|ex|f|fi|for|g|ge|ght|h|he|hi|ho|"u8
        + "http|i|id|il|image|in|ing|ion|ir|is|it|ity|ive|k|l|la|le|li|ll|lo|ly |m|ma|mber|me|ment|mo|mp|"u8
        + "n|n |name|nd|ne|ness|ng|ni|no|ns|nt|o|of |ol|on|or|ort|ou|p|pa|pe|per|pla|po|pro|qu|r|r |ra|"u8
        + "re|res|ri|ro|rom|rt|ry|s|s |s/|se|sh|si|son|ss|st|sta|supp|t|t |t/|ta|te|ter|th|the |ti|tion|"u8
        + "to|ty|u|ue|ul|up|ur|us|v|ve|ver|vi|w|we|wi|x|x |y|y |z"u8;

    /// <summary>A piece: its bytes from the lowest on, in the 7th byte its code and in the 8th its length; 0 for
    /// the two escape codes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Piece(byte code) => Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_pieces), (nint)code);

    /// <summary>The longest piece that a text starts with: its code in the lower byte, its length in the
    /// higher.</summary>
    /// <param name="text">The next 8 bytes of the text, from the lowest on, zeros behind its end.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ushort Longest(ulong text)
    {
        ref LongPiece slot = ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_longPieces), (nint)Hash(text));
        ulong piece = slot.Piece;
        uint shorter = Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_shortPieces), (nint)(ushort)text);

        // Without a branch: the outcome cannot be predicted, and a wrong guess costs more than all of this. The
        // difference has at most 48 bits, so that one less is negative only for 0.
        uint isSame = (uint)((long)(((text ^ piece) & slot.Mask) - 1) >> 63);
        return (ushort)(shorter ^ ((shorter ^ (uint)(piece >> 48)) & isSame));
    }

    /// <summary>The slot of the first three bytes of a text.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint Hash(ulong text) => (((uint)text << 8) * HashMultiplier) >> (32 - HashBits);

    private static int LengthOf(ulong piece) => (int)(piece >> 56);

    private static void ReadPieces()
    {
        int code = 0;
        foreach (Range range in Text.Split(Separator))
        {
            ReadOnlySpan<byte> piece = Text[range];
            ulong word = ((ulong)piece.Length << 56) | ((ulong)code << 48);
            for (int i = 0; i < piece.Length; i++)
            {
                word |= (ulong)piece[i] << (8 * i);
            }

            _pieces[code++] = word;
        }

        Debug.Assert(code == Count);
    }

    private static void IndexLongPieces()
    {
        foreach (ulong piece in _pieces)
        {
            if (LengthOf(piece) >= LongLengthMin)
            {
                ref LongPiece slot = ref _longPieces[Hash(piece)];
                Debug.Assert(slot.Mask == 0, "SSD-3");
                slot = new LongPiece(piece, (1UL << (8 * LengthOf(piece))) - 1);
            }
        }

        // An empty slot gets the piece of another slot: a text with this hash cannot start with it.
        LongPiece any = _longPieces.First(piece => piece.Mask != 0);
        LongPiece another = _longPieces.Last(piece => piece.Mask != 0);
        for (int slot = 0; slot < _longPieces.Length; slot++)
        {
            if (_longPieces[slot].Mask == 0)
            {
                _longPieces[slot] = Hash(any.Piece) == slot ? another : any;
            }
        }
    }

    private static void IndexShortPieces()
    {
        Array.Fill(_shortPieces, NoPiece);
        foreach (ulong piece in _pieces)
        {
            if (LengthOf(piece) == 1)
            {
                for (int second = 0; second < 256; second++)
                {
                    _shortPieces[(byte)piece | (second << 8)] = (ushort)(piece >> 48);
                }
            }
        }

        foreach (ulong piece in _pieces)
        {
            if (LengthOf(piece) == 2)
            {
                _shortPieces[(ushort)piece] = (ushort)(piece >> 48);
            }
        }
    }

    /// <summary>A piece of three bytes or more, and a mask of its bytes.</summary>
    private readonly record struct LongPiece(ulong Piece, ulong Mask);
}
