using System.Buffers;
using System.Text;

namespace Raven.Search.Analysis;

// The grammar of Lucene's ClassicTokenizer: at each place, the rule below with the longest match makes the word.
//   ALPHANUM    letters, digits, and Thai signs that are neither
//   APOSTROPHE  LETTERS ("'" LETTERS)+                       "O'Reilly's"; a final 's goes
//   ACRONYM     LETTER "." (LETTER ".")+                     "U.S.A."; its dots go
//   COMPANY     LETTERS ("&" | "@") LETTERS                  "AT&T"
//   EMAIL       ALPHANUM (("." | "-" | "_") ALPHANUM)* "@" ALPHANUM (("." | "-") ALPHANUM)+
//   HOST        ALPHANUM ("." ALPHANUM)+
//   NUM         parts joined by one of _ - / . , of which every second one has a digit, and no such Thai sign
//   CJ          one character

/// <summary>Walks the words of a text as Lucene's ClassicTokenizer does. Allocates nothing.</summary>
internal ref struct ClassicWords
{
    private enum Sign : byte
    {
        Other,
        Letter,
        Digit,
        ThaiSign,
        Ideograph,
    }

    /// <summary>What some rule has behind letters and digits.</summary>
    private static readonly SearchValues<byte> JoinedBy = SearchValues.Create(".-_/,@&'"u8);

    private static readonly Sign[] AsciiSigns =
    [
        .. Enumerable.Range(0, 128).Select(code => char.IsAsciiLetter((char)code) ? Sign.Letter
            : char.IsAsciiDigit((char)code) ? Sign.Digit : Sign.Other),
    ];

    private readonly ReadOnlySpan<byte> _text;
    private int _at;

    internal ClassicWords(ReadOnlySpan<byte> text) => _text = text;

    /// <summary>The offset of the word.</summary>
    internal int Start { get; private set; }

    /// <summary>The length of the word in bytes.</summary>
    internal int Length { get; private set; }

    /// <summary>Whether it is an acronym: its dots are no part of the term.</summary>
    internal bool IsAcronym { get; private set; }

    /// <summary>Whether it has an apostrophe between letters: an 's at its end is no part of the term.</summary>
    internal bool HasApostrophe { get; private set; }

    /// <summary>Goes to the next word.</summary>
    internal bool MoveNext()
    {
        while (_at < _text.Length)
        {
            Sign sign = SignAt(_at, out int length);
            if (sign == Sign.Other)
            {
                _at += length;
                continue;
            }

            Start = _at;
            IsAcronym = false;
            HasApostrophe = false;
            int end = sign == Sign.Ideograph ? _at + length : LongestFrom(_at);
            Length = end - Start;
            _at = end;
            return true;
        }

        return false;
    }

    private int LongestFrom(int start)
    {
        int limit = Math.Min(_text.Length, start + TokenBuffer.TermSizeBytesMax - 8);
        int plain = RunOf(start, limit, out bool areLetters, out _, out _);
        if (plain >= limit || !JoinedBy.Contains(_text[plain]))
        {
            return plain; // No other rule goes beyond letters and digits: most words are these alone.
        }

        int best = plain;
        best = Math.Max(best, HostOrEmail(start, plain, limit));
        best = Math.Max(best, Numbers(start, limit));
        if (areLetters)
        {
            best = Math.Max(best, Company(plain, limit));
            int apostrophe = Apostrophes(plain, limit);
            HasApostrophe = apostrophe > plain && apostrophe >= best;
            best = Math.Max(best, apostrophe);
        }

        int acronym = Acronym(start, limit);
        if (acronym >= best)
        {
            IsAcronym = true;
            HasApostrophe = false;
            best = acronym;
        }

        return best;
    }

    /// <summary>The end of letters, digits and Thai signs; if there are none, the place itself.</summary>
    private readonly int RunOf(int at, int limit) => RunOf(at, limit, out _, out _, out _);

    /// <param name="at">The place.</param>
    /// <param name="limit">The end at most.</param>
    /// <param name="areLetters">Whether all are letters.</param>
    /// <param name="hasDigit">Whether a digit is before the first Thai sign.</param>
    /// <param name="signAt">The place of the first Thai sign; if there is none, the end.</param>
    private readonly int RunOf(int at, int limit, out bool areLetters, out bool hasDigit, out int signAt)
    {
        areLetters = true;
        hasDigit = false;
        signAt = -1;
        while (at < limit)
        {
            Sign sign = SignAt(at, out int length);
            if (sign is Sign.Other or Sign.Ideograph || at + length > limit)
            {
                break;
            }

            areLetters &= sign == Sign.Letter;
            hasDigit |= sign == Sign.Digit && signAt < 0;
            signAt = sign == Sign.ThaiSign && signAt < 0 ? at : signAt;
            at += length;
        }

        signAt = signAt < 0 ? at : signAt;
        return at;
    }

    private readonly int HostOrEmail(int start, int plain, int limit)
    {
        int host = plain;
        int local = plain;
        bool isHost = true;
        while (local < limit && _text[local] is (byte)'.' or (byte)'-' or (byte)'_')
        {
            int next = RunOf(local + 1, limit);
            if (next == local + 1)
            {
                break;
            }

            isHost &= _text[local] == '.';
            local = next;
            host = isHost ? local : host;
        }

        if (local >= limit || _text[local] != '@')
        {
            return host;
        }

        int domain = RunOf(local + 1, limit);
        int end = host;
        while (domain > local + 1 && domain < limit && _text[domain] is (byte)'.' or (byte)'-')
        {
            int next = RunOf(domain + 1, limit);
            if (next == domain + 1)
            {
                break;
            }

            domain = next;
            end = domain;
        }

        return end;
    }

    /// <summary>Joined parts, of which either those with even or those with odd numbers all have a digit. The last of
    /// these ends before a Thai sign.</summary>
    private readonly int Numbers(int start, int limit)
    {
        int at = RunOf(start, limit, out _, out bool hasDigit, out int signAt);
        int end = at;
        bool isEven = hasDigit && signAt == at;
        bool isOdd = true;
        bool isOddPart = true;
        while (at < limit && IsJoint(_text[at]) && (isEven || isOdd))
        {
            int next = RunOf(at + 1, limit, out _, out hasDigit, out signAt);
            if (next == at + 1)
            {
                break;
            }

            bool isWanted = isOddPart ? isOdd : isEven;
            bool isWhole = hasDigit && signAt == next;
            (isEven, isOdd) = isOddPart ? (isEven, isOdd && isWhole) : (isEven && isWhole, isOdd);
            isOddPart = !isOddPart;
            at = next;
            end = isEven || isOdd ? at : isWanted && hasDigit ? signAt : end;
        }

        return end;
    }

    private readonly int Company(int plain, int limit)
    {
        if (plain >= limit || _text[plain] is not ((byte)'&' or (byte)'@'))
        {
            return plain;
        }

        int end = LettersFrom(plain + 1, limit);
        return end > plain + 1 ? end : plain;
    }

    private readonly int Apostrophes(int plain, int limit)
    {
        int end = plain;
        while (end < limit && _text[end] == '\'')
        {
            int next = LettersFrom(end + 1, limit);
            if (next == end + 1)
            {
                break;
            }

            end = next;
        }

        return end;
    }

    /// <returns>-1 if there is none.</returns>
    private readonly int Acronym(int at, int limit)
    {
        int letters = 0;
        int end = -1;
        while (at < limit && SignAt(at, out int length) == Sign.Letter && at + length < limit
            && _text[at + length] == '.')
        {
            at += length + 1;
            letters++;
            end = letters > 1 ? at : -1;
        }

        return end;
    }

    private readonly int LettersFrom(int at, int limit)
    {
        while (at < limit && SignAt(at, out int length) == Sign.Letter && at + length <= limit)
        {
            at += length;
        }

        return at;
    }

    private static bool IsJoint(byte one) =>
        one is (byte)'_' or (byte)'-' or (byte)'/' or (byte)'.' or (byte)',';

    private readonly Sign SignAt(int at, out int length)
    {
        byte first = _text[at];
        if (first < 128)
        {
            length = 1;
            return AsciiSigns[first];
        }

        if (Rune.DecodeFromUtf8(_text[at..], out Rune rune, out length) != OperationStatus.Done)
        {
            return Sign.Other;
        }

        return IsIdeograph(rune.Value) ? Sign.Ideograph
            : Rune.IsLetter(rune) ? Sign.Letter
            : Rune.IsDigit(rune) ? Sign.Digit
            : rune.Value is >= 0x0E00 and <= 0x0E59 ? Sign.ThaiSign : Sign.Other;
    }

    /// <summary>Chinese and Japanese characters.</summary>
    private static bool IsIdeograph(int code) => code is (>= 0x3040 and <= 0x312F) or (>= 0x31F0 and <= 0x31FF)
        or (>= 0x3300 and <= 0x337F) or (>= 0x3400 and <= 0x4DBF) or (>= 0x4E00 and <= 0x9FFF)
        or (>= 0xF900 and <= 0xFAFF) or (>= 0xFF65 and <= 0xFF9F) or (>= 0x20000 and <= 0x3FFFF);
}
