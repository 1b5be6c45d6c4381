using System.Globalization;
using System.Text;

namespace Raven.Search.Analysis;

/// <summary>The word-break classes of characters: by their general categories, and by the short lists of
/// UAX #29.</summary>
internal static class WordClasses
{
    /// <summary>The class of a character.</summary>
    internal static WordClass Of(Rune rune)
    {
        int code = rune.Value;
        switch (code)
        {
            case '\'':
                return WordClass.SingleQuote;
            case '"':
                return WordClass.DoubleQuote;
            case 0x66B:
                return WordClass.Numeric;
            case 0xFE10 or 0xFE14 or 0xFE50 or 0xFE54 or 0xFF0C or 0xFF1B:
                return WordClass.MidNumber;
            case 0x5F3 or (>= 0x24B6 and <= 0x24E9) or (>= 0x2C2 and <= 0x2C5) or (>= 0x2D2 and <= 0x2D7)
                or 0x2DE or 0x2DF or (>= 0x2E5 and <= 0x2EB) or 0x2ED or (>= 0x2EF and <= 0x2FF)
                or (>= 0x55A and <= 0x55C) or 0x55E or 0x58A or (>= 0xA708 and <= 0xA716) or 0xA720 or 0xA721
                or 0xA789 or 0xA78A or 0xAB5B or (>= 0x1F130 and <= 0x1F149) or (>= 0x1F150 and <= 0x1F169)
                or (>= 0x1F170 and <= 0x1F189):
                return WordClass.Letter;
            case 0xFF9E or 0xFF9F or (>= 0x1F3FB and <= 0x1F3FF):
                return WordClass.Extend;
            case 0x202F:
                return WordClass.ExtendNumLet;
            case 0x30FB:
                return WordClass.Other;
            case (>= 0x32D0 and <= 0x32FE) or (>= 0x3300 and <= 0x3357) or (>= 0x1AFF0 and <= 0x1B000)
                or (>= 0x1B120 and <= 0x1B122) or 0x1B155 or (>= 0x1B164 and <= 0x1B167):
                return WordClass.Katakana;
            case (>= 0x2E80 and <= 0x2E99) or (>= 0x2E9B and <= 0x2EF3) or (>= 0x2F00 and <= 0x2FD5) or 0x3007
                or (>= 0x3021 and <= 0x3029) or (>= 0x3038 and <= 0x303A) or (>= 0x309D and <= 0x309F)
                or (>= 0x1B001 and <= 0x1B11F) or 0x1B132 or (>= 0x1B150 and <= 0x1B152) or 0x1F200:
                return WordClass.Ideograph;
        }

        WordClass older = OlderOf(rune);
        return older is not (WordClass.Letter or WordClass.Ideograph) ? older
            : IsHebrew(code) ? WordClass.HebrewLetter
            : IsWithoutSpaces(code) ? WordClass.Ideograph
            : older;
    }

    /// <summary>The class that the first version gave to a character.</summary>
    internal static WordClass OlderOf(Rune rune)
    {
        int code = rune.Value;
        switch (code)
        {
            case '\'' or '.' or 0x2018 or 0x2019 or 0x2024 or 0xFE52 or 0xFF07 or 0xFF0E:
                return WordClass.MidBoth;
            case ':' or 0xB7 or 0x387 or 0x55F or 0x5F4 or 0x2027 or 0xFE13 or 0xFE55 or 0xFF1A:
                return WordClass.MidLetter;
            case ',' or ';' or 0x37E or 0x589 or 0x60C or 0x60D or 0x66C or 0x7F8 or 0x2044:
                return WordClass.MidNumber;
            case 0x200B:
                return WordClass.Other;
            case (>= 0x3031 and <= 0x3035) or 0x309B or 0x309C or (>= 0x30A0 and <= 0x30FF)
                or (>= 0x31F0 and <= 0x31FF) or (>= 0xFF66 and <= 0xFF9F):
                return WordClass.Katakana;
        }

        return Rune.GetUnicodeCategory(rune) switch
        {
            UnicodeCategory.UppercaseLetter or UnicodeCategory.LowercaseLetter or UnicodeCategory.TitlecaseLetter
                or UnicodeCategory.ModifierLetter or UnicodeCategory.LetterNumber => WordClass.Letter,
            UnicodeCategory.OtherLetter => IsWordByItself(code) ? WordClass.Ideograph : WordClass.Letter,
            UnicodeCategory.DecimalDigitNumber => WordClass.Numeric,
            UnicodeCategory.ConnectorPunctuation => WordClass.ExtendNumLet,
            UnicodeCategory.NonSpacingMark or UnicodeCategory.SpacingCombiningMark or UnicodeCategory.EnclosingMark
                or UnicodeCategory.Format => WordClass.Extend,
            _ => WordClass.Other,
        };
    }

    /// <summary>Hiragana, Han, Thai, Lao, Myanmar and Khmer write no spaces between words.</summary>
    private static bool IsWordByItself(int code) => code is (>= 0x0E00 and <= 0x0EFF) or (>= 0x1000 and <= 0x109F)
        or (>= 0x1780 and <= 0x17FF) or (>= 0x3005 and <= 0x3007) or (>= 0x3041 and <= 0x3096)
        or (>= 0x3400 and <= 0x4DBF) or (>= 0x4E00 and <= 0x9FFF) or (>= 0xF900 and <= 0xFAFF)
        or (>= 0x20000 and <= 0x3FFFF);

    /// <summary>Thai, Lao, Myanmar, Khmer, Tangut, Khitan, Nushu and the scripts of the Tai write no spaces between
    /// words.</summary>
    private static bool IsWithoutSpaces(int code) => code is (>= 0x0E00 and <= 0x0EFF) or (>= 0x1000 and <= 0x109F)
        or (>= 0x1780 and <= 0x17FF) or (>= 0x1950 and <= 0x19DF) or (>= 0x1A20 and <= 0x1AAF)
        or (>= 0xA9E0 and <= 0xA9FF) or (>= 0xAA60 and <= 0xAADF) or (>= 0x11700 and <= 0x11746)
        or (>= 0x17000 and <= 0x18D08) or (>= 0x1B170 and <= 0x1B2FB);

    private static bool IsHebrew(int code) => code is (>= 0x5D0 and <= 0x5F2) or (>= 0xFB1D and <= 0xFB4F);
}
