using System.Globalization;
using System.Text;

namespace Raven.Documents.Queries.Rql;

/// <summary>Splits a query into tokens. Blanks and comments (// and /* */) are between them.</summary>
internal sealed class RqlLexer(string text)
{
    private int _at;

    internal string Text => text;

    /// <summary>Reads the next token.</summary>
    /// <exception cref="RqlException">There is no valid one.</exception>
    internal RqlToken Next()
    {
        SkipBlanks();
        int start = _at;
        if (start == text.Length)
        {
            return new RqlToken(RqlTokenKind.End, "", start, start);
        }

        char first = text[start];
        if (IsNameStart(start))
        {
            return Name(RqlTokenKind.Name, start);
        }

        if (first is '\'' or '"')
        {
            return QuotedText(start);
        }

        if (char.IsAsciiDigit(first) || (first == '-' && start + 1 < text.Length && char.IsAsciiDigit(text[start + 1])))
        {
            return Number(start);
        }

        if (first == '$')
        {
            return NamePartLength(start + 1) > 0
                ? Name(RqlTokenKind.Parameter, start + 1)
                : throw new RqlException(text, start, "expected the name of a parameter after '$'");
        }

        if ("=!<>".Contains(first, StringComparison.Ordinal))
        {
            return Comparison(start);
        }

        if ("()[]{},.*".Contains(first, StringComparison.Ordinal))
        {
            _at++;
            return new RqlToken(RqlTokenKind.Sign, text.Substring(start, 1), start, _at);
        }

        if (text.AsSpan(start).StartsWith("--"))
        {
            throw new RqlException(
                text, start, "'--' is no part of a query: a comment begins with // and ends with its line, or stands "
                + "between /* and */");
        }

        int length = char.IsHighSurrogate(first) && start + 1 < text.Length ? 2 : 1;
        throw new RqlException(text, start, $"'{text.AsSpan(start, length)}' is no part of a query");
    }

    /// <summary>
    /// Takes a script: from the brace at <paramref name="start"/> to the one that closes it. Braces in texts, templates
    /// and comments do not count.
    /// </summary>
    /// <returns>The text between the braces.</returns>
    internal string TakeScript(int start)
    {
        int depth = 0;
        _at = start;
        while (_at < text.Length)
        {
            char one = text[_at];
            if (one is '\'' or '"' or '`')
            {
                SkipQuoted(one);
                continue;
            }

            if (one == '/' && SkipComment())
            {
                continue;
            }

            _at++;
            depth += one == '{' ? 1 : one == '}' ? -1 : 0;
            if (depth == 0)
            {
                return text[(start + 1)..(_at - 1)];
            }
        }

        throw new RqlException(text, start, "expected a '}' that closes this '{'");
    }

    private bool IsNameStart(int at) => char.IsLetter(text, at) || text[at] is '_' or '@';

    /// <summary>How many characters at a place belong to a name: two for a letter beyond the first 65,536. Marks belong
    /// to names, as words of many languages need them.</summary>
    private int NamePartLength(int at)
    {
        bool isOne = at < text.Length && (char.IsLetterOrDigit(text, at) || text[at] is '_' or '@' or '-' or '$'
            || char.GetUnicodeCategory(text, at) is UnicodeCategory.NonSpacingMark
                or UnicodeCategory.SpacingCombiningMark);
        return !isOne ? 0 : char.IsHighSurrogate(text[at]) ? 2 : 1;
    }

    private RqlToken Name(RqlTokenKind kind, int start)
    {
        _at = start;
        for (int length = NamePartLength(start); length > 0; length = NamePartLength(_at))
        {
            _at += length;
        }

        int position = kind == RqlTokenKind.Parameter ? start - 1 : start;
        return new RqlToken(kind, text[start.._at], position, _at);
    }

    private RqlToken Number(int start)
    {
        _at = start + 1;
        while (_at < text.Length && (char.IsAsciiLetterOrDigit(text[_at])
            || (text[_at] == '.' && _at + 1 < text.Length && char.IsAsciiDigit(text[_at + 1]))
            || (text[_at] is '-' or '+' && text[_at - 1] is 'e' or 'E')))
        {
            _at++;
        }

        string digits = text[start.._at];
        if (long.TryParse(digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out _))
        {
            return new RqlToken(RqlTokenKind.Integer, digits, start, _at);
        }

        const NumberStyles Style =
            NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent;
        return double.TryParse(digits, Style, CultureInfo.InvariantCulture, out double value) && double.IsFinite(value)
            ? new RqlToken(RqlTokenKind.Number, digits, start, _at)
            : throw new RqlException(text, start, $"'{digits}' is no number");
    }

    private RqlToken Comparison(int start)
    {
        _at++;
        if (_at < text.Length && (text[_at] == '=' || (text[start] == '<' && text[_at] == '>')))
        {
            _at++;
        }

        string sign = text[start.._at];
        return sign == "!"
            ? throw new RqlException(text, start, "expected '!='")
            : new RqlToken(RqlTokenKind.Comparison, sign, start, _at);
    }

    private RqlToken QuotedText(int start)
    {
        char quote = text[start];
        StringBuilder value = new();
        for (int at = start + 1; at < text.Length; at++)
        {
            char one = text[at];
            if (one == quote)
            {
                if (at + 1 == text.Length || text[at + 1] != quote)
                {
                    _at = at + 1;
                    return new RqlToken(RqlTokenKind.Text, Whole(value.ToString(), start), start, _at);
                }

                at++;
            }
            else if (one == '\\' && at + 1 < text.Length)
            {
                one = Unescape(ref at);
            }

            value.Append(one);
        }

        throw new RqlException(text, start, $"expected a {quote} that closes this text");
    }

    /// <summary>Refuses half of a surrogate pair, which only an escape can write: it has no UTF-8, and another text
    /// would be searched in its place.</summary>
    private string Whole(string value, int start)
    {
        for (int at = 0; at < value.Length; at++)
        {
            bool isPair = char.IsSurrogate(value[at]) && at + 1 < value.Length
                && char.IsSurrogatePair(value[at], value[at + 1]);
            if (char.IsSurrogate(value[at]) && !isPair)
            {
                throw new RqlException(text, start, "the text has half of a surrogate pair");
            }

            at += isPair ? 1 : 0;
        }

        return value;
    }

    /// <summary>Reads an escape of JSON; any other character after a backslash stands for itself.</summary>
    private char Unescape(ref int at)
    {
        at++;
        switch (text[at])
        {
            case 'n':
                return '\n';
            case 't':
                return '\t';
            case 'r':
                return '\r';
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'u':
                const NumberStyles Style = NumberStyles.AllowHexSpecifier;
                if (at + 4 < text.Length && ushort.TryParse(
                    text.AsSpan(at + 1, 4), Style, CultureInfo.InvariantCulture, out ushort code))
                {
                    at += 4;
                    return (char)code;
                }

                throw new RqlException(text, at - 1, "expected four hexadecimal digits after '\\u'");
            default:
                return text[at];
        }
    }

    private void SkipBlanks()
    {
        while (_at < text.Length && (char.IsWhiteSpace(text[_at]) || (text[_at] == '/' && SkipComment())))
        {
            _at = _at < text.Length && char.IsWhiteSpace(text[_at]) ? _at + 1 : _at;
        }
    }

    private bool SkipComment()
    {
        char next = _at + 1 < text.Length ? text[_at + 1] : '\0';
        if (next is not ('/' or '*'))
        {
            return false;
        }

        int end = next == '/'
            ? text.IndexOf('\n', _at)
            : text.IndexOf("*/", _at + 2, StringComparison.Ordinal);
        if (end < 0 && next == '*')
        {
            throw new RqlException(text, _at, "expected a '*/' that closes this comment");
        }

        _at = end < 0 ? text.Length : end + (next == '/' ? 1 : 2);
        return true;
    }

    private void SkipQuoted(char quote)
    {
        int start = _at++;
        while (_at < text.Length)
        {
            char one = text[_at++];
            if (one == quote)
            {
                return;
            }

            _at += one == '\\' ? 1 : 0;
        }

        throw new RqlException(text, start, $"expected a {quote} that closes this text");
    }
}
