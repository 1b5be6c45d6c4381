using System.Buffers;
using System.Text;

namespace Raven.Search.Analysis;

// Unicode Standard Annex #29, Word Boundary Rules, WB4 to WB13b except joined emoji. The classes are those of
// WordClasses; scripts that need a dictionary (Thai, Han, ...) give one word a character.

/// <summary>Walks the words of a text by the word boundaries of UAX #29. Allocates nothing.</summary>
internal ref struct WordBreaker
{
    private static readonly WordClass[] AsciiClasses =
        [.. Enumerable.Range(0, 128).Select(code => WordClasses.Of(new(code)))];

    private static readonly WordClass[] OlderAsciiClasses =
        [.. Enumerable.Range(0, 128).Select(code => WordClasses.OlderOf(new(code)))];

    private readonly ReadOnlySpan<byte> _text;
    private readonly WordClass[] _asciiClasses;
    private readonly bool _isOlder;
    private int _at;

    /// <param name="text">The text.</param>
    /// <param name="isOlder">Whether the words are those of analyzers that indexes have kept since the first version:
    /// without the rules for Hebrew, and with a few characters in classes that are not theirs.</param>
    internal WordBreaker(ReadOnlySpan<byte> text, bool isOlder)
    {
        _text = text;
        _isOlder = isOlder;
        _asciiClasses = isOlder ? OlderAsciiClasses : AsciiClasses;
    }

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
            if (first is WordClass.Letter or WordClass.Numeric or WordClass.Katakana or WordClass.ExtendNumLet
                or WordClass.HebrewLetter)
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
            else if (JoinsAcross(last, next) && IsFollowedBy(last, _at + length, out WordClass found, out int end))
            {
                _at = end;
                last = found;
            }
            else
            {
                // WB7a: a single quote behind a Hebrew letter belongs to it, and nothing behind the quote does.
                if (last == WordClass.HebrewLetter && next == WordClass.SingleQuote)
                {
                    _at += length;
                    SkipExtends();
                }

                break;
            }
        }

        return isWord;
    }

    /// <summary>WB5, WB8 to WB10, WB13 to WB13b.</summary>
    private static bool Joins(WordClass last, WordClass next) => next switch
    {
        WordClass.Letter or WordClass.Numeric or WordClass.HebrewLetter => last is WordClass.Letter or WordClass.Numeric
            or WordClass.ExtendNumLet or WordClass.HebrewLetter,
        WordClass.Katakana => last is WordClass.Katakana or WordClass.ExtendNumLet,
        WordClass.ExtendNumLet => true,
        _ => false,
    };

    /// <summary>WB6, WB7, WB7b, WB7c, WB11, WB12: characters allowed between two of a kind.</summary>
    private static bool JoinsAcross(WordClass last, WordClass next) => last switch
    {
        WordClass.Letter => next is WordClass.MidLetter or WordClass.MidBoth or WordClass.SingleQuote,
        WordClass.HebrewLetter => next is WordClass.MidLetter or WordClass.MidBoth or WordClass.SingleQuote
            or WordClass.DoubleQuote,
        WordClass.Numeric => next is WordClass.MidNumber or WordClass.MidBoth or WordClass.SingleQuote,
        _ => false,
    };

    private readonly bool IsFollowedBy(WordClass wanted, int at, out WordClass found, out int end)
    {
        bool isQuoted = _text[at - 1] == '"';
        end = at;
        found = WordClass.Other;
        while (end < _text.Length)
        {
            found = ClassAt(end, out int length);
            end += length;
            if (found != WordClass.Extend)
            {
                return wanted == WordClass.Numeric ? found == WordClass.Numeric
                    : found == WordClass.HebrewLetter || (found == WordClass.Letter && !isQuoted);
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
            return _asciiClasses[first];
        }

        OperationStatus status = Rune.DecodeFromUtf8(_text[at..], out Rune rune, out length);
        return status != OperationStatus.Done ? WordClass.Other
            : _isOlder ? WordClasses.OlderOf(rune) : WordClasses.Of(rune);
    }
}
