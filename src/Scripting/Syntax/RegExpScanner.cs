using System.Globalization;
using System.Text;
using Raven.Scripting.Text;

namespace Raven.Scripting.Syntax;

/// <summary>Reads the parts of a pattern that are characters: escapes, classes and numbers.</summary>
internal abstract class RegExpScanner(string pattern, bool unicode, bool ignoreCase)
{
    private const string Space = @"\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";


    protected string Pattern => pattern;

    protected bool IsUnicode => unicode;

    protected int Position { get; set; }

    protected char Current => Position < Pattern.Length ? Pattern[Position] : '\0';

    protected bool AtEnd => Position >= Pattern.Length;

    protected static (int Count, bool Names) CountGroups(string pattern)
    {
        int count = 0;
        bool names = false;
        bool inClass = false;
        for (int i = 0; i < pattern.Length; i++)
        {
            char c = pattern[i];
            if (c == '\\')
            {
                i++;
            }
            else if (c == '[')
            {
                inClass = true;
            }
            else if (c == ']')
            {
                inClass = false;
            }
            else if (c == '(' && !inClass)
            {
                bool plain = i + 1 >= pattern.Length || pattern[i + 1] != '?';
                bool named = !plain && i + 3 < pattern.Length && pattern[i + 2] == '<'
                    && pattern[i + 3] is not ('=' or '!');
                count += plain || named ? 1 : 0;
                names |= named;
            }
        }

        return (count, names);
    }

    protected bool TryReadNumber(ref int at, out int value)
    {
        int start = at;
        long number = 0;
        while (at < Pattern.Length && char.IsAsciiDigit(Pattern[at]))
        {
            number = Math.Min(int.MaxValue, (number * 10) + Pattern[at++] - '0');
        }

        value = (int)number;
        return at > start;
    }

    protected static string? ClassEscape(char c) => c switch
    {
        'd' => "0-9",
        'D' => @"\u0000-/:-\uffff",
        'w' => "a-zA-Z0-9_",
        'W' => @"\u0000-/:-@\[-\^`\{-\uffff",
        's' => Space,
        'S' => @"\u0000-\u0008\u000e-\u001f!-\u009f\u00a1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e"
            + @"\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\uffff",
        _ => null,
    };

    /// <summary>The character of an escape from the letter behind the backslash on.</summary>
    protected int CharacterEscape()
    {
        char c = Pattern[Position++];
        switch (c)
        {
            case 't':
                return '\t';
            case 'n':
                return '\n';
            case 'v':
                return '\v';
            case 'f':
                return '\f';
            case 'r':
                return '\r';
            case 'c' when char.IsAsciiLetter(Current):
                return Pattern[Position++] % 32;
            case 'c':
                Position--;
                return '\\';
            case 'x' when TryHex(2, out int two):
                return two;
            case 'u' when IsUnicode && Current == '{':
                return BracedEscape();
            case 'u' when TryHex(4, out int four):
                return IsUnicode && char.IsHighSurrogate((char)four) ? LowerHalf(four) : four;
            case >= '0' and <= '7' when !IsUnicode || (c == '0' && !char.IsAsciiDigit(Current)):
                return OctalEscape(c);
            default:
                if (IsUnicode && (char.IsAsciiLetterOrDigit(c) || c == '_'))
                {
                    throw new FormatException("Invalid escape");
                }

                return c;
        }
    }

    /// <summary>With the flag u, two escapes that are halves of a pair are one character.</summary>
    private int LowerHalf(int high)
    {
        int start = Position;
        if (Pattern.AsSpan(start).StartsWith("\\u", StringComparison.Ordinal))
        {
            Position += 2;
            if (TryHex(4, out int low) && char.IsLowSurrogate((char)low))
            {
                return char.ConvertToUtf32((char)high, (char)low);
            }
        }

        Position = start;
        return high;
    }

    private int OctalEscape(char first)
    {
        int value = first - '0';
        while (Current is >= '0' and <= '7' && (value * 8) + Current - '0' < 256)
        {
            value = (value * 8) + Pattern[Position++] - '0';
        }

        return value;
    }

    private int BracedEscape()
    {
        int end = Pattern.IndexOf('}', Position);
        if (end < 0 || end - Position is < 2 or > 9
            || !int.TryParse(
                Pattern.AsSpan(Position + 1, end - Position - 1), NumberStyles.AllowHexSpecifier,
                CultureInfo.InvariantCulture, out int code) || code is < 0 or > 0x10FFFF)
        {
            throw new FormatException("Invalid Unicode escape");
        }

        Position = end + 1;
        return code;
    }

    private bool TryHex(int digits, out int value)
    {
        value = 0;
        bool valid = Position + digits <= Pattern.Length && int.TryParse(
            Pattern.AsSpan(Position, digits), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out value);
        Position += valid ? digits : 0;
        return valid;
    }

    /// <summary>
    /// Reads a class from its bracket on: whether it is negated, and its members in the syntax of .NET.
    /// </summary>
    protected (bool Negated, string Set) ReadClass()
    {
        Position++;
        bool negated = Current == '^';
        Position += negated ? 1 : 0;
        StringBuilder set = new();
        while (Current != ']' || AtEnd)
        {
            if (AtEnd)
            {
                throw new FormatException("Unterminated character class");
            }

            (int low, string? lowSet) = ClassAtom();
            if (Current == '-' && Position + 1 < Pattern.Length && Pattern[Position + 1] != ']')
            {
                Position++;
                (int high, string? highSet) = ClassAtom();
                AppendRange(set, (low, lowSet), (high, highSet));
            }
            else
            {
                AppendAtom(set, (low, lowSet));
            }
        }

        Position++;
        return (negated, set.ToString());
    }

    /// <summary>Reads a class of the flag u from its bracket on.</summary>
    protected CodePointSet ReadCodePoints()
    {
        Position++;
        bool negated = Current == '^';
        Position += negated ? 1 : 0;
        List<(int, int)> ranges = [];
        while (Current != ']' || AtEnd)
        {
            if (AtEnd)
            {
                throw new FormatException("Unterminated character class");
            }

            (int low, CodePointSet? lowSet) = CodePointAtom();
            if (Current != '-' || Position + 1 >= Pattern.Length || Pattern[Position + 1] == ']')
            {
                ranges.AddRange(lowSet?.Ranges ?? [(low, low)]);
                continue;
            }

            Position++;
            (int high, CodePointSet? highSet) = CodePointAtom();
            if (lowSet is not null || highSet is not null)
            {
                throw new FormatException("Invalid character class");
            }

            ranges.Add(low <= high ? (low, high)
                : throw new FormatException("Range out of order in character class"));
        }

        Position++;
        CodePointSet set = CodePointSet.Union(ranges);
        return !negated ? set : (ignoreCase ? set.WithOtherCases() : set).Complement();
    }

    /// <summary>The set of an escape of the flag u, from its letter on; null if it stands for one character.</summary>
    protected CodePointSet? SetEscape()
    {
        char c = Current;
        if (c is 'p' or 'P')
        {
            int at = Position + 1;
            CodePointSet set = UnicodeClass.Property(Pattern, ref at, c == 'P');
            Position = at;
            return set;
        }

        CodePointSet? known = UnicodeClass.Escape(c, ignoreCase);
        Position += known is null ? 0 : 1;
        return known;
    }

    private (int Code, CodePointSet? Set) CodePointAtom()
    {
        char c = Pattern[Position];
        if (c == '\\' && Position + 1 < Pattern.Length)
        {
            Position++;
            if (SetEscape() is { } set)
            {
                return (0, set);
            }

            Position--;
        }
        else if (char.IsHighSurrogate(c) && Position + 1 < Pattern.Length && char.IsLowSurrogate(Pattern[Position + 1]))
        {
            Position += 2;
            return (char.ConvertToUtf32(c, Pattern[Position - 1]), null);
        }

        return (ClassAtom().Code, null);
    }

    private void AppendRange(StringBuilder set, (int Code, string? Set) low, (int Code, string? Set) high)
    {
        if (low.Set is not null || high.Set is not null)
        {
            AppendAtom(set, low);
            AppendAtom(set, ('-', null));
            AppendAtom(set, high);
            return;
        }

        if (low.Code > high.Code)
        {
            throw new FormatException("Range out of order in character class");
        }

        AppendAtom(set, (Math.Min(low.Code, 0xFFFF), null));
        set.Append('-');
        AppendAtom(set, (Math.Min(high.Code, 0xFFFF), null));
    }

    private static void AppendAtom(StringBuilder set, (int Code, string? Set) atom)
    {
        if (atom.Set is not null)
        {
            set.Append(atom.Set);
        }
        else
        {
            set.Append("\\u").Append(Math.Min(atom.Code, 0xFFFF).ToString("x4", CultureInfo.InvariantCulture));
        }
    }

    private (int Code, string? Set) ClassAtom()
    {
        char c = Pattern[Position++];
        if (c != '\\')
        {
            return (c, null);
        }

        if (AtEnd)
        {
            throw new FormatException("\\ at end of pattern");
        }

        if (Current == 'b')
        {
            Position++;
            return ('\b', null);
        }

        if (Current == '-' && IsUnicode)
        {
            Position++;
            return ('-', null);
        }

        if (ClassEscape(Current) is { } set)
        {
            Position++;
            return (0, set);
        }

        return (CharacterEscape(), null);
    }
}
