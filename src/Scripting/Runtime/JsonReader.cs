namespace Raven.Scripting.Runtime;

/// <summary>Reads JSON text into values of the script.</summary>
internal sealed class JsonReader(Run run, string text)
{
    private int _at;

    internal JsValue Read()
    {
        JsValue value = ReadValue();
        SkipBlanks();
        return _at == text.Length ? value : throw Unexpected();
    }

    private JsValue ReadValue()
    {
        run.Step();
        run.CheckStack();
        SkipBlanks();
        if (_at >= text.Length)
        {
            throw run.SyntaxError("Unexpected end of JSON input");
        }

        switch (text[_at])
        {
            case '{':
                return ReadObject();
            case '[':
                return ReadArray();
            case '"':
                return run.NewString(ReadString());
            case 't':
                return Word("true", JsValue.True);
            case 'f':
                return Word("false", JsValue.False);
            case 'n':
                return Word("null", JsValue.Null);
            default:
                return ReadNumber();
        }
    }

    private JsValue ReadObject()
    {
        JsObject target = run.NewObject();
        _at++;
        SkipBlanks();
        if (TrySkip('}'))
        {
            return new JsValue(target);
        }

        while (true)
        {
            SkipBlanks();
            if (_at >= text.Length || text[_at] != '"')
            {
                throw Unexpected();
            }

            string name = ReadString();
            run.ChargeBytes(24 + (2 * name.Length));
            SkipBlanks();
            Require(':');
            target.Define(run, name, ReadValue(), PropertyFlags.All);
            SkipBlanks();
            if (TrySkip('}'))
            {
                return new JsValue(target);
            }

            Require(',');
        }
    }

    private JsValue ReadArray()
    {
        JsArray target = run.NewArray();
        _at++;
        SkipBlanks();
        if (TrySkip(']'))
        {
            return new JsValue(target);
        }

        while (true)
        {
            target.Add(run, ReadValue());
            SkipBlanks();
            if (TrySkip(']'))
            {
                return new JsValue(target);
            }

            Require(',');
        }
    }

    private string ReadString()
    {
        int start = ++_at;
        System.Text.StringBuilder? escaped = null;
        while (true)
        {
            if (_at >= text.Length)
            {
                throw run.SyntaxError("Unterminated string in JSON");
            }

            char c = text[_at];
            if (c == '"')
            {
                ReadOnlySpan<char> last = text.AsSpan(start, _at++ - start);
                return escaped is null ? last.ToString() : escaped.Append(last).ToString();
            }

            if (c < ' ')
            {
                throw run.SyntaxError("Bad control character in string literal in JSON");
            }

            _at++;
            if (c == '\\')
            {
                escaped ??= new System.Text.StringBuilder();
                escaped.Append(text.AsSpan(start, _at - 1 - start)).Append(ReadEscape());
                start = _at;
            }
        }
    }

    private char ReadEscape()
    {
        char c = _at < text.Length ? text[_at++] : '\0';
        switch (c)
        {
            case '"' or '\\' or '/':
                return c;
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case 'u' when _at + 4 <= text.Length && ushort.TryParse(
                text.AsSpan(_at, 4), System.Globalization.NumberStyles.AllowHexSpecifier,
                System.Globalization.CultureInfo.InvariantCulture, out ushort code):
                _at += 4;
                return (char)code;
            default:
                throw run.SyntaxError("Bad escaped character in JSON");
        }
    }

    private JsValue ReadNumber()
    {
        int start = _at;
        _at += Peek() == '-' ? 1 : 0;
        int digits = _at;
        SkipDigits();
        if (_at == digits || (text[digits] == '0' && _at > digits + 1))
        {
            _at = start;
            throw Unexpected();
        }

        if (Peek() == '.')
        {
            _at++;
            RequireDigits();
        }

        if (Peek() is 'e' or 'E')
        {
            _at++;
            _at += Peek() is '+' or '-' ? 1 : 0;
            RequireDigits();
        }

        return new JsValue(double.Parse(
            text.AsSpan(start, _at - start), System.Globalization.NumberStyles.Float,
            System.Globalization.CultureInfo.InvariantCulture));
    }

    private void RequireDigits()
    {
        int start = _at;
        SkipDigits();
        if (_at == start)
        {
            throw Unexpected();
        }
    }

    private void SkipDigits()
    {
        while (char.IsAsciiDigit(Peek()))
        {
            _at++;
        }
    }

    private char Peek() => _at < text.Length ? text[_at] : '\0';

    private JsValue Word(string word, JsValue value)
    {
        if (!text.AsSpan(_at).StartsWith(word, StringComparison.Ordinal))
        {
            throw Unexpected();
        }

        _at += word.Length;
        return value;
    }

    private bool TrySkip(char c)
    {
        bool found = Peek() == c && _at < text.Length;
        _at += found ? 1 : 0;
        return found;
    }

    private void Require(char c)
    {
        if (!TrySkip(c))
        {
            throw Unexpected();
        }
    }

    private void SkipBlanks()
    {
        while (Peek() is ' ' or '\t' or '\n' or '\r')
        {
            _at++;
        }
    }

    private ThrownException Unexpected() => _at >= text.Length
        ? run.SyntaxError("Unexpected end of JSON input")
        : run.SyntaxError($"Unexpected token '{text[_at]}' in JSON at position {_at}");
}
