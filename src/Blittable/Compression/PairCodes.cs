using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Raven.Blittable.Compression;

//   symbol 0 to 94   the characters 0x20 to 0x7E
//   symbol 95        any other byte: 8 bits behind its code are the byte itself
//
// PAIR-1  The code of a symbol depends on the class of the symbol before it; for the first one the class is Start.
// PAIR-2  The codes of a class are canonical: shorter ones first, equal ones in the order of the symbols, up to 10
//         bits. They are complete, so that the last code of each class is ten ones.
// PAIR-3  Codes are put into bytes from the lowest bit on, the first bit of a code first; ones fill the last byte.

/// <summary>
/// The codes of <see cref="PairCodec"/>: dictionary version 2 of the document format. For each class of a character it
/// has the code lengths of all symbols that may follow; <c>docs/formats/short-strings.md</c> describes how they were
/// chosen. They are frozen: documents on disk were written with them.
/// </summary>
internal static class PairCodes
{
    /// <summary>The longest code in bits; for a byte without a symbol 8 more follow.</summary>
    internal const int CodeLengthMax = 10;

    /// <summary>
    /// In a decoding entry: the bits of its number of characters; 0 if 8 bits follow the code, and then only the class
    /// is set, which does not change.
    /// </summary>
    internal const uint CountMask = 3 << CountShift;

    /// <summary>In a decoding entry: the place of its number of characters.</summary>
    internal const int CountShift = 6;

    /// <summary>In a decoding entry: the bits of the class of the last character.</summary>
    internal const uint ClassMask = 15 << ClassShift;

    /// <summary>In a decoding entry: the place of the class.</summary>
    internal const int ClassShift = CodeLengthMax + 2;

    /// <summary>In a decoding entry: the place of its two characters.</summary>
    internal const int TextShift = 16;

    private const int ClassCount = 16;
    private const int SymbolCount = 96;
    private const int EscapeSymbol = 95;
    private const int StartSymbol = 96;
    private const int FirstCharacter = 0x20;

    private static readonly uint[] _codes = new uint[1 << 16];
    private static readonly uint[] _firstCodes = new uint[256];
    private static readonly uint[] _decoding = new uint[ClassCount << CodeLengthMax];

    static PairCodes()
    {
        ushort[] ofSymbols = new ushort[ClassCount * SymbolCount];
        for (int item = 0; item < ClassCount; item++)
        {
            Assign(item, ofSymbols.AsSpan(item * SymbolCount, SymbolCount));
        }

        for (int value = 0; value < 256; value++)
        {
            _firstCodes[value] = Entry(ofSymbols, StartClass, value);
            for (int before = 0; before < 256; before++)
            {
                _codes[before | (value << 8)] = Entry(ofSymbols, ClassOf((byte)before), value);
            }
        }

        IndexDecoding(ofSymbols);
    }

    /// <summary>The class of the symbol before the first.</summary>
    internal static int StartClass => Classes[StartSymbol] - 'a';

    /// <summary>The class of each symbol, and at the end of the start.</summary>
    private static ReadOnlySpan<byte> Classes =>
        "abbbbbbbbbbbcadeffffffffffccebbbbaggdagggaghggga"u8
        + "gggggahhbgbbbbbabihjhkhlhmhlhhnijgnbjihlbbhbbbbop"u8;

    /// <summary>For each class the lengths of the codes of all symbols, as hexadecimal digits.</summary>
    private static ReadOnlySpan<byte> Lengths =>
        "3AAAAAA87AAA96875568888979AA9AAAA7776878887776787A6667979AAAAAAAA4656658758866555A6547758AAAAAAA"u8
        + "2A78AAA897AA4664A89A9AAA9A589998A9A899AAA8AA9AA89A998A9A8AAAA9A9A686748A55A877756A853698A8A9A8AA"u8
        + "1A4AAAAAAAAAAAA33778888859AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA7AAAAA9A8999AA9AAA9999AA88AA7AAA7AAAA"u8
        + "6AAAAAAAAAAAAA762566477777AAAAAAA87998AA99AAA9889A979AA8AAAAAAAAA6A696A7864A85A39A874497AAAAAAAA"u8
        + "5AA6AAAAAAAAAAA3A58A9AAAAAAAA9AAA498599989AAA9AA9A879AA6AAAAAAAAA2654888767987998A766983AAAAAAAA"u8
        + "4A8AAAA9A8AA64473445544444569AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA7AAA9AAAAAAAAAAAAAAAA8AAA7AAAAAA6"u8
        + "5AAAAAAAAAAA79888A9AAAAAAAAAAAAAA788858A95A968A66A86568AAA9AAAAAA3A6A3AA55A66AA39A5963A8A7AAAAA7"u8
        + "3A9AAAA8A9AA76789AAAAAAAAAAAA9AAAAAAAAA9A9AAAAAAAAAAAAAAAAAAAAA7A37A7278937957846A6656A9A6AAAAAA"u8
        + "5AAAAAAAAAAAA888AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA755565596A644365A343576978AAAAA"u8
        + "4AAAAAA9AAAA8776AAAAAAAAAA5AAAAAAAAAAAAAAAAAAAA9AAAAAAAAAAAAAAAAA3A6A3A834A759A4585445A7A7AAAAAA"u8
        + "3A8AAAAAAAAA6659AAAAAAAAAA99A97AAAAAA9AAAAAAAAA9AAA9AAAAAAAAAAAAA565466797AA55475733476767AAAAAA"u8
        + "4AAAAAA9AAAA6634AAA8AAAAAAAAAAAAAAA8AAAA9AAAAAAAAAAAAAAAAAAAA9AAA5AA63A744AA68549A5576A3A88AAAAA"u8
        + "8AAAAAAAAAAAA977AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4755475AAA9453367533A6A8A8AAAAA"u8
        + "4AAAAAAAAAAA6679AAAAAAAAAA9AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA495338474A67754AA84378AA6AAAAAA"u8
        + "5AAAAAAAAAAA9AAAA27AAAA9A9AAAAAAA5AAAAAAAAAAAAAAAAAA9AAAAAAAAAAAA7779898A8A979788A768A8A7AAAAAA1"u8
        + "7AA7AAAAAAAAA8AA937AAAAAAAAA9AAAA465566677585567696556867AA8AAAAA565877845AA78756A7579A6AAAAAAA7"u8;

    /// <summary>
    /// By the byte before (the lower) and the byte itself (the higher): the number of its bits, and from bit 8 on
    /// the bits.
    /// </summary>
    internal static ref uint Codes => ref MemoryMarshal.GetArrayDataReference(_codes);

    /// <summary>The same for the first byte of a text.</summary>
    internal static ref uint FirstCodes => ref MemoryMarshal.GetArrayDataReference(_firstCodes);

    /// <summary>
    /// By the class of the character before and the next 10 bits: one or two characters (bits 16 to 31), the bits that
    /// they take (0 to 3, so that the entry is a shift distance), their number (6 and 7) and the class of the last (12
    /// to 15, so that it is the place in the table to continue at, in bytes).
    /// </summary>
    internal static ref uint Decoding => ref MemoryMarshal.GetArrayDataReference(_decoding);

    /// <summary>Whether a byte has a symbol of its own.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsCharacter(byte value) => (uint)(value - FirstCharacter) < EscapeSymbol;

    internal static int ClassOf(byte value) => Classes[SymbolOf(value)] - 'a';

    /// <summary>The number of bits of a symbol.</summary>
    /// <param name="item">The class of the character before.</param>
    /// <param name="value">The byte; if it has no symbol, the 8 bits behind the code are not counted.</param>
    internal static int LengthOf(int item, byte value) => LengthOfSymbol(item, SymbolOf(value));

    private static int SymbolOf(int value) => IsCharacter((byte)value) ? value - FirstCharacter : EscapeSymbol;

    private static int LengthOfSymbol(int item, int symbol)
    {
        byte digit = Lengths[(item * SymbolCount) + symbol];
        return digit <= '9' ? digit - '0' : digit - 'A' + 10;
    }

    // PAIR-2; the bits of a code are reversed, PAIR-3.
    private static void Assign(int item, Span<ushort> codes)
    {
        uint next = 0;
        for (int length = 1; length <= CodeLengthMax; length++, next <<= 1)
        {
            for (int symbol = 0; symbol < SymbolCount; symbol++)
            {
                if (LengthOfSymbol(item, symbol) == length)
                {
                    uint turned = 0;
                    for (int bit = 0; bit < length; bit++)
                    {
                        turned |= ((next >> bit) & 1) << (length - 1 - bit);
                    }

                    codes[symbol] = (ushort)turned;
                    next++;
                }
            }
        }

        Debug.Assert(next == 2 << CodeLengthMax, "PAIR-2");
    }

    private static uint Entry(ushort[] ofSymbols, int item, int value)
    {
        int symbol = SymbolOf(value);
        int length = LengthOfSymbol(item, symbol);
        uint code = ofSymbols[(item * SymbolCount) + symbol];
        return symbol == EscapeSymbol
            ? (((uint)value << length | code) << 8) | (uint)(length + 8)
            : (code << 8) | (uint)length;
    }

    private static void IndexDecoding(ushort[] ofSymbols)
    {
        byte[] symbols = new byte[ClassCount << CodeLengthMax];
        for (int index = 0; index < symbols.Length; index++)
        {
            int item = index >> CodeLengthMax;
            int bits = index & ((1 << CodeLengthMax) - 1);
            for (int symbol = 0; symbol < SymbolCount; symbol++)
            {
                int mask = (1 << LengthOfSymbol(item, symbol)) - 1;
                if ((bits & mask) == ofSymbols[(item * SymbolCount) + symbol])
                {
                    symbols[index] = (byte)symbol;
                }
            }
        }

        for (int index = 0; index < symbols.Length; index++)
        {
            _decoding[index] = DecodingEntry(symbols, index);
        }
    }

    private static uint DecodingEntry(byte[] symbols, int index)
    {
        int symbol = symbols[index];
        int length = LengthOfSymbol(index >> CodeLengthMax, symbol);
        int item = Classes[symbol] - 'a';
        if (symbol == EscapeSymbol)
        {
            return (uint)(index >> CodeLengthMax) << ClassShift;
        }

        uint text = (uint)(symbol + FirstCharacter);
        uint count = 1;
        int rest = (index & ((1 << CodeLengthMax) - 1)) >> length;
        int second = symbols[(item << CodeLengthMax) | rest];
        int secondLength = LengthOfSymbol(item, second);
        if (length + secondLength <= CodeLengthMax && second != EscapeSymbol)
        {
            text |= (uint)(second + FirstCharacter) << 8;
            length += secondLength;
            count = 2;
            item = Classes[second] - 'a';
        }

        return (text << TextShift) | ((uint)item << ClassShift) | (count << CountShift) | (uint)length;
    }
}
