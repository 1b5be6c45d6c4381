using System.Globalization;
using Raven.Scripting.Text;
using System.Text;

namespace Raven.Scripting.Syntax;

/// <summary>
/// Translates a pattern of JavaScript to one of .NET: classes mean ASCII as in JavaScript, named groups keep their
/// number, and characters with another meaning in .NET are escaped. Also finds out whether the pattern can be matched
/// without backtracking.
/// </summary>
internal sealed class RegExpTranslator : RegExpScanner
{
    /// <summary>
    /// Repetitions multiply the states of a matcher that does not backtrack: larger patterns backtrack.
    /// </summary>
    private const long StatesMax = 2_000;

    /// <summary>Characters of .NET's syntax that sets of the flag u may take: \p{L} takes some thousands.</summary>
    private const int SetLengthMax = 100_000;

    /// <summary>
    /// A matcher that does not backtrack divides all characters by the sets of the pattern, which takes the square of
    /// their number.
    /// </summary>
    private const int PartsMax = 12;

    private const int DepthMax = 200;
    private readonly bool _multiline;
    private readonly bool _dotAll;
    private readonly StringBuilder _output = new();
    private readonly List<string?> _groups = [null];
    private readonly int _groupTotal;
    private readonly bool _hasNames;
    private int _depth;
    private long _states;
    private readonly bool _withPairs;
    private int _setLength;
    private int _parts;
    private bool _backtracks;

    private RegExpTranslator(string pattern, string flags, bool withPairs)
        : base(pattern, flags.Contains('u'), flags.Contains('i'))
    {
        _multiline = flags.Contains('m');
        _dotAll = flags.Contains('s');
        _withPairs = withPairs;
        (_groupTotal, _hasNames) = CountGroups(pattern);
    }

    /// <summary>The names of the groups by number; null for one without a name.</summary>
    internal IReadOnlyList<string?> Groups => _groups;

    internal string Output => _output.ToString();

    /// <summary>Characters of the sets of the flag u, which say what it costs to build the matcher.</summary>
    internal int SetLength => _setLength;

    internal bool Backtracks => _backtracks || _states > StatesMax || (_withPairs && _parts > PartsMax);

    /// <summary>Why it is no valid regular expression; null if it is one.</summary>
    internal static string? Check(string pattern, string flags)
    {
        string? reason = CheckFlags(flags);
        if (reason is not null)
        {
            return reason;
        }

        try
        {
            CompiledPattern.Compile(pattern, flags);
            return null;
        }
        catch (FormatException exception)
        {
            return exception.Message;
        }
    }

    internal static string? CheckFlags(string flags)
    {
        for (int i = 0; i < flags.Length; i++)
        {
            if (!"dgimsuy".Contains(flags[i]) || flags.IndexOf(flags[i], i + 1) >= 0)
            {
                return $"Invalid flags '{MessageText.Cut(flags)}'";
            }
        }

        return null;
    }

    /// <summary>Translates a pattern whose flags are valid.</summary>
    /// <param name="pattern">The pattern.</param>
    /// <param name="flags">Its flags.</param>
    /// <param name="withPairs">With the flag u: whether it is for texts that have surrogate pairs.</param>
    /// <exception cref="FormatException">The pattern is not valid.</exception>
    internal static RegExpTranslator Translate(string pattern, string flags, bool withPairs)
    {
        RegExpTranslator translator = new(pattern, flags, withPairs);
        translator.Alternatives();
        if (translator.Position < pattern.Length)
        {
            throw new FormatException("Unmatched ')'");
        }

        return translator;
    }

    private void Alternatives()
    {
        if (++_depth > DepthMax)
        {
            throw new FormatException("Groups are nested too deeply");
        }

        while (!AtEnd && Current != ')')
        {
            if (Current == '|')
            {
                _output.Append('|');
                Position++;
                continue;
            }

            Term();
        }

        _depth--;
    }

    private void Term()
    {

        long statesBefore = _states;
        bool quantifiable = true;
        switch (Current)
        {
            case '^':
                Position++;
                _output.Append(_multiline ? @"(?<=\A|[\n\r\u2028\u2029])" : @"\A");
                _backtracks |= _multiline;
                quantifiable = false;
                break;
            case '$':
                Position++;
                _output.Append(_multiline ? @"(?=[\n\r\u2028\u2029]|\z)" : @"\z");
                _backtracks |= _multiline;
                quantifiable = false;
                break;
            case '(':
                quantifiable = Group();
                break;
            case '.':
                Position++;
                Dot();
                break;
            case '[':
                Class();
                break;
            case '\\':
                quantifiable = Escape();
                break;
            case '*' or '+' or '?':
                throw new FormatException("Nothing to repeat");
            case '{' when IsUnicode || TryReadBraces(out _, out _, out _):
                throw new FormatException("Nothing to repeat");
            case '}' or ']' when IsUnicode:
                throw new FormatException("Lone quantifier brackets");
            default:
                Literal(Pattern[Position++]);
                break;
        }

        Quantifier(statesBefore, quantifiable);
    }

    private void Dot()
    {
        if (IsUnicode)
        {
            Emit(UnicodeClass.Dot(_dotAll));
        }
        else
        {
            Emit(_dotAll ? @"[\s\S]" : @"[^\n\r\u2028\u2029]");
        }
    }

    /// <summary>A set of code points. All sets of a pattern together have a limit, as each may be long.</summary>
    private void Emit(CodePointSet set)
    {
        (string text, int parts) = UnicodeClass.Render(set, _withPairs);
        _setLength += text.Length;
        if (_setLength > SetLengthMax)
        {
            throw new FormatException("The pattern has too many sets of characters");
        }

        _output.Append(text);
        _states += 2 * parts;
        _parts += parts;
    }

    private void Emit(string text)
    {
        _output.Append(text);
        _states++;
    }

    private void Literal(char c)
    {
        // One position of .NET is one UTF-16 unit, as in JavaScript without the flag u.
        if (IsUnicode && char.IsHighSurrogate(c) && char.IsLowSurrogate(Current))
        {
            _output.Append("(?:").Append(c).Append(Pattern[Position++]).Append(')');
            _states += 2;
            return;
        }

        Emit(EscapeLiteral(c));
    }

    private static string EscapeLiteral(char c) =>
        c is <= ' ' or > '~' || "\\*+?|{[()^$.#}]".Contains(c)
            ? "\\u" + ((int)c).ToString("x4", CultureInfo.InvariantCulture) : c.ToString();

    private void Quantifier(long statesBefore, bool quantifiable)
    {
        int at = Position;
        (int min, int max) = (1, 1);
        switch (Current)
        {
            case '*':
                (min, max) = (0, -1);
                Position++;
                break;
            case '+':
                (min, max) = (1, -1);
                Position++;
                break;
            case '?':
                (min, max) = (0, 1);
                Position++;
                break;
            case '{':
                if (!TryReadBraces(out min, out max, out int end))
                {
                    return;
                }

                Position = end;
                break;
            default:
                return;
        }

        if (!quantifiable)
        {
            throw new FormatException("Nothing to repeat");
        }

        if (max >= 0 && max < min)
        {
            throw new FormatException("numbers out of order in {} quantifier");
        }

        string quantifier = Pattern[at..Position];
        _output.Append(quantifier.StartsWith('{') ? Braces(min, max) : quantifier);
        long added = _states - statesBefore;
        _states = Math.Min(long.MaxValue / 4, statesBefore + (added * Math.Max(1, Math.Max(min, max))));
        if (Current == '?')
        {
            _output.Append('?');
            Position++;
        }

    }

    private static string Braces(int min, int max) => string.Create(
        CultureInfo.InvariantCulture, $"{{{min}{(max < 0 ? "," : max == min ? "" : $",{max}")}}}");

    private bool TryReadBraces(out int min, out int max, out int end)
    {
        (min, max, end) = (0, 0, Position + 1);
        if (!TryReadNumber(ref end, out min))
        {
            return false;
        }

        max = min;
        if (end < Pattern.Length && Pattern[end] == ',')
        {
            end++;
            if (!TryReadNumber(ref end, out max))
            {
                max = -1;
            }
        }

        if (end >= Pattern.Length || Pattern[end] != '}')
        {
            return false;
        }

        end++;
        return true;
    }

    private bool Group()
    {
        Position++;
        bool quantifiable = true;
        if (Current != '?')
        {
            _groups.Add(null);
            _output.Append('(');
        }
        else
        {
            quantifiable = GroupHead();
        }

        Alternatives();
        if (Current != ')' || AtEnd)
        {
            throw new FormatException("Unterminated group");
        }

        Position++;
        _output.Append(')');
        return quantifiable;
    }

    private bool GroupHead()
    {
        ReadOnlySpan<char> rest = Pattern.AsSpan(Position);
        foreach (string head in new[] { "?:", "?=", "?!", "?<=", "?<!" })
        {
            if (rest.StartsWith(head, StringComparison.Ordinal))
            {
                Position += head.Length;
                _output.Append('(').Append(head);
                _backtracks |= head != "?:";
                return !head.StartsWith("?<", StringComparison.Ordinal);
            }
        }

        int end = Pattern.IndexOf('>', Position);
        if (!rest.StartsWith("?<", StringComparison.Ordinal) || end < 0)
        {
            throw new FormatException("Invalid group");
        }

        string name = Pattern[(Position + 2)..end];
        if (!IsName(name))
        {
            throw new FormatException("Invalid capture group name");
        }

        if (_groups.Contains(name))
        {
            throw new FormatException("Duplicate capture group name");
        }

        _groups.Add(name);
        _output.Append('(');
        Position = end + 1;
        return true;
    }

    private static bool IsName(string name) => name.Length > 0
        && CharacterClass.IsIdentifierStart(name[0])
        && name.All(CharacterClass.IsIdentifierPart);

    /// <summary>An escape outside of a class. False if a quantifier may not follow.</summary>
    private bool Escape()
    {
        Position++;
        if (AtEnd)
        {
            throw new FormatException("\\ at end of pattern");
        }

        char c = Current;
        if (c is 'b' or 'B')
        {
            Position++;
            _output.Append(c == 'b'
                ? "(?:(?<=[a-zA-Z0-9_])(?![a-zA-Z0-9_])|(?<![a-zA-Z0-9_])(?=[a-zA-Z0-9_]))"
                : "(?:(?<=[a-zA-Z0-9_])(?=[a-zA-Z0-9_])|(?<![a-zA-Z0-9_])(?![a-zA-Z0-9_]))");
            _backtracks = true;
            return false;
        }

        if (c is >= '1' and <= '9' && TryBackReference())
        {
            return true;
        }

        if (c == 'k' && _hasNames)
        {
            NamedReference();
            return true;
        }

        if (IsUnicode && SetEscape() is { } points)
        {
            Emit(points);
            return true;
        }

        if (!IsUnicode && ClassEscape(c) is { } set)
        {
            Position++;
            Emit($"[{set}]");
            return true;
        }

        int code = CharacterEscape();
        if (code > 0xFFFF)
        {
            _output.Append("(?:").Append(char.ConvertFromUtf32(code)).Append(')');
            _states += 2;
        }
        else
        {
            Emit(EscapeLiteral((char)code));
        }

        return true;
    }

    private bool TryBackReference()
    {
        int end = Position;
        TryReadNumber(ref end, out int number);
        if (number > _groupTotal)
        {
            return IsUnicode ? throw new FormatException("Invalid escape") : false;
        }

        Position = end;
        Reference(number);
        return true;
    }

    private void NamedReference()
    {
        int end = Pattern.IndexOf('>', Position);
        if (end < 0 || Pattern[Position + 1] != '<')
        {
            throw new FormatException("Invalid named reference");
        }

        string name = Pattern[(Position + 2)..end];
        int number = _groups.IndexOf(name);
        if (number < 0)
        {
            throw new FormatException("Invalid named capture referenced");
        }

        Position = end + 1;
        Reference(number);
    }

    /// <summary>A group that has not matched yet matches the empty text here; in .NET it would fail.</summary>
    private void Reference(int number)
    {
        _backtracks = true;
        string text = number.ToString(CultureInfo.InvariantCulture);
        bool open = number >= _groups.Count;
        _output.Append(open ? "(?:)" : $"(?({text})\\{text}|)");
    }

    private void Class()
    {
        if (IsUnicode)
        {
            Emit(ReadCodePoints());
            return;
        }

        (bool negated, string set) = ReadClass();
        Emit(set.Length == 0 ? (negated ? @"[\s\S]" : "(?!)") : $"[{(negated ? "^" : "")}{set}]");
        _backtracks |= set.Length == 0 && !negated;
    }
}
