using System.Buffers;
using System.Globalization;
using System.Text;

namespace Raven.Search.Analysis;

// Unicode Standard Annex #29, Word Boundary Rules, WB4 to WB13b except quotes in Hebrew and joined emoji. The classes
// are derived from general categories and the short lists of the annex; scripts that need a dictionary (Thai, Han, ...)
// give one word a character.

/// <summary>Walks the words of a text by the word boundaries of UAX #29. Allocates nothing.</summary>
internal ref struct WordBreaker
{
    private static readonly WordClass[] AsciiClasses =
        [.. Enumerable.Range(0, 128).Select(code => Classify(new(code)))];

    private readonly ReadOnlySpan<byte> _text;
    private int _at;

    internal WordBreaker(ReadOnlySpan<byte> text) => _text = text;

    /// <summary>The offset of the word.</summary>
    internal int Start { get; private set; }

    /// <summary>The length of the word in bytes.</summary>
    internal int Length { get; private set; }

    /// <summary>Goes to the next word.</summary>
    internal bool MoveNext()
    {
        while (_at < _text.Length)
        {
            WordClass first = ClassAt(_at, out int length);
            int start = _at;
            _at += length;
            if (first is WordClass.Letter or WordClass.Numeric or WordClass.Katakana or WordClass.ExtendNumLet)
            {
                if (!Extend(first, start))
                {
                    continue;
                }
            }
            else if (first == WordClass.Ideograph)
            {
                SkipExtends();
            }
            else
            {
                continue;
            }

            Start = start;
            Length = _at - start;
            return true;
        }

        return false;
    }

    /// <summary>Takes the characters of the word that began at <paramref name="start"/>.</summary>
    /// <returns>False if it holds neither letter nor digit.</returns>
    private bool Extend(WordClass last, int start)
    {
        bool isWord = last != WordClass.ExtendNumLet;
        while (_at < _text.Length && _at - start < TokenBuffer.TermSizeBytesMax - 8)
        {
            WordClass next = ClassAt(_at, out int length);
            if (next == WordClass.Extend)
            {
                _at += length;
            }
            else if (Joins(last, next))
            {
                _at += length;
                last = next;
                isWord |= next != WordClass.ExtendNumLet;
            }
            else if (!JoinsAcross(last, next) || !IsFollowedBy(last, _at + length, out int end))
            {
                break;
            }
            else
            {
                _at = end;
            }
        }

        return isWord;
    }

    /// <summary>WB5, WB8 to WB10, WB13 to WB13b.</summary>
    private static bool Joins(WordClass last, WordClass next) => next switch
    {
        WordClass.Letter or WordClass.Numeric =>
            last is WordClass.Letter or WordClass.Numeric or WordClass.ExtendNumLet,
        WordClass.Katakana => last is WordClass.Katakana or WordClass.ExtendNumLet,
        WordClass.ExtendNumLet => true,
        _ => false,
    };

    /// <summary>WB6, WB7, WB11, WB12: characters allowed between two of a kind.</summary>
    private static bool JoinsAcross(WordClass last, WordClass next) =>
        (last == WordClass.Letter && next is WordClass.MidLetter or WordClass.MidBoth)
        || (last == WordClass.Numeric && next is WordClass.MidNumber or WordClass.MidBoth);

    private readonly bool IsFollowedBy(WordClass wanted, int at, out int end)
    {
        end = at;
        while (end < _text.Length)
        {
            WordClass next = ClassAt(end, out int length);
            end += length;
            if (next != WordClass.Extend)
            {
                return next == wanted;
            }
        }

        return false;
    }

    private void SkipExtends()
    {
        while (_at < _text.Length && ClassAt(_at, out int length) == WordClass.Extend)
        {
            _at += length;
        }
    }

    private readonly WordClass ClassAt(int at, out int length)
    {
        byte first = _text[at];
        if (first < 128)
        {
            length = 1;
            return AsciiClasses[first];
        }

        OperationStatus status = Rune.DecodeFromUtf8(_text[at..], out Rune rune, out length);
        return status == OperationStatus.Done ? Classify(rune) : WordClass.Other;
    }

    private static WordClass Classify(Rune rune)
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
}
