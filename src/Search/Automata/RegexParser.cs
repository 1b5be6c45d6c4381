namespace Raven.Search.Automata;

/// <summary>
/// Reads the part of .NET's syntax of regular expressions that an automaton is made of. What it refuses is not wrong
/// for that: it is left to .NET's own engine, which also says what is wrong. So it refuses whatever is not plain: back
/// references, options, look-around, word boundaries, named categories, blocks, classes less others, and oddities.
/// </summary>
internal sealed class RegexParser(RegexGraph graph, UnitSets sets)
{
    /// <summary>The longest expression, in characters.</summary>
    internal const int LengthMax = 4096;

    private const int DepthMax = 100;
    private const int CountMax = 1000;
    private const int Unlimited = int.MaxValue;

    private int[] _setAt = [];
    private string _pattern = "";
    private int _at;

    private bool IsAtEnd => _at >= _pattern.Length;

    private char Peek => IsAtEnd ? '\0' : _pattern[_at];

    /// <summary>Makes the graph of an expression.</summary>
    /// <returns>Its first node; -1 if it is left to .NET.</returns>
    internal int Parse(string pattern)
    {
        if (pattern.Length > LengthMax)
        {
            return -1;
        }

        graph.Clear();
        sets.Clear();
        _setAt = _setAt.Length < pattern.Length ? new int[pattern.Length] : _setAt;
        Array.Fill(_setAt, -1, 0, pattern.Length);
        _pattern = pattern;
        _at = 0;
        RegexFragment all = Alternation(0);
        _pattern = "";
        if (all.IsNone || _at < pattern.Length || graph.IsFull || sets.IsFull)
        {
            return -1;
        }

        graph.Link(all.End, graph.Add(RegexGraph.Kind.Match));
        return graph.IsFull ? -1 : all.Start;
    }

    private RegexFragment Alternation(int depth)
    {
        if (depth > DepthMax)
        {
            return RegexFragment.None;
        }

        RegexFragment one = Sequence(depth);
        if (one.IsNone || Peek != '|')
        {
            return one;
        }

        int end = graph.Add(RegexGraph.Kind.Split);
        graph.Link(one.End, end);
        int start = one.Start;
        while (TryTake('|'))
        {
            one = Sequence(depth);
            if (one.IsNone)
            {
                return one;
            }

            graph.Link(one.End, end);
            start = graph.Add(RegexGraph.Kind.Split, 0, start, one.Start);
        }

        return new RegexFragment(start, end);
    }

    private RegexFragment Sequence(int depth)
    {
        int start = graph.Add(RegexGraph.Kind.Split);
        int end = start;
        while (!IsAtEnd && Peek is not ('|' or ')'))
        {
            RegexFragment next = Quantified(depth);
            if (next.IsNone)
            {
                return next;
            }

            graph.Link(end, next.Start);
            end = next.End;
        }

        return new RegexFragment(start, end);
    }

    private RegexFragment Quantified(int depth)
    {
        int from = _at;
        RegexFragment one = Atom(depth);
        if (one.IsNone || !IsQuantifier(Peek))
        {
            return one;
        }

        if (_pattern[from] is '^' or '$' || (_pattern[from] == '\\' && _pattern[from + 1] is 'A' or 'z' or 'Z'))
        {
            return RegexFragment.None;
        }

        (int least, int most) = (0, Unlimited);
        switch (_pattern[_at++])
        {
            case '+':
                least = 1;
                break;
            case '?':
                most = 1;
                break;
            case '{' when !TryReadCounts(out least, out most):
                return RegexFragment.None;
        }

        // Whether it takes many or few makes no difference to whether it matches at all.
        TryTake('?');
        return IsQuantifier(Peek) ? RegexFragment.None : Repeat(one, from, depth, least, most);
    }

    private static bool IsQuantifier(char character) => character is '*' or '+' or '?' or '{';

    private bool TryReadCounts(out int least, out int most)
    {
        most = 0;
        if (!TryReadCount(out least))
        {
            return false;
        }

        if (!TryTake(','))
        {
            most = least;
        }
        else if (Peek == '}')
        {
            most = Unlimited;
        }
        else if (!TryReadCount(out most))
        {
            return false;
        }

        return TryTake('}') && least <= most;
    }

    private bool TryReadCount(out int count)
    {
        count = 0;
        int from = _at;
        while (char.IsAsciiDigit(Peek) && count <= CountMax)
        {
            count = (count * 10) + (_pattern[_at++] - '0');
        }

        return _at > from && count <= CountMax;
    }

    /// <summary>Writes out a repetition: the atom is read again for each copy of it.</summary>
    private RegexFragment Repeat(RegexFragment one, int from, int depth, int least, int most)
    {
        int behind = _at;
        int start = graph.Add(RegexGraph.Kind.Split);
        int end = graph.Add(RegexGraph.Kind.Split);
        int last = start;
        int copies = most == Unlimited ? Math.Max(least, 1) : most;
        for (int i = 0; i < copies; i++)
        {
            if (i > 0)
            {
                _at = from;
                one = Atom(depth);
                if (one.IsNone)
                {
                    return one;
                }
            }

            // A copy that need not be there can be passed by.
            int before = i < least ? one.Start : graph.Add(RegexGraph.Kind.Split, 0, one.Start, end);
            graph.Link(last, before);
            last = one.End;
            if (most == Unlimited && i == copies - 1)
            {
                int again = graph.Add(RegexGraph.Kind.Split, 0, one.Start, end);
                graph.Link(last, again);
                _at = behind;
                return graph.IsFull ? RegexFragment.None : new RegexFragment(start, end);
            }
        }

        graph.Link(last, end);
        _at = behind;
        return graph.IsFull ? RegexFragment.None : new RegexFragment(start, end);
    }

    private RegexFragment Atom(int depth)
    {
        int from = _at;
        char first = _pattern[_at++];
        if (graph.IsFull || sets.IsFull)
        {
            return RegexFragment.None;
        }

        switch (first)
        {
            case '(':
                return Group(depth);
            case '^':
                return Node(RegexGraph.Kind.AtStart);
            case '$':
                return EndOfLastLine();
            case '*' or '+' or '?' or '{':
                return RegexFragment.None;
            case '\\' when Peek == 'A':
                _at++;
                return Node(RegexGraph.Kind.AtStart);
            case '\\' when Peek == 'z':
                _at++;
                return Node(RegexGraph.Kind.AtEnd);
            case '\\' when Peek == 'Z':
                _at++;
                return EndOfLastLine();
            case '[':
                return Class(from);
            default:
                return Unit(from, first);
        }
    }

    /// <summary>Anything but what follows an opening parenthesis: captures are groups that nothing asks for.</summary>
    private RegexFragment Group(int depth)
    {
        if (TryTake('?') && !TryTake(':') && !TryReadName())
        {
            return RegexFragment.None;
        }

        RegexFragment inner = Alternation(depth + 1);
        return TryTake(')') ? inner : RegexFragment.None;
    }

    private bool TryReadName()
    {
        if (!TryTake('<') || !char.IsAsciiLetter(Peek))
        {
            return false;
        }

        while (char.IsAsciiLetterOrDigit(Peek))
        {
            _at++;
        }

        return TryTake('>');
    }

    /// <summary>$ and \Z: the end, also in front of a line feed that is the last character.</summary>
    private RegexFragment EndOfLastLine()
    {
        int end = graph.Add(RegexGraph.Kind.AtEnd);
        sets.Begin();
        sets.Add('\n', '\n');
        int lineFeed = graph.Add(RegexGraph.Kind.Read, sets.End(isNegated: false), end);
        return new RegexFragment(graph.Add(RegexGraph.Kind.Split, 0, end, lineFeed), end);
    }

    private RegexFragment Node(RegexGraph.Kind kind)
    {
        int node = graph.Add(kind);
        return new RegexFragment(node, node);
    }

    private RegexFragment Set(int set)
    {
        int node = graph.Add(RegexGraph.Kind.Read, set);
        return new RegexFragment(node, node);
    }

    private RegexFragment Unit(int from, char first)
    {
        int known = _setAt[from];
        sets.Begin();
        if (first == '.')
        {
            sets.Add('\n', '\n');
        }
        else if (first != '\\')
        {
            sets.Add(first, first);
        }
        else if (!TryAddEscape(out int unit))
        {
            return RegexFragment.None;
        }
        else if (unit >= 0)
        {
            sets.Add(unit, unit);
        }

        return Set(Ended(from, known, isNegated: first == '.'));
    }

    private RegexFragment Class(int from)
    {
        int known = _setAt[from];
        bool isNegated = TryTake('^');
        sets.Begin();
        bool isFirst = true;
        while (true)
        {
            if (IsAtEnd || (isFirst && Peek == ']'))
            {
                return RegexFragment.None;
            }

            if (TryTake(']'))
            {
                return Set(Ended(from, known, isNegated));
            }

            if (!TryReadRange(isFirst))
            {
                return RegexFragment.None;
            }

            isFirst = false;
        }
    }

    /// <summary>A copy of an atom has the set of the first one.</summary>
    private int Ended(int from, int known, bool isNegated)
    {
        if (known >= 0)
        {
            sets.Forget();
            return known;
        }

        return _setAt[from] = sets.End(isNegated);
    }

    /// <summary>Reads a unit, a range or a category in brackets. A hyphen is itself at either end alone.</summary>
    private bool TryReadRange(bool isFirst)
    {
        char next = _pattern[_at++];
        int first = next;
        if (next == '[' || (next == '-' && !(isFirst ? Peek != '-' : Peek == ']')))
        {
            return false;
        }

        if (next == '\\' && !TryAddEscape(out first))
        {
            return false;
        }

        if (!IsRange())
        {
            if (first >= 0)
            {
                sets.Add(first, first);
            }

            return true;
        }

        _at++;
        int last = IsAtEnd ? '[' : _pattern[_at++];
        if (last == '[' || last == '-' || (last == '\\' && !TryAddEscape(out last)))
        {
            return false;
        }

        if (first < 0 || last < first || IsRange())
        {
            return false;
        }

        sets.Add(first, last);
        return true;
    }

    private bool IsRange() => Peek == '-' && _at + 1 < _pattern.Length && _pattern[_at + 1] != ']';

    /// <summary>Reads what is behind a backslash: a unit, or a category, which is added to the set.</summary>
    /// <returns>False if an automaton is not made of it.</returns>
    private bool TryAddEscape(out int unit)
    {
        unit = -1;
        if (IsAtEnd)
        {
            return false;
        }

        char escaped = _pattern[_at++];
        switch (escaped)
        {
            case 'd' or 'D':
                sets.Add(UnitCategories.Digits, escaped == 'D');
                return true;
            case 's' or 'S':
                sets.Add(UnitCategories.Spaces, escaped == 'S');
                return true;
            case 'w' or 'W':
                sets.Add(UnitCategories.Words, escaped == 'W');
                return true;
            case 'x':
                return TryReadHex(2, out unit);
            case 'u':
                return TryReadHex(4, out unit);
        }

        unit = escaped switch
        {
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'f' => '\f',
            'v' => '\v',
            'a' => '\a',
            'e' => '\u001B',

            // An older form of back references begins with \< or \'.
            _ => char.IsAscii(escaped) && !char.IsAsciiLetterOrDigit(escaped) && escaped is not ('_' or '<' or '\'')
                ? escaped
                : -1,
        };
        return unit >= 0;
    }

    private bool TryReadHex(int digits, out int unit)
    {
        unit = 0;
        for (int i = 0; i < digits; i++)
        {
            if (!char.IsAsciiHexDigit(Peek))
            {
                return false;
            }

            char digit = _pattern[_at++];
            unit = (unit * 16) + (char.IsAsciiDigit(digit) ? digit - '0' : (digit | 0x20) - 'a' + 10);
        }

        return true;
    }

    private bool TryTake(char character)
    {
        if (IsAtEnd || _pattern[_at] != character)
        {
            return false;
        }

        _at++;
        return true;
    }
}
