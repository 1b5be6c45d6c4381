using System.Globalization;
using System.Text;
using Raven.Scripting.Text;

namespace Raven.Scripting.Syntax;

/// <summary>Reads numbers and escapes: the parts of tokens that have a grammar of their own.</summary>
internal abstract class LexerCore(string text)
{
    internal string Source => text;

    /// <summary>The offset of the next token. Setting it moves back or forth.</summary>
    internal int Position { get; set; }

    protected char Current => Position < text.Length ? text[Position] : '\0';

    protected char Peek(int distance) =>
        Position + distance < text.Length ? text[Position + distance] : '\0';

    /// <summary>An error at an offset of the text.</summary>
    internal ScriptSyntaxException Error(string message, int position) => new(message, text, position);

    protected double ReadNumber(ref Token token)
    {
        int start = Position;
        double value;
        if (Current == '0' && (Peek(1) | 0x20) is 'x' or 'o' or 'b')
        {
            int radix = (Peek(1) | 0x20) switch { 'x' => 16, 'o' => 8, _ => 2 };
            Position += 2;
            value = ReadDigits(radix, start);
        }
        else if (Current == '0' && char.IsAsciiDigit(Peek(1)))
        {
            token.LegacyOctal = true;
            value = ReadLegacyOctal();
        }
        else
        {
            value = ReadDecimal();
        }

        if (Current == 'n' && IsWhole(text.AsSpan(start, Position - start)))
        {
            Position++;
            token.Kind = TokenKind.BigInt;
        }

        if (CharacterClass.IsIdentifierStart(Current) || char.IsAsciiDigit(Current) || Current == '\\')
        {
            throw Error("A number ends where a name begins", start);
        }

        return value;
    }

    /// <summary>Whether a number may be a BigInt: 0x and the like, or digits without a leading zero.</summary>
    private static bool IsWhole(ReadOnlySpan<char> number) =>
        (number.Length > 1 && number[0] == '0' && char.IsAsciiLetter(number[1]) && (number[1] | 0x20) != 'e')
        || (number.IndexOfAnyExceptInRange('0', '9') < 0 && (number.Length == 1 || number[0] != '0'));

    private double ReadDigits(int radix, int start)
    {
        double value = 0;
        int first = Position;
        while (CharacterClass.DigitValue(Current) is int digit && digit < radix)
        {
            value = (value * radix) + digit;
            Position++;
        }

        if (Position == first)
        {
            throw Error("A digit is missing", start);
        }

        // Above 2^53 adding digit by digit rounds more than once: the exact parser is used.
        return value < 9007199254740992 ? value
            : NumberText.ParseRadix(text.AsSpan(first, Position - first), radix);
    }

    private double ReadLegacyOctal()
    {
        int start = Position;
        while (char.IsAsciiDigit(Current))
        {
            Position++;
        }

        ReadOnlySpan<char> digits = text.AsSpan(start, Position - start);
        if (digits.IndexOfAny('8', '9') < 0)
        {
            return NumberText.ParseRadix(digits, 8);
        }

        Position = start;
        return ReadDecimal();
    }

    private double ReadDecimal()
    {
        int start = Position;
        SkipDigits();
        if (Current == '.')
        {
            Position++;
            SkipDigits();
        }

        if ((Current | 0x20) == 'e')
        {
            int distance = Peek(1) is '+' or '-' ? 2 : 1;
            if (!char.IsAsciiDigit(Peek(distance)))
            {
                throw Error("The exponent has no digit", Position);
            }

            Position += distance;
            SkipDigits();
        }

        return double.Parse(text.AsSpan(start, Position - start), NumberStyles.Float, CultureInfo.InvariantCulture);
    }

    private void SkipDigits()
    {
        while (char.IsAsciiDigit(Current))
        {
            Position++;
        }
    }

    /// <summary>Reads an escape behind its backslash. False if it is invalid, which only a tag may receive.</summary>
    protected bool ReadEscape(ref Token token, StringBuilder value, bool inTemplate)
    {
        if (Position >= text.Length)
        {
            return false;
        }

        char c = text[Position];
        if (c is 'x' or 'u')
        {
            int code = c == 'x' ? ReadHexEscape() : ReadUnicodeEscape();
            AppendCodePoint(value, Math.Max(code, 0));
            return code >= 0;
        }

        if (char.IsAsciiDigit(c) && (c != '0' || char.IsAsciiDigit(Peek(1))))
        {
            return ReadOctalEscape(ref token, value, inTemplate);
        }

        Position++;
        if (CharacterClass.IsLineEnd(c))
        {
            Position += c == '\r' && Current == '\n' ? 1 : 0;
            return true;
        }

        value.Append(c switch
        {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\b',
            'f' => '\f',
            'v' => '\v',
            '0' => '\0',
            _ => c,
        });
        return true;
    }

    private bool ReadOctalEscape(ref Token token, StringBuilder value, bool inTemplate)
    {
        char c = text[Position];
        token.LegacyOctal = true;
        if (inTemplate)
        {
            return false;
        }

        if (c > '7')
        {
            Position++;
            value.Append(c);
            return true;
        }

        int code = 0;
        while (Current is >= '0' and <= '7' && (code * 8) + Current - '0' < 256)
        {
            code = (code * 8) + Current - '0';
            Position++;
        }

        value.Append((char)code);
        return true;
    }

    private int ReadHexEscape()
    {
        if (CharacterClass.DigitValue(Peek(1)) is int high and < 16
            && CharacterClass.DigitValue(Peek(2)) is int low and < 16)
        {
            Position += 3;
            return (high * 16) + low;
        }

        return -1;
    }

    /// <summary>Reads an escape from its letter u on. -1 if it is not one.</summary>
    protected int ReadUnicodeEscape()
    {
        bool braced = Peek(1) == '{';
        int at = Position + (braced ? 2 : 1);
        int code = 0;
        int digits = 0;
        while (at < text.Length && CharacterClass.DigitValue(text[at]) is int digit and < 16
            && (braced ? code <= 0x10FFFF : digits < 4))
        {
            code = (code * 16) + digit;
            digits++;
            at++;
        }

        if (code > 0x10FFFF || digits == 0 || (braced ? at >= text.Length || text[at] != '}' : digits != 4))
        {
            return -1;
        }

        Position = braced ? at + 1 : at;
        return code;
    }

    private static void AppendCodePoint(StringBuilder value, int code)
    {
        if (code > 0xFFFF)
        {
            value.Append(char.ConvertFromUtf32(code));
        }
        else
        {
            value.Append((char)code);
        }
    }
}
